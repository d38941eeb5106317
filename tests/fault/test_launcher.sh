#!/usr/bin/env bash
# Workers behind a command prefix that misbehaves: prints noise, dies, says that all went well after it
# has lost its worker.
. "$(dirname "$0")/../cli/lib.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
spec=tests/fault/steady.yaml

launcher() { # launcher NAME: a script from standard input
  { echo '#!/bin/sh'; cat; } >"$TMP/$1"
  chmod +x "$TMP/$1"
}
tune() { # tune LAUNCHER...
  rm -f "$HONE_STORE"*
  run "$HONE" tune $spec --evals 10 --no-confirm --quiet "$@"
}
expect_all_measured() {
  "$HONE" show last --format json >"$TMP/run.json"
  counts=$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
print(sum(e["outcome"] in ("ok", "slow") for e in run["evaluations"]), len(run["evaluations"]))' "$TMP/run.json")
  case $counts in
  "10 10" | "11 11") ;; # the baseline may be among the ten
  *) fail "measured and evaluated: $counts" ;;
  esac
}

case_begin "a banner before the first frame is skipped"
launcher banner <<'E2'
echo 'Welcome to gpu7. HONE your skills!'
head -c 3000 /dev/urandom
exec "$@"
E2
tune --worker "$TMP/banner"
expect_status 0
expect_all_measured

case_begin "a prefix with arguments and quotes"
tune --worker "env 'A=b c' nice -n 1"
expect_status 0
expect_all_measured

case_begin "a launcher that dies at once is given up, with its words"
launcher dead <<'E2'
echo 'Permission denied (publickey).' >&2
exit 255
E2
tune --worker "$TMP/dead"
expect_status 1
expect_err_contains "Permission denied (publickey)"

case_begin "a launcher that is not there"
tune --worker "$TMP/none"
expect_status 1
expect_err_contains "$TMP/none"

case_begin "one that loses its worker and says 0: the job is done again"
launcher lossy <<'E2'
count=$(cat "$0.count" 2>/dev/null || echo 0)
echo $((count + 1)) >"$0.count"
if [ "$count" -lt 2 ]; then
  "$@" &
  worker=$!
  (sleep 0.4; kill -9 $worker) >/dev/null 2>&1 &
  wait $worker 2>/dev/null
  exit 0
fi
exec "$@"
E2
sed -i 's|"$@" &|"$@" <\&0 \&|' "$TMP/lossy"
tune --worker "$TMP/lossy"
expect_status 0
expect_all_measured

case_begin "of two hosts one is dead: the other does the work"
tune --worker "$TMP/dead" --worker "$TMP/banner"
expect_status 0
expect_all_measured

case_begin "two devices at once, each with its own baseline"
if [ "$(nproc)" -ge 2 ]; then
  tune --devices c:0,c:1
  expect_status 0
  "$HONE" show last --format json >"$TMP/run.json"
  devices=$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
print(*sorted(e["device"] for e in run["evaluations"] if e["is_baseline"]))' "$TMP/run.json")
  [ "$devices" = "c:0 c:1" ] || fail "baselines on: $devices"
fi

case_begin "a CPU that is not there"
tune --devices c:4095
expect_status 1
expect_err_contains "4095"

case_begin "nothing is left running"
sleep 1.5
left=$(pgrep -f "$HONE worker" || true)
[ -z "$left" ] || fail "workers: $(ps -o pid,ppid,args -p $left)"

cases_end
