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
# Precompiled headers of gcc are nothing to clang, and a file must include what it uses.
commands=$(mktemp -d)
sed 's/ -Winvalid-pch -include [^ ]*cmake_pch.hxx//' $database/compile_commands.json >"$commands/compile_commands.json"
database=$commands
# The wheel of clang-tidy has no compiler headers of its own: a clang's serve, or gcc's, which do for everything but
# intrinsics (src/backend/cpu/simd, left out anyway: it is mostly macros).
if resources=$(clang++-14 -print-resource-dir 2>/dev/null); then extra="--extra-arg=-resource-dir=$resources"
else extra="--extra-arg-before=-isystem$(g++ -print-file-name=include)"; fi
# Files that this build leaves out (those of the CUDA plug-in where there is no nvcc) have no flags to be read with.
mapfile -t files < <(git log --format= --name-only --diff-filter=d -- 'src/*.cpp' | awk '!seen[$0]++' |
  while read -r f; do
    case $f in */simd/*) ;; *) ! grep -q "\"file\": .*/$f\"" $database/compile_commands.json || echo "$f" ;; esac
  done)
deadline=$((SECONDS + budget)) checked=0
logs=$(mktemp -d)
tidy() {
  clang-tidy --quiet -p "$database" "$extra" "$1" >"$logs/${1//\//_}.log" 2>/dev/null || echo "$1" >>"$logs/failed"
}
for file in "${files[@]}"; do
  [ $SECONDS -lt $deadline ] || break
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
  tidy "$file" &
  checked=$((checked + 1))
done
wait
echo "clang-tidy read $checked of ${#files[@]} files"
if [ -f "$logs/failed" ]; then
  status=1
  while read -r file; do cat "$logs/${file//\//_}.log"; done <"$logs/failed"
fi
rm -rf "$logs" "$commands"
exit $status
