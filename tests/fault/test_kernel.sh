#!/usr/bin/env bash
# Kernels that are tuned when they are first called (hone_kernel.h), by a program that uses the shared library.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/store.sh"
USER_PROGRAM=${KERNEL_USER:-$PWD/build/tests/kernel_user}
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache HONE_PROGRAM=$HONE
RUN_TIMEOUT=150
cp tests/kernel/add.* tests/fault/gate.c "$TMP"
cd "$TMP" || exit 1
sed "s/add\.c/gate.c/; s/name: add/name: gate/; s/entry: add/entry: kernel/
s/params: .*/params: {KNOB: [0, 1]}/; s/baseline: .*/baseline: {KNOB: 0}/
s|flags: .*|flags: [-O1, '-DGATE=\"$TMP/open\"']}|" add.yaml >gate.yaml
gated=(gate.yaml --timeout 100 --events)

use() { run "$USER_PROGRAM" "$@"; }
anew() { rm -rf "$HONE_STORE"* "$HONE_CACHE" open; }
runs() { if [ -e "$HONE_STORE" ]; then ask "$HONE_STORE" 'select count(*) from runs'; else echo 0; fi; }
expect_runs() { expect_same "runs in the store" "$1" "$(runs)"; }
is_running() { [ "$(ask "$HONE_STORE" "select count(*) from runs where state = 'running'" 2>/dev/null)" = 1 ]; }
maker() { ask "$HONE_STORE" "select driver_pid from runs where state = 'running'"; }

# ---- The first call, and the next ----

case_begin "the first call tunes, the next process looks it up"
use add.yaml N=1024
expect_status 0
expect_out "N=1024 WORK=1 origin=tuning default=0 verdict=IMPROVED right=1"
use add.yaml N=1024 N=1024
expect_out "N=1024 WORK=1 origin=store default=0 verdict=IMPROVED right=1
N=1024 WORK=1 origin=store default=0 verdict=IMPROVED right=1"
expect_runs 1

case_begin "what is known needs neither a builder nor a compiler"
HONE_PROGRAM=/bin/false use add.yaml N=1024
expect_out_contains "WORK=1 origin=store"

case_begin "results of hone tune are taken, whatever its search was"
anew
"$HONE" tune add.yaml --strategy exhaustive --problem N=256 --quiet >/dev/null 2>&1
use add.yaml N=256
expect_out "N=256 WORK=1 origin=store default=0 verdict=IMPROVED right=1"
expect_runs 1

case_begin "a problem that the spec does not list is a run of its own"
use add.yaml N=77
expect_out "N=77 WORK=1 origin=tuning default=0 verdict=IMPROVED right=1"
expect_runs 2

case_begin "no improvement: the default, and it is not tuned again"
anew
touch open
use "${gated[@]}" N=1024
expect_status 0
expect_out_contains "KNOB=0 origin=tuning default=1"
use "${gated[@]}" N=1024
expect_out_contains "KNOB=0 origin=store default=1"
expect_runs 1

# ---- Keys ----

case_begin "a source that changed is tuned again; a comment is no change"
anew
use add.yaml N=64
sed -i 's|^{|{ /* as before */|' add.c
use add.yaml N=64
expect_out_contains "origin=store"
expect_runs 1
sed -i 's/x\[i\] + 1;/1 + x[i];/' add.c
use add.yaml N=64
expect_out_contains "origin=tuning default=0 verdict=IMPROVED right=1"
expect_runs 2

case_begin "so is a kernel with another tolerance, or another compiler option"
sed 's/^entry/check: {rtol: 0.5}\nentry/' add.yaml >loose.yaml
use loose.yaml N=64
expect_out_contains "origin=tuning"
expect_runs 3
sed 's/-O1/-O2/' add.yaml >other.yaml
use other.yaml N=64
expect_out_contains "origin=tuning"
expect_runs 4

case_begin "another value of a parameter is not: the proved result still holds"
sed 's/\[40, 1\]/[40, 1, 2]/' add.yaml >more.yaml
use more.yaml N=64
expect_out_contains "WORK=1 origin=store"

case_begin "a winner that is no longer legal is not taken"
sed 's/\[40, 1\]/[40, 2]/' add.yaml >less.yaml
use less.yaml N=64
expect_out_contains "WORK=2 origin=tuning"

# ---- Once ----

case_begin "16 threads: one tunes, all have the result"
anew
use add.yaml --threads 16 N=1024
expect_status 0
expect_same "lines" 16 "$(grep -c '^N=1024 WORK=1 origin=tuning default=0 verdict=IMPROVED right=1$' <<<"$OUT")"
expect_runs 1

case_begin "8 processes of 16 threads: one tunes, the others wait and say how far it is"
anew
users=()
for i in 1 2 3 4 5 6 7 8; do
  "$USER_PROGRAM" "${gated[@]}" --threads 16 N=1024 >out$i 2>err$i &
  users+=($!)
done
waiting() { [ "$(grep -l '^waiting: ' err[1-8] 2>/dev/null | wc -l)" = 7 ]; }
wait_until waiting
touch open
for user in "${users[@]}"; do
  wait "$user"
  expect_same "status of process $user" 0 "$?"
done
expect_same "tuned" 16 "$(cat out[1-8] | grep -c 'KNOB=0 origin=tuning .* right=1')"
expect_same "looked up" 112 "$(cat out[1-8] | grep -c 'KNOB=0 origin=store .* right=1')"
expect_runs 1
rm -f err? out?

case_begin "kill -9 of the process that tunes: one that waits goes on with its run"
anew
users=()
for i in 1 2 3; do
  "$USER_PROGRAM" "${gated[@]}" N=1024 >out$i 2>err$i &
  users+=($!)
done
two_wait() { [ "$(grep -l '^waiting: ' err[1-3] 2>/dev/null | wc -l)" = 2 ]; }
wait_until two_wait
victim=$(maker)
kill -9 "$victim"
wait "$victim" 2>/dev/null
touch open
for user in "${users[@]}"; do
  [ "$user" = "$victim" ] && continue
  wait "$user"
  expect_same "status of process $user" 0 "$?"
done
expect_contains "what they say" "resuming run 1" "$(cat err?)"
expect_same "tuned" 1 "$(cat out? | grep -c 'origin=tuning .* right=1')"
expect_same "looked up" 1 "$(cat out? | grep -c 'origin=store .* right=1')"
expect_runs 1
rm -f err? out?

case_begin "--no-wait: the default while another process tunes, its result later"
anew
"$USER_PROGRAM" "${gated[@]}" N=1024 >out1 2>err1 &
first=$!
wait_until is_running
"$USER_PROGRAM" "${gated[@]}" --no-wait --wait --no-call N=1024 >out2 2>err2 &
second=$!
wait_until grep -q 'KNOB=0 origin=default default=1 verdict=$' out2
touch open
wait $first
wait $second
expect_same "status" 0 "$?"
expect_contains "the second answer" "origin=store default=1" "$(tail -n 1 out2)"
expect_runs 1

case_begin "--no-wait: the default for other threads too"
anew
"$USER_PROGRAM" "${gated[@]}" --no-wait --threads 4 --no-call N=1024 >out2 2>err2 &
second=$!
three_defaults() { [ "$(grep -c 'origin=default' out2)" = 3 ]; }
wait_until three_defaults
touch open
wait $second
expect_same "status" 0 "$?"
expect_same "tuned" 1 "$(grep -c 'origin=tuning' out2)"
expect_runs 1

# ---- In the background ----

case_begin "background: the default at once, then the tuned one"
anew
use add.yaml --background --wait N=1024
expect_status 0
expect_out "N=1024 WORK=40 origin=default default=1 verdict= right=1
N=1024 WORK=1 origin=tuning default=0 verdict=IMPROVED right=1"
expect_runs 1

case_begin "background: what is known comes at once"
use add.yaml --background N=1024
expect_out "N=1024 WORK=1 origin=store default=0 verdict=IMPROVED right=1"

case_begin "background: a program that ends before stops the tuning; the next one goes on"
anew
use "${gated[@]}" --background --no-call N=1024
expect_status 0
expect_out_contains "origin=default"
expect_nothing_left
touch open
use "${gated[@]}" N=1024
expect_status 0
expect_runs 1

case_begin "background: a failure is a warning, and the default stays"
anew
sed 's/i < n/i < n - (WORK == 40)/' add.c >broken.c
sed 's/add\.c/broken.c/; s/^entry/reference: {file: right.c}\nentry/' add.yaml >broken.yaml
sed 's/WORK/1/' add.c >right.c
use broken.yaml --background --wait --events --no-call N=1024
expect_status 1
expect_out_contains "N=1024 WORK=40 origin=default default=1"
expect_err_contains "kernel_user: kernel 'add', N=1024: "
expect_err_contains "baseline"

# ---- HONE_AUTOTUNE ----

case_begin "off: the default, nothing is looked up"
anew
use add.yaml N=1024
HONE_AUTOTUNE=off use add.yaml N=1024
expect_out "N=1024 WORK=40 origin=default default=1 verdict= right=1"
expect_runs 1

case_begin "lookup: never tunes"
HONE_AUTOTUNE=lookup use add.yaml N=1024 N=99
expect_out "N=1024 WORK=1 origin=store default=0 verdict=IMPROVED right=1
N=99 WORK=40 origin=default default=1 verdict= right=1"
expect_runs 1

case_begin "require: says what is missing, and the command that makes it"
HONE_AUTOTUNE=require use add.yaml --go-on N=1024 N=99
expect_status 1
expect_out "N=1024 WORK=1 origin=store default=0 verdict=IMPROVED right=1"
expect_err_contains "kernel 'add', problem N=99"
expect_err_contains "hone tune add.yaml --problem N=99"
expect_runs 1
command=$(sed -n 's/.*make it with: hone //p' <<<"$ERR")
# shellcheck disable=SC2086 # the words of a command
"$HONE" $command --quiet >/dev/null 2>&1
HONE_AUTOTUNE=require use add.yaml N=99
expect_status 0
expect_out_contains "N=99 WORK=1 origin=store"

case_begin "require: without a store"
HONE_STORE=$TMP/none.db HONE_AUTOTUNE=require use add.yaml N=1024
expect_status 1
expect_err_contains "none.db' has no proved result"
if [ -e none.db ]; then fail "it made a store"; fi

case_begin "the environment wins over the option; the option counts without it"
use add.yaml --autotune off N=1024
expect_out_contains "origin=default"
HONE_AUTOTUNE=lookup use add.yaml --autotune off N=1024
expect_out_contains "origin=store"
HONE_AUTOTUNE='' use add.yaml --autotune lookup N=1024
expect_out_contains "origin=store"

case_begin "a wrong value is an error"
HONE_AUTOTUNE=yes use add.yaml N=1024
expect_status 1
expect_err_contains "HONE_AUTOTUNE is 'yes'; it can be on, off, lookup or require"

# ---- Buckets and sizes that do not matter ----

# The size is built in: a kernel for another size is wrong.
sed 's/(const float \*x, float \*y, int n)/(const float *x, float *y, int n)/; s/i < n/i < SIZE/' add.c >fixed.c
sed 's/add\.c/fixed.c/; s/name: add/name: fixed/; s/\[-O1\]/[-O1], defines: {SIZE: N}/' add.yaml >fixed.yaml

case_begin "a bucket is tuned once; the kernel is the one of the size that was asked for"
anew
use fixed.yaml --bucket N=1000 N=700 N=1024 N=513
expect_status 0
expect_out "N=1000 WORK=1 origin=tuning default=0 verdict=IMPROVED right=1
N=700 WORK=1 origin=store default=0 verdict=IMPROVED right=1
N=1024 WORK=1 origin=store default=0 verdict=IMPROVED right=1
N=513 WORK=1 origin=store default=0 verdict=IMPROVED right=1"
expect_runs 1
expect_same "tuned" "N=1024" "$(ask "$HONE_STORE" 'select problem from runs')"

case_begin "a configuration of a bucket that is illegal for the size: the default"
sed 's/^baseline/constraints: [WORK == 40 or N % 4 == 0]\nbaseline/' fixed.yaml >strict.yaml
use strict.yaml --bucket N=1000 N=1001
expect_status 0
expect_out_contains "N=1000 WORK=1 "
expect_out_contains "N=1001 WORK=40 origin=store default=1 verdict=IMPROVED right=1"

sed 's/{N: 1024}/{M: [3, 4], N: 1024}/' fixed.yaml >two.yaml

case_begin "a size that is ignored makes no new run; another size does"
anew
use two.yaml --ignore N M=3,N=1000 M=3,N=500 M=3,N=1024
expect_status 0
expect_same "right" 3 "$(grep -c 'WORK=1 .* right=1$' <<<"$OUT")"
expect_runs 1
use two.yaml --ignore N M=4,N=1000
expect_out_contains "M=4 N=1000 WORK=1 origin=tuning"
expect_runs 2

case_begin "ignored sizes of another process find the same run"
use two.yaml --ignore N M=3,N=123
expect_out_contains "M=3 N=123 WORK=1 origin=store default=0 verdict=IMPROVED right=1"
expect_runs 2

case_begin "names in any order mean the same problem"
use two.yaml --ignore N --no-call N=1000,M=3 M=3,N=1000
expect_same "answers" 1 "$(sort -u <<<"$OUT" | wc -l)"
expect_runs 2

case_begin "sizes that are missing, unknown or given twice"
use two.yaml --go-on N=1000 M=1,K=2 M=1,M=2,N=3
expect_status 1
expect_err_contains "the size 'M' of the kernel 'fixed' is missing"
expect_err_contains "the kernel 'fixed' has no size 'K'; it has M, N"
expect_err_contains "the size 'M' is given twice"
use two.yaml --ignore K M=1,N=1
expect_err_contains "has no size 'K' to be ignored"

# ---- The program's own results ----

case_begin "what the program knows comes first"
anew
use add.yaml --lookup WORK=1 N=1024
expect_out "N=1024 WORK=1 origin=lookup default=0 verdict= right=1"
expect_runs 0

case_begin "what it knows must be legal"
use add.yaml --lookup WORK=7 N=1024
expect_status 1
expect_err_contains "'WORK=7' that was looked up for N=1024"

case_begin "a wisdom file comes before the store"
anew
use add.yaml N=1024
run "$HONE" export last --format wisdom -o add.wisdom
expect_status 0
anew
HONE_WISDOM=add.wisdom use add.yaml N=1024
expect_out "N=1024 WORK=1 origin=wisdom default=0 verdict=IMPROVED right=1"
expect_runs 0

case_begin "a wisdom file satisfies require if it proves something"
HONE_WISDOM=add.wisdom HONE_AUTOTUNE=require use add.yaml N=1024
expect_out "N=1024 WORK=1 origin=wisdom default=0 verdict=IMPROVED right=1"
sed 's/"verdict": *"[^"]*"/"verdict": "UNPROVED"/' add.wisdom >unproved.wisdom
HONE_WISDOM=unproved.wisdom HONE_AUTOTUNE=require use add.yaml N=1024
expect_status 1
expect_err_contains "HONE_AUTOTUNE is require"

case_begin "a wisdom file of another device is taken only of the same family, and where nothing is tuned"
sed 's/"device": *"[^"]*"/"device": "a neighbour"/; s/"aliases": *\[[^]]*\]/"aliases": []/' add.wisdom >family.wisdom
HONE_WISDOM=family.wisdom HONE_AUTOTUNE=lookup use add.yaml N=1024
expect_out_contains "origin=wisdom"
sed 's/"family": *"[^"]*"/"family": "strangers"/' family.wisdom >other.wisdom
HONE_WISDOM=other.wisdom HONE_AUTOTUNE=lookup use add.yaml N=1024
expect_out_contains "origin=default"
HONE_WISDOM=family.wisdom use add.yaml N=1024
expect_out_contains "origin=tuning"

case_begin "a wisdom file that is cut off is an error"
head -c 40 add.wisdom >cut.wisdom
HONE_WISDOM=cut.wisdom use add.yaml N=1024
expect_status 1
expect_err_contains "cut.wisdom"

# ---- Failures ----

case_begin "a spec with errors: all of them, with their lines"
printf 'name: bad\nfile: add.c\nparams: {A: [1, 2]}\nconstraints: [B > 1]\nentrie: x\n' >bad.yaml
use bad.yaml N=1
expect_status 1
expect_err_contains "bad.yaml:4:15: error"
expect_err_contains "bad.yaml:5:1: error"

case_begin "no such file"
use none.yaml N=1
expect_status 1
expect_err_contains "none.yaml"

case_begin "no program to start workers from"
anew
HONE_PROGRAM='' use add.yaml N=1024
expect_status 1
expect_err_contains "cannot find the program 'hone'"
expect_err_contains "or set HONE_PROGRAM to its file"
HONE_PROGRAM=$TMP/none use add.yaml N=1024
expect_status 1
expect_err_contains "HONE_PROGRAM names '$TMP/none', which is not an executable file"

case_begin "all threads that wait get the failure"
HONE_PROGRAM='' use add.yaml --threads 16 N=1024
expect_status 1
expect_same "failures" 16 "$(grep -c "cannot find the program 'hone'" <<<"$ERR")"

case_begin "a store that is damaged is an error, but for off"
anew
use add.yaml N=1024
head -c 3000 /dev/urandom >"$HONE_STORE"
rm -f "$HONE_STORE"-*
cp "$HONE_STORE" before
for mode in on lookup require; do
  HONE_AUTOTUNE=$mode use add.yaml N=1024
  expect_status 1
  expect_err_contains "$HONE_STORE"
done
HONE_AUTOTUNE=off use add.yaml N=1024
expect_status 0
if ! cmp -s before "$HONE_STORE"; then fail "the damaged store was changed"; fi

case_begin "a damaged cache costs a build only"
anew
use add.yaml N=1024
find "$HONE_CACHE" -type f -exec truncate -s 10 {} +
use add.yaml N=1024
expect_out "N=1024 WORK=1 origin=store default=0 verdict=IMPROVED right=1"
use add.yaml N=1024
expect_out_contains "WORK=1 origin=store"

case_begin "a cache that cannot be written costs builds only"
HONE_CACHE=/proc/none use add.yaml N=1024
expect_status 0
expect_out_contains "WORK=1 origin=store"

case_begin "kernels of programs, and sizes that are no integers, are refused"
printf 'name: p\nfile: p.sh\nparams: {A: [1, 2]}\n' >program.yaml
touch p.sh
use program.yaml ''
expect_status 1
expect_err_contains "kernels of the backend 'program' are not functions"
sed 's/N: 1024/N: 1024, T: float/' add.yaml >text.yaml
use text.yaml N=1
expect_status 1
expect_err_contains "the size 'T' of the kernel 'add' is not an integer"

case_begin "nothing is left running"
expect_nothing_left

cases_end
