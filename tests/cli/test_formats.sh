# hone export --format: what other programs read of a run. Times are recorded, so that runs are the same every time.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache

python3 - "$TMP/moe.json" <<'END'
import json, sys
params = {"BLOCK_SIZE_M": [16, 32], "scale": [0.5, 1.0], "fast": [True, False], "ALGO": ["direct", "pack\"ed"]}
cache = {}
for m in params["BLOCK_SIZE_M"]:
    for s in params["scale"]:
        for f in params["fast"]:
            for a in params["ALGO"]:
                time = (2.0 if m == 16 else 1.0) + (0.5 if s == 0.5 else 0) + (0 if f else 0.25) + (a != "direct")
                entry = {"BLOCK_SIZE_M": m, "scale": s, "fast": f, "ALGO": a, "time": time, "compile_time": 1.0}
                if m == 32 and s == 1.0 and not f:
                    entry["time"] = "CompilationFailedConfig" if a == "direct" else "RuntimeFailedConfig"
                cache["%s,%s,%s,%s" % (m, s, f, a)] = entry
json.dump({"device_name": "none", "kernel_name": "k", "tune_params_keys": list(params),
           "tune_params": params, "cache": cache}, open(sys.argv[1], "w"))
END
spec() { # spec NAME PROBLEM
  cat >"$TMP/$1.yaml" <<END
name: $1
backend: sim
file: moe.json
problem: $2
baseline: {BLOCK_SIZE_M: 16, scale: 0.5, fast: false, ALGO: direct}
sim: {pace: 0}
END
}
spec moe '{E: 8, N: 64, M: [16, 1, 256]}'
run "$HONE" tune "$TMP/moe.yaml" --strategy exhaustive --builders 1 --no-warm-start
winner="BLOCK_SIZE_M=32,scale=1.0,fast=True,ALGO=direct"

case_begin "flags, for a compiler"
expect_status 0
run "$HONE" export 1 --format flags
expect_status 0
expect_out "-DBLOCK_SIZE_M=32 -Dscale=1.0 -Dfast=1 -DALGO=direct"
run "$HONE" export 1 2 --format flags
expect_status 2
expect_err_contains "format 'flags' takes one run, not 2"
run "$HONE" export 1 --format flags --config 'BLOCK_SIZE_M=16,scale=0.5,fast=False,ALGO=direct'
expect_status 1
expect_err_contains "is not its winner"
run "$HONE" export 1 --format flags --force --config 'BLOCK_SIZE_M=16,scale=0.5,fast=False,ALGO=direct'
expect_status 0
expect_out "-DBLOCK_SIZE_M=16 -Dscale=0.5 -Dfast=0 -DALGO=direct -DHONE_UNPROVED=1"
run "$HONE" export 1 --format flags --force --config 'BLOCK_SIZE_M=17'
expect_status 1
expect_err "hone: run 1 has no working configuration 'BLOCK_SIZE_M=17'"

case_begin "flags of the build that have parameters, and a prefix of macros, belong to the configuration"
spec flagged '{M: 16}'
echo 'build: {define_prefix: K_, flags: [-O3, "-block={BLOCK_SIZE_M}", "-{ALGO} {M}", "-x{BLOCK_SIZE_M * 2}"]}' >>"$TMP/flagged.yaml"
run "$HONE" tune "$TMP/flagged.yaml" --strategy exhaustive --builders 1 --no-warm-start --store "$TMP/flagged.db"
expect_status 0
run "$HONE" export last --format flags --store "$TMP/flagged.db"
expect_status 0
expect_out "-DK_BLOCK_SIZE_M=32 -DK_scale=1.0 -DK_fast=1 -DK_ALGO=direct -block=32 '-direct 16'"
expect_err_contains "the flag '-x{BLOCK_SIZE_M * 2}' of the build is left out: its value depends on the configuration"
run "$HONE" export last --format header --store "$TMP/flagged.db"
expect_status 0
expect_out_contains " * flags     -block=32 -direct 16"
expect_out_contains "#define K_BLOCK_SIZE_M 32"
expect_err_contains "the flag '-x{BLOCK_SIZE_M * 2}' of the build is left out"

# ---- Headers ----

compilers=("gcc -std=c11" "clang -std=c11" "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++")
compile() { # compile FILE [WORDS]: with every compiler that is here
  for compiler in "${compilers[@]}"; do
    command -v "${compiler%% *}" >/dev/null || continue
    run $compiler -Wall -Wextra -Wpedantic -Werror -I"$TMP" "$@" -o "$TMP/program"
    expect_status 0
    run "$TMP/program"
    expect_status 0
  done
}

case_begin "a header with macros, of one problem"
run "$HONE" export 1 --format header -o "$TMP/moe_tuned.h"
expect_status 0
HEADER=$(cat "$TMP/moe_tuned.h")
expect_contains header " * problem   E=8 N=64 M=16" "$HEADER"
expect_contains header " * speedup   2.75x (95 % interval 2.75 to 2.75)" "$HEADER"
expect_contains header " * verdict   IMPROVED" "$HEADER"
expect_contains header " * device    " "$HEADER"
expect_contains header " * date      20" "$HEADER"
cat >"$TMP/user.c" <<'END'
#include "moe_tuned.h"
#include "moe_tuned.h"
enum { direct = 7 };
int main(void) { return !(BLOCK_SIZE_M == 32 && scale == 1.0 && fast == 1 && ALGO == 7); }
END
compile "$TMP/user.c"

case_begin "a header with a choice by problem and device, of several"
run "$HONE" export 1 2 3 --format header -o "$TMP/moe_choice.h"
expect_status 0
cat >"$TMP/choice.c" <<'END'
#include "moe_choice.h"
#include <hone_wisdom.h>
int main(void)
{
  char device[256];
  const struct moe_config *config;
  hone_wisdom_cpu(device, sizeof device);
  config = moe_choose(device, 8, 64, 256);
  if (!config || config->BLOCK_SIZE_M != 32 || config->scale != 1.0 || config->fast != 1) return 1;
  if (strcmp(config->ALGO, "direct") != 0) return 2;
  return moe_choose(device, 8, 64, 257) || moe_choose("other", 8, 64, 256) ? 3 : 0;
}
END
# A build with a sanitizer has a library that other programs cannot use.
library=$TMP/libhone-wisdom.so
run cc -O1 -fPIC -shared -D_GNU_SOURCE -DHONE_BUILDING_WISDOM -fvisibility=hidden -Iinclude -Isrc src/wisdom/*.c -o "$library"
expect_status 0
compile "$TMP/choice.c" -Iinclude -x none "$library" -Wl,-rpath,"$(dirname "$library")"

case_begin "the header of examples/sgemm, in a program"
RUN_TIMEOUT=300 run "$HONE" tune examples/sgemm/sgemm.yaml --problem M=64,N=64,K=64 --evals 3 --no-confirm
expect_status 0
run "$HONE" export last --format header -o "$TMP/sgemm_tuned.h"
expect_status 1
run "$HONE" export last --format header --force -o "$TMP/sgemm_tuned.h"
expect_status 0
expect_contains "the header" "NOT PROVED: it has no verdict" "$(cat "$TMP/sgemm_tuned.h")"
expect_contains "the header" " * compiler  " "$(cat "$TMP/sgemm_tuned.h")"
cat >"$TMP/sizes.c" <<'END'
#include "sgemm_tuned.h"
static const int sizes[] = {BM, BN, BK, MR, NR, LANES, UNROLL, HONE_UNPROVED};
int main(void) { return sizes[0] % MR != 0 || sizes[1] % NR != 0; }
END
compile "$TMP/sizes.c"
cat >"$TMP/sgemm_main.c" <<'END'
#include "sgemm_tuned.h"
#include "examples/sgemm/sgemm.c"
int main(void)
{
  static float a[64 * 64], b[64 * 64], c[64 * 64];
  for (int i = 0; i < 64; i++) a[65 * i] = 1, b[65 * i] = 2;
  sgemm(a, b, c, 64, 64, 64);
  return !(c[0] == 2 && c[1] == 0 && c[64 * 64 - 1] == 2);
}
END
compilers=("gcc -std=gnu11" "clang -std=gnu11")
for compiler in "${compilers[@]}"; do
  command -v "${compiler%% *}" >/dev/null || continue
  run $compiler -O1 -w -I. -I"$TMP" "$TMP/sgemm_main.c" -o "$TMP/sgemm"
  expect_status 0
  run "$TMP/sgemm"
  expect_status 0
done

# ---- Tables ----

case_begin "CSV has a column for each parameter, the outcome and the speedup"
run "$HONE" export 1 --format csv -o "$TMP/all.csv"
expect_status 0
facts() { python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
print(eval(sys.argv[2]))' "$TMP/all.csv" "$1"; }
expect_same "columns" "['spec', 'BLOCK_SIZE_M', 'scale', 'fast', 'ALGO', 'outcome', 'met (ms)', 'speedup', 'low', 'high', 'verdict', 'device', 'suspicious']" \
  "$(facts 'list(rows[0])')"
expect_same "rows" "16 2" "$(facts '"%d %d" % (len(rows), sum(r["met (ms)"] == "" for r in rows))')"
expect_same "failures" "['compile_error', 'launch_failure']" "$(facts 'sorted({r["outcome"] for r in rows} - {"ok", "slow"})')"
expect_same "the best" "32 1.0 True direct 2.75 IMPROVED" \
  "$(facts '" ".join([max(rows, key=lambda r: float(r["speedup"] or 0))[k] for k in ("BLOCK_SIZE_M", "scale", "fast", "ALGO")]) + " %.2f %s" % max((float(r["speedup"] or 0), r["verdict"]) for r in rows)')"
run "$HONE" show "$TMP/all.csv" --best
expect_status 0
expect_out_contains "BLOCK_SIZE_M"

case_begin "Markdown has the best first, and failures last"
run "$HONE" export 1 2 --format markdown
expect_status 0
expect_out_contains "## moe, E=8 N=64 M=16"
expect_out_contains "## moe, E=8 N=64 M=1"
expect_same "first row" "| 32 | 1.0 | True | direct | ok | 1 ms | 2.75x | 2.75 | 2.75 | winner |" "$(grep -m 1 '^| [0-9]' "$TMP/stdout")"
expect_same "rows" 32 "$(grep -c '^| [0-9]' "$TMP/stdout")"

case_begin "JSON, YAML, kbench and T4 are as before"
for format in json yaml kbench t4; do
  run "$HONE" export 1 --format $format
  expect_status 0
  [ -n "$OUT" ] || fail "$format is empty"
done

# ---- Other programs ----

case_begin "vLLM: a file for the shape and the device, by batch size"
mkdir "$TMP/configs"
run "$HONE" export 1 2 3 --format vllm -o "$TMP/configs"
expect_status 0
device=$("$HONE" export 1 --format wisdom | python3 -c 'import json, sys; print(json.load(sys.stdin)["entries"][0]["device"])')
file="$TMP/configs/E=8,N=64,device_name=${device// /_}.json"
[ -e "$file" ] || fail "there is no '$file': $(ls "$TMP/configs")"
expect_same "read as vLLM reads it" "[1, 16, 256] {'BLOCK_SIZE_M': 32, 'scale': 1.0, 'fast': True, 'ALGO': 'direct'}" \
  "$(python3 -c 'import json, sys
configs = {int(key): val for key, val in json.load(open(sys.argv[1])).items()}
print(list(configs), configs[1])' "$file")"
run "$HONE" export 1 2 3 --format vllm
expect_err_contains "programs look for the name 'E=8,N=64,device_name="
spec plain '{N: 5}'
run "$HONE" tune "$TMP/plain.yaml" --strategy exhaustive --builders 1 --no-warm-start
run "$HONE" export last --format vllm
expect_status 2
expect_err_contains "has no size 'M'"

case_begin "a cache of Kernel Tuner is read back by hone"
run "$HONE" export 1 --format kernel-tuner -o "$TMP/cache.json"
expect_status 0
expect_err ""
run "$HONE" replay "$TMP/cache.json" -s exhaustive -n 1 -f json
expect_status 0
expect_same "configurations" "16 14 1.0" "$(python3 -c 'import json, sys
file, = json.load(sys.stdin)["files"]; print(file["configurations"], file["working"], file["best_ms"])' <<<"$OUT")"

# Kernel Tuner itself, where it can be had: it is installed once, next to the program, which takes minutes.
simulate() {
  "$1" - "$TMP/cache.json" <<'END'
import json, sys
import kernel_tuner
file = sys.argv[1]
head = json.load(open(file))
results, env = kernel_tuner.tune_kernel(
    head["kernel_name"], "void moe() {}", head["problem_size"], [], head["tune_params"], lang="C",
    cache=file, simulation_mode=True, strategy="brute_force", quiet=True)
working = [r for r in results if "__error__" not in r]
best = min(working, key=lambda r: r["time"])
print(len(results), len(working), best["BLOCK_SIZE_M"], best["scale"], best["fast"], best["ALGO"], best["time"])
END
}
name="Kernel Tuner simulates a search on the cache"
venv=$(dirname "$HONE")/../kernel-tuner-venv
if [ -n "${HONE_KERNEL_TUNER-}" ]; then
  python=$HONE_KERNEL_TUNER/bin/python
else
  python=$venv/bin/python
  [ -e "$venv/installed" ] ||
    { command python3 -m venv "$venv" && timeout 400 "$venv/bin/pip" install -q --no-compile --disable-pip-version-check --timeout 10 --retries 1 \
      kernel_tuner==1.4.0 && touch "$venv/installed"; } >"$TMP/pip.log" 2>&1 || python=
fi
if [ -z "$python" ]; then
  case_skip "$name" "kernel_tuner cannot be installed: $(tail -n 1 "$TMP/pip.log" 2>/dev/null)"
else
  case_begin "$name"
  out=$(simulate "$python" 2>"$TMP/simulate.err" | tail -n 1)
  expect_same "what it found" "16 14 32 1.0 True direct 1.0" "$out"
  [ -n "$out" ] || fail "$(tail -n 5 "$TMP/simulate.err")"
fi

# ---- What cannot be asked for ----

case_begin "what does not go together"
for words in "--format header --metric x" "--format wisdom --snippet x" "--format kernel-tuner --config A=1" "--format header a.csv" \
  "--format markdown --check" "--format nonsense"; do
  run "$HONE" export 1 $words
  expect_status 2
done
run "$HONE" export 4711 --format header
expect_status 1
expect_err_contains "no run 4711"

cases_end
