#!/bin/sh
# dist-binary.sh: makes dist/hone, one file that runs wherever this machine's libc or a newer one is.
set -eu
folder=build-portable

tools/configure.sh $folder --buildtype=release -Dtests=disabled -Dportable=true
ninja -C $folder --quiet cli/hone
mkdir -p dist
strip -o dist/hone $folder/cli/hone

others=$(ldd dist/hone | awk '{ print $1 }' |
  grep -vE '^(linux-vdso|lib(c|m|dl|pthread))\.so|/ld-linux' || true)
if [ -n "$others" ]; then
  echo "dist-binary: dist/hone still needs:" $others >&2
  exit 1
fi
dist/hone --version >/dev/null
echo "dist-binary: dist/hone, $(($(wc -c <dist/hone) / 1024)) KiB, needs libc and libm only"
