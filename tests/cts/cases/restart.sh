# kill -9 of whatever is below hone, and of hone itself.

restart() { # restart WHOM: see restart.py; the store is new
  rm -f "$HONE_STORE"*
  COMMAND="\$ restart.py $1"
  timeout 200 python3 tests/cts/restart.py "$HONE" "$1" "$TMP/restart.yaml" "${devices[@]}" >"$TMP/restart.txt" 2>&1 ||
    fail "$(cat "$TMP/restart.txt")"
  remember
  expect_figure 'run["state"]' finished
  expect_figure 'len(candidates)' "$(but_baseline $many)"
  expect_figure 'len(all) - sum(e["is_baseline"] for e in all)' "$(but_baseline $many)"
  expect_figure '[(e["config"], e["outcome"], e["evidence"]) for e in candidates if e["outcome"] not in ("ok", "slow")]' '[]'
}
# so that it lasts for some kills, whatever the device: CPUs build them one by one, and GPUs run them in no time
many=40 work=20000
if is opencl || is iree; then many=24; fi
if is program; then many=80 work=100000; fi # one that stays compiles nothing
if is sim; then work=10000000; fi # 10 ms, in which nothing is computed
if on_gpu && [ "$(fact kind)" = gpu ] && ! $stand_in; then many=200 work=200000; fi
work_spec restart "WORK: [$work], KNOB: \"range($many)\"" "WORK: $work, KNOB: 0"

case_begin "kill -9 of processes that run candidates: each is measured once"
restart runners

case_begin "kill -9 of hone: the same command goes on, nothing is lost, nothing is measured twice"
restart driver

case_begin "nothing is left running"
none_left() {
  left=$(workers_left)
  [ -z "$left" ]
}
wait_until none_left || fail "workers: $(ps -o pid,ppid,args -p $left)"
