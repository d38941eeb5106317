#!/bin/sh
# pack-iree.sh: packs IREE's compiler and runtime into one small file, for hosts without network.
#
#   tools/pack-iree.sh [FOLDER [FILE]]
#
# FOLDER has IREE's executables (default $HONE_IREE, else build-iree/), FILE is written (default
# dist/iree-tools.tar.xz): 40 MB instead of 340 MB. Symbols are stripped, and the tables for
# unwinding, which the compiler does not need, are zeroed: it throws no exceptions. It takes some
# minutes. On the other host, python3 unpacks it, and HONE_IREE names the folder:
#
#   python3 -c 'import tarfile; tarfile.open("iree-tools.tar.xz").extractall("iree")'
set -eu
folder=$(readlink -f "${1:-${HONE_IREE:-$(dirname "$0")/../build-iree}}")
file=${2:-$(dirname "$0")/../dist/iree-tools.tar.xz}
tools='iree-compile iree-opt iree-lld iree-benchmark-module iree-run-module'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for name in libIREECompiler.so $tools; do
  found=$(find "$folder" -name "$name" -type f | head -n 1)
  [ -n "$found" ] || { echo "pack-iree: there is no $name in $folder" >&2; exit 1; }
  strip -s -o "$scratch/$name" "$found"
done
python3 - "$scratch/libIREECompiler.so" <<'END'
import struct
import sys

with open(sys.argv[1], "r+b") as file:
    head = file.read(64)  # of an ELF file of 64 bits
    sections_at, = struct.unpack_from("<Q", head, 40)
    size, count, names = struct.unpack_from("<HHH", head, 58)
    sections = []
    for i in range(count):
        file.seek(sections_at + i * size)
        name, _, _, _, offset, length = struct.unpack("<IIQQQQ", file.read(40))
        sections.append((name, offset, length))
    for name, offset, length in sections:
        file.seek(sections[names][1] + name)
        if file.read(64).split(b"\0")[0] in (b".eh_frame", b".eh_frame_hdr"):
            file.seek(offset)
            file.write(bytes(length))
END
"$scratch/iree-compile" --version >/dev/null
mkdir -p "$(dirname "$file")"
(cd "$scratch" && tar --owner=0 --group=0 -cf - libIREECompiler.so $tools) |
  xz --x86 --lzma2=preset=6,dict=128MiB >"$file.new"
mv "$file.new" "$file"
echo "pack-iree: $file has $(($(stat -c %s "$file") / 1048576)) MiB"
