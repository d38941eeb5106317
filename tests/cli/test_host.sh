# A host in Python asks and tells through the shared library; hone shows what it told.
. "$(dirname "$0")/lib.sh"

library=$(dirname "$HONE")/../src/libhone.so
host() { run python3 tests/cli/host.py "$library" "$TMP/store.db" "$@"; }

if ! command -v python3 >/dev/null || nm -D "$library" 2>/dev/null | grep -q __asan_init; then
  case_skip "a host in Python" "no python3, or a library with a sanitizer"
  cases_end
fi

case_begin "every result is in the store when it is told"
mkfifo "$TMP/hold"
command python3 tests/cli/host.py "$library" "$TMP/store.db" 4 stay <"$TMP/hold" >"$TMP/told" &
pid=$!
exec 9>"$TMP/hold" # the host stays while this is open
tries=0
until grep -q "told 4" "$TMP/told"; do
  tries=$((tries + 1))
  if [ $tries -gt 600 ] || ! kill -0 $pid 2>/dev/null; then break; fi
  sleep 0.1
done
run "$HONE" show 1 --store "$TMP/store.db"
expect_status 0
expect_out_contains "python-host  N=1024  run 1, running"

case_begin "a second search of the same run is refused"
host 1
expect_status 1
expect_err_contains "a search for 'python-host' is open already: run 1, pid $pid"

case_begin "kill -9 loses nothing that was told"
kill -9 $pid
wait $pid 2>/dev/null
exec 9>&-
run "$HONE" show 1 --store "$TMP/store.db"
expect_out_contains "run 1, interrupted"
expect_out_contains "evaluated    4 of 11 legal"
host 0 confirm
expect_status 0
expect_out_contains "reused 3"
expect_out_contains "verdict IMPROVED"
expect_out_contains "winner TILE=8,ORDER=rows"

case_begin "hone show has the verdict, the winner and the failures of a host"
run "$HONE" show 1 --store "$TMP/store.db"
expect_status 0
expect_out_contains "IMPROVED: TILE=8,ORDER=rows is"
expect_out_contains "tile 16 is not supported"
expect_out_contains "evaluated    11 of 11 legal: 9 ok, 2 failed"

case_begin "what is known is not asked again"
host 0
expect_status 0
expect_out "reused 10
best TILE=8,ORDER=rows"

case_begin "an objective of the host needs no time"
host 0 score
expect_status 0
expect_out_contains "verdict IMPROVED"
run "$HONE" show 2 --store "$TMP/store.db"
expect_status 0
expect_out_contains "times as good as the baseline in 'score'"

# ---- Programs in C ----

build() { # build FILE PROGRAM
  run cc -O1 -Wall -Wextra -Werror "$1" -o "$2" -Iinclude -L"$(dirname "$library")" -lhone
  expect_status 0
}
export LD_LIBRARY_PATH=$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

case_begin "the program of the manual asks and tells"
awk '/^<!-- program: ask.c -->/ { found = 1; next } found && /^```$/ { exit } found && !/^```c/' docs/library.md >"$TMP/ask.c"
build "$TMP/ask.c" "$TMP/ask"
run "$TMP/ask"
expect_status 0
expect_out_contains "8 configurations were measured"
expect_out_contains "best: BLOCK="
expect_out_contains "verdict: "

case_begin "the example finds a way of sorting, and continues from its store"
build examples/ask-tell/sort_host.c "$TMP/sort_host"
run "$TMP/sort_host" 300 "$TMP/sort.db"
expect_status 0
expect_out_contains "measured  18 ways, 0 of them known before"
expect_out_contains "verdict   "
run "$TMP/sort_host" 300 "$TMP/sort.db"
expect_status 0
expect_out_contains "measured  18 ways, 18 of them known before"
run "$HONE" show 1 --store "$TMP/sort.db"
expect_status 0
expect_out_contains "COUNT=300"
expect_out_contains "evaluated    19 of 19 legal: 19 ok"

cases_end
