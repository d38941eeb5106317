#!/bin/bash
# picture.sh [HONE]: records a run of `hone tune` as docs/tune.svg, the picture in README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
hone=$(realpath "${1:-build/cli/hone}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp examples/first/transpose.c "$work"
export HONE_STORE="$work/store.db" HONE_CACHE="$work/cache" HONE_TUNE="$hone tune transpose.c --color always"
out=$PWD/docs/tune.svg record=$PWD/tools/record.py
cd "$work"
# The report goes on behind the table of candidates.
"$record" "$out" 100 28 "hone tune transpose.c" bash -c "\$HONE_TUNE | sed '/evaluated/,\$d'"
