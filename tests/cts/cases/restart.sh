# kill -9 of whatever is below hone, and of hone itself.

restart() { # restart WHOM: see restart.py; the store is new
  rm -f "$HONE_STORE"*
  COMMAND="\$ restart.py $1"
  timeout 200 python3 tests/cts/restart.py "$HONE" "$1" "$TMP/restart.yaml" "${devices[@]}" >"$TMP/restart.txt" 2>&1 ||
    fail "$(cat "$TMP/restart.txt")"
  remember
  expect_figure 'run["state"]' finished
  expect_figure 'len(candidates)' $((many - 1))
  expect_figure 'len(all) - sum(e["is_baseline"] for e in all)' $((many - 1))
  expect_figure '[(e["config"], e["outcome"], e["evidence"]) for e in candidates if e["outcome"] not in ("ok", "slow")]' '[]'
}
if on_gpu; then many=24; else many=80; fi # so that it lasts for some kills
work_spec restart "WORK: [4000], KNOB: \"range($many)\"" 'WORK: 4000, KNOB: 0'

case_begin "kill -9 of processes that run candidates: each is measured once"
restart runners

case_begin "kill -9 of hone: the same command goes on, nothing is lost, nothing is measured twice"
restart driver

case_begin "nothing is left running"
sleep 1.5
left=$(workers_left)
[ -z "$left" ] || fail "workers: $(ps -o pid,ppid,args -p $left)"
