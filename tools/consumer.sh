#!/usr/bin/env bash
# Installs the C++ library to a fresh prefix, then builds and runs the outside programs of tests/consumer against it.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -f .venv/cxx ]; then CXX=$(cat .venv/cxx); export CXX; fi
prefix=$PWD/build/consumer/prefix
rm -rf build/consumer/prefix build/consumer/build
cmake -S . -B build/consumer/library -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
  -DCUPRUM_CUDA=OFF
cmake --build build/consumer/library
cmake --install build/consumer/library >/dev/null
cmake -S tests/consumer -B build/consumer/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix"
cmake --build build/consumer/build
build/consumer/build/consumer
# Calls of NumPy's documentation in C++, compared with NumPy.
build/consumer/build/calls | "${VENV:-.venv}/bin/python" tests/consumer/check_calls.py
