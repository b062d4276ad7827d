#!/usr/bin/env bash
# Builds the module with ThreadSanitizer, in the folder of `make tsan`, and runs Python programs of several threads over it.
# Every report is a failure. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${VENV:-.venv}
cxx=$(cat "$venv/cxx")
build=$PWD/build/tsan
site=$build/site reports=$build/reports

export PATH=$PWD/$venv/bin:$PATH
CXX=$cxx cmake --preset tsan -DCUPRUM_PYTHON=ON
cmake --build --preset tsan --target _core
rm -rf "$site" "$reports".*
mkdir -p "$site"
cp -r python/cuprum "$site/"
cp "$build"/_core.*.so "$build"/libcuprum.so* "$site/cuprum/"

# The interpreter is an ordinary one: ThreadSanitizer must be loaded before it. It writes its reports to files, for pytest
# captures what tests print.
run() {
  printf '== %s\n' "$*"
  LD_PRELOAD=$("$cxx" -print-file-name=libtsan.so) "$@" || { cat "$reports".* 2>/dev/null; exit 1; }
}
export PYTHONPATH=$site CUPRUM_NUM_THREADS=2
export TSAN_OPTIONS="suppressions=$PWD/tools/tsan_python.supp log_path=$reports die_after_fork=0 history_size=4"
# The child of a fork starts threads, whose numbers ThreadSanitizer takes for those of its parent's ("dup thread with used id").
for device in cpu far; do
  CUPRUM_DEVICE=$device run python -m pytest -q -p no:cacheprovider tests/python/test_free_threading.py \
    tests/python/test_threads.py --deselect tests/python/test_threads.py::test_fork_does_not_hang "$@"
done
run python tests/python/stream_programs.py --count 500 --jobs 1
