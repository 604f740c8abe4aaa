#!/usr/bin/env bash
# Installs what the project needs and the machine lacks, from the packages of Debian 12, as root or by sudo.
#
#   scripts/install_dependencies.sh            to build and run the program
#   scripts/install_dependencies.sh --tests    and to build and run the tests
#   scripts/install_dependencies.sh --studies  and to draw the pictures of studies

set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(g++ cmake ninja-build pkg-config libsystemc-dev libfmt-dev libtomlplusplus-dev libcli11-dev
    nlohmann-json3-dev libssl-dev zlib1g-dev)
case ${1:-} in
    "") ;;
    --tests) packages+=(libgtest-dev clang ccache valgrind tshark) ;;
    --studies) packages+=(python3 python3-matplotlib) ;;
    *) die "unknown argument $1; allowed: --tests, --studies" ;;
esac

if ! command -v apt-get >/dev/null; then
    say "This is not a Debian system, nothing is installed. Needed are: ${packages[*]}"
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    if [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
        missing+=("$package")
    fi
done
if ((${#missing[@]} == 0)); then
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    command -v sudo >/dev/null || die "packages are missing, and you are neither root nor have sudo: ${missing[*]}"
    as_root=(sudo)
fi
as_root+=(env DEBIAN_FRONTEND=noninteractive)

say "Installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly "$log" "${as_root[@]}" apt-get update
quietly "$log" "${as_root[@]}" apt-get install --yes --no-install-recommends "${missing[@]}"
