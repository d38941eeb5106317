#!/usr/bin/env bash
# Hosts of a cluster build (--host-builders). Here they are processes that see neither the folder of the spec nor the
# compiler of the driver, which fails.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache COUNTS=$TMP/counts CACHES=$TMP/caches EVENTS=$TMP/events
export PROJECT=$TMP/project THERE=$TMP/there
: "${HONE_PROXY:=$PWD/build/tests/proxy}"
unshare -m true 2>/dev/null || {
  case_skip "hosts that build" "no other view of the file system can be made here"
  cases_end
}

# ---- Hosts ----

mkdir -p "$PROJECT/src" "$PROJECT/include" "$TMP/bin" "$THERE"
cat >"$TMP/elsewhere" <<'E'
#!/bin/sh
# elsewhere COMMAND...: where the user's files are not
PATH=$THERE:$PATH exec unshare -m sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$PROJECT" "$@"
E
cat >"$THERE/cc" <<E
#!/bin/sh
case "\$*" in *--version*) ;; *) echo built >>"\$EVENTS/\$(basename "\$HONE_CACHE").built" ;; esac
if [ -e "\$EVENTS/hang" ] && rm "\$EVENTS/hang"; then touch "\$EVENTS/hangs"; sleep 100; fi
exec $(command -v cc) "\$@"
E
printf '#!/bin/sh\necho "this host does not build" >&2\nexit 1\n' >"$TMP/bin/cc"
chmod +x "$TMP/elsewhere" "$THERE/cc" "$TMP/bin/cc"
PATH=$TMP/bin:$PATH

{ cat tests/fault/steady.c; echo '#include "more.h"'; } >"$PROJECT/src/steady.c"
python3 -c 'import random
random.seed(1)
print("/*", "\n".join("%x" % random.getrandbits(800) for _ in range(1000)), "*/")
print("#if KNOB == 4\n#error four is too much\n#endif")' >"$PROJECT/include/more.h"
sed 's/range(40)/range(6)/; s/file: /&src\//; s/flags: .*/flags: [-O1, -Iinclude]}/' tests/fault/steady.yaml >"$PROJECT/steady.yaml"

begin() {
  case_begin "$1"
  rm -rf "${HONE_STORE:?}"* "${COUNTS:?}" "${EVENTS:?}"
  mkdir -p "$COUNTS" "$CACHES" "$EVENTS"
}
tune() { # tune HOST...: with two builders each
  local options=() host
  for host in "$@"; do options+=(--worker "'$PWD/tests/fault/count.py' $host $TMP/elsewhere"); done
  RUN_TIMEOUT=100 run "$HONE" tune "$PROJECT/steady.yaml" --strategy exhaustive --no-confirm --host-builders 2 --format json "${options[@]}"
  expect_status 0
  expect_same "outcomes" "compile_error 1 ok 5" "$(python3 -c '
import collections, json, sys
run = json.load(open(sys.argv[1]))
run = run[0] if isinstance(run, list) else run
count = collections.Counter(o.replace("slow", "ok") for c, o in {(e["config"], e["outcome"]) for e in run["evaluations"]})
print(*[f"{key} {count[key]}" for key in sorted(count)])' "$TMP/stdout")"
}
built() { cat "$EVENTS"/*.built 2>/dev/null | wc -l; }
sent() { cat "$COUNTS"/*.[0-9]* | awk '{ sum += $1 } END { print sum + 0 }'; }

begin "hosts build with their own compiler, from files that they are sent once"
tune alpha.host
[ "$(built)" -ge 6 ] || fail "only $(built) builds were made on the host"
[ -z "$(find "$HONE_CACHE/builds" -type f 2>/dev/null)" ] || fail "the driver's host has built"
[ "$(sent)" -gt 100000 ] || fail "$(sent) bytes were sent: the header was not"
[ "$(sent)" -lt 300000 ] || fail "$(sent) bytes were sent for a header of $(stat -c %s "$PROJECT/include/more.h")"

case_begin "errors and files are named as the user knows them"
expect_out_contains "include/more.h:1002:2: error: #error four is too much"
if grep -q "$CACHES" "$TMP/stdout"; then fail "a path of the host is shown: $(grep "$CACHES" "$TMP/stdout")"; fi

case_begin "what was read is named as it is here: the next command need not measure again"
python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("SELECT deps FROM evaluations"): print(*row)' "$HONE_STORE" >"$TMP/deps"
grep -q "$PROJECT/include/more.h" "$TMP/deps" || fail "the header is not among the files that were read: $(cat "$TMP/deps")"

begin "the cache of a host survives the run"
tune alpha.host
expect_same "builds" 0 "$(built)"

begin "a file that has changed is sent, and built from"
sed -i '1i #define CHANGED 1' "$PROJECT/include/more.h"
tune alpha.host
[ "$(built)" -ge 6 ] || fail "only $(built) builds were made after the change"

builders() {
  local process
  for process in $(workers_left); do
    if tr '\0' ' ' <"/proc/$process/cmdline" | grep -q -- '--role build'; then echo "$process"; fi
  done 2>/dev/null
}
begin "a builder that is lost is replaced, and what it built is built again"
rm -rf "$CACHES"/*
: >"$EVENTS/hang"
{
  wait_until test -e "$EVENTS/hangs" || exit 1
  kill -KILL $(builders) # at once: a build that is lost twice is not tried again
} &
killing=$!
tune alpha.host beta.host
wait $killing || fail "no compiler hung"

begin "hosts of another processor measure, but do not build for those of the first"
tune alpha.host "beta.host '$HONE_PROXY' 'ready:{\"processor\":\"another\"}' 0"
expect_err_contains "does not build for this run: its processor differs"

begin "a script that is not built, and the modules that it imports, are sent, too"
echo 'SIZE = 8' >"$PROJECT/sizes.py"
printf 'import sizes, sys\nprint([int(a.split("=")[1]) for a in sys.argv if "A=" in a][0] + sizes.SIZE)\n' >"$PROJECT/script.py"
printf 'name: script\nfile: script.py\nparams: {A: [1, 2, 3]}\nbaseline: {A: 2}\n' >"$PROJECT/script.yaml"
RUN_TIMEOUT=100 run "$HONE" tune "$PROJECT/script.yaml" --no-confirm --format json --worker "'$PWD/tests/fault/count.py' alpha.host $TMP/elsewhere"
expect_status 0
expect_same "times" "[9000000.0, 10000000.0, 11000000.0]" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
print(sorted({e["time_ns"] for e in (run[0] if isinstance(run, list) else run)["evaluations"]}))' "$TMP/stdout")"

case_begin "without hosts there is nothing to build on"
run "$HONE" tune "$PROJECT/steady.yaml" --host-builders 2
expect_status 2
expect_err_contains "'--host-builders' needs hosts"

case_begin "nothing is left running"
expect_nothing_left "$THERE/cc"

cases_end
