#!/usr/bin/env bash
# Builds and tests on a GPU machine that has no network: everything needed must be installed there already or lie in
# build-carry (tools/gpu_carry.sh fills it on a machine with network). The whole takes nine minutes on 16 cores.
# In $OUT (default: build/gpu/out) it leaves summary.txt, bench.json and logs.tgz, renewed after every part.
#
#   tools/gpu_check.sh                         all parts, in this order
#   tools/gpu_check.sh --only build,pytest     some of them
#   tools/gpu_check.sh --quick                 short benchmark, fewer random programs
#   tools/gpu_check.sh --only pytest --pytest "-k cumsum"
#   tools/gpu_check.sh --only bench --bench "--seconds 0.1"
#
#   build      the library, the CUDA plug-in and the Python module, on all cores
#   info       python -m cuprum info
#   ctest      the C++ tests (built by this part; not among the default parts)
#   examples   the C++ examples, built against the installed library by find_package, on the device
#   sample     every kind of kernel once in each tier, compared with NumPy
#   pytest     the Python tests on the device
#   programs   random programs on the device, with and without CUPRUM_DEBUG, and over streams, threads and a second device:
#              lazy, eager, in any order and NumPy agree
#   sanitizer  compute-sanitizer, memcheck and racecheck, over samples of all kernels in both tiers
#   cupy       CuPy's own tests on the CPU and on the device, where CUPY_CHECKOUT names a checkout of CuPy and CUPY_SUITE a
#              program that runs them (CUPY_SUITE --checkout DIR --module cuprum --json FILE -n N; CUPY_SUITE_ARGUMENTS adds
#              more): the device must pass no fewer cases
#   bench      the benchmark beside CuPy, PyTorch and JAX, alone on the device
#
# CUPRUM_DEVICE chooses the device (default cuda); with cpu the script runs on any machine.
set -uo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-build/gpu/out}
site=$PWD/build/gpu/site
logs=$PWD/build/gpu/logs
cores=$(nproc)
export CUPRUM_DEVICE=${CUPRUM_DEVICE:-cuda}
export PYTHONUNBUFFERED=1
parts=build,info,examples,sample,pytest,programs,sanitizer,cupy,bench
quick="" pytest_arguments="" bench_arguments=""
while [ $# -gt 0 ]; do
  case $1 in
    --only) parts=$2; shift ;;
    --quick) quick=--quick ;;
    --pytest) pytest_arguments=$2; shift ;;
    --bench) bench_arguments=$2; shift ;;
    *) sed -n '2,31p' "$0"; exit 2 ;;
  esac
  shift
done
mkdir -p "$out" "$logs"
[ ! -d build-carry ] || export PYTHONPATH=$PWD/build-carry${PYTHONPATH:+:$PYTHONPATH}
export PATH=$PATH:/usr/local/cuda/bin
architectures=${CUPRUM_CUDA_ARCHITECTURES:-90}
failed=0
summary=""

# keep: what there is so far goes to $OUT, so that a run that is cut short leaves it too.
keep() {
  printf '######## summary, %s\n%s' "$CUPRUM_DEVICE" "$summary" >"$out/summary.txt"
  tar -C "$(dirname "$logs")" -czf "$out/logs.tgz" "$(basename "$logs")"
}
# step NAME SECONDS COMMAND...: the command's output goes to $logs/NAME.log, its end to the terminal.
step() {
  local name=$1 limit=$2 start=$SECONDS result
  shift 2
  printf '\n######## %s\n' "$name"
  timeout -k 10 "$limit" "$@" >>"$logs/$name.log" 2>&1
  result=$?
  case $result in
    0) result=passed ;;
    124 | 137) result="over $limit s"; failed=1 ;;
    *) result="FAILED ($result)"; failed=1 ;;
  esac
  tail -n "${LINES_SHOWN:-12}" "$logs/$name.log"
  summary+=$(printf '%-10s %-12s %5d s' "$name" "$result" $((SECONDS - start)))$'\n'
  keep
  [ "$result" = passed ]
}
asked() { case ,$parts, in *,$1,*) rm -f "$logs/$1.log" ;; *) return 1 ;; esac; }
# jobs NAME LIMIT <lines: title, tab, command>: as many at a time as there are cores; each has a log of its own and a line
# in the common one, and those that fail are shown there.
job() {
  local title=${1%%$'\t'*} command=${1#*$'\t'} log start=$SECONDS result
  log=$folder/$(tr -c '[:alnum:]\n' _ <<<"$title").log
  timeout -k 5 "$limit" bash -c "$command" >"$log" 2>&1
  result=$?
  case $result in 0) echo "$title: passed, $((SECONDS - start)) s" ;; *)
    echo "$title: $([ $result = 124 ] && echo "over $limit s" || echo "FAILED ($result)"), $((SECONDS - start)) s"
    tail -n 60 "$log" | sed 's/^/    /'
    return 1 ;;
  esac
}
jobs_of() {
  export folder=$logs/$1 limit=$2
  rm -rf "$folder" && mkdir -p "$folder"
  tr '\n' '\0' | xargs -0 -P "$cores" -I{} bash -c 'job "$1"' _ {}
}

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
  configure OFF && cmake --build build/gpu/cmake -j "$cores" -- -k 0 && rm -rf "$site" &&
    cmake --install build/gpu/cmake --prefix "$site" >/dev/null && cp -r python/cuprum/. "$site/cuprum/"
}
build_tests() { configure ON && cmake --build build/gpu/cmake -j "$cores"; }

# Compiled reductions are hundreds of kernels, more than one process compiles in its time: a fifth of the dtypes each.
sample() {
  local families family tier shares share
  families=$(python3 tools/kernel_sample.py --list) || return 1
  for family in $families; do
    for tier in 0 1; do
      shares=$([ $tier,$family = 1,reductions ] && echo 0/5 1/5 2/5 3/5 4/5 || echo 0/1)
      for share in $shares; do
        printf '%s, tier %s, %s\t%s\n' "$family" $tier $share \
          "CUPRUM_TIER=$tier python3 tools/kernel_sample.py --family $family --share $share"
      done
    done
  done | jobs_of sample 120
}
# The interpreter has a part in fused kernels alone. racecheck serialises what shares memory: its sample is smaller.
# The "leaked instances" that nanobind reports here at exit are held by the tool's own backtraces of Python frames.
sanitize() {
  local families tool size family tier
  families=$(python3 tools/kernel_sample.py --list) || return 1
  for tool in racecheck memcheck; do
    size=$([ $tool = racecheck ] && echo race || echo small)
    for family in $families; do
      for tier in 0 1; do
        case $tier,$family in 0,elementwise | 0,reductions | 0,leaves | 1,*) ;; *) continue ;; esac
        printf '%s %s, tier %s\t%s\n' $tool "$family" $tier "CUPRUM_TIER=$tier compute-sanitizer --tool $tool \
          --error-exitcode 1 --print-limit 20 python3 tools/kernel_sample.py --size $size --family $family"
      done
    done
  done | jobs_of sanitizer 200
}
programs() {
  local count=$([ -n "$quick" ] && echo 500 || echo 5000) debug status=0
  for debug in 0 1; do
    echo "CUPRUM_DEBUG=$debug"
    CUPRUM_DEBUG=$debug python3 tools/random_programs.py $((count / (1 + debug))) --jobs "$cores" || status=1
  done
  python3 tests/python/stream_programs.py --count $((2 * count)) --devices "$CUPRUM_DEVICE,far" --jobs "$cores" || status=1
  python3 tools/random_programs.py $((count / 2)) --streams --jobs "$cores" || status=1
  return $status
}
# One process per test file: a crash or a hang of one leaves the others' results. The files that take longest come first,
# and the longest two share theirs among four. NumPy's BLAS would start as many threads as there are cores in each of them.
pytest_all() {
  local first="test_fft.py test_linalg.py test_properties_ufuncs.py test_fuzz.py test_tiers.py test_properties_namespace.py test_properties_reductions.py"
  export OPENBLAS_NUM_THREADS=2
  (cd tests/python && ls -d $first && ls -S test_*.py | grep -vxF "${first// /$'\n'}") |
    while read -r file; do
      local share=$(case $file in test_fft.py | test_linalg.py) echo "-n 4" ;; esac)
      printf '%s\t%s\n' "$file" "python3 -X faulthandler -m pytest -q $share -p no:cacheprovider -o faulthandler_timeout=60 \
        --tb=short -rfE tests/python/$file $pytest_arguments; result=\$?; [ \$result = 5 ] || exit \$result"
    done | jobs_of pytest 280
  local status=$?
  echo
  for log in "$logs"/pytest/*.log; do echo "$(basename "$log"): $(tail -n 1 "$log")"; done
  grep -h '^FAILED\|^ERROR' "$logs"/pytest/*.log | cut -c1-180
  return $status
}
cupy_tests() {
  local device
  for device in cpu "$CUPRUM_DEVICE"; do
    echo "CuPy's tests on $device"
    CUPRUM_DEVICE=$device python3 "$CUPY_SUITE" --checkout "$CUPY_CHECKOUT" --module cuprum -n "$cores" \
      --json "$logs/cupy_$device.json" ${CUPY_SUITE_ARGUMENTS:-} || true # its status tells of failed cases
  done
  python3 - "$logs/cupy_cpu.json" "$logs/cupy_$CUPRUM_DEVICE.json" <<'PYTHON'
import json, sys

cpu, device = (json.load(open(path))["files"] for path in sys.argv[1:])
passed = [sum(f.get("passed", 0) for f in files.values()) for files in (cpu, device)]
for path in sorted(cpu):
    here, there = cpu[path].get("passed", 0), device.get(path, {}).get("passed", 0)
    if there < here:
        print(f"{path}: {here} pass on the CPU, {there} on the device")
print(f"passed: {passed[0]} on the CPU, {passed[1]} on the device")
sys.exit(passed[1] < passed[0])
PYTHON
}
export -f job jobs_of build build_tests configure sample sanitize programs pytest_all cupy_tests
export site architectures logs cores quick pytest_arguments

asked build && { step build 420 bash -c build || parts=none; }
export PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH}
asked info && step info 60 python3 -m cuprum info
asked examples && LINES_SHOWN=40 step examples 180 tools/consumer.sh "$site/cuprum"
asked ctest && step ctest 300 bash -c build_tests && step ctest 120 ctest --test-dir build/gpu/cmake -j "$cores"
asked sample && LINES_SHOWN=20 step sample 240 bash -c sample
asked pytest && CUPRUM_PROGRAM_COUNT=${CUPRUM_PROGRAM_COUNT:-1000} LINES_SHOWN=120 step pytest 268 bash -c pytest_all
asked programs && step programs 240 bash -c programs
if asked sanitizer; then
  if command -v compute-sanitizer >/dev/null; then LINES_SHOWN=40 step sanitizer 300 bash -c sanitize; else
    summary+=$'sanitizer  there is no compute-sanitizer\n'
  fi
fi
[ -z "${CUPY_CHECKOUT:-}" ] || [ -z "${CUPY_SUITE:-}" ] || ! asked cupy || LINES_SHOWN=30 step cupy 600 bash -c cupy_tests
asked bench && LINES_SHOWN=90 step bench 420 python3 -m cuprum bench $quick $bench_arguments --json "$out/bench.json"
keep
cat "$out/summary.txt"
exit $failed
