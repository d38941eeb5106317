# Reports in a browser: nothing on the console, tables that sort and filter, choosers that choose; pictures of them are
# kept in the build folder.
. "$(dirname "$0")/lib.sh"
export HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
shots=${HONE%/cli/hone}/screenshots
if ! command -v chromium >/dev/null; then
  case_skip "reports in a browser" "chromium is not installed"
  cases_end
fi

browse() { # browse FLAGS...: headless, with what scripts say on standard error
  run timeout 50 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$TMP/chromium" \
    --enable-logging=stderr "$@"
}
expect_quiet() { expect_same "console" "" "$(grep CONSOLE "$TMP/stderr")"; }
# ask FILE SCRIPT: the page, after the script ran behind its own; `said` of it is the title
ask() {
  python3 - "$1" "$2" >"$TMP/asked.html" <<'PY'
import sys
html = open(sys.argv[1], encoding="utf-8").read()
print(html.replace("</body>", "<script>" + sys.argv[2] + "</script></body>"))
PY
  browse --dump-dom "file://$TMP/asked.html"
  expect_quiet
  SAID=$(sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' "$TMP/stdout" | head -n 1)
}
picture() { # picture NAME FILE WIDTHxHEIGHT FLAGS...
  mkdir -p "$shots"
  browse --window-size="${3/x/,}" --screenshot="$shots/$1.png" "${@:4}" "file://$2"
  expect_quiet
  [ -s "$shots/$1.png" ] || fail "no $shots/$1.png"
}

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
for name in pairs heat-map effect-of-bm; do
  run "$HONE" report last --svg $name -o "$shots/$name.svg" -q
  expect_status 0
  python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$shots/$name.svg" || fail "$name.svg is not XML"
  if grep -q 'var(' "$shots/$name.svg"; then fail "variables are left in $name.svg"; fi
done
run "$HONE" report last --png pairs -o "$shots/pairs.png" -q
expect_same "its first bytes" "PNG" "$(head -c 4 "$shots/pairs.png" | tail -c 3)"
run "$HONE" report last --pdf page -o "$shots/page.pdf" -q
expect_same "its first bytes" "%PDF-" "$(head -c 5 "$shots/page.pdf")"
run "$HONE" report last --svg nobody
expect_status 1
expect_err_contains "there is no chart 'nobody'; these are:"

case_begin "pictures of reports, light and dark, on a phone and on paper"
"$HONE" report tests/data/export/base.csv tests/data/export/branch.csv -q -o "$TMP/two.html"
"$HONE" report tests/data/export/base.csv -q -o "$TMP/file.html"
dark=--blink-settings=preferredColorScheme=0
picture run-light "$TMP/k.html" 1280x3200
picture run-dark "$TMP/k.html" 1280x3200 $dark
picture run-phone "$TMP/k.html" 390x2600
picture big-light "$TMP/big.html" 1280x2400
picture file-light "$TMP/file.html" 1280x1600
picture two-dark "$TMP/two.html" 1280x1400 $dark
browse --print-to-pdf="$shots/run.pdf" "file://$TMP/k.html"
[ "$(head -c 5 "$shots/run.pdf")" = %PDF- ] || fail "no $shots/run.pdf"

cases_end
