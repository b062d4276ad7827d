#!/usr/bin/env bash
# Builds and tests on a GPU machine that has no network: everything needed must be installed there already or lie in
# build-carry (tools/gpu_carry.sh fills it on a machine with network). Logs, figures and a table go to $OUT (default:
# build/gpu/out), at most eight files.
#
#   tools/gpu_check.sh                         all parts, in this order
#   tools/gpu_check.sh --only build,pytest     some of them
#   tools/gpu_check.sh --quick                 short benchmark, fewer random programs
#   tools/gpu_check.sh --only pytest --pytest "-k cumsum"
#
#   build      the library, the CUDA plug-in and the Python module, on all cores
#   info       python -m cuprum info
#   ctest      the C++ tests (built by this part)
#   sample     every kind of kernel once, compared with NumPy
#   pytest     the Python tests on the device
#   programs   random programs on the device: lazy, eager and NumPy agree
#   sanitizer  compute-sanitizer, memcheck and racecheck, over the sample
#   bench      the benchmark beside CuPy, PyTorch and JAX
#
# CUPRUM_DEVICE chooses the device (default cuda); with cpu the script runs on any machine.
set -uo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-build/gpu/out}
site=$PWD/build/gpu/site
export CUPRUM_DEVICE=${CUPRUM_DEVICE:-cuda}
export PYTHONUNBUFFERED=1
parts=build,info,sample,pytest,programs,sanitizer,bench
quick="" pytest_arguments=""
while [ $# -gt 0 ]; do
  case $1 in
    --only) parts=$2; shift ;;
    --quick) quick=--quick ;;
    --pytest) pytest_arguments=$2; shift ;;
    *) sed -n '2,25p' "$0"; exit 2 ;;
  esac
  shift
done
mkdir -p "$out" build/gpu
[ ! -d build-carry ] || export PYTHONPATH=$PWD/build-carry${PYTHONPATH:+:$PYTHONPATH}
export PATH=$PATH:/usr/local/cuda/bin
architectures=${CUPRUM_CUDA_ARCHITECTURES:-90}
failed=0
summary=""

# step NAME SECONDS COMMAND...: the command's output goes to $out/NAME.log, its end to the terminal.
step() {
  local name=$1 limit=$2 start=$SECONDS result
  shift 2
  printf '\n######## %s\n' "$name"
  timeout -k 10 "$limit" "$@" >>"$out/$name.log" 2>&1
  result=$?
  case $result in
    0) result=passed ;;
    124 | 137) result="over $limit s"; failed=1 ;;
    *) result="FAILED ($result)"; failed=1 ;;
  esac
  tail -n "${LINES_SHOWN:-12}" "$out/$name.log"
  summary+=$(printf '%-10s %-12s %5d s' "$name" "$result" $((SECONDS - start)))$'\n'
  [ "$result" = passed ]
}
asked() { case ,$parts, in *,$1,*) rm -f "$out/$1.log" ;; *) return 1 ;; esac; }

# The layout of a wheel (SKBUILD), made by CMake alone: pip and scikit-build-core may be missing here. Only the instruction
# set of this machine: each costs as much to compile as all the rest.
configure() {
  local level=v3
  grep -q avx512vl /proc/cpuinfo && level=v4
  cmake -S . -B build/gpu/cmake -G Ninja -DCMAKE_BUILD_TYPE=Release -DSKBUILD=ON -DCUPRUM_PYTHON=ON \
    -DCUPRUM_CUDA="$([ "$CUPRUM_DEVICE" = cpu ] && echo AUTO || echo ON)" \
    -DCUPRUM_CUDA_ARCHITECTURES="$architectures" -DCUPRUM_SIMD_LEVELS=$level -DCUPRUM_TESTS="$1" \
    -DPython_EXECUTABLE="$(command -v python3)"
}
build() {
  (nvidia-smi || echo "no NVIDIA driver"; python3 --version; nproc) 2>&1 | head -20
  configure OFF && cmake --build build/gpu/cmake -j "$(nproc)" && rm -rf "$site" &&
    cmake --install build/gpu/cmake --prefix "$site" >/dev/null && cp -r python/cuprum/. "$site/cuprum/"
}
build_tests() { configure ON && cmake --build build/gpu/cmake -j "$(nproc)"; }
# Both tiers: the interpreter alone, then compiled kernels alone.
sample() {
  local tier failed=0
  for tier in 0 1; do
    echo "tier $tier"
    CUPRUM_TIER=$tier python3 tools/kernel_sample.py "$@" || failed=1
  done
  return $failed
}
sanitize() {
  local tool tier failed=0
  for tool in memcheck racecheck; do
    for tier in 0 1; do
      echo "$tool, tier $tier"
      CUPRUM_TIER=$tier compute-sanitizer --tool $tool --error-exitcode 1 --print-limit 20 \
        python3 tools/kernel_sample.py --small || failed=1
    done
  done
  return $failed
}
export -f build build_tests configure sample sanitize
export site architectures

asked build && { step build 420 bash -c build || parts=none; }
export PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH}
asked info && step info 60 python3 -m cuprum info
asked ctest && step ctest 300 bash -c build_tests && step ctest 120 ctest --test-dir build/gpu/cmake -j "$(nproc)"
asked sample && step sample 240 bash -c sample
# One process per test file, eight at a time: a crash or a hang of one leaves the others' results.
pytest_file() {
  timeout -k 5 150 python3 -X faulthandler -m pytest -q -p no:cacheprovider -o faulthandler_timeout=60 --tb=short -rfE \
    "$1" $pytest_arguments >"$logs/$(basename "$1").log" 2>&1
  local result=$?
  echo "$(basename "$1"): $(tail -n 1 "$logs/$(basename "$1").log")$([ $result -lt 2 ] || [ $result = 5 ] || echo " (exit $result)")"
  [ $result = 0 ] || [ $result = 5 ]
}
pytest_all() {
  local status=0
  ls -S tests/python/test_*.py | xargs -P 8 -I{} bash -c 'pytest_file {}' || status=1
  echo
  for log in "$logs"/*.log; do
    tail -n 1 "$log" | grep -q '^[0-9]* passed' || { echo "==== $log"; tail -n 200 "$log"; }
  done >"$out/pytest_failures.txt"
  grep -h '^FAILED\|^ERROR' "$logs"/*.log | cut -c1-180
  return $status
}
export -f pytest_file pytest_all
if asked pytest; then
  export logs=$PWD/build/gpu/pytest pytest_arguments out
  rm -rf "$logs" && mkdir -p "$logs"
  CUPRUM_PROGRAM_COUNT=${CUPRUM_PROGRAM_COUNT:-1000} LINES_SHOWN=100 step pytest 420 bash -c pytest_all
fi
asked programs && step programs 240 python3 tools/random_programs.py "$([ -n "$quick" ] && echo 500 || echo 5000)" --jobs 8
asked sanitizer && step sanitizer 420 bash -c sanitize
asked bench && LINES_SHOWN=90 step bench 420 python3 -m cuprum bench $quick --json "$out/bench.json"
printf '\n######## summary, %s\n%s' "$CUPRUM_DEVICE" "$summary" | tee "$out/summary.txt"
exit $failed
