#!/bin/sh
# dist-binary.sh [FOLDER]: makes dist/hone, one file that runs wherever this machine's libc or a newer one is,
# from the release in FOLDER (build-release).
set -eu
folder=${1:-build-release}

if [ -f "$folder/build.ninja" ]; then
  tools/configure.sh "$folder"
else
  tools/configure.sh "$folder" --buildtype=release -Dtests=disabled
fi
ninja -C "$folder" --quiet cli/hone
mkdir -p dist
strip -o dist/hone "$folder/cli/hone"

others=$(ldd dist/hone | awk '{ print $1 }' |
  grep -vE '^(linux-vdso|lib(c|m|dl|pthread))\.so|/ld-linux' || true)
if [ -n "$others" ]; then
  echo "dist-binary: dist/hone still needs" $others >&2
  echo "dist-binary: a static library is missing: run 'make setup', remove $folder and try again" >&2
  exit 1
fi
dist/hone --version >/dev/null
echo "dist-binary: dist/hone, $(($(wc -c <dist/hone) / 1024)) KiB, needs libc and libm only"
