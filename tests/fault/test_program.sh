#!/usr/bin/env bash
# Programs, libraries and compilers that misbehave: each is classified, and the sweep goes on; nothing is
# left running, and what is written can be read again.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
cd "$TMP" || exit 1

cat >bad.py <<'PY'
import os, shutil, signal, sys, time

args = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
out = sys.argv[sys.argv.index("-o") + 1]
head = b"name,met (ms),iters\n"
files = {
    "good": head + b'"b",2,1\n',
    "half": head + b'"b",2',
    "open": head + b'"b',
    "wide": head + b'"b",2,1,4\n',
    "columns": b"a,b\n1,2\n",
    "nan": head + b'"b",nan,1\n',
    "inf": head + b'"b",inf,1\n',
    "overflow": head + b'"b",1e308,1\n',
    "negative": head + b'"b",-1,1\n',
    "zero": head + b'"b",0,1\n',
    "hex": head + b'"b",0x10,1\n',
    "nul": head + b'"b",2\0,1\n',
    "empty": b"",
    "header": head,
    "utf16": (head + b'"b",2,1\n').decode().encode("utf-16"),
    "latin": head + b'"\xff\xfe",2,1\n',
    "ours": b'name,met (ms),iters,spec,,mesh_idx\n"b",2,1,x,y,7\n',
    "long": head + b'"' + b"n" * 100000 + b'",2,1\n' + b'"b",2,1\n' * 2000,
}


def write():
    with open(out, "wb") as file:
        file.write(files["good"])


def grandchild():
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)


def deaf():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(1000)


def flood():
    for _ in range(200):
        os.write(1, b"x" * (1 << 20))


acts = {
    "deaf": deaf,
    "grandchild": lambda: (grandchild(), write()),
    "late": lambda: (write(), time.sleep(1000)),
    "dead": lambda: (write(), os.kill(os.getpid(), signal.SIGSEGV)),
    "group": lambda: os.kill(0, signal.SIGKILL),
    "stopped": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "status": lambda: (write(), os._exit(255)),
    "folder": lambda: os.mkdir(out),
    "pipe": lambda: os.mkfifo(out),
    "endless": lambda: os.symlink("/dev/zero", out),
    "loop": lambda: os.symlink(out, out),
    "gone": lambda: shutil.rmtree(os.path.dirname(os.path.abspath(out))),
    "flood": lambda: (flood(), write()),
    "large": lambda: (write(), os.truncate(out, 1 << 30)),
    "deep": lambda: print("[" * 100000),
    "closed": lambda: (write(), os.closerange(0, 256)),
}
act = args["act"]
if act in files:
    with open(out, "wb") as file:
        file.write(files[act])
else:
    acts[act]()
PY
spec() { printf 'name: bad\nfile: %s\nparams:\n  - $act: [%s]\n' "$1" "$2" >bad.yaml; }
RUN_TIMEOUT=150
sweep() { run "$HONE" sweep bad.yaml --plot none --timeout-secs 30 "$@"; }
outcomes() { # outcomes: of all that failed, one a line
  python3 -c 'import json
for f in json.load(open("kbench-output/output.failures.json"))["failures"]:
    print(*f["params"].values(), f["outcome"])'
}
evidence() { # evidence VALUE: of the configuration that has it
  python3 -c 'import json, sys
for f in json.load(open("kbench-output/output.failures.json"))["failures"]:
    if sys.argv[1] in f["params"].values(): print(f["evidence"])' "$1"
}

case_begin "an output without a valid time is not a result"
spec bad.py "good, half, open, wide, columns, nan, inf, overflow, negative, zero, hex, nul, empty, header, utf16, latin"
sweep
expect_status 0
expect_same "outcomes" "$(cat <<'E'
half bad_result
open bad_result
wide bad_result
columns bad_result
nan bad_result
inf bad_result
overflow bad_result
negative bad_result
zero bad_result
hex bad_result
nul bad_result
empty no_result
header no_result
utf16 bad_result
E
)" "$(outcomes)"
expect_contains "evidence" "output.csv is empty" "$(evidence empty)"
expect_same "rows" 3 "$(wc -l <kbench-output/output.csv)"

case_begin "ends of every kind"
spec bad.py "good, deaf, grandchild, late, dead, group, stopped, status, gone, deep, closed"
sweep --timeout-secs 8
expect_status 0
expect_same "outcomes" "$(cat <<'E'
deaf hang
late hang
dead crash
group killed
stopped hang
status crash
gone no_result
deep no_result
E
)" "$(outcomes)"
expect_nothing_left "$TMP/bad.py"

case_begin "where a file should be, there is something else, or far too much"
spec bad.py "folder, pipe, endless, loop, flood, large, good"
sweep
expect_status 0
expect_same "outcomes" "$(cat <<'E'
folder bad_result
pipe bad_result
endless bad_result
loop bad_result
large bad_result
E
)" "$(outcomes)"
expect_err_contains "Execution summary: 2 succeeded, 5 gave no time (7 total)"

case_begin "an empty folder in the way of a result is removed the next time"
[ -d kbench-output/out_0/output.csv ] || fail "there is no such folder"
spec bad.py good
sweep
expect_status 0

case_begin "columns with our names, or none, can be read again"
spec bad.py "ours"
sweep
expect_status 0
expect_same "header" '"name","met (ms)","iters","spec.1","Unnamed: 4","mesh_idx.1","spec","kbench_filter"' \
  "$(head -n 1 kbench-output/output.csv)"
run "$HONE" show kbench-output/output.csv
expect_status 0

case_begin "one long name does not make every line of the table as long"
spec bad.py "long"
sweep
expect_status 0
size=$(wc -c <kbench-output/output.txt)
[ "$size" -lt 10000000 ] || fail "output.txt has $size bytes"

case_begin "libraries that do not return"
cat >library.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int calls;

static int write_result(void)
{
  FILE *file = fopen(getenv("KBENCH_OUTFILE"), "w");

  if (!file) return 1;
  fprintf(file, "name,met (ms),iters\n\"b\",%d,1\n", calls);
  return fclose(file);
}

int benchmark_entry(void)
{
  const char *act = getenv("KBENCH_ARG_act");

  calls++;
  if (strcmp(act, "exit") == 0) exit(write_result());
  if (strcmp(act, "segv") == 0) raise(SIGSEGV);
  if (strcmp(act, "endless") == 0)
    for (signal(SIGTERM, SIG_IGN);;) sleep(1);
  if (strcmp(act, "seven") == 0) return write_result() + 7;
  if (strcmp(act, "nothing") == 0) return 0;
  if (strcmp(act, "closed") == 0)
    for (int i = 0; i < 256; i++) close(i);
  if (strcmp(act, "variables") == 0) return clearenv() + setenv("KBENCH_OUTFILE", "/nowhere", 1);
  return write_result();
}
C
spec library.c "good1, exit, segv, endless, seven, nothing, closed, variables, good2, good3"
sweep --mode library --timeout-secs 8
expect_status 0
expect_same "outcomes" "$(cat <<'E'
exit crash
segv crash
endless hang
seven crash
nothing no_result
closed crash
variables no_result
E
)" "$(outcomes)"
expect_contains "evidence" "instead of returning" "$(evidence exit)"
expect_same "rows" 4 "$(wc -l <kbench-output/output.csv)"

case_begin "compilers that hang, flood, fall or make nothing"
cat >compiler.sh <<'SH'
case $1 in
hang) trap '' TERM; while :; do sleep 1; done ;;
flood) head -c 100000000 /dev/zero | tr '\0' x; exit 1 ;;
nothing) exit 0 ;;
killed) kill -9 $$ ;;
folder) mkdir "$2" ;;
good) printf '#!/bin/sh\nfor a; do o=$a; done\nprintf "name,met (ms),iters\\nb,1,1\\n" >"$o"\n' >"$2"
  setsid sleep 1000 & ;;
esac
chmod +x "$2"
SH
cat >bad.yaml <<Y
name: bad
file: library.c
build: {command: "sh $TMP/compiler.sh {kind} {out}", timeout: 8}
params:
  - kind: [hang, flood, nothing, killed, folder, good]
Y
sweep
expect_status 0
expect_same "outcomes" "$(cat <<'E'
hang compile_timeout
flood compile_error
nothing compile_error
killed compile_crash
folder compile_error
E
)" "$(outcomes)"
expect_err_contains "Execution summary: 1 succeeded, 5 failed to build (6 total)"
expect_nothing_left "$TMP/compiler.sh"

case_begin "a folder for results that cannot be used is found out before anything is run"
spec bad.py "good"
echo text >file
for folder in file file/below; do
  sweep --output-dir "$folder"
  expect_status 1
  expect_err_contains "folder '$folder': not a directory"
done
mkdir gone
(cd gone && rmdir ../gone && ! "$HONE" sweep ../bad.yaml --output-dir "$TMP/kbench-output" 2>"$TMP/said")
expect_contains "message" "the current folder no longer exists" "$(cat said)"

case_begin "two sweeps in one folder would take each other's results: the second is refused"
spec bad.py "good, late"
"$HONE" sweep bad.yaml --plot none --timeout-secs 200 >out 2>err &
driver=$!
is_running() { [ -d kbench-output/out_1 ] && grep -q '^run' err; }
wait_until is_running
spec bad.py "good"
HONE_STORE=$TMP/other.db sweep
expect_status 1
expect_err_contains "another hone process uses the folder 'kbench-output'"
kill -INT $driver
wait $driver
sweep
expect_status 0

cases_end
