#!/usr/bin/env bash
# Checks that relative links of the Markdown pages lead somewhere, headings included, and that files they name exist.

set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

# The anchors of a page's headings.
anchors() {
    sed -n -E 's/^#+ +//p' "$1" | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# Names in backquotes that start with a folder of ours; sources may be named as they are included, or by their room.
named_files() {
    # shellcheck disable=SC2016  # the backquotes are those of the page
    { grep -oE '`((tlm|platforms|testbench|scripts|docs|cmake|mrcnic)/[A-Za-z0-9_./-]+|[a-z_]+/[a-z_]+\.(h|cpp))`' "$1" ||
        true; } | tr -d '`'
}

# Commands in the pages name files too.
files_in_commands() {
    { grep -oE '(^|[ =])(platforms|testbench|scripts)/[A-Za-z0-9_/-]+\.(toml|cm|csv|sh)' "$1" || true; } | tr -d ' ='
}

links() {
    { grep -oE '\]\([^)]+\)' "$1" || true; } | sed -E 's/^\]\(//; s/\)$//' | grep -vE '^[a-z]+:' || true
}

failed=0
complain() {
    printf 'error: %s: %s\n' "$1" "$2" >&2
    failed=1
}

while read -r page; do
    while read -r link; do
        target=${link%%#*}
        file=$page
        [[ -z $target ]] || file=$(dirname "$page")/$target
        if [[ ! -e $file ]]; then
            complain "$page" "link to $link, which is not there"
        elif [[ $link == *#* ]] && ! anchors "$file" | grep -qxF -- "${link#*#}"; then
            complain "$page" "link to $link, a heading that is not there"
        fi
    done < <(links "$page")
    while read -r name; do
        [[ -e $name || -e tlm/$name || -e platforms/$name || -e tlm/mrcnic/$name ]] ||
            complain "$page" "$name is not there"
    done < <(named_files "$page" && files_in_commands "$page")
done < <(find . -path ./build -prune -o -path ./.git -prune -o -name '*.md' -print | sed 's|^\./||' | sort)
exit "$failed"
