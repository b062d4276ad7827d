#!/usr/bin/env bash
# Formatting and static analysis; changes nothing, and names what `make format` would mend.
# clang-tidy takes seconds per file, so it starts with the files changed last and stops after TIDY_SECONDS.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
budget=${TIDY_SECONDS:-300}

echo "== clang-format"
git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -r clang-format --dry-run --Werror 2>&1 | grep error: | cut -d: -f1 |
  sort | uniq -c
[ "${PIPESTATUS[1]}" = 0 ] || status=1

echo "== ruff"
ruff check . || status=1
ruff format --check . || status=1

echo "== clang-tidy, for at most $budget s"
database=build/release
[ -f $database/compile_commands.json ] || { database=build/lint; cmake -S . -B $database -G Ninja >/dev/null || exit 1; }
# The wheel of clang-tidy has no compiler headers of its own; gcc's serve, except for intrinsics: src/backend/cpu/simd
# is checked where a clang is installed.
extra=()
clang++ --version 2>/dev/null | grep -q ' 14\.' || extra=("--extra-arg-before=-isystem$(g++ -print-file-name=include)")
mapfile -t files < <(git log --format= --name-only --diff-filter=d -- 'src/*.cpp' | awk '!seen[$0]++' |
  while read -r f; do [ -f "$f" ] && case $f in */simd/*) ;; *) echo "$f" ;; esac; done)
deadline=$((SECONDS + budget)) checked=0
logs=$(mktemp -d)
export deadline database logs
printf '%s\n' "${files[@]}" >"$logs/files"
tidy() { clang-tidy --quiet -p "$database" "${@:2}" "$1" >"$logs/$(tr / _ <<<"$1").log" 2>/dev/null || echo "$1" >>"$logs/failed"; }
export -f tidy
while read -r file; do
  [ $SECONDS -lt $deadline ] || break
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
  tidy "$file" "${extra[@]}" &
  checked=$((checked + 1))
done <"$logs/files"
wait
echo "clang-tidy read $checked of ${#files[@]} files"
if [ -f "$logs/failed" ]; then
  status=1
  while read -r file; do cat "$logs/$(tr / _ <<<"$file").log"; done <"$logs/failed"
fi
rm -rf "$logs"
exit $status
