#!/bin/sh
# demo.sh PROGRAM: shows what hone does with the examples, as one would type it.
set -eu
PATH=$(cd "$(dirname "$1")" && pwd):$PATH

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

show hone --version
for spec in examples/*/*.yaml; do
  [ -e "$spec" ] || continue
  show hone space "$spec"
  show hone space "$spec" --sample 3 --seed 1
done
