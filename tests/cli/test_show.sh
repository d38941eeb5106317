# hone show: what the store remembers.
. "$(dirname "$0")/lib.sh"
export COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
unset NO_COLOR

recording "$TMP/copy.json" "WORK=[1, 10]" "WORK / 100"
cat >"$TMP/copy.yaml" <<'END'
name: copy
backend: sim
file: copy.json
problem: {N: [1000, 2000]}
params: {WORK: [1, 10]}
baseline: {WORK: 10}
END

case_begin "there is no store yet"
run "$HONE" show
expect_status 1
expect_out ""
expect_err_contains "no store '$HONE_STORE'"
expect_same "store" "" "$(ls "$HONE_STORE" 2>/dev/null)"
run "$HONE" show last
expect_status 1

run "$HONE" tune "$TMP/copy.yaml" -q
report=$OUT

case_begin "runs are listed, the newest first"
expect_status 0
run "$HONE" show
expect_status 0
expect_same "header" "run  when" "$(head -n 1 "$TMP/stdout" | cut -c 1-9)"
expect_same "runs" "2 1" "$(awk 'NR > 1 { print $1 }' "$TMP/stdout" | xargs)"
expect_out_contains "N=1000"
expect_out_contains "N=2000"
expect_same "lines over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"

case_begin "a run is shown as hone tune has shown it"
run "$HONE" show 1
expect_status 0
expect_out_contains "copy  N=1000  run 1"
expect_out_contains "WORK=1"
first=$(printf '%s\n' "$report" | sed '/^next/,$d')
expect_same "report" "$first" "$(sed '/^next/,$d' "$TMP/stdout")"
run "$HONE" show last
expect_out_contains "copy  N=2000  run 2"

case_begin "times are those of the clock on the wall"
stored=$(sed -n 's/.*"started": "\([^"]*\)".*/\1/p' <<<"$("$HONE" show 1 --format json)")
here=$(TZ=XYZ-5:30 date -d "$stored UTC" '+%Y-%m-%d %H:%M:%S')
TZ=XYZ-5:30 run "$HONE" show 1
expect_out_contains "run 1, $here"
logged=$("$HONE" show 1 --format json |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["log"][0][:19])')
TZ=XYZ-5:30 run "$HONE" show 1 --log
expect_same "the log's first line" "$(TZ=XYZ-5:30 date -d "$logged UTC" '+%Y-%m-%d %H:%M:%S')" \
  "$(head -n 1 "$TMP/stdout" | cut -c 1-19)"
TZ=XYZ-5:30 run "$HONE" show
expect_out_contains "$(cut -c 6-16 <<<"$here")"

case_begin "commands work from any folder"
(cd / && "$HONE" show 1) >"$TMP/elsewhere"
expect_contains "from /" "    hone run $TMP/copy.yaml --problem N=1000 --config WORK=1" "$(cat "$TMP/elsewhere")"
(cd "$TMP" && "$HONE" show 1) >"$TMP/elsewhere"
expect_contains "from the spec's folder" "    hone run copy.yaml --problem N=1000 --config WORK=1" \
  "$(cat "$TMP/elsewhere")"

case_begin "the log"
run "$HONE" show 1 --log
expect_status 0
expect_out_contains "phase: screen"
run "$HONE" show --log
expect_status 2
expect_err_contains "'--log' needs a run"

case_begin "json"
if command -v python3 >/dev/null; then
  run "$HONE" show --format json
  expect_same "runs" "2 1" "$(python3 -c '
import json, sys
print(*(run["run"] for run in json.load(open(sys.argv[1]))))' "$TMP/stdout")"
  run "$HONE" show 1 --format json
  expect_same "run" "copy 2" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
print(run["name"], len(run["evaluations"]))' "$TMP/stdout")"

  case_begin "every name in json is in the manual"
  "$HONE" show --format json >"$TMP/list"
  expect_same "names without a word on them" "" "$(python3 -c '
import json, re, sys
page = open("docs/man/hone-show.1").read()
words = set(re.findall(r"\w+", " ".join(re.findall(r"^\.(?:It )?Sy (.*)$", page, re.M))))
runs, run = (json.load(open(name)) for name in sys.argv[1:])
evaluations = run["evaluations"]
tables = [runs[0], run, run["counts"], *run["failures"], *evaluations]
tables += [e["confirmation"] for e in evaluations if e["confirmation"]]
tables += [samples for e in evaluations for samples in e["samples"]]
print(*sorted({name for table in tables for name in table} - words))' "$TMP/list" "$TMP/stdout")"
fi

case_begin "another store"
run "$HONE" tune "$TMP/copy.yaml" --problem N=1000 -q --store "$TMP/other.db"
expect_status 0
expect_out_contains "hone show 1 --store $TMP/other.db"
run "$HONE" show --store "$TMP/other.db"
expect_same "runs" "1" "$(awk 'NR > 1 { print $1 }' "$TMP/stdout" | xargs)"

case_begin "the list is filtered, and its runs deleted"
count() { "$HONE" runs --format json "$@" | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))'; }
all=$(count)
expect_same "unknown names" 0 "$(count --name nobody)"
run "$HONE" show --name nobody
expect_err "hone: none of the $all runs matches"
cp "$HONE_STORE" "$TMP/copy.db"
finished=$(count --state finished --store "$TMP/copy.db")
[ "$finished" -gt 0 ] || fail "nothing is finished"
run "$HONE" runs --state finished --delete --store "$TMP/copy.db"
expect_status 0
expect_err "hone: deleted $finished of $all runs"
expect_same "the rest" $((all - finished)) "$(count --store "$TMP/copy.db")"
expect_same "samples without an evaluation" 0 "$(python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM samples WHERE evaluation NOT IN (SELECT id FROM evaluations)").fetchone()[0])' "$TMP/copy.db")"
run "$HONE" show --delete
expect_status 2
expect_err_contains "'--delete' needs '--state' or '--name'"
run "$HONE" show 1 --state failed
expect_status 2

case_begin "mistakes"
run "$HONE" show 99
expect_status 1
expect_err_contains "99"
for word in x 0 -- 1x; do
  run "$HONE" show -- "$word"
  expect_status 2
done
run "$HONE" show 1 2
expect_status 2
expect_err_contains "give one run"
echo "this is no database" >"$TMP/foreign.db"
run "$HONE" show --store "$TMP/foreign.db"
expect_status 2
expect_err_contains "foreign.db"
expect_same "the foreign file" "this is no database" "$(cat "$TMP/foreign.db")"

cases_end
