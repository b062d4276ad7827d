#!/usr/bin/env bash
# Fills build-carry with the Python packages that tools/gpu_check.sh needs, for a machine without network that runs the
# Python given as argument (default 3.12). The folder travels with the source tree.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf build-carry
grep -E '^(nanobind|pytest|pytest-xdist|hypothesis|ml_dtypes)[=>]' tools/requirements.txt >build-carry.txt
trap 'rm -f build-carry.txt' EXIT
python3 -m pip install -q --disable-pip-version-check --target build-carry --python-version "${1:-3.12}" \
  --only-binary=:all: -r build-carry.txt
rm -rf build-carry/numpy build-carry/numpy-* build-carry/numpy.libs  # the machine's own NumPy serves
du -sh build-carry
