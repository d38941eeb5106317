#!/bin/sh
# configure.sh FOLDER OPTION...: sets up a build folder, or gives one that is there these options.
set -eu
log=$(mktemp)
trap 'rm -f "$log"' EXIT

if [ -f "$1/build.ninja" ]; then
  { [ $# = 1 ] || meson configure "$@"; } && ninja -C "$1" build.ninja
else
  meson setup "$@"
fi >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
