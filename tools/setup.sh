#!/usr/bin/env bash
# Prepares a machine: system packages where it may install them, a virtual environment in .venv, and in it everything
# of tools/requirements.txt. Run by `make`; harmless to run again.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${VENV:-.venv}
python=${PYTHON:-python3}

say() { printf '== %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif sudo -n true 2>/dev/null; then sudo "$@"; else return 1; fi
}

# Installs those packages whose command or file is missing; goes on without them where that is not allowed.
system_packages() {
  command -v apt-get >/dev/null || return 0
  local wanted=()
  command -v cmake >/dev/null || wanted+=(cmake)
  command -v ninja >/dev/null || wanted+=(ninja-build)
  command -v ccache >/dev/null || wanted+=(ccache)
  command -v g++ >/dev/null || command -v clang++ >/dev/null || wanted+=(g++)
  [ -e /usr/include/gtest/gtest.h ] || wanted+=(libgtest-dev)
  "$python" -c 'import ensurepip' 2>/dev/null || wanted+=(python3-venv)
  "$python" -c 'import sysconfig, os; assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' \
    2>/dev/null || wanted+=(python3-dev)
  [ ${#wanted[@]} -gt 0 ] || return 0
  say "installing ${wanted[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive sh -c \
    "apt-get update -qq && apt-get install -y -qq --no-install-recommends ${wanted[*]}" >/dev/null ||
    say "could not install ${wanted[*]}; going on without"
}

# C++20 as Cuprum uses it needs gcc 12 or clang 14. Writes the compiler's name to .venv/cxx.
find_compiler() {
  local candidate version
  for candidate in ${CXX:-} g++ c++ g++-14 g++-13 g++-12 clang++ clang++-18 clang++-17 clang++-16 clang++-15 clang++-14; do
    command -v "$candidate" >/dev/null || continue
    version=$("$candidate" -dumpversion | cut -d. -f1)
    if "$candidate" --version | grep -qi clang; then [ "$version" -ge 14 ] || continue
    else [ "$version" -ge 12 ] || continue; fi
    command -v "$candidate" >"$venv/cxx"
    return 0
  done
  return 1
}

system_packages
if [ ! -x "$venv/bin/python" ]; then
  say "creating $venv"
  "$python" -m venv "$venv"
fi
say "installing Python packages into $venv"
"$venv/bin/python" -m pip install -q --disable-pip-version-check -r tools/requirements.txt
version_ok() { "$1" --version | head -1 | "$venv/bin/python" -c \
  'import re, sys; v = re.findall(r"\d+", sys.stdin.read()); sys.exit(tuple(map(int, v[:2])) < (3, 26))'; }  # 3.25 does not know nvcc's C++20
tools=()
{ command -v cmake >/dev/null && version_ok cmake; } || tools+=(cmake)
command -v ninja >/dev/null || tools+=(ninja)
[ ${#tools[@]} = 0 ] || "$venv/bin/python" -m pip install -q --disable-pip-version-check "${tools[@]}"
find_compiler || {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq g++-12 >/dev/null 2>&1 || true
  find_compiler || { echo "Cuprum needs g++ 12 or clang++ 14 (or later); none was found" >&2; exit 1; }
}
touch "$venv/ready"
say "ready: $(cat "$venv/cxx"), $("$venv/bin/python" --version)"
