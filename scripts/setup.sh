# Sourced by ./run and ./check: installs the packages of packaging/apt.txt that are missing, unless --no-apt is given.
# setup_packages run|check [--no-apt]: those below the line [check] are for ./check alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

setup_packages() {
  local wanted missing=()
  wanted=$(sed -e '/^#/d' -e "$([ "$1" = run ] && echo '/^\[check\]/,$d' || echo '/^\[/d')" packaging/apt.txt)
  shift
  for package in $wanted; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$' && continue
    # A nodejs that is not Debian's brings npm along and bears no npm of Debian's beside it.
    [ "$package" = npm ] && command -v npm >/dev/null && continue
    missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  if [ "${1:-}" = --no-apt ]; then
    echo "missing packages: ${missing[*]}; going on without (--no-apt)"
    return
  fi
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  echo "installing: ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# build PRESET [options of cmake] [--target TARGETS]
build() {
  local preset=$1 options=()
  shift
  while [ $# -gt 0 ] && [ "$1" != --target ]; do options+=("$1"); shift; done
  cmake --preset "$preset" "${options[@]}" >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }
  rm -f build.log
  cmake --build "build/$preset" -j "$(nproc)" "$@"  # by default ninja starts more, which takes longer
}
