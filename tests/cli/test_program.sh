# Programs that measure themselves, from end to end: the mesh, builds and commands as kbench has them,
# every language, and every way in which a program can go wrong. A stand-in for mojo notes what it is
# asked.
. "$(dirname "$0")/lib.sh"
root=$PWD
data=$root/tests/data/program
groups=$root/tests/data/kbench/groups.yaml
export COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
export SAMPLE_ROOT=$TMP/src MOJO_LOG=$TMP/mojo.log
unset NO_COLOR CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES MODULAR_MOJO_MAX_DRIVER_PATH
mkdir "$TMP/bin" "$TMP/src"
cp "$data/mojo" "$TMP/bin/mojo"
chmod +x "$TMP/bin/mojo"
PATH=$TMP/bin:$PATH
echo 'def main(): pass' >"$TMP/src/sample.mojo"
cp "$data/sample.py" "$data/behave.c" "$TMP/src"
cd "$TMP" || exit

sweep() { # sweep OPTION...: all of it, in a new folder, without the pictures
  rm -rf kbench-output
  : >"$MOJO_LOG"
  run "$HONE" sweep "$@" --plot none
}
builds() { grep -c '^build' "$MOJO_LOG"; }
specs() { # of the last results, without quotes
  awk -F'"' 'NR > 1 { print $(NF - 3) }' "${1-kbench-output/output.csv}"
}
# A value of failures.json for each failure: fails KEY
fails() {
  python3 - "$1" "${2-kbench-output/output.failures.json}" <<'END'
import json, sys
for failure in json.load(open(sys.argv[2]))["failures"]:
    print(failure[sys.argv[1]])
END
}

# ---- The mesh

case_begin "every instance, in order, and each binary once"
sweep "$groups"
expect_status 0
expect_same "specs" 'sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=0
sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=1
sample/dtype=DType.float16/shape=32x32x32/stages=4/$x=0
sample/dtype=DType.float16/shape=32x32x32/stages=4/$x=1
sample/dtype=DType.float32/shape=64x64x64/stages=2' "$(specs)"
expect_same "builds" 3 "$(builds)"
expect_err_contains "scheduled 3 unique build items out of 5"
expect_err_contains "Execution summary: 5 succeeded (5 total)"
expect_same "files" "output.csv output.failures.json output.txt output.yaml" \
  "$(find kbench-output -maxdepth 1 -type f -printf '%f\n' | sort | xargs)"
expect_same "folders" "out_0 out_1 out_2 out_3 out_4" \
  "$(find kbench-output -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort | xargs)"
expect_same "logs left" "" "$(find kbench-output -name '*_std*.log')"
expect_same "last row" '"gemm/KBENCH_USE_ENV_ARGS=True/dtype=DType.float32/shape=64x64x64/stages=2/x=7",7.5,1,"sample/dtype=DType.float32/shape=64x64x64/stages=2","dtype=DType.float32 shape=64x64x64 stages=2"' \
  "$(tail -n 1 kbench-output/output.csv)"

case_begin "what was built before is not built again, whatever the runtime parameters"
sweep "$groups" --param '$x:[0,1,5]'
expect_status 0
expect_same "rows" 6 "$(specs | wc -l)"
expect_same "builds" 0 "$(builds)"

case_begin "a source that changes is built again"
echo '# changed' >>"$TMP/src/sample.mojo"
sweep "$groups"
expect_same "builds" 3 "$(builds)"

mesh() { # mesh WANT OPTION...: so many programs would run
  run "$HONE" sweep "$groups" --dryrun "${@:2}"
  expect_status 0
  expect_same "instances of ${*:2}" "$1" "$(grep -c benchmark_entry "$TMP/stdout")"
}
case_begin "the mesh follows --param and --filter"
rm -rf kbench-output
mesh 5
mesh 10 --param 'stages:[4,2]'
mesh 3 --param 'x:[0]'
mesh 10 --param 'foo:[1,2]'
mesh 4 --filter stages=4
mesh 2 --filter x=1
mesh 2 --filter '$x=1'
mesh 5 --filter stages=4 --filter stages=2
mesh 2 --filter stages=4 --filter x=0
mesh 5 --filter bogus=1
expect_err_contains "bogus"
mesh 2 --filter shape=32x32x32 --filter bogus=3
mesh 10 "$groups"
for empty in '--param=$x:7' --filter=stages=99; do
  run "$HONE" sweep "$groups" --dryrun "$empty"
  expect_same "instances of $empty" 0 "$(grep -c benchmark_entry "$TMP/stdout")"
done
expect_same "left behind" "" "$(ls -d kbench-output 2>/dev/null)"

case_begin "shapes: a set of results each, their parameters at the end"
printf 'name: s\nfile: %s/src/sample.mojo\nparams:\n- {$M: [1, 2], N: 3}\n' "$TMP" >shapes.yaml
sweep "$groups" --shapes shapes.yaml
expect_status 0
expect_same "results" "sample_M-1_N-3.csv sample_M-2_N-3.csv" "$(cd kbench-output && echo *.csv)"
expect_same "first" 'sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=0/$M=1/N=3' \
  "$(specs kbench-output/sample_M-1_N-3.csv | head -n 1)"
expect_same "rows" "5 5" "$(for f in kbench-output/*.csv; do specs "$f" | wc -l; done | xargs)"

case_begin "a partition takes its share of the shapes"
sweep "$groups" --shapes "$root/tests/data/kbench/shapes.yaml" --partition 1:2
expect_status 0
expect_same "results" "sample_M-3_N-3.csv" "$(cd kbench-output && echo *.csv)"

case_begin "tune.py's mapping, with fixed parameters"
printf 'name: t\nfile: %s/src/sample.mojo\nparams: {A: 1, B: [1, 2], C: [1, 2], D: [1, 2, 3]}\nfixed_params:\n- {A: 9}\n- {A: 10}\n' \
  "$TMP" >fixed.yaml
run "$HONE" sweep fixed.yaml --dryrun
expect_same "instances" 14 "$(grep -c benchmark_entry "$TMP/stdout")"

# ---- Commands

binary=sample_dtype-DType.float16_shape-32x32x32_stages-4
one=(--filter x=1 --filter shape=32x32x32)

case_begin "the commands for Mojo, in a library"
run "$HONE" sweep "$groups" --dryrun "${one[@]}"
expect_status 0
expect_same "build" "mojo build --emit shared-lib -I $TMP/src -D KBENCH_USE_ENV_ARGS=True -D dtype=DType.float16 -D shape=32x32x32 -D stages=4 kbench-output/out_0/${binary}_wrapper.mojo -o kbench-output/out_0/$binary.so" \
  "$(head -n 1 "$TMP/stdout")"
sweep "$groups" "${one[@]}"
wrapper=$(cat "kbench-output/out_0/${binary}_wrapper.mojo")
expect_contains "wrapper" "from sample import main as _bench_main" "$wrapper"
expect_contains "wrapper" "benchmark_entry" "$wrapper"
expect_same "library" "kbench-output/out_0/$binary.so" "$(ls kbench-output/out_0/*.so)"

case_begin "the commands for Mojo, in a process of its own, with every option"
run "$HONE" sweep "$groups" --dryrun "${one[@]}" --build-opts '-I /x' --debug-level full -O 2 \
  --march native --disable-warnings --use-experimental-kernels --target-accelerator nvidia:sm_90 \
  --exec-prefix 'numactl -N 0' --exec-suffix 'a --b=1'
expect_status 0
expect_out "mojo build -I /x --debug-level full -O2 -D USE_EXPERIMENTAL_KERNELS=1 --target-accelerator nvidia:sm_90 --disable-warnings --march native -D dtype=DType.float16 -D shape=32x32x32 -D stages=4 $TMP/src/sample.mojo -o kbench-output/out_0/$binary
numactl -N 0 kbench-output/out_0/$binary --x=1 -o kbench-output/out_0/output.csv a --b=1"
profiled() { # profiled NAME WANT: the command that runs it
  run "$HONE" sweep "$groups" --dryrun "${one[@]}" --profile "$1"
  expect_same "$1" "$2" "$(tail -n 1 "$TMP/stdout")"
}
call="kbench-output/out_0/$binary --x=1 -o kbench-output/out_0/output.csv"
profiled ncu "ncu -o kbench-output/out_0/${binary}_profile $call"
profiled ncu-single "ncu -o kbench-output/out_0/${binary}_profile $call --bench-max-iters=0 --bench-max-batch-size=1"
profiled rocm "rocprof-compute profile --name NAME -p kbench-output/out_0/${binary}_profile -- $call"
run "$HONE" sweep "$groups" --dryrun "${one[@]}" --mpirun-np 2 --mode process
expect_same "mpirun" "mpirun -np 2 $call" "$(tail -n 1 "$TMP/stdout")"
: >"$MOJO_LOG"
sweep "$groups" "${one[@]}" --mode process --exec-prefix env
expect_status 0
expect_same "rows" 1 "$(specs | wc -l)"
expect_same "words" "build -D dtype=DType.float16 -D shape=32x32x32 -D stages=4 $TMP/src/sample.mojo" \
  "$(grep ^build "$MOJO_LOG" | sed 's/ -o .*//')"

case_begin "names keep all but the first dollar"
printf 'name: d\nfile: %s/src/sample.mojo\nparams: {BLOCK: 128, $M: 1024, $a$b: test, $$c: t}\n' "$TMP" >dollars.yaml
run "$HONE" sweep dollars.yaml --dryrun --mode process
expect_contains "definition" "-D BLOCK=128" "$(head -n 1 "$TMP/stdout")"
for word in "--M=1024" "--a\$b=test" "--\$c=t"; do
  expect_contains "call" "$word" "$(tail -n 1 "$TMP/stdout" | tr -d "'\\\\")"
done

case_begin "MODULAR_MOJO_MAX_DRIVER_PATH names another mojo"
mkdir other
sed 's/^echo/echo other/' "$data/mojo" >other/driver
chmod +x other/driver
MODULAR_MOJO_MAX_DRIVER_PATH=$TMP/other/driver sweep "$groups" "${one[@]}" --build-opts -I/other
expect_status 0
expect_contains "log" "other build -I/other" "$(sed 's/ --emit shared-lib -I [^ ]*//' "$MOJO_LOG")"

case_begin "a build that fails: its instances, and the reason"
printf 'name: f\nfile: %s/src/sample.mojo\nparams: {stages: [13, 4], $x: [1, 2]}\n' "$TMP" >failing.yaml
sweep failing.yaml
expect_status 0
expect_err_contains "constraint failed: 13 brings bad luck"
expect_err_contains "Execution summary: 2 succeeded, 2 failed to build (4 total)"
expect_same "builds" 2 "$(builds)"
expect_same "types" "build build" "$(fails failure_type | xargs)"
expect_contains "evidence" "13 brings bad luck" "$(fails exec_stderr)"
sweep failing.yaml --filter stages=13
expect_status 1
expect_err_contains "none of the 2 configurations works"
expect_same "csv" "" "$(ls kbench-output/*.csv 2>/dev/null)"

# ---- Python, C and everything else

case_begin "Python: seconds, CR LF, and nothing to build"
sed 's/sample.mojo/sample.py/' "$groups" >python.yaml
run "$HONE" sweep python.yaml --dryrun "${one[@]}"
expect_out "python3 $TMP/src/sample.py --dtype=DType.float16 --shape=32x32x32 --stages=4 --x=1 -o kbench-output/out_0/output.csv"
sweep python.yaml
expect_status 0
expect_same "csv" '"name","met (s)","iters","Arithmetic (GFLOPS/s)","spec","kbench_filter"
"gemm/dtype=DType.float16/m=1024/n=512/k=256/stages=4",0.1,1,2.68435456,"sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=0","dtype=DType.float16 shape=1024x512x256 stages=4 x=0"' \
  "$(head -n 2 kbench-output/output.csv)"
expect_same "rows" 6 "$(wc -l <kbench-output/output.csv)"

case_begin "C: definitions and arguments"
cat >src/add.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int count, char **words)
{
  printf("%d words\n%d.%s\n", count, A, strchr(words[1], '=') + 1);
  return 0;
}
END
printf 'name: c\nfile: src/add.c\nbackend: program\nparams: {A: [1, 2], $b: [25, 5]}\nbaseline: {A: 1, b: 5}\n' >c.yaml
sweep c.yaml
expect_status 0
expect_same "times" "1.25 1.5 2.25 2.5" "$(awk -F, 'NR > 1 { print $2 }' kbench-output/output.csv | xargs)"
expect_err_contains "scheduled 2 unique build items out of 4"

case_begin "any program by a template, its result a JSON line"
cat >src/any.sh <<'END'
echo "noise"
echo "{\"time_ms\": $1, \"GB/s\": 1$2}"
END
printf 'name: any\nfile: src/any.sh\nrun: {command: [sh, "{source}", "{A}", "{B}"]}\nparams: {A: [4, 3], B: 7}\nbaseline: {A: 4, B: 7}\n' >any.yaml
sweep any.yaml
expect_status 0
expect_same "rows" 2 "$(specs | wc -l)"
expect_contains "columns" "GB/s" "$(head -n 1 kbench-output/output.csv)"

case_begin "hone tune finds the best of them"
run "$HONE" tune any.yaml -q
expect_status 0
expect_out_contains "A=3"

# ---- What can go wrong

printf 'name: behave\nfile: src/behave.c\nbackend: program\nparams: {$how: [well, HOW], $x: [1, 2]}\n' \
  >behave.yaml
goes() { # goes HOW TYPE OUTCOME TEXT [SECONDS]: so it ends, and the others run
  sed "s/HOW/$1/" behave.yaml >one.yaml
  sweep one.yaml --timeout-secs "${5-50}"
  expect_status 0
  expect_same "$1: valid" 2 "$(specs | wc -l)"
  expect_same "$1: type" "$2" "$(fails failure_type | sort -u)"
  expect_same "$1: class" "$3" "$(fails outcome | sort -u)"
  expect_contains "$1: evidence" "$4" "$(fails evidence)"
}
case_begin "a crash, with what it wrote"
goes crash execution crash "SIGABRT"
expect_contains "stderr" "this is crash" "$(fails exec_stderr)"
goes segv execution crash "SIGSEGV"

case_begin "an exit status"
goes fail execution crash "exit status 3"

case_begin "no result is a failure, never a time of 0"
goes silent execution no_result ""
goes header execution no_result ""

case_begin "results that are none"
goes columns execution bad_result ""
goes half execution bad_result ""
goes nan execution bad_result "nan"
goes negative execution bad_result "-4"
goes zero execution bad_result "0"

case_begin "a program that hangs, also if it does not listen"
goes hang timeout hang "still running after" 5
goes deaf timeout hang "still running after" 5

case_begin "names that are not UTF-8"
sed 's/HOW/bytes/' behave.yaml >one.yaml
sweep one.yaml
expect_status 0
python3 -c 'open("kbench-output/output.csv", encoding="utf-8").read()' || fail "not UTF-8"

case_begin "300 MB of noise, and children that are left behind"
sed 's/HOW/chatter/' behave.yaml >one.yaml
sweep one.yaml
expect_status 0
expect_same "valid" 4 "$(specs | wc -l)"
sed 's/HOW/orphans/' behave.yaml >one.yaml
sweep one.yaml
expect_status 0
expect_same "valid" 4 "$(specs | wc -l)"
expect_same "left behind" "" "$(pgrep -f "$TMP/.*how=orphans")"

case_begin "timeouts beside those that finish"
cat >src/sleeper.py <<'END'
import sys, time
words = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
if words.get("should_crash") == "True":
    sys.exit("intentional crash")
time.sleep(float(words["sleep_secs"]))
with open(sys.argv[sys.argv.index("-o") + 1], "w") as file:
    file.write("name,met (ms),iters\nsleep,%s,1\n" % words["sleep_secs"])
END
printf 'name: t\nfile: src/sleeper.py\nparams: {$sleep_secs: [0.01, 100.0, 0.02, 200.0]}\n' >sleep.yaml
sweep sleep.yaml --timeout-secs 6
expect_status 0
expect_same "types" "timeout timeout" "$(fails failure_type | xargs)"
expect_same "indices" "1 3" "$(fails mesh_idx | xargs)"
expect_contains "text" "Number of invalid specs: 2 (out of 4)" "$(cat kbench-output/output.txt)"
expect_contains "text" "Number of valid executed specs: 2 (out of 4)" "$(cat kbench-output/output.txt)"
expect_contains "json" '"num_valid": 2' "$(cat kbench-output/output.failures.json)"

case_begin "crashes beside those that finish"
printf 'name: t\nfile: src/sleeper.py\nparams: {$should_crash: [False, True], $sleep_secs: [0.01, 0.02, 0.03]}\n' >crash.yaml
sweep crash.yaml
expect_status 0
expect_same "types" "execution execution execution" "$(fails failure_type | xargs)"
expect_same "stderr" 3 "$(fails exec_stderr | grep -c 'intentional crash')"
expect_same "valid" 3 "$(specs | wc -l)"

# ---- One by itself

case_begin "'hone run' takes the options of a sweep, which prints the command that has them"
cat >"$TMP/src/flags.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
  int more = argc > 3 && strcmp(argv[argc - 1], "--more") == 0;
  fprintf(stderr, "LEVEL %d, PRE %s, more %d\n", LEVEL, getenv("PRE"), more);
  puts("1.5");
  return A;
}
END
printf 'file: src/flags.c\nparams: {A: [0, 3]}\n' >flags.yaml
sweep flags.yaml --build-opts '-DLEVEL=7 -Wall' -O 1 --exec-prefix 'env PRE=yes' --exec-suffix --more \
  --timeout-secs 20 --disable-warnings
expect_status 0
expect_err_contains "LEVEL 7, PRE yes, more 1"
command="hone run flags.yaml --build-opts '-DLEVEL=7 -Wall' --optimization-level 1 --exec-prefix 'env PRE=yes' --exec-suffix --more --disable-warnings --timeout-secs 20 --config A=3"
expect_err_contains "$command"
run bash -c "hone() { '$HONE' \"\$@\"; }; $command"
expect_status 1
expect_out_contains "exit status 3: LEVEL 7, PRE yes, more 1"
run "$HONE" run flags.yaml --mpirun-np 0
expect_status 2
run "$HONE" run flags.yaml --timeout 5s --timeout-secs 5
expect_status 2
expect_err_contains "are the same option: choose one"

cases_end
