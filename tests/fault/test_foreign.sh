#!/usr/bin/env bash
# A worker that is another program, or broken: its frames are damaged, cut, of the wrong kind, or make no
# sense. It is lost, and the other worker does the work; alone, it ends the run with a message.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
: "${HONE_PROXY:=$PWD/build/tests/proxy}"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
python3 - "$TMP" <<'PY'
import json, sys
rows = {str(k): {"K": k, "time": 1 + k / 10, "compile_time": 1.0} for k in range(12)}
json.dump({"device_name": "none", "kernel_name": "k", "tune_params_keys": ["K"],
           "tune_params": {"K": list(range(12))}, "cache": rows}, open(sys.argv[1] + "/k.json", "w"))
PY
printf 'backend: sim\nfile: k.json\nbaseline: {K: 11}\n' >"$TMP/k.yaml"

tune() { # tune FAULT SPARED OPTION...
  rm -f "$HONE_STORE"*
  RUN_TIMEOUT=100 run "$HONE" tune "$TMP/k.yaml" --strategy exhaustive --quiet --worker "'$HONE_PROXY' '$1' $2" "${@:3}"
}
expect_all_measured() {
  "$HONE" show last --format json >"$TMP/run.json"
  expect_same "works" 12 "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
print(len({e["config"] for e in run["evaluations"] if e["outcome"] in ("ok", "slow")}))' "$TMP/run.json")"
}
expect_survived() { # no crash, no sanitizer, no time-out
  case $STATUS in
  0 | 1) ;;
  *) fail "status $STATUS: $ERR" ;;
  esac
}

while read -r spared fault; do
  case_begin "beside another worker, after $spared: $fault"
  tune "$fault" $spared --worker env
  expect_status 0
  expect_all_measured
done <<'END'
0 hello:{"version": 5}
0 ready:{"ok": "yes"}
0 ready:{"ok": false, "error": 7}
0 ready:flip:100
0 result:{"class": 5}
2 result:{"class": "excellent"}
2 result:{"class": "ok", "results": 3}
2 result:{"results": []}
2 result:{"results": [{"class": "ok", "samples": 1000000000000}]}
2 result:{"results": [{"class": "ok", "samples": -1}]}
2 result:{"results": [{"class": {}, "samples": "x"}]}
2 result:{"evidence": [1, 2]}
2 result:{"worked_s": "long"}
2 result:payload:7
2 result:foreign
2 result:cut:30
2 result:flip:60
END

case_begin "beside another worker: answers without their times are no results"
tune result:payload:0 2 --worker env
expect_status 0
"$HONE" show last --format json >"$TMP/run.json"
expect_contains "outcomes" bad_result "$(cat "$TMP/run.json")"

while read -r fault; do
  case_begin "alone: $fault"
  tune "$fault" 0 --no-confirm
  expect_survived
done <<'END'
hello:{"host": 5, "pid": {}, "isolation": [], "cores": "two", "memory_bytes": null}
hello:stall:20
hello:stall:60
hello:foreign
ready:cut:20
ready:{"fingerprint": 7, "notes": {"a": 1}, "name": [], "unavailable": 3}
ready:{"notes": [5, {}, null], "unavailable": [[], {}]}
result:{"worked_s": -1e300, "rows": 1e300, "notes": [4]}
result:{"worked_s": "x", "forced_switches": "many", "cpu": {}, "clock": 5}
result:{"results": [{"class": "ok", "samples": 3, "cold_ns": "cold", "repeats": {}, "facts": 9, "evidence": 1}]}
result:{"results": [{"class": "ok", "samples": 3, "cold_ns": -1e308, "repeats": -5, "facts": {"energy_j": "x"}}]}
result:payload:24
END

case_begin "nothing is left running"
expect_nothing_left

cases_end
