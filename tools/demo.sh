#!/bin/sh
# demo.sh PROGRAM: a short tour of what hone does with the examples, as one would type it.
set -eu
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
cd "$(dirname "$0")/.."

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
show "hone space examples/sgemm/sgemm.yaml --problem M=256 --device cache_bytes=262144"

say "Why is this configuration not in it?"
show "hone space examples/sgemm/sgemm.yaml --problem M=256 --device cache_bytes=262144 \\
    --explain BM=64,BN=48,UNROLL=4,ALGO=packed"

say "A GPU stencil, 22 million combinations: what does each constraint cost?"
show "hone space examples/hotspot/hotspot.yaml --stats"

say "Three of its legal configurations, every one equally likely, as JSON"
show "hone space examples/hotspot/hotspot.yaml --sample 3 --seed 1 --format json"

say "Tile sizes as ranges of thousands, bound by equations: solved, not enumerated"
show "hone space examples/tiles/tiles.yaml --problem M=2048 \\
    --device cores=16,l1_bytes=32768,l2_bytes=1048576 | tail -n 4"

say "kbench files load as they are, and give kbench's names in kbench's order"
show "hone space examples/kbench/matmul.yaml --list --format spec | head -n 3"

say "The spec may stand in the kernel's own source"
show "grep -A 5 '@hone$' examples/annotated/saxpy.c"
show "hone space examples/annotated/saxpy.c --count"

say "Rules that contradict each other are named"
show "echo '{params: {A: \"range(1, 65)\", B: \"range(1, 65)\"},
 rules: [A % 8 == 0, A * B == 60, A > B, B < 50]}' | hone space - --count" 1

say "Mistakes are found before anything runs, all of them at once"
show "echo '{params: {TILE: [16, 32]}, basline: {TILE: 16},
 constraints: [TILES <= 32, TILE + <= 64]}' | hone space -" 2

printf '\n%s# More: hone help space, README.md, man docs/man/hone-spec.5%s\n' "$bold" "$plain"
