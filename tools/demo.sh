#!/bin/sh
# demo.sh PROGRAM: a short tour of what hone does with the examples, as one would type it.
set -eu
program=$1
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
cd "$(dirname "$0")/.."

# A store and a cache of its own, empty and gone in the end.
rooms=$(mktemp -d)
trap 'rm -rf "$rooms"' EXIT
export HONE_STORE="$rooms/hone.db" HONE_CACHE="$rooms/cache"

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); fi

say() { # say TEXT: what comes next
  printf '\n%s# %s%s\n' "$bold" "$1" "$plain"
}
show() { # show COMMAND [STATUS]: as it is typed; it must end with this status (0)
  printf '$ %s\n' "$1"
  got=0
  sh -c "$1" 2>&1 || got=$?
  [ "$got" = "${2-0}" ] || { echo "demo: exit status $got" >&2; exit 1; }
}

say "A kernel's knobs and the rules between them: examples/sgemm/sgemm.yaml"
show "hone space examples/sgemm/sgemm.yaml --device l1_bytes=32768,cache_bytes=1048576"

say "Why is this configuration not in it?"
show "hone space examples/sgemm/sgemm.yaml --device l1_bytes=32768,cache_bytes=1048576 \\
    --explain BM=96,BN=512,BK=128,MR=12,NR=32,LANES=16,UNROLL=4,ALGO=direct"

say "And if it is run nevertheless? Hone survives it, and tells"
show "hone run examples/sgemm/sgemm.yaml \\
    --config BM=96,BN=512,BK=128,MR=12,NR=32,LANES=16,UNROLL=4,ALGO=direct" 1

say "Tune it: build, check and time the candidates, prove the winner against the baseline"
show "hone tune examples/sgemm/sgemm.yaml --budget 30s"

say "The same command again answers from the store"
show "hone tune examples/sgemm/sgemm.yaml --budget 30s | head -n 4"
show "hone show"

say "The builds are kept, too: one configuration, checked and timed beside the baseline"
show "hone run examples/sgemm/sgemm.yaml \\
    --config BM=64,BN=128,BK=128,MR=8,NR=16,LANES=8,UNROLL=4,ALGO=direct"

say "The spec may stand in the kernel's own source"
show "grep -A 6 '@hone$' examples/vector_add/vector_add.c"
show "hone space examples/vector_add/vector_add.c --count"

say "A GPU stencil, 22 million combinations: what does each constraint cost?"
show "hone space examples/hotspot/hotspot.yaml --stats"

say "kbench files load as they are, and give kbench's names in kbench's order"
show "hone space examples/kbench/matmul.yaml --list --format spec | head -n 3"

say "A program that measures itself: every configuration is built and run, as kbench does it"
show "hone sweep examples/sort/sort.yaml --filter n=10000 --filter PIVOT=2 --output-dir $rooms/sweep"
show "hone show $rooms/sweep/output.csv --best"

say "Rules that contradict each other are named"
show "echo '{params: {A: \"range(1, 65)\", B: \"range(1, 65)\"},
 rules: [A % 8 == 0, A * B == 60, A > B, B < 50]}' | hone space - --count" 1

say "Mistakes are found before anything runs, all of them at once"
show "echo '{params: {TILE: [16, 32]}, basline: {TILE: 16},
 constraints: [TILES <= 32, TILE + <= 64]}' | hone space -" 2

say "That was all; its store and builds are gone again. By hand:"
echo "  $program tune examples/vector_add/vector_add.c"
echo "  $program help tune"
echo "  examples/README.md, README.md, man docs/man/hone-tune.1"
