# hone report: results as a page and as a picture.
. "$(dirname "$0")/lib.sh"
export HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
data=tests/data/export

# Every tag that is opened is closed, and nothing is asked of the network. Prints the text, a line
# for each piece.
cat >"$TMP/page.py" <<'END'
import html.parser
import sys

VOID = {"meta", "br", "hr", "img", "link"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.scripts = [], 0

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script" and ("type", "application/json") not in attrs
        for name, value in attrs:
            if name in ("src", "href") or name.startswith("on"):
                sys.exit(f"<{tag} {name}={value}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if data.strip() and not {"script", "style"} & set(self.open):
            print(data.strip())


page = Page()
text = open(sys.argv[1], encoding="utf-8").read()
page.feed(text)
page.close()
if page.open or page.scripts != 1:
    sys.exit(f"open: {page.open}, scripts: {page.scripts}")
if "url(" in text or "@import" in text:
    sys.exit("it asks for another file")
END
cat >"$TMP/picture.py" <<'END'
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
names = [element.tag.rsplit("}")[-1] for element in root.iter()]
if names[0] != "svg" or {"script", "foreignObject", "image", "a"} & set(names):
    sys.exit(f"not a plain picture: {set(names)}")
for element in root.iter():
    if element.tag.endswith("text") and element.text:
        print(element.get("class").split()[0] + ": " + element.text)
END
page() { run python3 "$TMP/page.py" "$1"; expect_status 0; }
picture() { run python3 "$TMP/picture.py" "$1"; expect_status 0; }

case_begin "one file: figures, a chart, a table"
run "$HONE" report $data/base.csv -o "$TMP/base.html"
expect_status 0
expect_out ""
expect_err "hone: wrote '$TMP/base.html'"
page "$TMP/base.html"
expect_out_contains "2.55 ms
best met (ms)
1.75x
worst/best
Best:
dtype=DType.float16 BM=32 x=1"
expect_out_contains "met (ms) [base]"
expect_out_contains "4.45ms
BM=64
x=0"
expect_out_contains "dtype=DType.float16"
expect_out_contains "#
BM
x
met (ms)
iters
Arithmetic (GFLOPS/s)
vs best
1
32
1
2.550
2
30.25
1.00x"

case_begin "the page goes to standard output"
"$HONE" report $data/base.csv >"$TMP/plain.html"
cmp -s "$TMP/plain.html" "$TMP/base.html" || fail "differs"
"$HONE" report - -o - <$data/base.csv >"$TMP/plain.html"
page "$TMP/plain.html"

case_begin "several files: ratios to the first"
run "$HONE" report $data/base.csv $data/branch.csv -o "$TMP/two.html" --label main --title 'A & B'
expect_status 0
page "$TMP/two.html"
expect_same "title" "A & B" "$(head -n 1 "$TMP/stdout")"
expect_out_contains "1 better, 1 worse, 1 equal"
expect_out_contains "met (ms) [main]
met (ms) [branch]"
expect_out_contains "1
32
1
2.550
4.400
1.73x"
expect_out_contains "branch/main"

case_begin "rows are matched by what they are, not by where they stand"
{ head -n 1 $data/branch.csv; tail -n +2 $data/branch.csv | sort | sed 1d; } >"$TMP/moved.csv"
run "$HONE" report $data/base.csv "$TMP/moved.csv" -o "$TMP/moved.html"
page "$TMP/moved.html"
expect_out_contains "1 missing"
run "$HONE" report $data/base.csv $data/branch.csv -o "$TMP/names.svg" --key name
picture "$TMP/names.svg"
expect_out_contains "label: gemm
label: 64"
expect_out_contains "title: name"

case_begin "the chart alone"
run "$HONE" report $data/base.csv -o "$TMP/one.svg"
expect_status 0
picture "$TMP/one.svg"
expect_out 'legend: met (ms) [base]
tick: 0
tick: 1
tick: 2
tick: 3
tick: 4
tick: 5
title: met (ms)
value: 4.45ms
label: BM=64
label: x=0
value: 2.55ms
label: BM=32
label: x=1
value: 3.5ms
label: BM=16
label: x=1
title: spec
caption: dtype=DType.float16'

case_begin "ratios keep their unit"
run "$HONE" report $data/base.csv $data/branch.csv -c -o "$TMP/ratio.svg"
expect_status 0
picture "$TMP/ratio.svg"
expect_same "values" "value: 0.78x
value: 1.73x
value: 1.0x" "$(grep ^value "$TMP/stdout")"
expect_out_contains "legend: met (ms) [branch/base]"

case_begin "units follow the largest value"
unit() { # unit TIME UNIT WANT [PREC]
  printf '"name","met (%s)","spec"\n"a",%s,"s/a=1"\n"b",%s,"s/a=2"\n' "$2" "$1" "$1" >"$TMP/unit.csv"
  run "$HONE" report "$TMP/unit.csv" -o "$TMP/unit.svg" --prec "${4-2}"
  picture "$TMP/unit.svg"
  expect_same "$1 $2" "value: $3" "$(grep ^value "$TMP/stdout" | head -n 1)"
}
unit 2000 ms 2.0s
unit 1 s 1.0s
unit 0.999 s 999.0ms
unit 0.0106 ms 10.6us
unit 0.000002 s 2.0us
unit 0.0000004 ms 0.4ns
unit 1.23456 ms 1.2346ms 4
unit 1.23456 ms 1ms 0

case_begin "other metrics, by name, by beginning, by number"
metric() { # metric NAME WANT
  run "$HONE" report $data/base.csv --plot-col "$1" -o "$TMP/metric.svg"
  expect_status 0
  picture "$TMP/metric.svg"
  expect_same "$1" "title: $2" "$(grep ^title "$TMP/stdout" | head -n 1)"
}
metric 'Arithmetic (GFLOPS/s)' 'Arithmetic (GFLOPS/s)'
metric arith 'Arithmetic (GFLOPS/s)'
metric 1 'met (ms)'
metric 2 iters
sed '1s/$/,"Late (GB\/s)"/; 2,$s/$/,2/' $data/base.csv >"$TMP/late.csv"
run "$HONE" report "$TMP/late.csv" --metric 6 -o "$TMP/metric.svg"
picture "$TMP/metric.svg"
expect_out_contains "title: Late (GB/s)"
run "$HONE" report "$TMP/late.csv" --metric 4
expect_status 1
run "$HONE" report $data/base.csv --metric arith -o "$TMP/metric.html"
page "$TMP/metric.html"
expect_out_contains "best/worst"
run "$HONE" report $data/base.csv --metric 9
expect_status 1
expect_err_contains "no column 9"
run "$HONE" report $data/base.csv --metric bogus
expect_status 1
expect_err_contains "Arithmetic (GFLOPS/s)"

case_begin "others' words are never markup"
printf '"name","met (ms)","spec"\n"<script>alert(1)</script>",1,"<s>/a=<b onclick=1>&\x27\x22\x22"\n"n\xff\x01",2,"s/a=\xc3\x28\x7f"\n' >"$TMP/evil.csv"
run "$HONE" report "$TMP/evil.csv" -o "$TMP/evil.html" --label '</title><script>x</script>' --title '<h1>&amp;'
expect_status 0
page "$TMP/evil.html"
expect_out_contains '<h1>&amp;'
run "$HONE" report "$TMP/evil.csv" -o "$TMP/evil.html" --key name
page "$TMP/evil.html"
expect_out_contains '<script>alert(1)<'
run "$HONE" report "$TMP/evil.csv" -o "$TMP/evil.svg" --label '<a href="x">'
picture "$TMP/evil.svg"
expect_out_contains 'legend: met (ms) [<a href="x">]'

case_begin "odd numbers"
printf '"name","met (ms)","rate","spec"\n"a",nan,1,"s/a=1"\n"b",inf,-5,"s/a=2"\n"c",1e-300,1e300,"s/a=3"\n"d",,0,"s/a=4"\n"e",5,x,"s/a=5"\n' >"$TMP/odd.csv"
run "$HONE" report "$TMP/odd.csv" -o "$TMP/odd.html"
expect_status 0
page "$TMP/odd.html"
run "$HONE" report "$TMP/odd.csv" -o "$TMP/odd.svg" --metric rate
expect_status 0
picture "$TMP/odd.svg"
printf '"name","met (ms)","spec"\n"a",0,"s/a=1"\n"b",0,"s/a=2"\n' >"$TMP/zero.csv"
run "$HONE" report "$TMP/zero.csv" -o "$TMP/zero.html"
expect_status 0
page "$TMP/zero.html"
printf '"name","met (ms)","spec"\n' >"$TMP/none.csv"
run "$HONE" report "$TMP/none.csv" -o "$TMP/none.html"
if [ "$STATUS" = 0 ]; then page "$TMP/none.html"; fi

case_begin "thousands of rows: the best are drawn, the page stays small"
awk 'BEGIN { print "\"name\",\"met (ms)\",\"spec\""
  for (i = 0; i < 20000; i++) printf "\"n\",%d,\"s/A=%d/B=%d\"\n", 30000 - i, i / 100, i % 100 }' >"$TMP/big.csv"
run "$HONE" report "$TMP/big.csv" -o "$TMP/big.html"
expect_status 0
[ "$(stat -c %s "$TMP/big.html")" -lt 5000000 ] || fail "$(stat -c %s "$TMP/big.html") bytes"
page "$TMP/big.html"
expect_contains "note" " of 20000 configurations, best first." "$(grep configurations, "$TMP/stdout")"
expect_out_contains "The best 5000 of 20000 rows."
expect_out_contains "20000
configurations"
run "$HONE" report "$TMP/big.csv" -o "$TMP/big.svg"
picture "$TMP/big.svg"
expect_same "first" "value: 10.0s" "$(grep ^value "$TMP/stdout" | head -n 1)"
run "$HONE" report "$TMP/big.csv" -o "$TMP/all.svg" -g -1
picture "$TMP/all.svg"
expect_same "bars" 2000 "$(grep -c ^value "$TMP/stdout")"

case_begin "charts of so many groups"
run "$HONE" report $data/base.csv -o "$TMP/charts.svg" --groups-per-chart 2
picture "$TMP/charts.svg"
expect_same "charts" 2 "$(grep -c ^legend "$TMP/stdout")"

case_begin "a run, with its failures and where it comes from"
cat >"$TMP/p.sh" <<'END'
case $1 in
--BM=3) echo "out of <memory>" >&2; exit 3 ;;
*) echo "{\"time_ms\": ${1#--BM=}}" ;;
esac
END
cat >"$TMP/p.yaml" <<'END'
name: "p <1>"
file: p.sh
run: {command: [sh, "{source}", "--BM={BM}"]}
params: {BM: [1, 2, 3]}
baseline: {BM: 1}
END
run "$HONE" sweep "$TMP/p.yaml" --output-dir "$TMP/out" --plot none
expect_figure 'run["sentence"]' "2 of 3 configurations work; the fastest is BM=1 (1 ms, measured once); answers were not checked"
run "$HONE" report last -o "$TMP/run.html"
expect_status 0
page "$TMP/run.html"
expect_same "title" "p <1>" "$(sed -n 2p "$TMP/stdout")"
expect_out_contains "3
configurations
2
ok
1
failed"
expect_out_contains "out of <memory>"
expect_out_contains "BM=3
execution"
expect_out_contains "command
hone sweep $TMP/p.yaml"

case_begin "a run that was tuned for a metric is shown by it"
recording "$TMP/far.json" "K=range(1, 41)" "K / 100"
cat >"$TMP/far.yaml" <<'END'
name: far
backend: sim
file: far.json
params:
  $K: range(1, 41)
baseline: {K: 35}
metrics: {far: abs(K - 20) + 1, near: 100 - abs(K - 20)}
objective: {minimise: far}
END
run "$HONE" tune "$TMP/far.yaml" -q --no-confirm --strategy exhaustive
expect_status 0
run "$HONE" report last -o "$TMP/far.html"
expect_status 0
page "$TMP/far.html"
expect_out_contains "1.0
best far, screening
21.00x
worst/best
Best:
K=20
(unconfirmed)
Answers of run 2 are NOT checked: this is a recording.
Use it, and do it again"
expect_out_contains "Search
exhaustive, seed 42; configurations in the order they were tried.
best so far
best so far
other configurations
baseline
"
expect_same "the baseline, and what was better than all before" "$(printf '%s\n' 16.0 $(seq -f %.1f 15 -1 1))" \
  "$(sed -n '/^<circle class="member".*<title>/{n;s/far: \(.*\)<.title>.*/\1/p}' "$TMP/far.html")"
run "$HONE" show last --top 1%
expect_out_contains "most frequent: far/\$K=20"
run "$HONE" show last --top 1% --metric near
expect_out_contains "most frequent: far/\$K=20"
run "$HONE" show last --top 1% --metric met
expect_same "best by far" "" "$(grep 'K=20' "$TMP/stdout")"
expect_out_contains "most frequent: far/"
for metric in "" "--metric far" "--metric near"; do
  # shellcheck disable=SC2086
  run "$HONE" export last --format yaml --force $metric
  expect_out_contains '$K: 20'
done
run "$HONE" export last --format json
expect_out_contains '"aim_column": "far"'
run "$HONE" compare last last
expect_out_contains "far, less is better"
printf 'name,met (ms),iters,spec\na,1.0,1,"far/$K=1"\n' >"$TMP/timed.csv"
run "$HONE" compare last "$TMP/timed.csv" # which has no such metric
expect_status 0
expect_out_contains "met (ms), less is better"

case_begin "a chart by its name, without a browser"
mkdir "$TMP/bin"
(PATH=$TMP/bin; "$HONE" report $data/base.csv --svg list >"$TMP/names" 2>"$TMP/names.err")
expect_same "names" "bars" "$(<"$TMP/names")"
expect_same "advice" "hone: a browser draws more of them: install chromium" "$(<"$TMP/names.err")"
run "$HONE" report $data/base.csv --svg bars -o "$TMP/bars.svg"
expect_status 0
expect_err "hone: wrote '$TMP/bars.svg'"
picture "$TMP/bars.svg"
if grep -q 'var(' "$TMP/bars.svg"; then fail "variables are left"; fi
(PATH=$TMP/bin; "$HONE" report $data/base.csv --svg pairs 2>"$TMP/names.err")
expect_same "status" 1 $?
expect_contains "advice" "install chromium" "$(<"$TMP/names.err")"
(PATH=$TMP/bin; "$HONE" report $data/base.csv --png bars -o "$TMP/x.png" 2>"$TMP/names.err")
expect_same "status" 1 $?
expect_same "advice" "hone: PNG and PDF are made by another program: install rsvg-convert (librsvg2-bin) or chromium" "$(<"$TMP/names.err")"

if rsvg=$(command -v rsvg-convert); then
  case_begin "a chart in pixels and as PDF by rsvg-convert, without a browser"
  ln -s "$rsvg" "$TMP/bin/rsvg-convert"
  (PATH=$TMP/bin; "$HONE" report $data/base.csv --png bars -o "$TMP/bars.png" 2>"$TMP/names.err")
  expect_same "what it says" "hone: wrote '$TMP/bars.png'" "$(<"$TMP/names.err")"
  expect_same "the beginning" "PNG" "$(head -c 4 "$TMP/bars.png" | tail -c 3)"
  (PATH=$TMP/bin; "$HONE" report $data/base.csv --pdf bars -o "$TMP/bars.pdf" 2>"$TMP/names.err")
  expect_same "what it says" "hone: wrote '$TMP/bars.pdf'" "$(<"$TMP/names.err")"
  expect_same "the beginning" "%PDF" "$(head -c 4 "$TMP/bars.pdf")"
  rm "$TMP/bin/rsvg-convert"
  case_begin "a converter that fails is named"
  printf '#!/bin/sh\n[ "$1" = --version ]\n' >"$TMP/bin/rsvg-convert"
  chmod +x "$TMP/bin/rsvg-convert"
  (PATH=$TMP/bin:$PATH; "$HONE" report $data/base.csv --png bars -o "$TMP/none.png" 2>"$TMP/names.err")
  expect_same "status" 1 $?
  expect_same "what it says" "hone: '$TMP/none.png' could not be made: rsvg-convert failed" "$(<"$TMP/names.err")"
  [ ! -e "$TMP/none.png" ] || fail "a file was written"
else
  case_skip "a chart in pixels and as PDF by rsvg-convert, without a browser" "no rsvg-convert here"
fi

case_begin "terminal, page, JSON, CSV and Markdown have the same figures, also of runs that prove nothing"
recording "$TMP/figured.json" 'X=range(1, 9), Y=[0, 1]' '1.0 + (X - 4) ** 2 / 4 + Y'
for noise in 0.01 0.5; do
  printf 'name: figures\nbackend: sim\nfile: figured.json\nbaseline: {X: 1, Y: 0}\nsim: {noise: %s, faults: [{when: X == 8, outcome: crash}]}\n' \
    "$noise" >"$TMP/figures.yaml"
  HONE_STORE="$TMP/figures.db" "$HONE" tune "$TMP/figures.yaml" --format json -q >"$TMP/figures.run"
  for format in csv markdown json; do
    HONE_STORE="$TMP/figures.db" "$HONE" export last --format $format -o "$TMP/figures.$format" 2>/dev/null
  done
  HONE_STORE="$TMP/figures.db" "$HONE" report last -o "$TMP/figures.html" -q
  HONE_STORE="$TMP/figures.db" COLUMNS=200 "$HONE" show last -v >"$TMP/figures.txt"
  command python3 - "$TMP/figures" <<'END' >"$TMP/differences" 2>&1
import csv, json, re, sys
def load(suffix): return open(f"{sys.argv[1]}.{suffix}").read()
run, export = json.loads(load("run")), json.loads(load("json"))
rows = list(csv.DictReader(open(f"{sys.argv[1]}.csv")))
page = json.loads(re.search(r'id="data">(.*?)</script>', load("html"), re.S).group(1))
text, markdown = load("txt"), load("markdown")
def differ(what, *values):
    if len({round(v, 5) if isinstance(v, float) else v for v in values}) != 1: print(what, *values)
best = next((r for r in rows if f"X={r['X']},Y={r['Y']}" == run["winner"]), None)
differ("rows", len(export["rows"]), sum(1 for r in rows if r["met (ms)"]), export["valid"])
for other in export["rows"]:
    name = "X={X},Y={Y}".format(**other["params"])
    row = next(r for r in rows if f"X={r['X']},Y={r['Y']}" == name)
    differ(f"time of {name}", float(row["met (ms)"]), other["values"]["met (ms)"])
    differ(f"speedup of {name}", float(row["speedup"]), other["speedup"])
    if row["low"]: differ(f"low of {name}", float(row["low"]), other["low"])
    place = page["number"].index(other["mesh_idx"])
    differ(f"page of {name}", f"{other['values']['met (ms)']:.6g}", f"{page['value'][place]:.6g}")
for evaluation in run["evaluations"]:
    confirmation = evaluation["confirmation"]
    row = next(r for r in rows if f"X={r['X']},Y={r['Y']}" == evaluation["config"])
    if confirmation: differ(f"JSON of {evaluation['config']}", confirmation["time_ns"] / 1e6, float(row["met (ms)"]))
baseline = next(r for r in rows if (r["X"], r["Y"]) == ("1", "0"))
shown = re.search(r"(?m)^  baseline +([\d.]+) (us|ms) ", text).groups()
differ("baseline in the terminal", shown[0], f"{float(baseline['met (ms)']) * (1e3 if shown[1] == 'us' else 1):#.4g}")
differ("verdict", run["verdict"], page["verdict"], text.split("\n\n")[1].split(":")[0], re.search(r"\*\*(.*?)\*\*", markdown).group(1))
if best:
    differ("speedup", run["speedup"], float(best["speedup"]), page["speedup_value"])
    differ("card", f"{run['speedup']:.2f}x", re.search(r"<b>([^<]*)</b><span>speedup (?:of the best candidate )?over the baseline", load("html")).group(1))
    differ("paper", f"{run['speedup']:.2f}x {run['low']:.2f} to {run['high']:.2f} best, confirmed",
           " ".join(re.findall(r">([^<]+)</td>", load("html").split('<tr class="best">')[1].split("</tr>")[0])[-3:]))
    differ("first row of Markdown", f"| {best['X']} | {best['Y']} |", markdown.split("|---|\n")[1][:len(f"| {best['X']} | {best['Y']} |")])
    differ("first row in the terminal", run["winner"], re.search(r"(?m)^ +1 .* (X=\S+)$", text).group(1))
print("", *(f"{r['X']},{r['Y']} is {r['verdict']} with {r['low']}" for r in rows if r["verdict"] == "INCONCLUSIVE" and r is not best and float(r["low"] or 0) > 1), sep="\n", end="")
END
  expect_same "differences with noise $noise" "" "$(cat "$TMP/differences")"
  case $(<"$TMP/figures.markdown") in *'**INCONCLUSIVE**'*'tied with the winner'*) fail 'a winner of an INCONCLUSIVE run' ;; esac
done

case_begin "a budget that ends the confirmation names no worse candidate as the best of screening"
sed 's/^sim: .*/problem: {N: 1000}\nmetrics: {rate: N \/ time_ns}\nobjective: {maximise: rate}\nsim: {noise: 0.01}/' "$TMP/figures.yaml" >"$TMP/rated.yaml"
HONE_STORE="$TMP/rated.db" run "$HONE" tune "$TMP/rated.yaml" --budget 200ms -q
expect_status 0
expect_out_contains "INCONCLUSIVE: whether X=4,Y=0 is better than the baseline in 'rate' remains open"
case $OUT in *"the best candidate in screening"*) fail "$OUT" ;; esac
case $OUT in *"other work was running"*) fail "no load changes recorded times" ;; esac

case_begin "where the baseline is the best, the ratio is called that of another candidate"
recording "$TMP/worse.json" 'X=range(1, 5)' '4.0 + X'
printf 'name: worse\nbackend: sim\nfile: worse.json\nbaseline: {X: 1}\nproblem: {N: [1, 2, 3]}\nparams: {X: [1, 2, 3, 4]}\n' >"$TMP/worse.yaml"
HONE_STORE="$TMP/worse.db" "$HONE" tune "$TMP/worse.yaml" -q --strategy exhaustive >/dev/null 2>&1
HONE_STORE="$TMP/worse.db" run "$HONE" report last -q
expect_out_contains "<b>0.83x</b><span>speedup of the best candidate over the baseline</span>"
HONE_STORE="$TMP/worse.db" run "$HONE" show last --format json
expect_contains recommended '"recommended": "X=1"' "$OUT"

case_begin "what all runs of a page have is said once, and evaluations are whole numbers"
HONE_STORE="$TMP/worse.db" run "$HONE" report 1 2 3 -q
expect_same "notes" 1 "$(grep -c '<li>all: times come from a recording' <<<"$OUT")"
expect_same "specs" 1 "$(grep -c '<dt>spec</dt>' <<<"$OUT")"
expect_same "problems" 3 "$(grep -c '<dt>problem</dt>' <<<"$OUT")"
case $OUT in *'>0.5</text>'*) fail "half an evaluation" ;; esac

case_begin "the terminal marks the same ties as tables and pages, and wraps what failures are"
recording "$TMP/ties.json" "X=[1, 2, 3, 4, 5]" "{1: 2.0, 2: 2.001, 3: 3.0, 4: 4.0, 5: 9}[X]"
printf '%s\n' 'name: ties' 'backend: sim' 'file: ties.json' 'problem: {N: 1}' 'baseline: {X: 4}' \
  'sim: {noise: 0.02, faults: [{when: X == 5, outcome: crash}]}' >"$TMP/ties.yaml"
run "$HONE" tune "$TMP/ties.yaml" --strategy exhaustive -q
expect_status 0
run "$HONE" show last
expect_same "tied" "$("$HONE" show last --format csv | grep -c '"tied"')" "$(grep -cE '^ +[0-9]+ .* tied ' "$TMP/stdout")"
expect_out_contains " tied "
sed 's/^sim/metrics: {rate: 1 \/ time}\nsim/' "$TMP/ties.yaml" >"$TMP/rate.yaml"
run "$HONE" space "$TMP/rate.yaml" --count
expect_status 2
expect_err_contains "unknown name 'time'; it has a unit: time_ns, time_us, time_ms or time_s"
COLUMNS=60 run "$HONE" show last
expect_out_contains "     1  crash: it was killed by a signal, or exited without
               an answer"
run "$HONE" report last last -o "$TMP/same.html"
page "$TMP/same.html"
expect_same "title" "ties: run 3 vs run 3" "$(head -n 1 "$TMP/stdout")"
expect_same "the best of two is that of each" "$("$HONE" show last --format json | python3 -c 'import json, sys; print(json.load(sys.stdin)["winner"])')" \
  "X=$(grep -o '<tr class="best">.*' "$TMP/same.html" | head -n 1 | grep -o '<td[^>]*>[^<]*' | sed -n '2s/.*>//p')"

case_begin "wrong use"
wrong() { # wrong MESSAGE WORD...
  run "$HONE" report "${@:2}"
  expect_status 2
  expect_err_contains "$1"
  expect_err_contains "try 'hone report --help'"
}
wrong "nothing to report"
wrong "'--compare' needs at least two results" $data/base.csv -c
wrong "more labels than results" $data/base.csv --label a --label b
wrong "must end in .html or .svg" $data/base.csv -o "$TMP/x.png"
wrong "'--prec' is at most 12" $data/base.csv --prec 13
wrong "'--groups-per-chart'" $data/base.csv -g -2
wrong "'--png' needs a file: '--output FILE.png'" $data/base.csv --png bars
wrong "'--pdf' needs a file: '--output FILE.pdf'" $data/base.csv --pdf bars -o "$TMP/x.png"
wrong "give one of '--svg', '--png' and '--pdf'" $data/base.csv --svg bars --png bars
wrong "--key" $data/base.csv --key bogus
wrong "a run is a number from the list of 'hone show', or last; not 'bogus'" $data/base.csv bogus
wrong "not '0'" 0
run "$HONE" report $data/base.csv /nowhere.csv
expect_status 1
run "$HONE" report /nowhere.csv
expect_status 1
run "$HONE" report $data/base.csv -o /proc/x.html
expect_status 1
expect_same "outputs" "" "$(ls "$TMP"/x.png 2>/dev/null)"

cases_end
