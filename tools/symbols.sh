#!/bin/bash
# symbols.sh [--update] LIBRARY: compares what libhone exports with include/symbols.txt, or writes it there; of
# libhone-wisdom it is include/wisdom_symbols.txt.
#
# The first line of the list is the soname that these symbols belong to. What is in the list stays as long as the
# soname stays: a program that was linked against it must go on working.
set -euo pipefail
cd "$(dirname "$0")/.."
update=false
if [ "${1-}" = --update ]; then
  update=true
  shift
fi
library=${1:?usage: tools/symbols.sh [--update] LIBRARY}

soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
case $soname in
libhone-wisdom.*) list=include/wisdom_symbols.txt ;;
*) list=include/symbols.txt ;;
esac
symbols() { nm -D --defined-only "$library" | awk '{ print $NF }' | grep '^hone_' | LC_ALL=C sort; }
if $update; then
  { echo "$soname" && symbols; } >"$list"
  exit 0
fi

gone=$(LC_ALL=C comm -23 <(tail -n +2 "$list") <(symbols))
new=$(LC_ALL=C comm -13 <(tail -n +2 "$list") <(symbols))
if [ -n "$gone" ] && [ "$(head -n 1 "$list")" = "$soname" ]; then
  echo "$library no longer exports, under the same soname $soname:" $gone
  echo "programs that use them would no longer start: raise the version (docs/library.md, \"Versions\"), then run"
  echo "  tools/symbols.sh --update $library"
elif [ -n "$gone$new" ] || [ "$(head -n 1 "$list")" != "$soname" ]; then
  echo "$list is not what $library exports; new:" ${new:-none} "gone:" ${gone:-none} "soname: $soname"
  echo "functions with signatures that have changed need another soname, too (docs/library.md, \"Versions\"); then run"
  echo "  tools/symbols.sh --update $library"
else
  exit 0
fi
exit 1
