#!/usr/bin/env bash
# Installs what is missing, then builds and runs all tests: with g++, with clang++ and under the sanitizers.
# The last line is "N passed, N failed, N skipped": a test counts once, as failed if it fails in any of the builds, and
# as skipped if it needs the real workload files (environment variable MRCNIC_WORKLOADS) and they are absent.
#
#   scripts/test.sh          everything but the long tests
#   scripts/test.sh --long   the long tests too

set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

long=false
case ${1:-} in
    "") ;;
    --long) long=true ;;
    *) die "unknown argument $1; allowed: --long" ;;
esac

# Relative to where the user is, so before the change of folder.
workloads=$(realpath --canonicalize-missing "${MRCNIC_WORKLOADS:-$root/../shared/data/workloads}")
export MRCNIC_WORKLOADS=$workloads

cd "$root"
scripts/install_dependencies.sh --tests

export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1

# One line "STATUS NAME" per test and build.
results=$root/build/results.txt
mkdir -p build
: >"$results"

# Turns the report of ctest into such lines.
read_report() {
    sed -n -E 's/.*<testcase name="([^"]*)".* status="([^"]*)".*/\2 \1/p' "$1" |
        sed -E 's/^run /passed /; s/^(fail|notrun) /failed /; s/^disabled /skipped /;
            s/&quot;/"/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}

# run_tests PRESET
run_tests() {
    local preset=$1 report=$root/build/$1/tests.xml log=build/$1/tests.log
    mkdir -p "build/$preset"
    rm -f "$report"
    # What a failed test printed stands between its line, with three stars, and the start of the next.
    ctest --preset "$preset" --parallel "$(jobs)" --output-junit "$report" >"$log" 2>&1 ||
        awk '/^ *Start +[0-9]+:/ { show = 0 } /\*\*\*/ { show = 1 } show' "$log" | head -n 200 >&2
    if [[ -s $report ]]; then
        read_report "$report" >>"$results"
    else
        printf 'failed tests_of_%s\n' "$preset" >>"$results"
    fi
}

# build_and_test PRESET
build_and_test() {
    local preset=$1
    say "Build $preset"
    if ! quietly "build/$preset/configure.log" cmake --preset "$preset" ||
        ! quietly "build/$preset/build.log" cmake --build --preset "$preset" --parallel "$(jobs)"; then
        printf 'failed build_%s\n' "$preset" >>"$results"
        return
    fi
    say "Test $preset"
    run_tests "$preset"
}

# The records of a run, without the fields that tell of the machine.
records() {
    local program=$1 example=$2 out=$3
    rm -rf "$out"
    "$program" run "$example" --out "$out" --quiet >/dev/null &&
        sed -i -E 's/"(version|wall_s|cpu_s|kernel_events)": *("[^"]*"|[-+.0-9eE]+),?//g' "$out/summary.json"
}

# Both compilers' programs write the same records.
compare_records() {
    local example name
    for example in platforms/examples/*.toml; do
        name=same_records.$(basename "$example" .toml)
        if records build/dev/bin/mrcnic "$example" build/dev/records &&
            records build/clang/bin/mrcnic "$example" build/clang/records &&
            diff --recursive build/dev/records build/clang/records >&2; then
            printf 'passed %s\n' "$name" >>"$results"
        else
            printf 'failed %s\n' "$name" >>"$results"
        fi
    done
}

if scripts/check_docs.sh; then
    printf 'passed docs\n' >>"$results"
else
    printf 'failed docs\n' >>"$results"
fi
# Instructions are those of the optimised build, which has no tests of its own.
count_instructions() {
    say "Count instructions"
    if quietly build/release/configure.log cmake --preset release &&
        quietly build/release/build.log cmake --build --preset release --target mrcnic_bench mrcnic_cli --parallel "$(jobs)" &&
        quietly build/release/instructions.log scripts/count_instructions.sh build/release/bin/mrcnic_bench; then
        printf 'passed bench.instructions\n' >>"$results"
    else
        printf 'failed bench.instructions\n' >>"$results"
    fi
}

# 1,024 NICs, a permutation over 32 leaves and 32 spines: within 2 minutes and 4 GiB.
run_large_fabric() {
    local file=$workloads/perm_1024n_1024c_0u_2000000b.cm name=real_workloads.permutation_1024
    if [[ ! -d $workloads ]]; then
        printf 'skipped %s\n' "$name" >>"$results"
        return
    fi
    say "Run 1,024 NICs"
    if (
        ulimit -v $((4 * 1024 * 1024))
        quietly build/release/permutation_1024.log timeout 120 build/release/bin/mrcnic run \
            platforms/examples/leaf_spine.toml --out build/release/permutation_1024 --quiet --set fabric.Leaves=32 \
            --set fabric.NicsPerLeaf=32 --set fabric.Spines=32 --set workload.File="$file"
    ); then
        printf 'passed %s\n' "$name" >>"$results"
    else
        printf 'failed %s\n' "$name" >>"$results"
    fi
}

for preset in dev clang asan; do
    build_and_test "$preset"
done
compare_records
count_instructions
run_large_fabric
if $long; then
    say "Every public header by itself, and the long tests"
    quietly build/headers.log cmake --build --preset dev --target all_verify_interface_header_sets ||
        printf 'failed headers_by_themselves\n' >>"$results"
    if [[ -d testbench/long ]]; then
        run_tests long
    fi
fi

# The worst status of a test over the builds counts.
read -r passed failed skipped < <(awk '
    {
        rank = $1 == "failed" ? 3 : $1 == "passed" ? 2 : 1
        name = substr($0, length($1) + 2)
        if (rank > worst[name]) worst[name] = rank
    }
    END { for (name in worst) ++count[worst[name]]; print count[2] + 0, count[3] + 0, count[1] + 0 }' "$results")

if ((failed > 0)); then
    say "Failed:"
    sed -n 's/^failed /  /p' "$results" | sort -u
    say "Details: build/*/tests.log"
fi
if ((skipped > 0)); then
    say "$skipped tests read the real workload files and did not run: there is no folder $workloads (MRCNIC_WORKLOADS)"
fi
if ((passed + failed == 0)); then
    say "No test was run."
fi
say "$passed passed, $failed failed, $skipped skipped"
((failed == 0 && passed > 0))
