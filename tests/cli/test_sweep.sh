# hone sweep, as a user of kbench types it: its options and mistakes, the files it leaves, its exit
# statuses, and tune.py's way of working.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
unset NO_COLOR CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES

# A program that reports A + B milliseconds, and fails as it is told.
cat >"$TMP/bench.py" <<'END'
import sys, time
args = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--") and "=" in a)
out = sys.argv[sys.argv.index("-o") + 1]
a, b = float(args.get("A", 1)), float(args.get("B", 0))
time.sleep(float(args.get("sleep", 0)))
print("says A=%g" % a)
if args.get("crash") == "True":
    sys.exit("intentional crash")
with open(out, "w") as f:
    f.write('name,met (ms),iters\n"bench/A=%g",%g,1\n' % (a, a + b))
END

spec() { # spec FILE PARAMS...: a spec of the program with these lines of parameters
  {
    printf 'name: bench\nfile: %s/bench.py\nparams:\n' "$TMP"
    shift
    printf '  %s\n' "$@"
  } >"$1.yaml"
}
cd "$TMP" || exit
spec three 'A: [3, 1, 2]'
spec some 'A: [1, 2]' '$crash: [False, True]'
spec none 'A: [1, 2]' '$crash: True'
spec slow 'A: [1, 2, 3, 4]' '$sleep: [0, 600]'
printf 'file: %s/bench.py\nparams: {$M: [1, 2], N: 3}\n' "$TMP" >shapes.yaml

files() { (cd "$1" && find . -type f | sort | tr '\n' ' ' | sed 's/ $//'); }

# ---- The command line

case_begin "the help has every option of kbench, within 80 columns"
run "$HONE" sweep --help
expect_status 0
for option in filter param shapes partition output output-dir build run-only debug-level \
  optimization-level march disable-warnings use-experimental-kernels target-accelerator build-opts \
  force skip-clock-check cached cache-dir clear-cache num-cpu num-gpu mpirun-np dryrun verbose \
  profile exec-prefix exec-suffix timeout-secs plot help yaml tune mode store worker problem fresh \
  no-check quiet color format; do
  expect_out_contains " --$option"
done
expect_same "lines over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"
run "$HONE" sweep -help
expect_status 0
run "$HONE" tune --help
expect_same "lines over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"
for option in build-opts debug-level optimization-level march target-accelerator disable-warnings \
  exec-prefix exec-suffix mpirun-np num-cpu num-gpu timeout-secs mode partition tune yaml; do
  expect_out_contains " --$option"
done

case_begin "without a spec there is nothing to do"
run "$HONE" sweep
expect_status 2
expect_err_contains "usage: hone sweep FILE..."
run "$HONE" sweep -v
expect_status 2
expect_err_contains "no spec given"
run "$HONE" sweep --shapes shapes.yaml
expect_status 2
expect_err_contains "hone sweep FILE... --shapes FILE"
run "$HONE" sweep nowhere.yaml
expect_status 2
expect_err_contains "cannot open 'nowhere.yaml'"

refused() { # refused MESSAGE ARGUMENT...: exit status 2 with this advice, and nothing was made
  message=$1
  shift
  run "$HONE" sweep "$@"
  expect_status 2
  expect_err_contains "$message"
  expect_same "standard output" "" "$OUT"
  if [ -e kbench-output ]; then fail "kbench-output was made"; fi
}

case_begin "what does not go together is refused with advice"
refused "'--run-only' and '--clear-cache' cannot be combined" three.yaml --run-only -cc
refused "'--run-only' and '--build-opts' cannot be combined" three.yaml --run-only --build-opts -g
refused "'--run-only' and '--build' cannot be combined" three.yaml --run-only --build
refused "'--run-only' and '--dryrun' cannot be combined" three.yaml --run-only -dryrun
refused "'--dryrun' and '--clear-cache' cannot be combined" three.yaml --dry-run -cc
refused "'--tune' and '--build' cannot be combined" three.yaml --tune --build
refused "'--tune' and '--format' cannot be combined" three.yaml --tune --format json
refused "'--yaml' and a file cannot be combined" three.yaml --yaml three.yaml
refused "'--devices' and '--num-gpu' cannot be combined" three.yaml --devices program --num-gpu 1

case_begin "wrong values are refused"
refused "'--num-cpu' needs a number from 1 to 4096, or -1" three.yaml --num-cpu 0
refused "'--num-cpu' needs a number, not 'x'" three.yaml --num-cpu x
refused "'--num-gpu' needs a number from 1 to 1024, not 0" three.yaml --num-gpu 0
refused "'--num-gpu' needs a number from 1 to 1024, not -1" three.yaml --num-gpu -1
refused "'--mpirun-np' needs a number" three.yaml --mpirun-np 0
refused "'--timeout-secs' needs a number from 0" three.yaml --timeout-secs -1
refused "'--partition' needs M:N with M below N, or I/N with I from 1 to N, not '3:2'" three.yaml --partition 3:2
refused "'--partition' needs M:N with M below N, or I/N with I from 1 to N, not 'x'" three.yaml --partition x
refused "bad --param 'foo': expected NAME:VALUE" three.yaml --param foo
refused "bad --filter 'A': expected NAME=VALUE" three.yaml --filter A
refused "'--plot' is bars, table, summary or none, not 'pie'" three.yaml --plot pie
refused "'--profile' is none, ncu, ncu-single, rocm or" three.yaml --profile nsys
refused "'--mode' is auto, process, library, serve or plugin" three.yaml --mode thread
refused "'--output' needs a file name" three.yaml -o results/
refused "unknown option '--filters'; did you mean '--filter'?" three.yaml --filters A=1
refused "did you mean 'nvidia:sm_90'?" three.yaml --target-accelerator nvidia:sm90
refused "examples are nvidia:sm_90, amdgpu:mi300x and metal:1" three.yaml --target-accelerator ''
refused "examples are nvidia:sm_90, amdgpu" three.yaml --target-accelerator invalid_accelerator

# ---- GPUs

mkdir "$TMP/bin"
cat >"$TMP/bin/nvidia-smi" <<'END'
#!/bin/sh
case $* in
*=name*) printf 'H200\nH200\nH200\nH200\n' ;;
*) echo "$CLOCKS" ;;
esac
END
cat >"$TMP/bin/rocm-smi" <<'END'
#!/bin/sh
echo device,Card series
for i in 0 1 2 3 4 5 6 7; do echo "card$i,MI300X"; done
END
chmod +x "$TMP/bin/nvidia-smi" "$TMP/bin/rocm-smi"
export CLOCKS="Not Active, Enabled"
plain_path=$PATH
PATH=$TMP/bin:$PATH

case_begin "the number of GPUs is checked against the machine"
nvidia='--target-accelerator nvidia:sm_90' amd='--target-accelerator amdgpu:mi300x'
refused "'--num-gpu' above 1 needs --target-accelerator" three.yaml --num-gpu 2
refused "'--num-gpu 8' exceeds the number of available GPUs" three.yaml --num-gpu 8 $nvidia
refused "'--mpirun-np 5' exceeds the number of available GPUs" three.yaml --mpirun-np 5 $nvidia
refused "'--num-gpu 9' exceeds the number of available GPUs" three.yaml --num-gpu 9 $amd
refused "'--num-gpu 4' is more than '--num-cpu 2'" three.yaml --num-gpu 4 --num-cpu 2 $nvidia
refused "cannot be combined: mpirun assigns" three.yaml --num-gpu 2 --mpirun-np 2 $nvidia
export CUDA_VISIBLE_DEVICES=2,3 ROCR_VISIBLE_DEVICES=0,1
refused "exceeds the number of available GPUs, which is 2" three.yaml --num-gpu 4 $nvidia
refused "exceeds the number of available GPUs, which is 2" three.yaml --num-gpu 4 $amd
unset CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES
run "$HONE" sweep three.yaml --num-gpu 4 $nvidia --dryrun
expect_status 0
run "$HONE" sweep three.yaml --num-gpu 4 --target-accelerator metal:1 --dryrun
expect_status 0

case_begin "a GPU whose clock floats is refused where it is used, and a warning elsewhere"
CLOCKS="Active, Enabled"
run "$HONE" sweep three.yaml $nvidia
expect_status 1
expect_err_contains "at its power limit"
expect_err_contains "--skip-clock-check runs anyway"
if [ -e kbench-output ]; then fail "kbench-output was made"; fi
CLOCKS="Not Active, Disabled"
run "$HONE" sweep three.yaml $nvidia
expect_status 1
expect_err_contains "persistence mode is off"
for skip in --skip-clock-check -f; do
  run "$HONE" sweep three.yaml $nvidia $skip --output-dir "$TMP/clock"
  expect_status 0
done
expect_err_contains "'--force' is the old name of '--skip-clock-check'"
run "$HONE" sweep three.yaml --output-dir "$TMP/clock"
expect_status 0
expect_err_contains "warning: persistence mode is off"
PATH=$plain_path

# ---- Files

case_begin "a dry run prints every command and leaves nothing"
rm -rf "$TMP/dry.db" "$TMP/dry"
HONE_STORE=$TMP/dry.db HONE_CACHE=$TMP/dry run "$HONE" sweep three.yaml -dryrun
expect_status 0
expect_same "commands" 3 "$(grep -c "bench.py --A=[123] -o kbench-output/out_[012]/output.csv" \
  "$TMP/stdout")"
for made in kbench-output "$TMP/dry.db" "$TMP/dry"; do
  if [ -e "$made" ]; then fail "$made was made"; fi
done

case_begin "a sweep leaves kbench's files and shows bars"
run "$HONE" sweep three.yaml
expect_status 0
expect_same "files" "./out_0/output.csv ./out_1/output.csv ./out_2/output.csv ./output.csv \
./output.failures.json ./output.txt ./output.yaml" "$(files kbench-output)"
expect_same "output.csv" '"name","met (ms)","iters","spec","kbench_filter"
"bench/A=3",3,1,"bench/A=3","A=3"
"bench/A=1",1,1,"bench/A=1","A=1"
"bench/A=2",2,1,"bench/A=2","A=2"' "$(cat kbench-output/output.csv)"
expect_contains "output.txt" "Number of valid executed specs: 3 (out of 3)" \
  "$(cat kbench-output/output.txt)"
expect_contains "output.failures.json" '"num_valid": 3' "$(cat kbench-output/output.failures.json)"
expect_err_contains "wrote results to [kbench-output/output] (.csv, .txt, .failures.json, .yaml)"
expect_out_contains "3.0 ms"
run "$HONE" space kbench-output/output.yaml --list
expect_out_contains "A=1"
expect_same "configurations of the best" 1 "$(wc -l <"$TMP/stdout")"

case_begin "the best can be swept again, with all of the file's names"
run "$HONE" sweep kbench-output/output.yaml -o again --plot table
expect_status 0
expect_out_contains "time/iter"
expect_same "rows" 2 "$(wc -l <kbench-output/again.csv)"

case_begin "names of results"
rm -rf kbench-output
run "$HONE" sweep three.yaml -q -o a/b.pkl --plot none
expect_status 0
expect_out ""
expect_err ""
run "$HONE" sweep three.yaml -q --output="$TMP/absolute.txt" --plot none
run "$HONE" sweep three.yaml -q -o ..csv --output-dir other --plot none
expect_status 0
for file in kbench-output/a/b.csv absolute.csv absolute.failures.json other/..csv; do
  if [ ! -f "$file" ]; then fail "there is no $file"; fi
done

case_begin "some fail: the others count, and the exit status is 0"
run "$HONE" sweep some.yaml --output-dir some
expect_status 0
expect_err_contains "intentional crash"
expect_same "rows" 3 "$(wc -l <some/output.csv)"
expect_same "failures" "2 4 execution execution" "$(python3 - some/output.failures.json <<'END'
import json, sys
f = json.load(open(sys.argv[1]))
assert all("intentional crash" in x["exec_stderr"] for x in f["failures"])
print(f["num_valid"], f["num_total"], *[x["failure_type"] for x in f["failures"]])
END
)"

case_begin "none works: exit status 1, and no stale files"
run "$HONE" sweep none.yaml --output-dir some
expect_status 1
expect_err_contains "none of the 2 configurations works"
for file in some/output.csv some/output.yaml; do
  if [ -e "$file" ]; then fail "$file is still there"; fi
done
expect_contains "output.failures.json" '"num_valid": 0' "$(cat some/output.failures.json)"

case_begin "a cache that cannot be used is said before anything is built"
touch plain
run "$HONE" sweep three.yaml --cache-dir plain --plot none
expect_status 1
expect_err_contains "cannot write in the folder 'plain': not a directory"

case_begin "what never works is told in full, with nothing to compare it with"
printf 'name: e\nfile: empty.c\nparams: {A: [1, 2]}\n' >empty.yaml
: >empty.c
run "$HONE" sweep empty.yaml --output-dir never
expect_status 1
expect_err_contains "undefined reference to \`main'"
run "$HONE" run empty.yaml --config A=1
expect_status 1
expect_out_contains "build       compile_error"
expect_out_contains "if this is a kernel, the spec must name 'entry' and 'args'"
printf 'name: s\nfile: silent.sh\nparams: {A: [1, 2]}\n' >silent.yaml
echo 'echo "nothing of use"' >silent.sh
run "$HONE" sweep silent.yaml --output-dir never
expect_err_contains "Execution summary: 0 succeeded, 2 gave no time (2 total)"
run "$HONE" run silent.yaml --config A=2
expect_status 1
expect_out_contains "outcome     no_result: "
expect_out_contains "| nothing of use"
expect_out_contains "note        no baseline: none of the 2 configurations works: "
run "$HONE" tune silent.yaml
expect_status 1
expect_err_contains "none of the 2 configurations works: the baseline fails on 'program': no_result"

case_begin "what cannot be written is said"
echo >file
run "$HONE" sweep three.yaml --output-dir file
expect_status 1
run "$HONE" sweep three.yaml -q -o /dev/full/x
expect_status 1
expect_err_contains "/dev/full"

# ---- Choices

case_begin "parameters, filters and formats"
run "$HONE" sweep three.yaml -q --param 'A:[5,6]' --param '$B:[1,2]' --filter A=5 --format csv
expect_status 0
expect_out '"name","met (ms)","iters","spec","kbench_filter"
"bench/A=5",6,1,"bench/A=5/$B=1","A=5 B=1"
"bench/A=5",7,1,"bench/A=5/$B=2","A=5 B=2"'
run "$HONE" sweep three.yaml -q --filter A:1 --filter A:2 --format json
expect_status 0
expect_same "JSON" "2" "$(python3 -c 'import json, sys
print(len(json.load(open(sys.argv[1]))["rows"]))' "$TMP/stdout")"

case_begin "every shape has its files"
run "$HONE" sweep three.yaml --shapes shapes.yaml --output-dir shaped --plot none -o ignored
expect_status 0
expect_err_contains "'--output' has no effect with --shapes"
expect_err_contains "wrote results to [shaped/bench_M-1_N-3] (.csv"
expect_err_contains "wrote results to [shaped/bench_M-2_N-3] (.csv"
expect_err_contains "Number of shapes: 2"
expect_same "spec" '"bench/A=3/$M=2/N=3"' "$(sed -n 2p shaped/bench_M-2_N-3.csv | cut -d, -f4)"
for file in bench_M-1_N-3.txt bench_M-1_N-3.yaml bench_M-1_N-3/out_0/output.csv \
  bench_M-2_N-3/out_2/output.csv; do
  if [ ! -f "shaped/$file" ]; then fail "there is no $file"; fi
done
run "$HONE" sweep three.yaml --shapes shapes.yaml --output-dir part --plot none --partition 1:2
expect_status 0
expect_same "shapes" "part/bench_M-2_N-3.csv" "$(ls part/*.csv)"

case_begin "the words around a program"
run "$HONE" sweep three.yaml --filter A=1 --dryrun --exec-prefix 'nice -n 1' \
  --exec-suffix '--verbose x' --mpirun-np 2
expect_status 0
expect_out_contains "nice -n 1 mpirun -np 2 "
expect_out_contains "--A=1 -o kbench-output/out_0/output.csv --verbose x"
run "$HONE" sweep three.yaml --filter A=1 --dryrun --profile ncu-single
expect_out_contains "ncu -o kbench-output/out_0/"
expect_out_contains "--bench-max-iters=0 --bench-max-batch-size=1"

case_begin "ranks of mpirun have a file each, and are rows of one instance"
mkdir -p mpi
cat >mpi/mpirun <<'END'
#!/bin/sh
# mpirun -np N PROGRAM... -o FILE.csv: as a program of N ranks writes its results
ranks=$2
shift 2
"$@" || exit
for last; do :; done
for rank in $(seq 0 $((ranks - 1))); do
  sed "s/bench/rank$rank/" "$last" >"${last%.csv}_$rank.csv"
done
rm "$last"
END
chmod +x mpi/mpirun
PATH=$TMP/mpi:$PATH run "$HONE" sweep three.yaml --mpirun-np 2 --output-dir ranks --plot none
expect_status 0
expect_same "rows" '"rank0/A=3",3.0,1,"bench/A=3","A=3"
"rank1/A=3",3.0,1,"bench/A=3","A=3"' "$(sed -n 2,3p ranks/output.csv | sed 's/,3,1,/,3.0,1,/')"

case_begin "a filter that leaves nothing: exit status 1; of some shapes: a note"
run "$HONE" sweep three.yaml --filter A=9 --output-dir nothing
expect_status 1
expect_err_contains "'three.yaml' has no legal configuration"
run "$HONE" sweep three.yaml --shapes shapes.yaml --filter M=2 --output-dir half --plot none
expect_status 0
expect_err_contains "note: 'three.yaml' has no legal configuration for M=1 N=3"
expect_same "rows" 4 "$(wc -l <half/bench_M-2_N-3.csv)"
run "$HONE" sweep three.yaml --shapes shapes.yaml --filter A=9 --dryrun
expect_status 1
expect_err_contains "'three.yaml' has no legal configuration"

case_begin "a temporary folder whose name is no UTF-8"
odd=$(printf '%s/caf\351' "$TMP")
mkdir -p "$odd"
echo 'int puts(const char *); int main(void) { return puts("2") < 0; }' >odd.c
printf 'file: odd.c\nparams: {A: 1}\n' >odd.yaml
TMPDIR=$odd run "$HONE" sweep odd.yaml --plot none --output-dir odd
expect_status 0
run "$HONE" sweep odd.yaml --plot none --output-dir "$odd"
expect_status 2
expect_err_contains "is not valid UTF-8"

case_begin "shapes without number"
{
  echo 'params:'
  seq 21 | sed 's/.*/  $s&: [0, 1]/'
} >many.yaml
run "$HONE" sweep three.yaml --shapes many.yaml --output-dir many
expect_status 1
expect_err_contains "2097152 shapes are too many"

case_begin "-v lists the instances, what programs wrote, and the whole report"
run "$HONE" sweep three.yaml -v --plot none --output-dir verbose
expect_status 0
expect_err_contains "[0] bench/A=3"
expect_err_contains "[2] bench/A=2"
expect_err_contains "[3/3] (100%)"
expect_err_contains "says A=3"
expect_out_contains "Build time stats:"

case_begin "a program's number and /proc agree, whatever it runs in"
cat >self.py <<'END'
import os
print(1.5 if os.readlink("/proc/self") == str(os.getpid()) else "not in /proc")
END
printf 'name: self\nfile: %s/self.py\nparams: {A: [1]}\n' "$TMP" >self.yaml
run "$HONE" sweep self.yaml --output-dir self --plot none
expect_status 0

case_begin "a program that hangs is ended"
run "$HONE" sweep slow.yaml --filter A=1 --timeout-secs 6 --output-dir slow
expect_status 0
expect_contains "failures" '"failure_type": "timeout"' "$(cat slow/output.failures.json)"

case_begin "interrupted: what was measured is written, and the same command goes on"
COMMAND="hone sweep, interrupted"
: >"$TMP/log"
"$HONE" sweep slow.yaml --filter sleep=0 --filter sleep=600 --output-dir cut --plot none \
  --timeout-secs 0 -v 2>"$TMP/log" >"$TMP/stdout" &
pid=$!
wait_until grep -qs '^succeeded' "$TMP/log"
kill -INT $pid
wait $pid
STATUS=$? ERR=$(cat "$TMP/log")
expect_status 130
expect_contains "output.csv" "bench/A=1" "$(cat cut/output.csv)"
run "$HONE" report last
expect_out_contains "<b>0</b><span>failed</span>" # the other was not reached

# ---- Builds

cat >prog.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
  FILE *file = fopen(argv[argc - 1], "w");
  return !file || fprintf(file, "name,met (ms),iters\n\"p\",%d,1\n", N) < 0 || fclose(file);
}
END
printf 'name: prog\nfile: %s/prog.c\nbackend: program\nparams: {N: [1, 2], $x: [0, 1]}\n' "$TMP" \
  >prog.yaml

case_begin "build, then run only"
run "$HONE" sweep prog.yaml --run-only --cache-dir builds --output-dir built
expect_status 1
expect_err_contains "cache"
run "$HONE" sweep prog.yaml --build --cache-dir builds --output-dir built
expect_status 0
expect_out_contains "Number of valid built specs: 4 (out of 4)"
if [ -e built/output.csv ]; then fail "--build wrote results"; fi
run "$HONE" sweep prog.yaml --run-only --cache-dir builds --output-dir built --plot none
expect_status 0
expect_same "rows" 5 "$(wc -l <built/output.csv)"
run "$HONE" sweep prog.yaml --build --param 'N:[oops(]' --output-dir built
expect_status 1

case_begin "the cache is cleared, alone or first"
run "$HONE" sweep -cc --cache-dir builds
expect_status 0
expect_err_contains "cleared the cache"
run "$HONE" sweep -cc -v --cache-dir builds
expect_status 0
run "$HONE" sweep prog.yaml --run-only -c --cache-dir builds
expect_status 1
run "$HONE" sweep prog.yaml --clear-cache --cache-dir builds --num-cpu -1 -O0 --plot none
expect_status 0

# ---- tune.py

case_begin "tune.py's report, by either name"
for command in sweep tune; do
  run "$HONE" $command --yaml three.yaml --output best.txt --tune
  expect_status 0
  expect_out_contains "Tuning [bench] from [$TMP/bench.py]"
  expect_out_contains "Number of valid specs: 3"
  expect_out_contains "top_spec_idx: 1"
  expect_same "best.txt" "$OUT" "$(cat best.txt)"
done
run "$HONE" tune --yaml three.yaml -o rows.csv -f
expect_status 0
expect_out_contains "mesh_idx"
expect_contains "rows.csv" "met (ms)" "$(head -1 rows.csv)"
expect_same "rows" 4 "$(wc -l <rows.csv)"
run "$HONE" tune --yaml three.yaml --output /dev/null -t
expect_status 0
if [ ! -c /dev/null ]; then fail "/dev/null was replaced"; fi

case_begin "--tune with files adds the report to the text"
run "$HONE" sweep three.yaml -t --output-dir tuned
expect_status 0
expect_out_contains "top_spec_idx: 1"
expect_contains "output.txt" "top_spec_idx: 1" "$(cat tuned/output.txt)"
expect_contains "output.txt" "Build time stats:" "$(cat tuned/output.txt)"
if [ ! -f tuned/output.csv ]; then fail "there is no output.csv"; fi
run "$HONE" tune three.yaml --output x
expect_status 2
expect_err_contains "'--output' needs '--tune', '--yaml' or an .mlir file"
run "$HONE" tune three.yaml --builders 1 --num-cpu 1
expect_status 2
run "$HONE" tune three.yaml --timeout 1s --timeout-secs 1
expect_status 2

# ---- Builds that fail

# A compiler that counts its calls.
mkdir -p broken
cat >broken/counting-cc <<'END'
#!/bin/sh
case "$*" in *--version*) ;; *) echo x >>"$CALLS" ;; esac
exec cc "$@"
END
chmod +x broken/counting-cc
export CALLS="$TMP/broken/calls"
calls() { wc -l <"$CALLS"; }
cat >broken/half.c <<'END'
#include <stdio.h>
#include "half.h"
int main(void)
{
#if N > LIMIT
#error N is too large
#endif
  printf("%d.5\n", N);
  return 0;
}
END
echo '#define LIMIT 2' >broken/half.h
cat >broken/half.yaml <<END
name: half
file: half.c
backend: program
build: {compiler: $TMP/broken/counting-cc}
params:
- N: [1, 2, 3]
END

case_begin "the compiler is not asked twice why it fails"
run "$HONE" sweep broken/half.yaml --cache-dir broken/cache --output-dir broken/out --plot none
expect_status 0
expect_same "calls" 3 "$(calls)"
expect_err_contains "N is too large"
run "$HONE" sweep broken/half.yaml --cache-dir broken/cache --output-dir broken/again --plot none
expect_status 0
expect_same "calls" 3 "$(calls)"
expect_err_contains "N is too large"
expect_err_contains "2 succeeded, 1 failed to build (3 total)"
expect_contains "failures.json" "N is too large" "$(cat broken/again/output.failures.json)"

case_begin "--run-only runs what was built, and tells what was not"
run "$HONE" sweep broken/half.yaml --run-only --cache-dir broken/cache --output-dir broken/out2 \
  --plot none
expect_status 0
expect_err_contains "2 succeeded, 1 failed to build (3 total)"
expect_same "rows" 3 "$(wc -l <broken/out2/output.csv)"
expect_same "calls" 3 "$(calls)"
run "$HONE" sweep broken/half.yaml --run-only --cache-dir broken/cache --param N:4 --plot none
expect_status 1
expect_err_contains "1 binary is not in the cache"
expect_same "calls" 3 "$(calls)"

case_begin "a remembered error ends with what the compiler read"
echo '#define LIMIT 3' >broken/half.h
run "$HONE" sweep broken/half.yaml --cache-dir broken/cache --output-dir broken/out --plot none
expect_status 0
expect_err_contains "3 succeeded (3 total)"
expect_same "calls" 6 "$(calls)"

case_begin "hone run shows the compiler's own words, and asks it"
echo '#define LIMIT 2' >broken/half.h
for i in 1 2; do
  run env HONE_CACHE="$TMP/broken/cache" "$HONE" run broken/half.yaml --config N=3
  expect_status 1
  expect_out_contains "N is too large"
done
if [ "$(calls)" -lt 8 ]; then fail "the compiler was called $(calls) times only"; fi

case_begin "a missing header may come: nothing is remembered"
printf '#include "late.h"\nint main(void) { return printf("1.5\\n") < 0; }\n' >broken/late.c
sed 's/half/late/' broken/half.yaml >broken/late.yaml
run "$HONE" sweep broken/late.yaml --param N:1 --cache-dir broken/cache --output-dir broken/out
expect_status 1
expect_err_contains "late.h"
echo '#include <stdio.h>' >broken/late.h
run "$HONE" sweep broken/late.yaml --param N:1 --cache-dir broken/cache --output-dir broken/out
expect_status 0

case_begin "the cache copes with errors in it"
run env HONE_CACHE="$TMP/broken/cache" "$HONE" cache
expect_status 0
run env HONE_CACHE="$TMP/broken/cache" "$HONE" cache verify
expect_status 0
run env HONE_CACHE="$TMP/broken/cache" "$HONE" cache prune --keep 1K
expect_status 0
run "$HONE" sweep broken/half.yaml --run-only --cache-dir broken/cache --plot none
expect_status 1

case_begin "kernels that do not compile are remembered, too"
cat >broken/kernel.c <<'END'
void twice(int n, const float *x, float *y)
{
#if N == 3
  return nothing;
#endif
  for (int i = 0; i < n; i++) y[i] = 2 * x[i];
}
END
cat >broken/kernel.yaml <<END
name: kernel
file: kernel.c
entry: twice
build: {compiler: $TMP/broken/counting-cc}
args:
- {name: n, type: i32, value: 64}
- {name: x, type: f32, shape: [64]}
- {name: y, type: f32, shape: [64], role: out}
params:
- N: [1, 2, 3]
END
rm -f "$CALLS"
run "$HONE" sweep broken/kernel.yaml --cache-dir broken/cache --output-dir broken/out --plot none
expect_status 0
expect_same "calls" 3 "$(calls)"
run "$HONE" sweep broken/kernel.yaml --run-only --cache-dir broken/cache --output-dir broken/out \
  --plot none
expect_status 0
expect_err_contains "2 succeeded, 1 failed to build (3 total)"
expect_same "calls" 3 "$(calls)"
run "$HONE" sweep broken/kernel.yaml --run-only --param N:4 --cache-dir broken/cache
expect_status 1
expect_err_contains "not in the cache"
expect_same "calls" 3 "$(calls)"

# ---- Time and answers

mkdir -p judged
cat >judged/slow.py <<'END'
import time
time.sleep(1.2)
print(0.001)
END
printf 'file: slow.py\nparams:\n- $A: [1, 2]\n' >judged/slow.yaml

case_begin "what a program says does not bound how long it takes"
run "$HONE" sweep judged/slow.yaml --timeout-secs 0 --output-dir judged/out --plot none
expect_status 0
expect_err_contains "2 succeeded (2 total)"
run "$HONE" tune judged/slow.yaml --timeout-secs 0 --no-confirm --screen-samples 1
expect_status 0
case $OUT$ERR in *hang*) fail "a run was ended" ;; esac

cat >judged/guess.sh <<'END'
for word; do case $word in --A=*) a=${word#*=} ;; esac; done
echo "the answer is $((40 + a))"
echo "$((12 / a))"
END
cat >judged/judge.sh <<'END'
[ "$1" != 3 ] || { echo "43 is not the answer" >&2; exit 1; }
END
cat >judged/guess.yaml <<'END'
file: guess.sh
params:
- $A: [1, 2, 3]
check: {command: [sh, judge.sh, '{A}']}
END

case_begin "check.command judges programs"
cp judged/judge.sh .
for command in sweep "tune --no-confirm"; do
  run "$HONE" $command judged/guess.yaml
  expect_status 0
  expect_contains "$command" "wrong_result" "$OUT$ERR"
  expect_contains "$command" "43 is not the answer" "$OUT$ERR"
done

case_begin "where nothing is checked, that is said"
run "$HONE" tune three.yaml --no-confirm
expect_status 0
expect_err_contains "answers are not checked: 'check.command' in the spec can check them"
sed '/^check/d' judged/guess.yaml >judged/unchecked.yaml
run "$HONE" run judged/unchecked.yaml --config A=1
expect_status 0
expect_out_contains "answer      NOT checked"

case_begin "what is said of functions is no use for a program"
for key in 'reference: {file: r.c}' 'args: [{name: n, type: i32, value: 1}]' 'entry: f'; do
  printf 'file: guess.sh\nparams:\n- $A: [1]\n%s\n' "$key" >judged/function.yaml
  for command in sweep tune; do
    run "$HONE" $command judged/function.yaml
    expect_status 2
    expect_err_contains "'${key%%:*}' is for functions"
  done
done

cases_end
