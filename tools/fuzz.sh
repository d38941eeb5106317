#!/usr/bin/env bash
# fuzz.sh [FOLDER]: fuzzes each parser for FUZZ_SECONDS (30), two at a time; reports in TAP.
#
# Seeds come from tests/fuzz/corpus/<name>/, words from tests/fuzz/<name>.dict where there is one.
# What is found stays in FOLDER (build-fuzz): corpus/<name>/, and <name>-crash-* with a log if it fails.
set -euo pipefail
folder=${1:-build-fuzz}

# The folder that check.sh has built is taken as it is.
if [ ! -f "$folder/build.ninja" ]; then
  CC=clang tools/configure.sh "$folder" -Dfuzz=full -Dtests=disabled -Db_lundef=false \
    -Db_sanitize=address,undefined
fi
mapfile -t names < <(sed -n '/^fuzz_targets = \[/,/^]/s/^ *'\''\(.*\)'\'',$/\1/p' tests/meson.build)
if [ ${#names[@]} = 0 ]; then
  echo "1..0"
  exit 0
fi
ninja -C $folder --quiet "${names[@]/#/tests/fuzz_}"

fuzz() {
  local name=$1 options=(-max_total_time="${FUZZ_SECONDS:-30}" -timeout=10 -rss_limit_mb=2048)
  mkdir -p "$folder/corpus/$name"
  if [ -e "tests/fuzz/$name.dict" ]; then options+=(-dict="tests/fuzz/$name.dict"); fi
  # New finds go to the first folder, seeds are read from all.
  local corpus=("$folder/corpus/$name")
  if [ -d "tests/fuzz/corpus/$name" ]; then corpus+=("tests/fuzz/corpus/$name"); fi
  "$folder/tests/fuzz_$name" "${options[@]}" \
    -artifact_prefix="$folder/$name-" "${corpus[@]}" >"$folder/$name.log" 2>&1
}
export -f fuzz
export folder

printf '%s\n' "${names[@]}" |
  xargs -P 2 -I NAME bash -c 'fuzz NAME && touch $folder/NAME.ok || rm -f $folder/NAME.ok'

failed=0
number=0
for name in "${names[@]}"; do
  number=$((number + 1))
  runs=$(sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) .*/\1 runs in \2 s/p' "$folder/$name.log")
  if [ -e "$folder/$name.ok" ]; then
    echo "ok $number - fuzz_$name, $runs"
  else
    failed=1
    tail -n 40 "$folder/$name.log" | sed 's/^/# /'
    echo "not ok $number - fuzz_$name, see $folder/$name.log"
  fi
done
echo "1..$number"
exit $failed
