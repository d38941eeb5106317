# Reports in a browser: nothing on the console, tables that sort and filter, choosers that choose; pictures of them are
# kept in the build folder.
. "$(dirname "$0")/lib.sh"
export HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
shots=${HONE%/cli/hone}/screenshots
if ! command -v chromium >/dev/null; then
  case_skip "reports in a browser" "chromium is not installed"
  cases_end
fi

# One browser for all; the folder of its profile must be free of it before the test removes it.
coproc BROWSER { PYTHONDONTWRITEBYTECODE=1 exec python3 tests/cli/browser.py "$TMP/chromium" 2>"$TMP/browser.err"; }
browse() { # browse WORDS...: a command of browser.py; SAID is what the page said
  local words
  words=$(python3 -c 'import json, sys; print(json.dumps([int(w) if w.isdigit() else w for w in sys.argv[1:]]))' "$@")
  echo "$words" >&"${BROWSER[1]}"
  IFS= read -r SAID <&"${BROWSER[0]}" || fail "the browser ended: $(cat "$TMP/browser.err")"
  case $SAID in
  '= '*) SAID=${SAID#= } ;;
  *) fail "console: $SAID" ;;
  esac
}
ask() { browse ask "$1" "$2"; } # ask FILE SCRIPT: the page's title, after the script ran behind its own
picture() { # picture NAME FILE WIDTH HEIGHT [dark]
  browse picture "$2" "$shots/$1.png" "$3" "$4" "${5-}"
  [ -s "$shots/$1.png" ] || fail "no $shots/$1.png"
}
mkdir -p "$shots"

cat >"$TMP/k.py" <<'END_PY'
import itertools, json, sys
params = {"BM": [16, 32, 64], "VEC": [1, 2, 4], "ALGO": ["direct", "<b>packed"]}
time = lambda bm, vec, algo: 4 / vec ** 0.5 + abs(bm - 32) / 16 + (algo == "direct")
cache = {}
for row in itertools.product(*params.values()):
    bm, vec, algo = row
    value = "CompilationFailedConfig" if bm == 64 and vec == 4 else time(*row)
    cache[",".join(map(str, row))] = {**dict(zip(params, row)), "time": value, "compile_time": 1}
json.dump({"device_name": "none", "kernel_name": "k", "tune_params_keys": list(params), "tune_params": params,
           "cache": cache}, open(sys.argv[1], "w"))
END_PY
python3 "$TMP/k.py" "$TMP/k.json"
cat >"$TMP/k.yaml" <<'END'
name: k
backend: sim
file: k.json
params: {BM: [16, 32, 64], VEC: [1, 2, 4], ALGO: [direct, <b>packed]}
baseline: {BM: 16, VEC: 1, ALGO: direct}
sim: {noise: 0.01}
END
"$HONE" tune "$TMP/k.yaml" -q --strategy exhaustive >"$TMP/tuned.txt" 2>&1
"$HONE" report last -q -o "$TMP/k.html"

case_begin "every section is there, and the console is empty"
ask "$TMP/k.html" 'document.title = [...document.querySelectorAll("#explore section")].map(s => s.id).join(" ")'
expect_same "sections" "verdict distribution progress knobs heatmap failing timeline candidates" "$SAID"

case_begin "the first row is the winner, marked, and the tables sort"
ask "$TMP/k.html" 'const cells = () => [...document.querySelectorAll(".view tbody tr:not(.space)")].map(r => r.cells[2].textContent).join("");
const first = document.querySelector(".view tr.best").textContent, heads = document.querySelectorAll(".view th");
const leader = document.querySelector(".view tbody tr:not(.space)").className;
heads[2].click(); const up = cells(); heads[2].click();
document.title = [first.includes("best"), leader, up, cells(), heads[2].getAttribute("aria-sort")].join(" ")'
expect_same "rows" "true best 111111222222444444 444444222222111111 descending" "$SAID"

case_begin "a filter leaves rows, by name, number and outcome"
ask "$TMP/k.html" 'const input = document.querySelector("input[type=search]"), note = document.getElementById("shown");
const said = ["BM=32", "BM>=32 VEC!=1", "outcome=compile_error", "outcome=confirmed speedup>1", "packed", "nothing"].map(text => {
  input.value = text; input.dispatchEvent(new Event("input")); return parseInt(note.textContent); });
document.title = said.slice(0, 3).join(" ") + " " + (said[3] > 0) + " " + said.slice(4).join(" ")'
expect_same "counts" "6 8 2 true 9 0" "$SAID"

case_begin "a heat map follows its choosers, and a click filters"
ask "$TMP/k.html" 'const selects = document.querySelectorAll("#heatmap select"), title = () => document.querySelector("#heatmap .axis-title").textContent;
const before = title(), other = [...selects[0].options].findIndex(o => o.text === "ALGO");
selects[0].value = other; selects[0].dispatchEvent(new Event("change"));
document.querySelector("#heatmap .cell").dispatchEvent(new MouseEvent("click"));
document.title = [before !== "ALGO", title(), document.querySelector("input[type=search]").value !== "", parseInt(document.getElementById("shown").textContent) < 18].join(" ")'
expect_same "choosing" "true ALGO true true" "$SAID"

case_begin "foreign words stay words"
ask "$TMP/k.html" 'document.title = document.querySelectorAll("#explore td b, #explore svg b, #explore option b").length + " " + document.body.textContent.includes("<b>packed")'
expect_same "elements" "0 true" "$SAID"

case_begin "50,000 candidates open, and all are there"
awk 'BEGIN { print "\"name\",\"met (ms)\",\"spec\""
  for (i = 0; i < 50000; i++) printf "\"n\",%d,\"s/A=%d/B=%d\"\n", 30000 + (i * 7919) % 20011, i / 250, i % 250 }' >"$TMP/big.csv"
"$HONE" report "$TMP/big.csv" -q -o "$TMP/big.html"
ask "$TMP/big.html" 'document.title = document.getElementById("shown").textContent.trim()'
expect_same "opened" "50000 of 50000" "$SAID"

case_begin "each chart is a file for papers"
run "$HONE" report last --svg list
expect_status 0
expect_same "charts" "pairs distribution best-so-far effect-of-algo effect-of-bm effect-of-vec heat-map timeline search bars bars-2" \
  "$(sort "$TMP/stdout" | grep effect | xargs | { read -r effects; grep -v effect "$TMP/stdout" | xargs | sed "s/ heat-map/ $effects heat-map/"; })"
run "$HONE" report last --svg heat-map -o "$shots/heat-map.svg" -q
expect_status 0
python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$shots/heat-map.svg" || fail "heat-map.svg is not XML"
if grep -q 'var(' "$shots/heat-map.svg"; then fail "variables are left in heat-map.svg"; fi
run "$HONE" report last --png pairs -o "$shots/pairs.png" -q
expect_same "its first bytes" "PNG" "$(head -c 4 "$shots/pairs.png" | tail -c 3)"
run "$HONE" report last --pdf page -o "$shots/page.pdf" -q
expect_same "its first bytes" "%PDF-" "$(head -c 5 "$shots/page.pdf")"
run "$HONE" report last --svg nobody
expect_status 1
expect_err_contains "there is no chart 'nobody'; these are:"

case_begin "samples that were interrupted do not squeeze the others"
python3 - "$TMP/k.html" "$TMP/outliers.html" <<'END'
import re, sys
text = open(sys.argv[1]).read()
slow = lambda found: found[1] + ", ".join(f"{1000 * float(v):g}" if i in (3, 7) else v for i, v in enumerate(found[2].split(", ")))
open(sys.argv[2], "w").write(re.sub(r'("pair_baseline": \[)([^]]*)', slow, text))
END
ask "$TMP/outliers.html" 'const spread = [...document.querySelectorAll("#verdict circle")].map(c => +c.getAttribute("cx")).sort((a, b) => a - b);
const highest = name => +[...document.querySelectorAll("#distribution svg rect." + name)].filter(r => r.getAttribute("y") > 8)
  .sort((a, b) => b.getAttribute("height") - a.getAttribute("height"))[0].getAttribute("x");
const notes = [...document.querySelectorAll("#verdict .note, #distribution .note")].map(n => n.textContent.replace(/.* (\d+) of .* lie/, "$1 lie"));
document.title = [spread[spread.length - 3] - spread[0] > 60, highest("bar-b") - highest("bar-a") > 60, ...notes].join("|")'
expect_same "charts" "true|true|2 lie outside, and stand at the edge.|2 lie outside, and stand at the edge." "$SAID"

case_begin "charts are drawn anew for another width"
browse resize "$TMP/k.html" 'document.querySelector("#progress svg").viewBox.baseVal.width' 390 700 1280 800
read -r narrow wide <<<"$SAID"
[ "$narrow" -lt 400 ] && [ "$wide" -gt 1000 ] || fail "widths: $SAID"

case_begin "pictures of reports, light and dark, on a phone and on paper"
"$HONE" report tests/data/export/base.csv tests/data/export/branch.csv -q -o "$TMP/two.html"
"$HONE" report tests/data/export/base.csv -q -o "$TMP/file.html"
picture run-light "$TMP/k.html" 1280 3200
picture run-dark "$TMP/k.html" 1280 3200 dark
picture run-phone "$TMP/k.html" 390 2600
picture big-light "$TMP/big.html" 1280 2400
picture file-light "$TMP/file.html" 1280 1600
picture two-dark "$TMP/two.html" 1280 1400 dark
browse print "$TMP/k.html" "$shots/run.pdf"
[ "$(head -c 5 "$shots/run.pdf")" = %PDF- ] || fail "no $shots/run.pdf"

case_begin "paper has every candidate once, light colours and no controls"
browse paper "$TMP/k.html" 'const shown = q => [...document.querySelectorAll(q)].filter(e => e.getClientRects().length);
document.title = [shown("table.sort tbody tr").length, shown("#candidates, .bar, #job").length, shown("section.plain").length,
  getComputedStyle(document.documentElement).getPropertyValue("--a"), shown("#explore svg").every(s => s.clientWidth <= document.body.clientWidth),
  shown("#explore svg .axis-title").every(t => t.getBBox().x >= 0)].join(" ")'
expect_same "paper" "18 0 1 #2563eb true true" "$SAID"

exec {BROWSER[1]}>&-
wait "$BROWSER_PID"
cases_end
