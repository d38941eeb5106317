# hone import: what other tuners measured, as runs; T1 as a spec. The files are described in tests/data/replay/README.md.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
data=$PWD/tests/data/replay

case_begin "a cache of Kernel Tuner is a run that is marked as imported"
run "$HONE" import "$data/convolution_a4000.json"
expect_status 0
expect_out ""
expect_err "hone: imported '$data/convolution_a4000.json' (Kernel Tuner cache) as run 1 of 'convolution_kernel': 21 of 28 configurations work"
run "$HONE" show 1
expect_status 0
expect_out_contains "imported from '$data/convolution_a4000.json' (Kernel Tuner cache): another tuner measured it"
expect_out_contains "28 of 28 legal: 21 ok, 7 failed"
run "$HONE" show
expect_same "the list" "imported" "$(awk '$1 == 1 { print $5 }' "$TMP/stdout")"
run "$HONE" show 1 --format json
expect_status 0

case_begin "the same file again is the same run; a store keeps it once"
run "$HONE" import "$data/convolution_a4000.json"
expect_status 0
expect_err_contains "the store has '$data/convolution_a4000.json' (Kernel Tuner cache) as run 1"
run "$HONE" import "$data/convolution_a4000.json" --name other --problem "W=4096 H=4096"
expect_status 0
expect_err_contains "as run 2 of 'other'"
expect_same "runs" 2 "$("$HONE" show | tail -n +2 | grep -c .)"
expect_contains "the problem" "W=4096 H=4096" "$("$HONE" show 2)"

case_begin "T4 and KTT, plain and in gzip, have the times of their files"
run "$HONE" import "$data/coulomb3d_t4.json" "$data/coulomb3d_ktt.json.gz" "$data/convolution_a4000_t4.json.gz"
expect_status 0
expect_err_contains "(T4) as run 3"
expect_err_contains "(KTT) as run 4"
expect_err_contains "(T4) as run 5"
for pair in 1:convolution_a4000.json 3:coulomb3d_t4.json 4:coulomb3d_ktt.json.gz; do
  best=$("$HONE" replay "$data/${pair#*:}" -n 1 -f json | python3 -c 'import json, sys; print("%.9g" % json.load(sys.stdin)["files"][0]["best_ms"])')
  expect_same "best of ${pair#*:}" "$best" "$("$HONE" export "${pair%%:*}" --format csv | python3 -c 'import csv, sys
print("%.9g" % min(float(r["met (ms)"]) for r in csv.DictReader(sys.stdin) if r["met (ms)"]))')"
done

case_begin "a T4 file that hone wrote keeps the name of the kernel"
run "$HONE" export 2 --format t4 -o "$TMP/other.t4.json"
expect_status 0
run "$HONE" import "$TMP/other.t4.json" --store "$TMP/t4.db"
expect_status 0
expect_err_contains "as run 1 of 'other'"

case_begin "a T1 file next to a recording says which parameters there are"
run "$HONE" import "$data/coulomb3d_ktt.json.gz" --space "$data/coulomb3d_t1.json" --name with_t1
expect_status 0
expect_err_contains "of 'with_t1'"

case_begin "exports see it, and none takes it for proved"
run "$HONE" export 1 --format kernel-tuner -o "$TMP/again.json"
expect_status 0
rows() { # rows FILE: its configurations and times
  python3 -c 'import json, sys
text = open(sys.argv[1]).read()
try: cache = json.loads(text)
except ValueError: cache = json.loads(text.rstrip().rstrip(",") + "}}")
names = cache["tune_params_keys"]
for e in sorted([str(e[n]) for n in names] + ["%.9g" % e["time"] if isinstance(e["time"], float) else "failed"]
                for e in cache["cache"].values()): print(*e)' "$1"
}
expect_same "the cache" "$(rows "$data/convolution_a4000.json")" "$(rows "$TMP/again.json")"
run "$HONE" export 1 --format wisdom
expect_status 1
expect_err_contains "it was imported from '$data/convolution_a4000.json'"
run "$HONE" export 1 --format wisdom --force
expect_status 0
expect_out_contains '"verdict": "UNPROVED"'
expect_out_contains '"device": "NVIDIA RTX A4000"'
expect_out_contains '"aliases": ["NVIDIA_RTX_A4000"]'

case_begin "a search of a spec with its name starts with its best configurations"
printf 'name: convolution_kernel\nbackend: sim\nfile: %s\nsim: {pace: 0}\n' "$data/convolution_a4000.json" >"$TMP/conv.yaml"
RUN_TIMEOUT=120 run "$HONE" tune "$TMP/conv.yaml" --evals 3 --strategy random --builders 1 --no-confirm
expect_status 0
expect_contains "the log" "begins with 4 configurations that were best in earlier runs (on NVIDIA RTX A4000)" "$("$HONE" show last --log)"
best=$("$HONE" show 1 --format json | python3 -c 'import json, sys
run = json.load(sys.stdin); ok = [e for e in run["evaluations"] if e["time_ns"]]
print(min(ok, key=lambda e: e["time_ns"])["config"])')
expect_contains "what was evaluated" "$best" "$("$HONE" show last --format json)"

# ---- T1 ----

case_begin "a T1 file is printed as a spec, or written"
run "$HONE" import "$data/gemm_t1.json"
expect_status 0
expect_out_contains 'name: "gemm_fast"'
run "$HONE" import "$data/gemm_t1.json" -o "$TMP/gemm.yaml"
expect_status 0
run "$HONE" space "$TMP/gemm.yaml" --count
expect_status 0
[ "$OUT" -gt 0 ] || fail "the space is empty: $OUT"

case_begin "values and conditions with comprehensions, any() and all()"
cat >"$TMP/t1.json" <<'END'
{"ConfigurationSpace": {
  "TuningParameters": [
    {"Name": "A", "Type": "int", "Values": "[2**i for i in range(5)]"},
    {"Name": "B", "Type": "int", "Values": "[1, 2] + list(range(8, 33, 8))"}],
  "Conditions": [
    {"Parameters": ["A", "B"], "Expression": "any([A * k == B for k in (1, 2, 4)])"},
    {"Parameters": ["A", "B"], "Expression": "all([x < 32 for x in (A, B)])"},
    {"Parameters": ["A", "B"], "Expression": "all(x > 1 for x in [A, B])"}]}}
END
run "$HONE" import "$TMP/t1.json" -o "$TMP/t1.yaml"
expect_status 0
run "$HONE" space "$TMP/t1.yaml" --count
expect_status 0
expect_out "$(python3 -c 'print(sum(1 for A in [2**i for i in range(5)] for B in [1, 2] + list(range(8, 33, 8))
  if any([A * k == B for k in (1, 2, 4)]) and all([x < 32 for x in (A, B)]) and all(x > 1 for x in [A, B])))')"

case_begin "conditions and loops within loops"
python3 - "$TMP/loops.yaml" >"$TMP/expected" <<'END'
import json, sys
constraints = ["sum([A * i for i in range(3) if i != B]) < 12",
               "any(x % y == 0 for x in [A, B + 1] for y in (2, 3) if x > y)",
               "max([A * k for k in (1, 2)]) < 13 and min([k + B for k in [A, 3]]) > 2",
               "all([all([A + k < 12 for A in (k, B)]) for k in [A, 2]])",
               "all([A % k == 0 for k in (2, 3) if B > k])"]
print(sum(1 for A in [1, 2, 3, 4, 6, 8] for B in [1, 2, 3, 4] if all(eval(c, {"A": A, "B": B}) for c in constraints)))
json.dump({"params": {"A": [1, 2, 3, 4, 6, 8], "B": [1, 2, 3, 4]}, "constraints": constraints}, open(sys.argv[1], "w"))
END
run "$HONE" space "$TMP/loops.yaml" --count
expect_status 0
expect_out "$(cat "$TMP/expected")"

case_begin "comprehensions that are too long to be written out are an error"
printf 'params: {A: [1, 2]}\nconstraints: ["any([any([any([A > i + j + k for i in range(4000)]) for j in range(4000)]) for k in range(4000)])"]\n' >"$TMP/long.yaml"
run "$HONE" space "$TMP/long.yaml" --count
expect_status 2
expect_err_contains "long.yaml:2:"

# ---- Errors ----

case_begin "what cannot be imported is an error that says why, and changes nothing"
before=$("$HONE" show | wc -l)
echo '{"a": 1}' >"$TMP/other.json"
head -c 200 "$data/coulomb3d_t4.json" >"$TMP/cut.json"
echo 'hello' >"$TMP/text.txt"
for file in other.json cut.json text.txt; do
  run "$HONE" import "$TMP/$file"
  expect_status 2
  expect_err_contains "$file"
done
run "$HONE" import "$TMP/absent.json"
expect_status 1
expect_err_contains "absent.json"
run "$HONE" import
expect_status 2
expect_err_contains "no file given"
expect_same "runs" "$before" "$("$HONE" show | wc -l)"

cases_end
