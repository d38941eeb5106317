# JSON for programs: parameters have their types wherever configurations are printed.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"

cat >"$TMP/typed.c" <<'END'
/*@hone
name: typed
params:
  I: [1, 20]
  F: [0.5]
  B: [true]
  S: [plain, fails]
baseline: {I: 20, F: 0.5, B: true, S: plain}
entry: f
args:
  - {name: x, type: f32, shape: [2000], fill: uniform}
  - {name: y, type: f32, shape: [2000], role: out}
reference: baseline
*/
#define True 1
#define plain 0
#define fails 1
void f(const float *x, float *y)
{
  for (volatile int k = 0; k < I; k++)
    for (int i = 0; i < 2000; i++)
      y[i] = (2 + S * B) * x[i];
}
END

# The same space as a recording: what is printed of a run does not depend on the kernel.
python3 - >"$TMP/typed.json" <<'END'
import json
values = {"I": [1, 20], "F": [0.5], "B": [True], "S": ["plain", "fails"]}
cache = {f"{i},{s}": {"I": i, "F": 0.5, "B": True, "S": s, "time": i / 1000} for i in values["I"] for s in values["S"]}
print(json.dumps({"device_name": "none", "kernel_name": "typed", "tune_params_keys": list(values),
                  "tune_params": values, "cache": cache}))
END
{
  sed -n '/^name:/,/^baseline:/p' "$TMP/typed.c"
  printf '%s\n' 'backend: sim' 'file: typed.json' "sim: {faults: [{when: S == 'fails', outcome: wrong_result}]}"
} >"$TMP/typed.yaml"

# expect_json EXPRESSION VALUE: `all` is what standard output holds, a list where it has several lines
expect_json() {
  local got
  got=$(python3 - "$1" "$TMP/stdout" <<'END'
import json, sys
text = open(sys.argv[2]).read()
try:
    all = json.loads(text)
except ValueError:
    all = [json.loads(line) for line in text.splitlines()]
print(json.dumps(eval(sys.argv[1])))
END
  )
  expect_same "$1" "$2" "$got"
}
baseline='{"I": 20, "F": 0.5, "B": true, "S": "plain"}'
failed='{"I": 20, "F": 0.5, "B": true, "S": "fails"}'

case_begin "a space"
run "$HONE" space "$TMP/typed.c" --list --format json
expect_json 'all[2]' "$baseline"

case_begin "a run, and the list of runs"
run "$HONE" tune "$TMP/typed.yaml" -q --format json
expect_status 0
expect_json 'all["baseline_params"]' "$baseline"
expect_json 'all["winner_params"]["I"]' 1
expect_json 'all["evaluations"][0]["params"]' "$baseline"
expect_json 'sorted(f["params"]["S"] for f in all["failures"])' '["fails"]'
run "$HONE" show last --format json
expect_json 'all["winner_params"]["B"]' true
run "$HONE" show --format json
expect_json 'all[0]["winner_params"]["F"]' 0.5

case_begin "what would be done"
run "$HONE" tune "$TMP/typed.c" --dry-run --format json
expect_status 0
expect_json 'all["baseline"]["params"]' "$baseline"
expect_json 'all["baseline"]["config"]' '"I=20,F=0.5,B=True,S=plain"'
expect_json '"-DI=20" in all["baseline"]["command"]' true
expect_json 'len(all["first"])' 3
expect_json '[all["name"], all["space"], all["evaluations"], all["devices"], all["checked"]]' \
  '["typed", "4", null, "c", true]'
run "$HONE" tune "$TMP/typed.c" --dry-run --format json --effort quick --worker 'ssh gpu7'
expect_json '[all["effort"], all["patience"], all["evaluations"], all["budget_s"]]' '["quick", 20, 50, 60.0]'
expect_json 'all["workers"]' '["ssh gpu7"]'
sed 's/^params:/problem: {n: [1, 2]}\n&/' "$TMP/typed.c" >"$TMP/problems.c"
run "$HONE" tune "$TMP/problems.c" --dry-run --format json
expect_json '[plan["problem"] for plan in all]' '["n=1", "n=2"]'

case_begin "rows of a run and of a file"
run "$HONE" show last --format json --metric "met (ms)"
expect_json 'all["rows"][0]["params"]' "$baseline"
expect_json 'all["failures"][0]["params"]' "$failed"
run "$HONE" show last --best --format json
expect_json 'all[0]["params"]' '{"I": 1, "F": 0.5, "B": true, "S": "plain"}'
expect_json 'type(all[0]["columns"]["iters"]).__name__' '"int"'
run "$HONE" export last --format json
expect_json 'all["rows"][0]["params"]' "$baseline"
run "$HONE" export last --format csv
cp "$TMP/stdout" "$TMP/typed.csv"
run "$HONE" show "$TMP/typed.csv" --best --format json
expect_json 'all[0]["params"]' '{"I": 1, "F": 0.5, "B": true, "S": "plain"}'

case_begin "comparisons"
run "$HONE" compare last "$TMP/typed.csv" --format json
expect_json 'all["rows"][0]["params"]' "$baseline"
run "$HONE" compare last "$TMP/typed.csv" --best --format json
expect_json 'all[0]["current"]["params"]["I"]' 1
expect_json 'all[0]["baseline"]["params"]["B"]' true

case_begin "a recording"
run "$HONE" export last --format t4
expect_json 'all["results"][0]["configuration"]' "$baseline"

case_begin "the members of a Pareto set"
{
  cat "$TMP/typed.yaml"
  printf '%s\n' 'metrics: {size: I}' 'objective: [time, {maximise: size}]'
} >"$TMP/two.yaml"
run "$HONE" tune "$TMP/two.yaml" -q --format json
expect_status 0
expect_json 'sorted(m["params"]["I"] for m in all["pareto"]["members"])' "[1, 20]"
run "$HONE" show last --pareto --format json
expect_json 'sorted(m["params"]["I"] for m in all["members"])' "[1, 20]"

cases_end
