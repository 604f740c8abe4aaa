#!/usr/bin/env bash
# Checks that all C++ sources are formatted as .clang-format says; with --apply formats them.

set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

options=(--dry-run --Werror)
case ${1:-} in
    "") ;;
    --apply) options=(-i) ;;
    *) die "unknown argument $1; allowed: --apply" ;;
esac
command -v clang-format >/dev/null || die "clang-format is not installed (Debian: clang-format)"

cd "$root"
find tlm platforms testbench \( -name '*.cpp' -o -name '*.h' \) -print0 |
    xargs --null --no-run-if-empty clang-format "${options[@]}"
