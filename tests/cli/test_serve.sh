# Served programs and plug-ins: what they are asked, what becomes of their answers, and the examples.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
root=$PWD

outcomes() { # outcomes: how many configurations of the last run have each
  "$HONE" show last --format json | python3 -c 'import collections, json, sys
run = json.load(sys.stdin)
print(*sorted(collections.Counter(e["outcome"].replace("slow", "ok") for e in run["evaluations"] if not e["is_baseline"]).items()))'
}

# ---- The examples

case_begin "the example in Python"
run "$HONE" tune examples/serve-python/blocks.yaml --stop-after screen
expect_status 0
expect_same "outcomes" "('ok', 4)" "$(outcomes)"
expect_out_contains "checked by the program"

case_begin "the example in shell"
run "$HONE" tune examples/serve-shell/sort.yaml --stop-after screen
expect_status 0
expect_same "outcomes" "('ok', 3)" "$(outcomes)"

case_begin "the example in C, whose builders compile"
mkdir -p "$TMP/c/examples"
cp -r examples/serve-c "$TMP/c/examples/"
cd "$TMP/c" || exit 1
run cc -std=c11 -Wall -Wextra -Werror -O2 examples/serve-c/serve.c -o examples/serve-c/serve -lm
expect_status 0
run "$HONE" tune examples/serve-c/dot.yaml --stop-after screen --strategy exhaustive
expect_status 0
expect_same "outcomes" "('ok', 35)" "$(outcomes)"
cd "$root" || exit 1

case_begin "the plug-in in C, one configuration of which fails on purpose"
cp -r examples/plugin-c "$TMP/"
run cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -shared -fPIC -I include "$TMP/plugin-c/plugin.c" -o "$TMP/plugin-c/plugin.so" -lm
expect_status 0
run "$HONE" tune "$TMP/plugin-c/sums.yaml" --stop-after screen --strategy exhaustive
expect_status 0
expect_same "outcomes" "('launch_failure', 1) ('ok', 4)" "$(outcomes)"
expect_out_contains "WAYS is 32: there are 16 sums at most"

# ---- What a program is asked

cd "$TMP" || exit 1
cat >log.py <<'PY'
import json, os, sys

log = open(os.environ["LOG"], "a")
built = {}
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({**request, "pid": os.getpid(), "gpu_variable": os.environ.get("CUDA_VISIBLE_DEVICES")}), file=log, flush=True)
    if request["type"] == "bye":
        break
    reply = {"id": request["id"], "unknown": [{}]}
    if request["type"] == "hello":
        print("text that is no answer")
        reply.update(version=1, heartbeat_s=20)
    if request["type"] == "build":
        with open(request["object"], "w") as file:
            json.dump(request["config"], file)
        reply["built"] = {"registers": 10 * request["config"]["A"]}
    if request["type"] == "check":
        print(json.dumps({"type": "alive"}), flush=True)
    if request["type"] == "measure":
        with open(request["object"]) as file:
            assert json.load(file).items() <= request["config"].items()
        reply["samples_ns"] = [1e6 * request["config"]["A"] + request["config"]["rt"]] * request["samples"]
        reply["metrics"] = {"gflops": 3.5, "energy_j": 0.25}
    print(json.dumps(reply), flush=True)
PY
cat >log.yaml <<'Y'
name: log
file: log.py
run: {mode: serve}
problem: {n: 32, x: 1.5}
params:
  A: [1, 2, 3]
  B: [true, false]
  C: ["a b"]
  $rt: [1, 2]
derived: {d: A * 2}
baseline: {A: 3, B: true, C: "a b", $rt: 1}
Y
export LOG=$TMP/log.txt
requests() { # requests EXPRESSION: of all requests `all`
  python3 -c 'import json, os, sys
all = [json.loads(line) for line in open(os.environ["LOG"])]
print(eval(sys.argv[1]))' "$1"
}
expect_requests() { expect_same "$1" "$2" "$(requests "$1")"; } # expect_requests EXPRESSION VALUE

case_begin "a program is started once, and builds, checks and measures all configurations"
run "$HONE" tune log.yaml --stop-after screen --strategy exhaustive --screen-samples 4
expect_status 0
expect_same "outcomes" "('ok', 11)" "$(outcomes)"
expect_requests 'sum(r["type"] == "hello" for r in all)' 1
expect_requests 'all[-1]["type"]' bye
expect_requests '[(r["id"], r["version"], r["role"], r["device"], r["gpu"], r["spec"], r["check"]) for r in all[:1]]' \
  "[(0, 1, 'measurer', 'program', None, 'log', True)]"
expect_requests 'all[0]["problem"]' "{'n': 32, 'x': 1.5}"
expect_requests '[(p["name"], p["type"]) for p in all[0]["params"]]' \
  "[('A', 'int'), ('B', 'bool'), ('C', 'text'), ('rt', 'int')]"
expect_requests '[r["id"] for r in all[:-1]] == list(range(len(all) - 1))' True
expect_requests '[(r["type"], r["config"], r["derived"]) for r in all[1:4]]' "[('build', {'A': 3, 'B': True, 'C': 'a b'}, {'d': 6}), \
('check', {'A': 3, 'B': True, 'C': 'a b', 'rt': 1}, {'d': 6}), ('measure', {'A': 3, 'B': True, 'C': 'a b', 'rt': 1}, {'d': 6})]"
expect_requests '{r.get("samples") for r in all[4:] if r["type"] == "measure"} == {4, 1}' True

case_begin "its times, metrics and energy are kept"
run "$HONE" run log.yaml --config 'A=2,B=false,C=a b,rt=1'
expect_status 0
expect_out_contains "time        2 ms"
expect_out_contains "gflops"
expect_out_contains "0.25 J a call"
expect_out_contains "accepted by the program's own check"

case_begin "the command that hone run prints asks the program for one sample"
command=$(printf '%s\n' "$OUT" | sed -n 's/^runs  *//p')
sed -i 's/with open(request\["object"\]) as file:/if request["object"]:/; s/assert json.load(file).*/pass/' log.py
run bash -c "$command"
expect_status 0
expect_out_contains '"samples_ns": [2000001.0]'

case_begin "builders are instances of their own, whose answers have costs for constraints"
rm -f "$LOG"
sed -e 's/{mode: serve}/{mode: serve, builders: 2}/' -e '$a constraints: [built.registers < 25]' -e 's/A: 3, B/A: 1, B/' log.yaml >built.yaml
run "$HONE" tune built.yaml --stop-after screen --strategy exhaustive
expect_status 0
expect_same "outcomes" "('invalid', 4) ('ok', 7)" "$(outcomes)"
expect_requests '{r["role"] for r in all if r["type"] == "hello"} == {"builder", "measurer"}' True
expect_requests 'sum(r["type"] == "hello" and r["role"] == "measurer" for r in all)' 1
expect_requests 'len({(r["key"]) for r in all if r["type"] == "build"})' 6

cat >parallel.py <<'PY'
import json, os, sys, time

# The build of the baseline, A=3, ends when another one has begun, that of A=1 when another candidate was measured.
def log(what, a):
    with open(os.environ["LOG"], "a") as file:
        file.write(f"{what} {a}\n")

def wait_for(what, others):
    for _ in range(1000):
        with open(os.environ["LOG"]) as file:
            if any(line.split()[0] == what and int(line.split()[1]) not in others for line in file):
                return True
        time.sleep(0.01)

for line in sys.stdin:
    request = json.loads(line)
    a, reply = request.get("config", {}).get("A"), {"id": request.get("id"), "version": 1}
    if request["type"] == "bye":
        break
    if a:
        log(request["type"], a)
    if request["type"] == "build" and not {3: lambda: wait_for("build", [3]), 1: lambda: wait_for("measure", [1, 3])}.get(a, bool)() and a in (1, 3):
        reply.update(outcome="compile_timeout", text="it was alone")
    if request["type"] == "measure":
        reply["samples_ns"] = [1e6 * a + request["id"]] * request["samples"]
    print(json.dumps(reply), flush=True)
PY
cat >parallel.yaml <<'Y'
name: parallel
file: parallel.py
run: {mode: serve, builders: 2, overlap: true}
params: {A: [1, 2, 3, 4, 5, 6, 7, 8]}
baseline: {A: 3}
Y

case_begin "builders begin while the baseline is built, and build each configuration once, while others are measured"
for strategy in auto exhaustive; do
  : >"$LOG"
  run "$HONE" tune parallel.yaml --fresh --strategy $strategy
  expect_status 0
  expect_out_contains "IMPROVED"
  expect_same "outcomes" "('ok', 7)" "$(outcomes)"
  expect_same "builds" "1 2 3 4 5 6 7 8" "$(sed -n 's/^build //p' "$LOG" | sort -n | xargs)"
done

case_begin "overlap is a boolean"
sed 's/overlap: true/overlap: 3/' parallel.yaml >wrong.yaml
run "$HONE" tune wrong.yaml
expect_status 2
expect_err_contains "overlap"

case_begin "a GPU is named in hello and in the environment"
rm -f "$LOG"
run "$HONE" tune log.yaml --stop-after screen --strategy exhaustive --devices program:gpu1
expect_status 0
expect_requests 'all[0]["device"], all[0]["gpu"], all[0]["gpu_variable"]' "('program:gpu1', '1', '1')"

case_begin "the spec names the device: it is part of the run, of its report and of its wisdom"
sed -e 's/{mode: serve}/{mode: serve, device: NVIDIA H200}/' log.yaml >device.yaml
sed -e 's/{mode: serve}/{mode: serve, device: {name: NVIDIA H100, arch: sm_90a, driver: "570.86"}}/' log.yaml >other.yaml
run "$HONE" tune device.yaml --strategy exhaustive
expect_status 0
expect_out_contains "measured on 'program': NVIDIA H200"
run "$HONE" tune device.yaml --strategy exhaustive
expect_err_contains "from run"
run "$HONE" export last --format wisdom
expect_status 0
expect_out_contains '"NVIDIA H200"'
rm -f "$LOG"
run "$HONE" tune other.yaml --strategy exhaustive
expect_status 0
expect_out_contains "measured on 'program': NVIDIA H100, driver 570.86"
expect_requests 'len({str(r["config"]) for r in all if r["type"] == "measure"})' 12
run "$HONE" export last --format wisdom
expect_out_contains '"sm_90"'
sed -e 's/{mode: serve}/{mode: serve, device: {arch: sm_90}}/' log.yaml >wrong.yaml
run "$HONE" tune wrong.yaml
expect_status 2
expect_err_contains "name"

case_begin "each round of a confirmation is measured by a new process"
rm -f "$LOG"
run "$HONE" tune log.yaml --strategy exhaustive --fresh
expect_status 0
expect_requests 'sum(r["type"] == "hello" for r in all) >= 4' True
expect_requests 'sum(r["type"] == "hello" for r in all) == sum(r["type"] == "bye" for r in all)' True

case_begin "a program whose answers are not checked gets no 'check'"
rm -f "$LOG"
sed '$a check: {enabled: false}' log.yaml >unchecked.yaml
run "$HONE" tune unchecked.yaml --strategy exhaustive
expect_status 0
expect_requests 'all[0]["check"], {r["type"] for r in all} == {"hello", "build", "measure", "bye"}' "(False, True)"
rm -f "$LOG"
run "$HONE" tune log.yaml --strategy exhaustive --stop-after screen --no-check --fresh
expect_status 0
expect_requests 'all[0]["check"], any(r["type"] == "check" for r in all)' "(False, False)"
run "$HONE" run unchecked.yaml --config 'A=2,B=false,C=a b,rt=1'
expect_status 0
expect_requests 'any(r["type"] == "check" for r in all)' False

# ---- Specs that contradict themselves

expect_spec_error() { # expect_spec_error MESSAGE, of the spec on standard input
  cat >wrong.yaml
  run "$HONE" tune wrong.yaml
  expect_status 2
  expect_contains "standard error" "$1" "$(tr -s '\n ' ' ' <<<"$ERR")"
}
case_begin "a spec that contradicts itself is refused, with advice"
echo 'int main;' >a.c
expect_spec_error "'a.c' cannot be started as a served program: build it, and name the executable in 'file'" <<'Y'
file: a.c
run: {mode: serve}
params: {A: [1, 2]}
Y
expect_spec_error "{A} is not known when a served program is started" <<'Y'
file: log.py
run: {mode: serve, command: 'python3 {source} {A}'}
params: {A: [1, 2]}
Y
expect_spec_error "'check.command' has no effect on a served program" <<'Y'
file: log.py
run: {mode: serve}
check: {command: 'true'}
params: {A: [1, 2]}
Y
expect_spec_error "'log.py' is not a plug-in: build a shared library from it" <<'Y'
file: log.py
run: {mode: plugin}
params: {A: [1, 2]}
Y

# ---- Plug-ins that fail

cat >plugin.c <<'C'
#include "hone_plugin.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION HONE_PLUGIN_VERSION
#endif

int hone_plugin_describe(const struct hone_plugin_start *start, struct hone_plugin_description *description)
{
  description->version = VERSION;
  description->checks = start->size == sizeof *start;
  return 0;
}

int hone_plugin_build(const struct hone_plugin_request *request, struct hone_plugin_reply *reply)
{
  FILE *file = fopen(request->object, "w");

  if (!file) return 1;
  fprintf(file, "%s", request->key);
  strcpy(reply->metrics[0].name, "lines");
  reply->metrics[reply->metric_count++].value = 1;
  return fclose(file);
}

#ifndef NO_RUN
int hone_plugin_run(const struct hone_plugin_request *request, struct hone_plugin_reply *reply)
{
  const char *act = hone_plugin_find(request->config, request->config_count, "act")->text;

  printf("about to %s\n", act);
  if (strcmp(act, "crash") == 0) raise(SIGSEGV);
  if (strcmp(act, "refuse") == 0) return 7;
  if (strcmp(act, "hang") == 0) pause();
  if (strcmp(act, "wrong") == 0 && !request->samples) strcpy(reply->outcome, "wrong_result");
  for (size_t i = 0; i < request->samples; i++) reply->samples_ns[reply->sample_count++] = 1e6;
  return access(request->object, R_OK);
}
#endif
C
printf 'name: bad\nfile: plugin.so\nrun: {mode: plugin, timeout: 2}\nparams: {act: [good, crash, refuse, hang, wrong, fine]}\n' >plugin.yaml
make_plugin() { run cc -I "$root/include" -shared -fPIC "$@" plugin.c -o plugin.so; } # make_plugin FLAG...

case_begin "a plug-in that crashes, hangs or fails costs one candidate"
make_plugin
expect_status 0
run "$HONE" tune plugin.yaml --stop-after screen --strategy exhaustive
expect_status 0
expect_same "outcomes" "('crash', 2) ('hang', 1) ('ok', 1) ('wrong_result', 1)" "$(outcomes)"
expect_out_contains "no answer to 'check' within 2 s: about to hang"
expect_contains "the failures" "hone_plugin_run returned 7" "$("$HONE" show last --format json)"

case_begin "what is no plug-in, or one of another version, is named"
make_plugin -DVERSION=9
run "$HONE" tune plugin.yaml --fresh
expect_status 1
expect_err_contains "the plug-in has version 9 of hone_plugin.h, and this Hone has version 1"
make_plugin -DNO_RUN
run "$HONE" tune plugin.yaml --fresh
expect_status 1
expect_err_contains "it has no function 'hone_plugin_run'"
echo nothing >plugin.so
run "$HONE" tune plugin.yaml --fresh
expect_status 1
expect_err_contains "cannot load the plug-in"

cases_end
