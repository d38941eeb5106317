# What is not believed: times that cannot be times, whoever sends them, and times that no machine
# reaches. And what is said of answers that nobody compared.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
unset NO_COLOR
foreign=$(dirname "$HONE")/../tests/foreign_worker

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
kernel "$TMP/plain.c" "[1, 20]"

outcome_of() { # outcome_of PART: of the configuration with this text
  figure "[e['outcome'] for e in run['evaluations'] if '$1' in e['config'] and not e['is_baseline']]"
}

# ---- Times that are none

for time in nan inf 0 -1 1e-300 none; do
  case_begin "a worker that sends $time as a time has a bad result, and nobody learns from it"
  FOREIGN_TIME=$time FOREIGN_MATCH='"WORK","1"' FOREIGN_MODE=screen \
    run "$HONE" tune "$TMP/plain.c" --fresh --worker "$foreign" --no-confirm
  expect_same "the outcome" "['bad_result']" "$(outcome_of WORK=1)"
  expect_figure "run['counts']['failed']" 1
  expect_figure "run['winner']" None
done

case_begin "what is sent in the confirmation is looked at, too"
FOREIGN_TIME=1e-300 FOREIGN_MODE=rows \
  run "$HONE" tune "$TMP/plain.c" --fresh --worker "$foreign"
expect_same "the outcome" "['bad_result']" "$(outcome_of WORK=1)"
expect_figure "run['verdict']" "INCONCLUSIVE"
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

cases_end
