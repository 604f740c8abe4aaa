#!/usr/bin/env bash
# Installs what is missing, builds the program and runs the default main job: two NICs, one message each way.
# Records go to the folder out/. Arguments go to the program:
#
#   scripts/run.sh --set workload.MessageBytes=1GB
#
# Or runs a study of docs/studies instead: many runs, a table and a picture in out/NAME.
#
#   scripts/run.sh --study incast_buffer

set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

study=
if [[ ${1:-} == --study ]]; then
    [[ $# == 2 ]] || die "--study takes a name and nothing else; allowed: incast_buffer, trimming, ecn"
    study=$2
fi

"$root/scripts/install_dependencies.sh" ${study:+--studies}

build=$root/build/release
if [[ ! -x $build/bin/mrcnic ]]; then
    say "Building into $build"
fi
(
    cd "$root"
    quietly "$build/configure.log" cmake --preset release
    quietly "$build/build.log" cmake --build --preset release --target mrcnic_cli --parallel "$(jobs)"
)
if [[ -n $study ]]; then
    exec /usr/bin/python3 "$root/scripts/studies/run_study.py" "$study" "$build/bin/mrcnic" "out/$study"
fi
# Not in the checkout but where the user is: paths in the arguments are relative to that.
exec "$build/bin/mrcnic" run "$root/platforms/examples/pair.toml" "$@"
