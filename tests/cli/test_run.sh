# hone run: what its figures cover, what it notices, and its JSON.
. "$(dirname "$0")/lib.sh"

export HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"

modes() { # modes NAME [STOP [BASELINE]]: MODES=1 has another time in every second process
  cat >"$TMP/$1.yaml" <<EOF
name: $1
file: $PWD/tests/data/run/modes.c
params: {MODES: [0, 1, 2]}
baseline: {MODES: ${3-1}}
build: {defines: {PLACE: '"$TMP/$1.processes"', STOP: ${2-0}}}
entry: take
args:
  - {name: in, type: i32, shape: [1], fill: one}
  - {name: out, type: i32, shape: [1], role: out}
EOF
}

said() { # said MODES: a program that says what it takes
  export MODES=$1 SEEN="$TMP/$1.seen"
  cat >"$TMP/$1.yaml" <<EOF
name: $1
file: $PWD/tests/data/run/said.c
params: {CHOICE: [0, 1]}
baseline: {CHOICE: 0}
EOF
}

expect_out_lacks() {
  case "$OUT" in *"$1"*) fail "standard output has '$1': $OUT" ;; esac
}

expect_noted() { # in a report, whose lines are wrapped
  expect_contains "the report" "$1" "$(printf '%s' "$OUT" | tr -s ' \n' ' ')"
}

interval() { sed -nE 's/.*95 % interval ([0-9.]+) to ([0-9.]+).*/\1 \2/p' "$TMP/stdout"; }

# ---- Intervals

case_begin "the interval covers what differs between processes"
modes covered
run "$HONE" run "$TMP/covered.yaml" --config MODES=0
expect_status 0
expect_out_contains "restarts)"
interval | awk '{ found = 1; if ($1 > 1.1 || $2 < 1.4) exit 1 } END { exit !found }' ||
  fail "the baseline takes 1.0 or 1.5 times as long, and the interval is $(interval): $OUT"

case_begin "an interval of fewer processes is called one within a process"
modes stopped 4
"$HONE" run "$TMP/stopped.yaml" --config MODES=0 --timeout 60s >"$TMP/stdout" 2>"$TMP/stderr" &
trying=$!
while [ "$(stat -c %s "$TMP/stopped.processes" 2>/dev/null)" != 4 ] && kill -0 $trying; do sleep 0.1; done
kill -INT $trying
wait $trying
COMMAND="hone run, interrupted" OUT=$(cat "$TMP/stdout")
expect_out_contains "within one process)"
expect_out_lacks "restarts"

case_begin "what fails in a later process fails"
modes later 3 0
run "$HONE" run "$TMP/later.yaml" --config MODES=2
expect_status 1
expect_out_contains "outcome     crash: signal 6"

# ---- Two times

case_begin "a baseline whose time depends on the process is noticed"
said processes
run "$HONE" run "$TMP/processes.yaml" --config CHOICE=1
expect_status 0
expect_out_contains "note        times of the baseline form two groups, 1 ms and 1.31 ms: "
expect_out_contains " processes had the longer time"
run "$HONE" tune "$TMP/processes.yaml" --quiet
expect_status 0
expect_noted "times of the baseline form two groups, 1 ms and 1.31 ms: "
expect_noted "Fix the layout (huge pages, aligned buffers)"

case_begin "a baseline that has two times within a process is noticed"
said samples
run "$HONE" run "$TMP/samples.yaml" --config CHOICE=1
expect_status 0
expect_out_contains "note        times of the baseline form two groups, 1 ms and 1.31 ms, within one process"
run "$HONE" run "$TMP/samples.yaml" --config CHOICE=0
expect_out_contains "note        times of this configuration form two groups"
run "$HONE" tune "$TMP/samples.yaml" --quiet
expect_status 0
expect_noted "times of the baseline form two groups, 1 ms and 1.31 ms, within one process"

case_begin "a baseline with one time is not suspected"
said none
run "$HONE" run "$TMP/none.yaml" --config CHOICE=1
expect_status 0
expect_out_lacks "two groups"
run "$HONE" tune "$TMP/none.yaml" --quiet
expect_out_lacks "two groups"

# ---- JSON

json() { # json EXPRESSION: of the last output
  python3 - "$TMP/stdout" "$1" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))
END
}
expect_json() { # expect_json EXPRESSION VALUE
  expect_same "$1" "$2" "$(json "$1")"
}

cat >"$TMP/typed.c" <<'END'
void fill(int *out, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = N == 3 ? i : 7;
}
END
cat >"$TMP/typed.yaml" <<'END'
name: typed
file: typed.c
problem: {SIZE: 100}
params: {N: [1, 2, 3, 4], FAST: [true, false], RATE: [0.5], WAY: [direct]}
constraints: [N != 2]
baseline: {N: 1, FAST: true, RATE: 0.5, WAY: direct}
entry: fill
args:
  - {name: out, type: i32, shape: [SIZE], role: out}
  - {name: n, type: i32, value: SIZE}
metrics: {rate: SIZE / time_ns}
END

case_begin "a value or a name that no parameter has"
run "$HONE" run "$TMP/typed.yaml" --config N=5
expect_status 1
expect_err_contains "'N' has no value 5; its values are 1, 2, 3, 4"
run "$HONE" run "$TMP/typed.yaml" --config M=5
expect_status 1
expect_err_contains "'M'"

case_begin "JSON has the outcome, typed values, every sample and what the interval covers"
run "$HONE" run "$TMP/typed.yaml" --config FAST=false,N=4 --format json # the others are the baseline's
expect_status 0
expect_json 'd["schema_version"], d["spec"], d["problem"], d["config"]' \
  "(1, 'typed', 'SIZE=100', 'N=4,FAST=False,RATE=0.5,WAY=direct')"
expect_json 'd["values"]' "{'N': 4, 'FAST': False, 'RATE': 0.5, 'WAY': 'direct'}"
expect_json 'd["works"], d["outcome"], d["legal"]' "(True, 'ok', True)"
expect_json 'd["checked"], d["compared_with"]' "(True, 'baseline')"
expect_json 'd["build"]["outcome"], "-DN=4" in d["build"]["command"]' "('ok', True)"
expect_json 'd["covers"], d["confidence"], d["restarts"] >= 3' "('restarts', 0.95, True)"
expect_json 'len(d["samples"]) == d["restarts"]' True
expect_json 'sum(len(s["times_ns"]) for s in d["samples"]) == d["pairs"]' True
expect_json 'all(len(s["times_ns"]) == len(s["baseline_ns"]) for s in d["samples"])' True
expect_json 'd["low"] <= d["speedup"] <= d["high"]' True
expect_json 'd["least_ns"] <= d["time_ns"] <= d["greatest_ns"]' True
expect_json 'd["baseline"]["config"]' "N=1,FAST=True,RATE=0.5,WAY=direct"
expect_json 'abs(d["metrics"]["rate"] * d["time_ns"] / 100 - 1) < 1e-9' True

case_begin "JSON tells of two groups"
said processes
rm -f "$SEEN"
run "$HONE" run "$TMP/processes.yaml" --config CHOICE=1 -f json
expect_json 'd["baseline"]["two_groups"]["of"]' processes
expect_json 'd["baseline"]["two_groups"]["count"] == d["restarts"]' True
expect_json 'round(d["baseline"]["two_groups"]["high_ns"])' 1310000
expect_json 'd["two_groups"], d["checked"], d["compared_with"]' "(None, False, 'none')"
expect_json 'd["table"]["columns"]' "['name', 'met (ms)', 'iters']"

case_begin "JSON of a run tells on which devices the baseline has two times"
run "$HONE" tune "$TMP/processes.yaml" --quiet -f json
expect_status 0
expect_json 'sorted(d["two_groups"][0])' "['count', 'device', 'high_count', 'high_ns', 'low_ns', 'of']"
expect_json 'len(d["two_groups"]), d["two_groups"][0]["of"]' "(1, 'processes')"
expect_json 'round(d["two_groups"][0]["high_ns"])' 1310000
run "$HONE" tune "$TMP/none.yaml" --quiet -f json
expect_json 'd["two_groups"]' None

case_begin "JSON of what fails, and of what does not build"
run "$HONE" run "$TMP/typed.yaml" --config N=3,FAST=true,RATE=0.5,WAY=direct --format json
expect_status 1
expect_json 'd["works"], d["outcome"], d["speedup"], d["samples"]' "(False, 'wrong_result', None, [])"
run "$HONE" run "$TMP/typed.yaml" --config N=2,FAST=true,RATE=0.5,WAY=direct --format json
expect_status 0
expect_json 'd["legal"], "rejects" in d["notes"][0]' "(False, True)"
sed 's/N == 3/N ==/' "$TMP/typed.c" >"$TMP/wrong.c"
sed 's/typed/wrong/' "$TMP/typed.yaml" >"$TMP/wrong.yaml"
run "$HONE" run "$TMP/wrong.yaml" --format json
expect_status 1
expect_json 'd["works"], d["outcome"], d["time_ns"], d["restarts"]' "(False, 'compile_error', None, 0)"
run "$HONE" run "$TMP/typed.yaml" --config NOTHING=1 --format json
expect_status 1
expect_out ""

cases_end
