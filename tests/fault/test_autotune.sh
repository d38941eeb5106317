#!/usr/bin/env bash
# examples/autotune-c: the first run tunes three sizes, the second looks them up. The spec has fewer values here.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/store.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache HONE_PROGRAM=$HONE
unset HONE_AUTOTUNE
RUN_TIMEOUT=300
root=$PWD library=$(dirname "$HONE")/../src
cp -r examples/autotune-c examples/sgemm "$TMP"
cd "$TMP/autotune-c" || exit 1
sed -i 's/^  BM: .*/  BM: [64]/; s/^  BN: .*/  BN: [128]/; s/^  BK: .*/  BK: [128]/; s/^  MR: .*/  MR: [4, 8]/
s/^  NR: .*/  NR: [16]/; s/^  LANES: .*/  LANES: [4, 8]/; s/^  UNROLL: .*/  UNROLL: [1]/; s/^  ALGO: .*/  ALGO: [direct]/
s/^search: .*/search: {budget: 4}/' ../sgemm/sgemm.yaml
# A quick search gives up its proof when its time is over, which a busy machine may not allow.
sed -i 's/HONE_EFFORT_QUICK/HONE_EFFORT_NORMAL/' autotune.c
# the baseline computes five times, so that each verdict is clear on a busy machine as well
sed -i '1i #if LANES == 4\n#define sgemm once\n#endif' ../sgemm/sgemm.c
cat >>../sgemm/sgemm.c <<'END'
#if LANES == 4
#undef sgemm
void sgemm(const float *a, const float *b, float *c, int m, int n, int k)
{
  for (int i = 0; i < 5; i++) once(a, b, c, m, n, k);
}
#endif
END
runs() { ask "$HONE_STORE" 'select count(*) from runs'; }
lines() { sed -E 's/^([0-9]+ x [0-9]+): .* with (.*) \(found in .*\)/\1 \2/' <<<"$OUT"; }

case_begin "it is built with the library and a few words"
run make autotune hone_flags="-I'$root/include' -L'$library' -Wl,-rpath,'$library' -lhone"
expect_status 0

case_begin "the first run tunes each size"
run ./autotune
expect_status 0
expect_same "lines" 3 "$(grep -c 'GFLOP/s with BM=64' <<<"$OUT")"
expect_err_contains "screen"
expect_same "runs" 3 "$(runs)"
first=$(lines)

case_begin "the second looks them up: the same configurations, nothing is measured"
run ./autotune
expect_status 0
expect_same "configurations" "$first" "$(lines)"
expect_err ""
expect_same "runs" 3 "$(runs)"

case_begin "the kernel is the baseline with HONE_AUTOTUNE=off"
HONE_AUTOTUNE=off run ./autotune
expect_status 0
expect_same "baselines" 3 "$(grep -c 'BM=64,BN=128,BK=128,MR=4,NR=16,LANES=4,UNROLL=1,ALGO=direct' <<<"$OUT")"

case_begin "the program of docs/library.md"
mkdir "$TMP/program" && cd "$TMP/program" || exit 1
sed -n '/^<!-- program: first_call.c -->/,/^```$/p' "$root/docs/library.md" | sed '1,2d; $d' >first_call.c
run cc -Wall -Wextra -Werror first_call.c -o first_call "-I$root/include" "-L$library" "-Wl,-rpath,$library" -lhone
expect_status 0
run ./first_call
expect_status 0
expect_same "runs" 5 "$(runs)"
HONE_AUTOTUNE=lookup run ./first_call
expect_status 0
expect_same "lines" 2 "$(grep -c '^N=[0-9]*: SUMS=' <<<"$OUT")"
expect_same "runs" 5 "$(runs)"
cd "$TMP/autotune-c" || exit 1

if "$HONE" export --help | grep -q header; then
  case_begin "headers alone: the same configurations, and no library is needed"
  run make header HONE="'$HONE'" hone_flags=
  expect_status 0
  for size in 128 256 384; do
    expect_same "header of $size" "$(sed -n "s/^$size x $size .*MR=\([0-9]*\).*/\1/p" <<<"$first")" \
      "$(sed -n 's/^#define MR //p' "sgemm_$size.h")"
  done
  run ./autotune-alone
  expect_status 0
  expect_same "lines" 3 "$(grep -c "GFLOP/s with sgemm_[0-9]*.h (found in 0.0 ms)$" <<<"$OUT")"
  if ldd ./autotune-alone | grep -q libhone; then fail "it needs libhone"; fi
else
  case_skip "headers alone: the same configurations, and no library is needed" "hone export has no format 'header'"
fi

cases_end
