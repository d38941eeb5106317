#!/usr/bin/env bash
# Objects travel once to each host, whoever of its workers gets them first. The launcher count.py counts the bytes.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache COUNTS=$TMP/counts CACHES=$TMP/caches
: "${HONE_PROXY:=$PWD/build/tests/proxy}"
launcher=$PWD/tests/fault/count.py
spec=$TMP/large.yaml
sed 's/steady/large/; s/range(40)/range(6)/' tests/fault/steady.yaml >"$spec"
cp tests/fault/steady.c "$TMP/large.c"
python3 -c 'import random
random.seed(1)
print("const unsigned large_table[] = {", ",".join(str(random.getrandbits(32)) for _ in range(50000)), "};")' >>"$TMP/large.c"

begin() {
  case_begin "$1"
  rm -rf "${HONE_STORE:?}"* "${COUNTS:?}" "${CACHES:?}"
  mkdir "$COUNTS" "$CACHES"
}
tune() { # tune NAME...: a worker each
  local options=() name
  for name in "$@"; do options+=(--worker "'$launcher' $name"); done
  RUN_TIMEOUT=60 run "$HONE" tune "$spec" --strategy exhaustive --format json "${options[@]}"
  expect_status 0
  expect_same "outcomes" "6 ok" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
run = run[0] if isinstance(run, list) else run
print(len({e["config"] for e in run["evaluations"]}), *{e["outcome"].replace("slow", "ok") for e in run["evaluations"]})' "$TMP/stdout")"
}
sum() { awk '{ sum += $1 } END { print sum + 0 }'; }
sent() { cat "$COUNTS"/*.[0-9]*.[0-9]* | sum; }
objects() { find "$HONE_CACHE/objects" -type f -size +100k -printf '%s\n' | sum; }

begin "two workers of one host are sent each object once"
tune alpha.1 alpha.2
[ "$(objects)" -gt 1200000 ] || fail "objects are of $(objects) bytes only"
[ "$(sent)" -lt $(($(objects) * 12 / 10)) ] || fail "$(sent) bytes were sent for objects of $(objects)"

cp "$TMP/large.c" "$TMP/dense.c"
sed -i 's/const unsigned large_table.*/const unsigned large_table[] = {[49999] = 7};/' "$TMP/large.c"
begin "what gets smaller is compressed"
tune alpha.1 alpha.2
[ "$(objects)" -gt 1200000 ] || fail "objects are of $(objects) bytes only"
[ "$(sent)" -lt $(($(objects) / 10)) ] || fail "$(sent) bytes were sent for objects of $(objects)"

begin "a worker that does not expand is sent what it needs as it is"
tune "alpha.1 '$HONE_PROXY' 'hello:{\"zstd\":false}' 0" alpha.2
[ "$(sent)" -gt 200000 ] || fail "$(sent) bytes were sent for objects of $(objects)"
cp "$TMP/dense.c" "$TMP/large.c"

begin "a host without a cache is sent what it asks for"
echo "a file" >"$CACHES/alpha"
tune alpha.1 alpha.2

begin "what is lost from the cache of a host is sent again"
lose() { # as often as there is something
  while [ ! -e "$COUNTS/end" ]; do find "$CACHES" -path '*/objects/*' -type f -size +100k -delete 2>/dev/null; sleep 0.05; done
}
lose &
losing=$!
tune alpha.1 alpha.2
touch "$COUNTS/end"
wait $losing

begin "a transfer that is broken off goes on where it ended"
head -c 4000000 /dev/urandom >"$TMP/noise"
{
  cat tests/fault/steady.c
  echo "__asm__(\".pushsection .rodata\\n.incbin \\\"$TMP/noise\\\"\\n.popsection\");"
} >"$TMP/large.c"
export BREAK=11000000 # in the middle of the third object
tune alpha.1
unset BREAK
[ -e "$COUNTS/broken" ] || fail "nothing was broken off"
[ "$(objects)" -gt 24000000 ] || fail "objects are of $(objects) bytes only"
[ "$(sent)" -lt $(($(objects) * 103 / 100)) ] || fail "$(sent) bytes were sent for objects of $(objects)"
[ -z "$(find "$CACHES" -path '*/partial/*' -type f)" ] || fail "a beginning is left in the cache"

case_begin "nothing is left running"
expect_nothing_left

cases_end
