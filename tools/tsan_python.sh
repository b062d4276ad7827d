#!/usr/bin/env bash
# Builds the module with ThreadSanitizer, in the folder of `make tsan`, and runs Python programs of several threads over it.
# Every report is a failure. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${VENV:-.venv}
python=$PWD/$venv/bin/python
build=build/tsan site=$PWD/build/tsan/site

CXX=$(cat "$venv/cxx") PATH=$PWD/$venv/bin:$PATH cmake --preset tsan -DCUPRUM_PYTHON=ON
PATH=$PWD/$venv/bin:$PATH cmake --build $build --target _core
rm -rf "$site" && mkdir -p "$site"
cp -r python/cuprum "$site/"
cp $build/_core.*.so $build/libcuprum.so* "$site/cuprum/"

# The interpreter is an ordinary one: ThreadSanitizer must be there before it.
library=$("$(cat "$venv/cxx")" -print-file-name=libtsan.so)
export PYTHONPATH=$site CUPRUM_NUM_THREADS=2 PYTHONFAULTHANDLER=1 LD_LIBRARY_PATH=$site/cuprum
export TSAN_OPTIONS="suppressions=$PWD/tools/tsan_python.supp exitcode=66 report_bugs=1 second_deadlock_stack=1 history_size=4"

run() { printf '== %s\n' "$*"; LD_PRELOAD=$library "$@"; }
tests=(tests/python/test_free_threading.py tests/python/test_threads.py)
for device in cpu far; do
  CUPRUM_DEVICE=$device run "$python" -m pytest -q -x -p no:cacheprovider "${tests[@]}" "$@"
done
run "$python" tests/python/stream_programs.py --count 100 --jobs 1
