#!/usr/bin/env bash
# The C++ library as others get it: installed to a fresh prefix and as a Debian package, found by find_package and by pkg-config.
# Builds and runs the outside programs of tests/consumer and the examples against it, compares calls with NumPy, and the symbols
# that the library shows with their list. With an argument, a prefix where it is installed already, it runs the examples alone.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -f .venv/cxx ]; then CXX=$(cat .venv/cxx); export CXX; fi
python=${VENV:-.venv}/bin/python
work=$PWD/build/consumer
rm -rf "$work" && mkdir -p "$work"

# programs PREFIX: builds the outside programs, and runs the examples; each tells by its status whether its result is right.
programs() {
  cmake -S tests/consumer -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$1" >/dev/null
  cmake --build "$work/build"
  for example in "$work"/build/example_*; do
    echo "== ${example##*/}"
    (cd "$work" && "$example")
  done
}
if [ $# -gt 0 ]; then
  programs "$(realpath "$1")"
  exit
fi

# As deep below the sources as build/release, so that ccache knows the objects.
cmake -S . -B build/package -G Ninja -DCMAKE_BUILD_TYPE=Release -DCUPRUM_CUDA=OFF
cmake --build build/package
"$python" tools/exported_symbols.py build/package/libcuprum.so
cmake --install build/package --prefix "$work/prefix" >/dev/null
programs "$work/prefix"
"$work/build/consumer"
diff <("$work/build/guide") <(sed -n '/^```python/,/^```/p' docs/guide/cpp-from-numpy.md | sed '/^```/d' | "$python" -)
"$work/build/calls" | "$python" tests/consumer/check_calls.py
if cmake -S tests/consumer -B "$work/newer" -DCMAKE_PREFIX_PATH="$work/prefix" -DCUPRUM_WANTED=0.2 >/dev/null 2>&1; then
  echo "find_package(cuprum 0.2) must not find $(sed -n 's/^Version: //p' "$work"/prefix/lib*/pkgconfig/cuprum.pc)"
  exit 1
fi

# The package, unpacked where it cannot disturb; a program by pkg-config, and how long that takes.
if command -v dpkg-deb >/dev/null && command -v pkg-config >/dev/null; then
  (cd build/package && cpack -G DEB >/dev/null)
  dpkg-deb -x build/package/libcuprum-dev_*.deb "$work/root"
  library=$(ls "$work"/root/usr/lib*/libcuprum.so.*.*.*)
  if readelf -d "$library" | grep -E 'R(UN)?PATH' | grep -F '[/'; then
    echo "the packaged library looks into folders of this machine"
    exit 1
  fi
  PKG_CONFIG_PATH=$(dirname "$work"/root/usr/lib*/pkgconfig/cuprum.pc)
  export PKG_CONFIG_PATH
  time ${CXX:-c++} tests/consumer/consumer.cpp -o "$work/packaged" $(pkg-config --cflags --libs cuprum)
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir cuprum) "$work/packaged"
  strip -o "$work/stripped" "$work/packaged"
  ls -l "$work/root/usr/lib"*/libcuprum.so.*.*.* "$work/stripped" build/package/*.deb | awk '{print $5, $9}'
fi
