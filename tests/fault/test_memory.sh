#!/usr/bin/env bash
# No memory: the k-th allocation of a small run fails, in the driver or in its workers, for many k.
# The run ends well, or with status 1 and a message; never by a signal, and the store is intact.
# MEMORY_EVERY=1 goes through every k, which takes hours.
. "$(dirname "$0")/../cli/lib.sh"
export COLUMNS=200

built=$(dirname "$HONE")/../tests/libfailing_malloc.so
shim=$TMP/libfailing_malloc.so # LD_PRELOAD is split at blanks, which the folder of a build may have
if [ -e "$built" ]; then cp "$built" "$shim"; fi
first=4 # allocations, of which every one fails once

if [ ! -e "$shim" ] || ldd "$HONE" | grep -qE 'lib(a|t|ub)san'; then
  case_skip "an allocation that fails" "a sanitizer has an allocator of its own"
  cases_end
fi

# tune ROLE [VARIABLE=VALUE...]: in a folder of its own; $STATUS and $TMP/tune.err say how it ended.
tune() {
  local role=$1
  shift
  rm -rf "$TMP/run"
  mkdir "$TMP/run"
  env HONE_STORE="$TMP/run/store.db" HONE_CACHE="$TMP/run/cache" LD_PRELOAD="$shim" FAIL_ROLE="$role" \
    FAIL_COUNT="$TMP/run/count" FAIL_MARK="$TMP/run/mark" "$@" \
    timeout 120 "$HONE" tune $spec --evals 2 --builders 1 --no-confirm >"$TMP/run/out" 2>"$TMP/run/err"
  STATUS=$?
}

# How many allocations the longest-lived process of this role makes.
count() {
  tune "$1"
  expect_status 0
  sort -n "$TMP/run/count" | tail -n 1
}

# What is in the store after a failure: it can be read, and no evaluation was made of an empty job.
check_store() {
  [ -e "$TMP/run/store.db" ] || return 0
  python3 - "$TMP/run/store.db" <<'END'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
said = [row[0] for row in store.execute("PRAGMA integrity_check")]
if said != ["ok"]:
    print("the store is damaged:", *said)
if store.execute("SELECT 1 FROM sqlite_master WHERE name = 'evaluations'").fetchone():
    for row in store.execute("SELECT config, outcome, evidence FROM evaluations WHERE outcome = 'protocol'"):
        print("an answer to no order:", *row)
END
}

check_end() { # check_end ROLE K: of the last run
  case $STATUS in
    0) ;;
    1) [ -s "$TMP/run/err" ] || fail "$1, allocation $2: status 1 without a message" ;;
    *) fail "$1, allocation $2: status $STATUS: $(tail -n 5 "$TMP/run/err")" ;;
  esac
  if grep -qE 'defect in|stack smashing|double free|corrupt' "$TMP/run/err"; then
    fail "$1, allocation $2: $(tail -n 5 "$TMP/run/err")"
  fi
  damage=$(check_store) || fail "$1, allocation $2: the store cannot be read"
  [ -z "$damage" ] || fail "$1, allocation $2: $damage"
}

# sweep ROLE STEPS [VARIABLE=VALUE...]: every k at first, then so many up to the last.
sweep() {
  local role=$1 steps=$2 all stride k failures=0
  shift 2
  all=$(count "$role")
  [ "${all:-0}" -gt "$first" ] || fail "nothing was counted: $all"
  stride=$(((all - first) / steps))
  [ -z "${MEMORY_EVERY-}" ] && [ "$stride" -gt 1 ] || stride=1
  for ((k = 1; k <= all && failures < 5; k += k < first ? 1 : stride)); do
    tune "$role" FAIL_AT=$k "$@"
    check_end "$role" $k
    $case_failed && failures=$((failures + 1))
  done
}

spec=tests/data/sim/tiny.json
case_begin "an allocation of the driver fails"
sweep tune 24
case_begin "an allocation of the driver fails, and all after it"
sweep tune 8 FAIL_ON=1
case_begin "an allocation of a builder fails"
sweep build 6
case_begin "an allocation of a runner fails"
sweep run 6

case_begin "the shim makes a run fail at all"
tune tune FAIL_AT=500
expect_same "status" 1 "$STATUS"
[ -s "$TMP/run/mark" ] || fail "no allocation failed"

spec=tests/fault/steady.yaml
case_begin "an allocation fails while a C kernel is tuned: the driver's"
sweep tune 8
case_begin "an allocation fails while a C kernel is tuned: a builder's"
sweep build 3
case_begin "an allocation fails while a C kernel is tuned: a runner's"
sweep run 3

cases_end
