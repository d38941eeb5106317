# A run of one's own as a recording: tune or sweep, hone export --format t4, hone replay.
. "$(dirname "$0")/lib.sh"
export HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"

# MODE 1 is wrong, 2 dies, 3 does not compile; the more REP, the slower.
cat >"$TMP/scale.c" <<'END'
#if MODE == 3
#error "not this one"
#endif
void scale(const float *x, float *y, int n)
{
  if (MODE == 2) *(volatile int *)0 = 1;
  for (int r = 0; r < REP * 20; r++)
    for (int i = 0; i < n; i++)
      ((volatile float *)y)[i] = x[i] * (MODE == 1 ? 3.0f : 2.0f);
}
END
cat >"$TMP/scale.yaml" <<'END'
name: scale
file: scale.c
problem: {N: 500}
params: {REP: [8, 1, 4], MODE: [0, 1, 2, 3], kind: [float, double], FAST: [true], S: [0.5, 1.0]}
constraints: ["kind == 'float' or MODE == 0", "S < 1 or MODE == 0"]
baseline: {REP: 8, MODE: 0, kind: float, FAST: true, S: 0.5}
entry: scale
args:
  - {name: x, type: f32, shape: [N], fill: uniform}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
END
facts() { # facts FILE EXPRESSION: of a T4 file `t4`, with `results` and `working`
  python3 - "$1" "$2" <<'END'
import json, sys
t4 = json.load(open(sys.argv[1]))
results = t4["results"]
working = [r for r in results if r["invalidity"] == "correct"]
def time(r):
    return next(m["value"] for m in r["measurements"] if m["name"] == "time")
from collections import Counter
print(eval(sys.argv[2]))
END
}
replayed() { # replayed FILE EXPRESSION: of the file in hone replay's JSON, as `file`
  "$HONE" replay "$1" -s exhaustive -n 1 -f json 2>"$TMP/replay.err" |
    python3 -c 'import json, sys; file, = json.load(sys.stdin)["files"]; eval("print(" + sys.argv[1] + ")")' "$2"
}

case_begin "a whole space, tuned: as many configurations, the same failures, the same best"
run "$HONE" tune "$TMP/scale.yaml" --strategy exhaustive --no-cap
expect_status 0
run "$HONE" export last --format t4 -o "$TMP/scale.json"
expect_status 0
expect_out ""
expect_err ""
t4=$TMP/scale.json
# 3 of REP: MODE 0 has 4 each, the others 1
expect_same "configurations" "(21, 12)" "$(facts "$t4" 'len(results), len(working)')"
expect_same "failures" "[('compile', 0, 3), ('correctness', 0, 3), ('runtime', 0, 3)]" \
  "$(facts "$t4" 'sorted((*k, n) for k, n in Counter((r["invalidity"], r["correctness"])
     for r in results if r not in working).items())')"
expect_same "what the store says" "['compile_error', 'crash', 'wrong_result']" \
  "$(facts "$t4" 'sorted({time(r) for r in results if r not in working})')"
expect_same "the best" "1 0" "$(facts "$t4" '"%(REP)d %(MODE)d" % min(working, key=time)["configuration"]')"
expect_contains "the winner" "REP=1,MODE=0," "$(figure 'run["winner"]')"
expect_same "replay" "21 12 T4 " \
  "$(replayed "$t4" '*(file[k] for k in ("configurations", "working", "format", "remark"))')"
# of so few, the optimum may be what random search begins with
expect_same "talk" "" "$(grep -v 'P is undefined: random search finds the optimum' "$TMP/replay.err")"
expect_same "its best" "$(facts "$t4" 'min(map(time, working))')" "$(replayed "$t4" 'file["best_ms"]')"

case_begin "values keep their types, times are those of the store"
expect_same "types" "{'REP': 'int', 'MODE': 'int', 'kind': 'str', 'FAST': 'bool', 'S': 'float'}" \
  "$(facts "$t4" '{k: type(v).__name__ for k, v in results[0]["configuration"].items()}')"
expect_same "all alike" "True" \
  "$(facts "$t4" 'len({tuple(map(type, r["configuration"].values())) for r in results}) == 1')"
expect_same "built" "True" "$(facts "$t4" 'all(r["times"]["compilation_time"] > 0 for r in results)')"
expect_same "samples" "True" \
  "$(facts "$t4" 'all(min(r["times"]["runtimes"]) <= time(r) <= max(r["times"]["runtimes"]) for r in working)')"
expect_same "unit" "{'milliseconds'}" \
  "$(facts "$t4" '{t4["metadata"]["timeunit"]} | {m["unit"] for r in working for m in r["measurements"]}')"
expect_same "the metadata" "scale N=500 21" \
  "$(facts "$t4" '" ".join(str(t4["metadata"][k]) for k in ("name", "problem", "configurations"))')"

case_begin "the recording can be tuned on, and that run is a recording again"
run "$HONE" tune "$t4" --strategy exhaustive --no-confirm
expect_status 0
run "$HONE" export last -f t4 -o "$TMP/again.json"
expect_status 0
expect_same "configurations" "$(facts "$t4" 'sorted(str(r["configuration"]) for r in results)')" \
  "$(facts "$TMP/again.json" 'sorted(str(r["configuration"]) for r in results)')"
expect_same "failures" "9" "$(facts "$TMP/again.json" 'len(results) - len(working)')"

case_begin "times that were taken over have their builds and samples"
run "$HONE" tune "$TMP/scale.yaml" --strategy random --seed 7
expect_status 0
expect_contains "reused" "True" "$(figure 'any(e["reused_from"] for e in run["evaluations"])')"
run "$HONE" export last -f t4 -o "$TMP/reused.json"
expect_status 0
expect_same "builds and samples" "True" "$(facts "$TMP/reused.json" \
  'all(r["times"]["compilation_time"] > 0 and r["times"]["runtimes"] for r in working)')"

case_begin "a part of a space: export and replay say so"
run "$HONE" tune "$TMP/scale.yaml" --evals 5 --fresh --no-warm-start
expect_status 0
run "$HONE" export last -f t4 -o "$TMP/part.json"
expect_status 0
count=$(facts "$TMP/part.json" 'len(results)')
[ "$count" -lt 21 ] || fail "all $count were evaluated"
expect_err "hone: the recording has $count of the space's 21 configurations: a replay is limited to these"
run "$HONE" replay "$TMP/part.json" -n 2
expect_status 0
expect_err_contains "hone: '$TMP/part.json': only $count of the space's 21 configurations were measured: searches are limited to these"
run "$HONE" export last -f t4 -q -o "$TMP/part.json"
expect_err ""

case_begin "a sweep of a program, to standard output"
cat >"$TMP/p.sh" <<'END'
for word; do
  case $word in --BM=*) bm=${word#--BM=} ;; --x=*) x=${word#--x=} ;; esac
done
if [ "$x" = 1 ]; then exit 3; fi
echo "{\"time_ms\": $((100 - bm)).5}"
END
cat >"$TMP/p.yaml" <<'END'
name: p
file: p.sh
run: {command: [sh, "{source}", "--BM={BM}", "--x={x}"]}
params: {BM: [16, 64, 32], $x: [5, 1, "a,b"]}
END
run "$HONE" sweep "$TMP/p.yaml" --output-dir "$TMP/out" --plot none
run "$HONE" export last --format t4
expect_status 0
expect_err ""
cp "$TMP/stdout" "$TMP/p.json"
expect_same "the best" "(36.5, 64)" \
  "$(facts "$TMP/p.json" 'min(map(time, working)), min(working, key=time)["configuration"]["BM"]')"
expect_same "names and values" "[1, 5, 'a,b']" \
  "$(facts "$TMP/p.json" 'sorted({r["configuration"]["x"] for r in results}, key=str)')"
expect_same "replay" "9 6 36.5" \
  "$(replayed "$TMP/p.json" '*(file[k] for k in ("configurations", "working", "best_ms"))')"

case_begin "what cannot be asked for"
run "$HONE" export --format t4
expect_status 2
expect_err_contains "no runs given: name them (last, 12)"
run "$HONE" export 1 2 --format t4
expect_status 2
expect_err_contains "t4 output takes one run or file, not 2"
run "$HONE" export tests/data/export/base.csv --format t4
expect_status 2
expect_err_contains "'tests/data/export/base.csv' is not a run: give a number or last"
run "$HONE" export last --format t4 --metric time
expect_status 2
expect_err_contains "'--format t4' writes all rows and cannot be combined with '--config' or '--metric'"
run "$HONE" export last --format t4 --config REP=1
expect_status 2
expect_err_contains "'--format t4' writes all rows and cannot be combined with '--config' or '--metric'"
run "$HONE" export last --format t4 --snippet x
expect_status 2
expect_err_contains "'--format t4' writes a file and cannot"
run "$HONE" export 4711 --format t4
expect_status 1
expect_err_contains "4711"

case_begin "a run that has no measurements"
run "$HONE" sweep "$TMP/p.yaml" --output-dir "$TMP/built" --plot none --build
run "$HONE" export last --format t4 -o "$TMP/none.json"
expect_status 1
expect_err_contains "has no measurements"
[ ! -e "$TMP/none.json" ] || fail "a file was written"

cases_end
