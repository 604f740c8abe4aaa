#!/usr/bin/env bash
# Counts the instructions, kernel events and allocations that the model needs for a data packet, with callgrind: unlike
# times they are nearly the same on every machine. Each case runs with N packets and with 2N; the difference is free of
# start-up. Fails if a figure of the pair misses the column "must" of the performance sheet.
#
#   scripts/count_instructions.sh [--packets N] [BENCH]
#
# BENCH is the program mrcnic_bench, built with optimisation; by default that of build/release, else of build/dev.

set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packets=2000
bench=
while (($# > 0)); do
    case $1 in
        --packets)
            packets=${2:-}
            [[ $packets =~ ^[1-9][0-9]*$ ]] || die "--packets wants a number of at least 1"
            shift
            ;;
        -*) die "unknown argument $1; allowed: --packets N" ;;
        *) bench=$1 ;;
    esac
    shift
done
for candidate in "$root/build/release/bin/mrcnic_bench" "$root/build/dev/bin/mrcnic_bench"; do
    if [[ -z $bench && -x $candidate ]]; then
        bench=$candidate
    fi
done
[[ -n $bench && -x $bench ]] || die "there is no program mrcnic_bench: build the preset release, or name it"
command -v valgrind >/dev/null || die "valgrind is not there (Debian: valgrind)"

export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# count CASE PACKETS: prints "INSTRUCTIONS PACKETS KERNEL_EVENTS ALLOCATIONS" of one run.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --case "$1" --packets "$2" >"$log" 2>&1 ||
        die "case $1 failed: $(tail -n 3 "$log")"
    awk '
        / Collected : / { instructions = $NF }
        $1 == "packets" { packets = $2 }
        $1 == "kernel_events" { events = $2 }
        $1 == "allocations" { allocations = $2 }
        END { print instructions, packets, events, allocations }' "$log"
}

# difference CASE: the same three figures for each packet, start-up cancelled.
difference() {
    local short long
    short=$(count "$1" "$packets")
    long=$(count "$1" $((2 * packets)))
    awk -v a="$short" -v b="$long" 'BEGIN {
        split(a, x)
        split(b, y)
        n = y[2] - x[2]
        printf "%.0f %.2f %.4f\n", (y[1] - x[1]) / n, (y[3] - x[3]) / n, (y[4] - x[4]) / n
    }'
}

# row CASE FIGURE VALUE MUST GOOD AIM
row() {
    awk -v name="$1" -v figure="$2" -v value="$3" -v must="$4" -v good="$5" -v aim="$6" 'BEGIN {
        reached = value <= aim ? "aim" : value <= good ? "good" : value <= must ? "must" : "missed"
        printf "%-18s %-14s %9s %7s %7s %7s  %s\n", name, figure, value, must, good, aim, reached
        exit reached == "missed"
    }'
}

failed=0
# figures CASE, then must, good and aim of instructions and of kernel events: the rows of a case; fails with the worst.
figures() {
    local instructions events allocations status=0
    read -r instructions events allocations < <(difference "$1")
    row "$1" instructions "$instructions" "$2" "$3" "$4" || status=1
    row "$1" kernel_events "$events" "$5" "$6" "$7" || status=1
    row "$1" allocations "$allocations" 0 0 0 || status=1
    return "$status"
}

printf '%-18s %-14s %9s %7s %7s %7s\n' case "each packet" value must good aim
figures pair 14000 10000 7500 10 8 6 || failed=1
figures pair_no_trains 40000 29000 22000 30 25 21 || failed=1
# For comparison only: the sheet means the default job, a message each way, whose two directions share instants.
figures one_way 14000 10000 7500 10 8 6 || true
figures one_way_no_trains 40000 29000 22000 30 25 21 || true
exit "$failed"
