# Sourced by the other scripts: the folder of the checkout and a few helpers.
# shellcheck shell=bash

# shellcheck disable=SC2034  # for the scripts that source this file
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() {
    printf '%s\n' "$*"
}

die() {
    printf 'error: %s\n' "$*" >&2
    exit 2
}

# quietly LOG COMMAND...: shows the output on a terminal; else keeps it in the file LOG, and shows its end on failure.
quietly() {
    local log=$1
    shift
    if [[ -t 1 ]]; then
        "$@"
        return
    fi
    mkdir -p "$(dirname "$log")"
    if ! "$@" >"$log" 2>&1; then
        printf 'error: %s failed; the end of %s:\n' "$1" "$log" >&2
        tail -n 60 "$log" >&2
        return 1
    fi
}

# How many jobs may run at once: one per processor, and no more than memory allows (1 GiB for a compiler).
jobs() {
    local cores memory=0
    cores=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
    if [[ -r /proc/meminfo ]]; then
        memory=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
    fi
    if ((memory >= 1 && memory < cores)); then
        cores=$memory
    fi
    printf '%s\n' "$cores"
}
