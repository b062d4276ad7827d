#!/usr/bin/env bash
# Builds and tests on a machine that has no network (a GPU machine, typically): everything needed must be installed
# there already or lie in build-carry (tools/gpu_carry.sh fills it on a machine with network). Runs the suites on
# every device that the machine has, then the benchmark; logs and figures go to $OUT (default: build/gpu/out).
#
#   tools/gpu_check.sh [--quick]     --quick: no C++ tests, a short benchmark
set -uo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-build/gpu/out}
site=$PWD/build/gpu/site
quick=""
[ "${1:-}" != --quick ] || quick=--quick
mkdir -p "$out" build/gpu
[ ! -d build-carry ] || export PYTHONPATH=$PWD/build-carry${PYTHONPATH:+:$PYTHONPATH}
export PYTHONUNBUFFERED=1
failed=0

step() {
  local name=$1 start=$SECONDS
  shift
  printf '\n######## %s: %s\n' "$name" "$*"
  if "$@" >"$out/$name.log" 2>&1; then echo "passed, $((SECONDS - start)) s"
  else failed=1; echo "FAILED, $((SECONDS - start)) s"; fi
  tail -n 15 "$out/$name.log"
}

# The layout of a wheel (SKBUILD), made by CMake alone: pip and scikit-build-core may be missing here.
build() {
  cmake -S . -B build/gpu/cmake -G Ninja -DCMAKE_BUILD_TYPE=Release -DSKBUILD=ON -DCUPRUM_PYTHON=ON \
    -DCUPRUM_TESTS="$([ -n "$quick" ] && echo OFF || echo ON)" -DPython_EXECUTABLE="$(command -v python3)" &&
    cmake --build build/gpu/cmake && rm -rf "$site" && cmake --install build/gpu/cmake --prefix "$site" &&
    cp -r python/cuprum/. "$site/cuprum/"
}

has_device() { CUPRUM_DEVICE=$1 python3 -c 'import cuprum as cp; cp.evaluate(cp.ones(1))' 2>/dev/null; }

(nvidia-smi || echo "no NVIDIA driver"; python3 --version; nproc) 2>&1 | tee "$out/machine.log" | head -20
step build build
export PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH}
step info python3 -m cuprum info
[ -n "$quick" ] || step ctest ctest --test-dir build/gpu/cmake --output-on-failure -j "$(nproc)"
workers=()
python3 -c 'import xdist' 2>/dev/null && workers=(-n "$(nproc)")
for device in cpu cuda; do
  if has_device $device; then
    CUPRUM_DEVICE=$device step pytest-$device python3 -m pytest -q -p no:cacheprovider "${workers[@]}"
    CUPRUM_DEVICE=$device step bench-$device python3 -m cuprum bench $quick --json "$out/bench-$device.json" \
      --plot "$out/bench-$device.png"
  else
    echo "no device $device"
  fi
done
exit $failed
