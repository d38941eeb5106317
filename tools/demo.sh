#!/bin/sh
# demo.sh PROGRAM: a short tour of what hone does with the examples, as one would type it.
set -eu
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

say "Tune it: build, check and time the candidates, prove the winner against the baseline"
show "hone tune examples/sgemm/sgemm.yaml --budget 40s"

say "The same command again answers from the store"
show "hone tune examples/sgemm/sgemm.yaml --budget 40s | head -n 3"
show "hone show"

say "One candidate by itself: the baseline"
show "hone run examples/sgemm/sgemm.yaml"

say "A GPU stencil, 22 million combinations: what does each constraint cost?"
show "hone space examples/hotspot/hotspot.yaml --stats"

say "kbench files load as they are, and give kbench's names in kbench's order"
show "hone space examples/kbench/matmul.yaml --list --format spec | head -n 3"

say "The spec may stand in the kernel's own source"
show "grep -A 6 '@hone$' examples/vector_add/vector_add.c"
show "hone space examples/vector_add/vector_add.c --count"

say "Rules that contradict each other are named"
show "echo '{params: {A: \"range(1, 65)\", B: \"range(1, 65)\"},
 rules: [A % 8 == 0, A * B == 60, A > B, B < 50]}' | hone space - --count" 1

say "Mistakes are found before anything runs, all of them at once"
show "echo '{params: {TILE: [16, 32]}, basline: {TILE: 16},
 constraints: [TILES <= 32, TILE + <= 64]}' | hone space -" 2

printf '\n%s# More: hone help space, README.md, man docs/man/hone-spec.5%s\n' "$bold" "$plain"
