#!/usr/bin/env bash
# Workers behind a command prefix that misbehaves: prints noise, dies, says that all went well after it
# has lost its worker.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
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
cat >"$TMP/lossy.c" <<E2 # 3 and 6 say that they are there, and wait until their worker is lost
#include <fcntl.h>
#include <unistd.h>
void kernel(const float *x, float *y, int n)
{
  if ((KNOB == 3 || KNOB == 6) && open("$TMP/at" NAME(KNOB), O_CREAT | O_EXCL, 0600) >= 0) pause();
  for (int i = 0; i < n; i++)
    y[i] = x[i] + 1;
}
const int lossy_knob = KNOB;
E2
sed -i '1i #define TEXT(x) #x\n#define NAME(x) TEXT(x)' "$TMP/lossy.c"
sed 's/steady/lossy/; s/range(40)/range(11)/' $spec >"$TMP/lossy.yaml"
launcher lossy <<'E2'
for knob in 3 6; do
  if [ ! -e "${0%/*}/at$knob" ]; then
    exec 3<&0 # a shell gives what is in its background no input
    "$@" <&3 &
    worker=$!
    while [ ! -e "${0%/*}/at$knob" ] && kill -0 $worker 2>/dev/null; do sleep 0.05; done
    kill -9 $worker
    wait $worker 2>/dev/null
    exit 0
  fi
done
exec "$@"
E2
spec=$TMP/lossy.yaml tune --worker "$TMP/lossy" --strategy exhaustive --timeout 60s
expect_status 0
expect_all_measured
expect_same "losses" "at3 at6" "$(cd "$TMP" && echo at*)"

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
expect_nothing_left

cases_end
