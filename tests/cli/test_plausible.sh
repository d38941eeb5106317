# What is not believed: times that cannot be times, whoever sends them, and times that no machine
# reaches. And what is said of answers that nobody compared.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
unset NO_COLOR
ln -s "$(realpath "$(dirname "$HONE")/../tests/foreign_worker")" "$TMP/foreign_worker" # a command of one word, wherever it was built
foreign=$TMP/foreign_worker

# A kernel that does its work WORK times: the fastest does it once.
kernel() { # kernel FILE WORKS [BODY [KEYS]]: KEYS are further lines of the spec
  cat >"$1" <<END
/*@hone
name: $(basename "$1" .c)
params:
  WORK: $2
baseline: {WORK: 20}
entry: f
args:
  - {name: x, type: f32, shape: [4096], fill: uniform}
  - {name: y, type: f32, shape: [4096], role: out}
${4-reference: baseline}
*/
void f(const float *x, float *y)
{
  enum { n = 4096 };
  ${3-}
  for (volatile int k = 0; k < WORK; k++)
    for (int i = 0; i < n; i++)
      y[i] = 2 * x[i];
}
END
}
recording "$TMP/plain.json" "WORK=[1, 20]" "WORK / 100"
printf '%s\n' 'name: plain' 'backend: sim' 'file: plain.json' 'baseline: {WORK: 20}' >"$TMP/plain.yaml"

outcome_of() { # outcome_of PART: of the configuration with this text
  figure "[e['outcome'] for e in run['evaluations'] if '$1' in e['config'] and not e['is_baseline']]"
}

# ---- Times that are none

for time in nan inf 0 -1 1e-300 none; do
  case_begin "a worker that sends $time as a time has a bad result, and nobody learns from it"
  FOREIGN_TIME=$time FOREIGN_MATCH='"WORK=1"' FOREIGN_MODE=screen \
    run "$HONE" tune "$TMP/plain.yaml" --fresh --worker "$foreign" --no-confirm
  expect_same "the outcome" "['bad_result']" "$(outcome_of WORK=1)"
  expect_figure "run['counts']['failed']" 1
  expect_figure "run['winner']" None
done

case_begin "what is sent in the confirmation is looked at, too"
FOREIGN_TIME=1e-300 FOREIGN_MODE=rows \
  run "$HONE" tune "$TMP/plain.yaml" --fresh --worker "$foreign"
expect_same "the outcome" "['bad_result']" "$(outcome_of WORK=1)"
expect_figure "run['verdict']" "NO IMPROVEMENT" # nobody is left who could be one
expect_figure "run['winner']" "None"

case_begin "a program that prints 1e-300 has a bad result"
cat >"$TMP/tiny.sh" <<'END'
#!/bin/sh
if [ "$1" = 1 ]; then echo 1e-300; else echo 5; fi
END
cat >"$TMP/tiny.yaml" <<END
name: tiny
file: tiny.sh
params: {A: [0, 1]}
baseline: {A: 0}
run: {command: [sh, '{source}', '{A}']}
END
run "$HONE" tune "$TMP/tiny.yaml"
expect_same "the outcome" "['bad_result']" "$(outcome_of A=1)"
expect_figure "[f['evidence'] for f in run['failures']][0].count('1e-300')" 1

# ---- Times that no machine reaches

mark_of() { # mark_of CONFIG: why it is suspicious
  figure "[e['suspicious'] for e in run['evaluations'] if '$1' == e['config']][-1]"
}
# A program whose times are given: nothing depends on the machine.
cat >"$TMP/told.sh" <<'END'
echo "$1"
END
cat >"$TMP/told.yaml" <<'END'
name: told
file: told.sh
params: {A: [1000, 900, 11, 9]}
baseline: {A: 1000}
run: {command: [sh, '{source}', '{A}']}
END

case_begin "more than 100 times as fast as the baseline is suspicious, and less is not"
run "$HONE" tune "$TMP/told.yaml"
expect_status 0
expect_figure "run['verdict']" IMPROVED
expect_contains "the mark" "111 times as fast as the baseline; its answers are NOT checked" \
  "$(mark_of A=9)"
for config in A=1000 A=900 A=11; do expect_same "the mark of $config" None "$(mark_of $config)"; done
expect_out_contains "SUSPICIOUS: 111 times as fast"
expect_same "marks in the table" 1 "$(grep -c ' SUSPICIOUS  ' "$TMP/stdout")"
expect_err_contains "SUSPICIOUS: A=9: 111 times"

case_begin "it is shown later, too: as text, as JSON and as a page"
run "$HONE" show last
expect_out_contains "SUSPICIOUS: 111 times as fast"
run "$HONE" report last -o "$TMP/page.html"
expect_status 0
grep -q '<p class="bad">SUSPICIOUS: 111 times as fast' "$TMP/page.html" || fail "no mark at the best"
grep -q '^<p class="lead bad">SUSPICIOUS: A=9 is 111.11 times as fast' "$TMP/page.html" || fail "no mark in the headline"
grep -q 'NOT checked. <code>hone export</code> needs <code>--force</code> for it; check .* and separately: <code>hone run .*told.yaml --config A=9</code></p>' "$TMP/page.html" ||
  fail "the page does not say what follows"
grep -q '<td class="wrap bad">SUSPICIOUS: 111 times' "$TMP/page.html" || fail "no mark in the table"

case_begin "no form of export has it without --force"
printf 'int a;\n// hone:begin\n// hone:end\n' >"$TMP/into.h"
echo 'A = [@A]' >"$TMP/snippet.txt"
into="--snippet $TMP/snippet.txt --into $TMP/into.h"
for form in "$into" "--format yaml" "--format json" "--format csv" "--format t4" "--format mlir" \
  "--config A=9 --format yaml"; do
  run "$HONE" export last $form
  expect_status 1
  expect_err_contains "SUSPICIOUS and not exported: 111 times as fast as the baseline"
  expect_err_contains "use '--force' to export it anyway"
  expect_out ""
done
run "$HONE" export last --metric "met (ms)" --format yaml
expect_status 1
expect_err_contains "SUSPICIOUS and not exported"
expect_same "the file" "int a;" "$(grep -v hone "$TMP/into.h")"
for form in "$into" "--format json" "--format csv" "--format t4" "--format yaml"; do
  run "$HONE" export last $form --force
  expect_status 0
done
expect_out_contains "# SUSPICIOUS: 111 times as fast as the baseline"
grep -q 'A = 9' "$TMP/into.h" || fail "it is not in the file"

case_begin "another configuration of the run can be exported"
run "$HONE" export last --config A=11 --format yaml
expect_status 0
expect_out_contains "A: 11"

case_begin "a run that takes it from the store has the mark, too"
run "$HONE" tune "$TMP/told.yaml" --seed 7
expect_status 0
expect_figure "run['counts']['reused'] > 0" True
expect_contains "the mark" "111 times as fast" "$(mark_of A=9)"

case_begin "what is suspicious does not cut others off, and what is believed does"
for fastest in 9 11; do
  sed "s/^params.*/params: {A: [$fastest, 500, 600, 700, 800, 900, 1000]}/" "$TMP/told.yaml" >"$TMP/cut.yaml"
  run "$HONE" tune "$TMP/cut.yaml" --fresh --strategy exhaustive --no-confirm
  expect_status 0
  case $fastest in
  9) expect_contains "the mark" "111 times" "$(mark_of A=9)"; expect_figure "run['counts']['slow']" 0 ;;
  11) expect_same "the mark" None "$(mark_of A=11)"; expect_figure "run['counts']['slow'] > 0" True ;;
  esac
done

case_begin "a figure that no machine reaches is suspicious by itself"
kernel "$TMP/peak.c" "[1, 16, 20]" '' 'reference: baseline
metrics: {GFLOP/s: 1e15 / WORK ** 12}'
run "$HONE" tune "$TMP/peak.c" --strategy exhaustive --no-confirm
expect_contains "the mark" "1e+12 TFLOP/s, but the device's peak is" "$(mark_of WORK=1)"
expect_same "the mark of another" None "$(mark_of WORK=16)"

case_begin "it is measured again with every answer compared, and so is the confirmation"
kernel "$TMP/fast.c" "[1, 20]" "" 'reference: baseline
metrics: {GFLOP/s: 1e12 * 4096 / time_ns}'
FOREIGN_LOG=$TMP/log run "$HONE" tune "$TMP/fast.c" --worker "$foreign"
expect_contains "the mark" "FLOP/s, but the device's peak is" "$(mark_of WORK=1)"
expect_contains "the mark" "measured again, the answers of all samples agree with the baseline's output" \
  "$(mark_of WORK=1)"
expect_same "the checks" 'screen"every" screentrue' \
  "$(grep '"screen"' "$TMP/log" | grep '"WORK","1"' | sed 's/.*"mode":"\([a-z]*\)","check":\([^,]*\),.*/\1\2/' |
    sort | uniq | xargs -d '\n')"
expect_same "rows without" 0 "$(grep '"mode":"rows"' "$TMP/log" | grep -vc '"check":"every"')"
expect_same "the mark of the baseline" True \
  "$(figure "'peak' in [e for e in run['evaluations'] if e['is_baseline']][0]['suspicious']")"

case_begin "what can be believed is not measured again"
rm -f "$TMP/log"
kernel "$TMP/usual.c" "[1, 20]"
FOREIGN_LOG=$TMP/log run "$HONE" tune "$TMP/usual.c" --worker "$foreign"
expect_same "jobs that compare all" 0 "$(grep '"mode":"rows"' "$TMP/log" | grep -c '"check":"every"')"
expect_same "proofs of the winner" 1 "$(grep '"mode":"screen"' "$TMP/log" | grep -c '"check":"every"')"

case_begin "what only the confirmation shows is marked, too"
kernel "$TMP/late.c" "[1, 20]"
FOREIGN_TIME=1 FOREIGN_STEP=2 FOREIGN_MODE=rows run "$HONE" tune "$TMP/late.c" --worker "$foreign"
expect_figure "run['winner']" WORK=1
expect_contains "the mark" "times as fast as the baseline" "$(mark_of WORK=1)"
expect_out_contains "SUSPICIOUS: "

case_begin "an answer that cannot even be written in that time is suspicious"
cat >"$TMP/empty.c" <<'END'
/*@hone
name: empty
params: {SKIP: [0, 1]}
baseline: {SKIP: 1}
entry: f
args: [{name: y, type: f32, shape: [4194304], role: out}]
check: {enabled: false}
*/
void f(float *y)
{
  for (int i = 0; i < (SKIP ? 1 : 4194304); i++)
    y[i] = i;
}
END
run "$HONE" tune "$TMP/empty.c"
expect_same "the mark of the baseline" True \
  "$(figure "'16.8 MB of answers in' in [e for e in run['evaluations'] if e['is_baseline']][0]['suspicious']")"
expect_same "the mark of the honest one" None "$(mark_of SKIP=0)"
run "$HONE" run "$TMP/empty.c" --config SKIP=1
expect_out_contains "SUSPICIOUS  16.8 MB of answers in"

case_begin "honest kernels that only write are never marked"
cat >"$TMP/honest.c" <<'END'
/*@hone
name: honest
params: {KIND: [0, 1, 2], UNROLL: [1, 8]}
problem: [{N: 4}, {N: 256}, {N: 4096}, {N: 65536}, {N: 1048576}]
baseline: {KIND: 0, UNROLL: 1}
entry: f
args:
  - {name: a, type: f32, shape: [N], fill: uniform}
  - {name: b, type: f32, shape: [N], fill: uniform}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: z, type: f32, shape: [N], role: out}
  - {name: n, type: i64, value: N}
build: {flags: [-O3, -march=native]}
*/
#include <string.h>
void f(const float *restrict a, const float *restrict b, float *restrict y, float *restrict z, long n)
{
#if KIND == 0
  for (long i = 0; i < n; i++) y[i] = a[i] + b[i];
#elif KIND == 1
  for (long i = 0; i < n; i += 4)
    for (long k = i; k < i + 4; k++) y[k] = a[k] + b[k];
#else
  memcpy(y, a, n * sizeof *y);
  for (long i = 0; i < n; i++) y[i] += b[i];
#endif
  memset(z, 0, n * sizeof *z);
}
END
HONE_STORE=$TMP/honest.db
RUN_TIMEOUT=300 run "$HONE" tune "$TMP/honest.c" --effort quick --top 2
expect_status 0
expect_same "runs" 5 "$("$HONE" show --format json |
  python3 -c 'import json, sys; print(len(json.load(sys.stdin)))')"
expect_same "marks" "" "$(marks)"
HONE_STORE=$TMP/store.db

# ---- Answers that nobody compared

words_of() { # words_of OPTION...: of hone tune --dry-run, hone tune, hone run, JSON and HTML
  run "$HONE" tune "$@" --dry-run
  sed -n 's/^  answers  *//p' "$TMP/stdout"
  run "$HONE" tune "$@"
  sed -n 's/^  answers  *//p' "$TMP/stdout"
  figure "run['answers']"
  "$HONE" report last | grep -c '<p class="note">Answers of'
  run "$HONE" run "$@"
  sed -n '/^answer  /p' "$TMP/stdout"
}

case_begin "without a reference the baseline's own answer is all there is, and that is said"
kernel "$TMP/none.c" "[1, 20]" 'y[0] = 42; if (WORK) return;' ''
expect_same "what is said" "compared with the baseline's output
compared with the baseline's output
baseline
1
answer      agrees with the baseline's output; there is no reference to check that output" \
  "$(words_of "$TMP/none.c")"
"$HONE" report last | grep -q "Answers of run [0-9]* are compared with the baseline.*s output\." ||
  fail "the page does not say it"

case_begin "with a reference answers are right"
cat >"$TMP/right.c" <<'END'
void f(const float *x, float *y) { for (int i = 0; i < 4096; i++) y[i] = 2 * x[i]; }
END
kernel "$TMP/referenced.c" "[1, 20]" '' 'reference: {file: right.c}'
expect_same "what is said" "compared with the reference
compared with the reference
reference
0
answer      correct: agrees with the reference" "$(words_of "$TMP/referenced.c")"

case_begin "answers that are not checked are said to be so"
kernel "$TMP/off.c" "[1, 20]" '' 'check: {enabled: false}'
expect_same "what is said" "NOT checked
NOT checked
none
1
answer      NOT checked" "$(words_of "$TMP/off.c")"
expect_same "with --no-check" "NOT checked" "$(run "$HONE" tune "$TMP/referenced.c" --no-check --dry-run
  sed -n 's/^  answers  *//p' "$TMP/stdout")"

case_begin "those of programs are not, unless a command judges them"
expect_same "what is said" "NOT checked
NOT checked
none
1
answer      NOT checked" "$(words_of "$TMP/told.yaml")"
sed 's/^name: told/name: judged\ncheck: {command: "true"}/' "$TMP/told.yaml" >"$TMP/judged.yaml"
expect_same "what is said" "judged by check.command
judged by check.command
command
1
answer      accepted by check.command" "$(words_of "$TMP/judged.yaml")"

case_begin "a recording is neither checked nor judged"
run "$HONE" tune "$TMP/told.yaml"
run "$HONE" export last --format t4 --force -o "$TMP/told.json"
expect_status 0
printf 'name: again\nbackend: sim\nfile: told.json\nbaseline: {A: 1000}\n' >"$TMP/again.yaml"
expect_same "what is said" "NOT checked: this is a recording
NOT checked: this is a recording
recorded
1
answer      NOT checked: this is a recording" "$(words_of "$TMP/again.yaml")"
expect_same "the mark" None "$(mark_of A=9)"

# ---- On a device

if "$HONE" devices --backend opencl --quiet --format json | grep -q '"kind": "cpu"'; then
  export POCL_CACHE_DIR="$TMP/pocl" XDG_CACHE_HOME="$TMP/xdg"
  cat >"$TMP/device.cl" <<'END'
/*@hone
name: device
params: {KIND: [0, 1, 2], WG: [64]}
baseline: {KIND: 0, WG: 64}
entry: f
args:
  - {name: x, type: f32, shape: [4096], fill: uniform}
  - {name: y, type: f32, shape: [4096], role: out}
launch: {grid: [1], block: [WG]}
metrics: {GFLOP/s: (0.001 + (KIND == 2) * 1e15) / time_ns}
*/
__kernel void f(__global const float *x, __global float *y)
{
  int n = 4096;
#if KIND == 1
  if (y[n - 1] == 2 * x[n - 1]) return;
#endif
  for (int k = 0; k < 50; k++)
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
      y[i] = (k + 2 - k) * x[i];
}
END
  case_begin "a kernel of OpenCL that is too fast, or keeps its last answer, is not believed"
  RUN_TIMEOUT=200 run "$HONE" tune "$TMP/device.cl"
  expect_status 0
  expect_contains "the mark" "TFLOP/s, but the device's peak is" "$(mark_of KIND=2,WG=64)"
  expect_same "the mark of the baseline" None \
    "$(figure "[e for e in run['evaluations'] if e['is_baseline']][0]['suspicious']")"
  expect_same "whether one that keeps its answer is marked, has failed or is no faster" True \
    "$(figure "[e['suspicious'] is not None or e['outcome'] not in ('ok', 'slow') or
      e['baseline_ns'] < 10 * e['time_ns'] for e in run['evaluations'] if 'KIND=1' in e['config']] == [True]")"
else
  case_skip "a kernel of OpenCL that is too fast, or keeps its last answer, is not believed" \
    "no OpenCL device here that is a CPU (apt-get install pocl-opencl-icd)"
fi

cases_end
