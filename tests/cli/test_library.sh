# A program with a main of its own tunes with the library: workers are the program `hone`.
. "$(dirname "$0")/lib.sh"

host=${LIBRARY_HOST:-$PWD/build/tests/library_host}
export HONE_CACHE=$TMP/cache HOST_TRACE=$TMP/trace
store=$TMP/store.db
unset HONE_PROGRAM HONE_STORE
elsewhere=$TMP/else
mkdir -p "$elsewhere"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$HONE" >"$elsewhere/hone"
chmod +x "$elsewhere/hone"

cat >"$TMP/copy.c" <<'END'
void copy(const float *x, float *y, int n)
{
  for (int i = 0; i < n; i += STEP)
    for (int k = i; k < i + STEP; k++) y[k] = x[k];
}
END
cat >"$TMP/copy.yaml" <<'END'
name: copy
file: copy.c
problem: {N: 4096}
params: {STEP: [1, 4, 16]}
baseline: {STEP: 1}
entry: copy
args:
  - {name: x, type: f32, shape: [N], fill: uniform}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
END

expect_tuned() {
  expect_status 0
  expect_out_contains "runs: 1"
  [ ! -e "$HOST_TRACE" ] || fail "the host was started as a worker"
  rm -f "$HOST_TRACE" "$store"*
}

case_begin "HONE_PROGRAM names the program that works for the library"
run env HONE_PROGRAM="$HONE" "$host" "$TMP/copy.yaml" "$store"
expect_out_contains "child lives"
expect_out_contains "run 1 of 'N=4096': finished"
expect_out_contains "answered: 0"
expect_out_contains "verdict: "
expect_tuned

case_begin "the same call is answered from the store, in the same words"
run env HONE_PROGRAM="$HONE" HOST_CACHE="$TMP/own cache" HONE_CACHE=/nowhere "$host" "$TMP/copy.yaml" "$store"
expect_status 0
expect_out_contains "answered: 0"
first=$(grep -v answered "$TMP/stdout")
run env HONE_PROGRAM=/bin/false "$host" "$TMP/copy.yaml" "$store"
expect_status 0
expect_out_contains "answered: 1"
if [ "$(grep -v answered "$TMP/stdout")" != "$first" ]; then fail "the stored answer differs: $first"; fi

case_begin "builds are kept in the cache of the option"
if [ -e /nowhere ]; then fail "HONE_CACHE was used beside the option"; fi
if [ -z "$(find "$TMP/own cache/objects" -type f)" ]; then fail "nothing is in the cache of the option"; fi
rm -f "$store"*

case_begin "two threads tune at once, with different stores"
run env HONE_PROGRAM="$HONE" HOST_STORE="$TMP/other.db" "$host" "$TMP/copy.yaml" "$store"
expect_out_contains "other runs: 1"
expect_tuned

case_begin "two threads that ask for the same make one run"
run env HONE_PROGRAM="$HONE" HOST_STORE="$store" "$host" "$TMP/copy.yaml" "$store"
expect_out_contains "other runs: 1"
expect_out_contains "run 1 of"
run "$HONE" show --store "$store" --format json
expect_same "runs" 1 "$(grep -o '"run":' "$TMP/stdout" | wc -l)"
rm -f "$store"*

case_begin "another thread ends it in good order, and the same call goes on"
run env HONE_PROGRAM="$HONE" HOST_CANCEL=1 "$host" "$TMP/copy.yaml" "$store"
expect_status 0
expect_out_contains "run 1 of 'N=4096': interrupted"
expect_out_contains "interrupted: 1"
run env HONE_PROGRAM="$HONE" "$host" "$TMP/copy.yaml" "$store"
expect_out_contains "run 1 of 'N=4096': finished"
expect_out_contains "interrupted: 0"
expect_tuned

case_begin "the option goes before HONE_PROGRAM"
run env HONE_PROGRAM=/bin/true "$host" "$TMP/copy.yaml" "$store" "$HONE"
expect_tuned

case_begin "hone is found in PATH"
run env PATH="$elsewhere:$PATH" "$host" "$TMP/copy.yaml" "$store"
expect_tuned

case_begin "a program that is missing is named"
run env HONE_PROGRAM=/no/such/hone "$host" "$TMP/copy.yaml" "$store"
expect_status 1
expect_err_contains "HONE_PROGRAM names '/no/such/hone', which is not an executable file"
run "$host" "$TMP/copy.yaml" "$store" /no/such/hone
expect_status 1
expect_err_contains "the option 'hone_program' names '/no/such/hone', which is not an executable file"

case_begin "a program that is not hone is named, with what to do"
run env HONE_PROGRAM=/bin/true "$host" "$TMP/copy.yaml" "$store"
expect_status 1
expect_err_contains "'/bin/true' must be the program hone $("$HONE" --version | sed -n 's/^hone \([^ ]*\).*/\1/p')"
expect_err_contains "HONE_PROGRAM"

case_begin "the host itself is never taken for hone"
run env HONE_PROGRAM="$host" "$host" "$TMP/copy.yaml" "$store"
expect_status 1
expect_err_contains "'$host' must be the program hone"
rm -f "$HOST_TRACE"

if [ -e /usr/local/bin/hone ]; then
  case_skip "nothing is found: the message says where it was searched" "hone is installed in /usr/local"
else
  case_begin "nothing is found: the message says where it was searched"
  run env PATH=/nowhere "$host" "$TMP/copy.yaml" "$store"
  expect_status 1
  expect_err_contains "cannot find the program 'hone', which builds and measures for the library"
  expect_err_contains "'/usr/local/bin/hone', 'hone' in PATH: install it, or set HONE_PROGRAM to its file"
fi

case_begin "the library exports what include/symbols.txt lists"
run tools/symbols.sh "$(dirname "$HONE")/../src/libhone.so"
expect_status 0
expect_out ""

case_begin "a function that goes away under the same soname is told, with what to do"
sed 's/^hone_tune$/hone_tune\nhone_tune_away/' include/symbols.txt >"$TMP/symbols"
mkdir -p "$TMP/tree/include" "$TMP/tree/tools"
cp tools/symbols.sh "$TMP/tree/tools"
cp "$TMP/symbols" "$TMP/tree/include/symbols.txt"
run "$TMP/tree/tools/symbols.sh" "$(realpath "$(dirname "$HONE")/../src/libhone.so")"
expect_status 1
expect_out_contains "no longer exports, under the same soname libhone.so.0.1: hone_tune_away"
expect_out_contains "tools/symbols.sh --update"

cases_end
