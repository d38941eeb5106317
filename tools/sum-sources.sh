#!/bin/sh
# sum-sources.sh FOLDER TEMPLATE HEADER: puts the checksum of all sources below FOLDER into HEADER, if it is another one.
# Builds of the same sources have the same checksum, whatever their compiler.
set -eu
sum=$(cd "$1" && find src cli include -name '*.[ch]' | LC_ALL=C sort | xargs cat | sha256sum | cut -c1-16)
text=$(sed "s/@HONE__SOURCES_SUM@/$sum/" "$2")
if [ "$(cat "$3" 2>/dev/null)" != "$text" ]; then echo "$text" >"$3"; fi
