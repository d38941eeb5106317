# hone tune on dispatches of IREE, with its real executables on llvm-cpu: what is measured, what is
# refused and why, and how a run is shared between hosts with and without the compiler. Where a case is not
# about times or devices, none are taken.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/iree.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache COLUMNS=100
unset NO_COLOR VIRTUAL_ENV
need_iree "dispatches are tuned"
small_dispatch
export HONE_IREE=$REAL_IREE PATH=/usr/bin:/bin
mkdir "$TMP/runtime" "$TMP/compiler"
cp -P "$QUICK_IREE"/iree-{run,benchmark}-module "$TMP/runtime"
cp -P "$QUICK_IREE"/iree-{compile,opt} "$TMP/compiler"

tune() { # tune OPTION...: the small product, briefly; none is called slow
  run "$HONE" tune "$TMP/small.mlir" --iree-target llvm-cpu --no-confirm --no-cap --screen-samples 1 --quiet "$@"
}
of_last() { # of_last EXPRESSION: of `run`, or of `es`, the evaluations but the baseline
  "$HONE" show last --format json | python3 -c '
import json, sys
run = json.load(sys.stdin)
es = [e for e in run["evaluations"] if not e["is_baseline"]]
print(eval(sys.argv[1]))' "$1"
}

# ---- A run ----

case_begin "a dump is tuned as it is, with the configuration that the compiler chose in it"
mkdir "$TMP/dump"
"$REAL_IREE/iree-compile" "$TMP/small.mlir" --iree-hal-target-device=local \
  --iree-hal-local-target-device-backends=llvm-cpu --iree-llvmcpu-target-cpu=host \
  --iree-codegen-add-tuner-attributes --iree-hal-dump-executable-benchmarks-to="$TMP/dump" -o /dev/null
cp "$TMP"/dump/*_benchmark.mlir "$TMP/dump.mlir"
grep -q 'lowering_config = #iree_cpu' "$TMP/dump.mlir" || fail "the dump has no configuration"
run "$HONE" tune "$TMP/dump.mlir" --num-candidates 2 --no-confirm --quiet
expect_status 0
expect_same "baseline" "pipeline=compiler" "$(of_last 'run["baseline"]')"
expect_same "outcomes" "True" "$(of_last 'len(es) == 2 and {e["outcome"] for e in es} <= {"ok", "slow"}')"
expect_same "answers are compared" "True" "$(of_last 'run["checked"]')"
expect_same "each is another module than the baseline" "True" \
  "$(of_last 'all(e["object"] != run["evaluations"][0]["object"] for e in es)')"
expect_out_contains "times are CPU time"

case_begin "the same command is answered from the store"
before=$(of_last 'run["run"]')
run "$HONE" tune "$TMP/dump.mlir" --num-candidates 2 --no-confirm --quiet
expect_status 0
expect_same "run" "$before" "$(of_last 'run["run"]')"

export HONE_IREE=$QUICK_IREE

case_begin "one configuration by itself"
config=$(of_last 'es[0]["config"]')
run "$HONE" run "$TMP/dump.mlir" --config "$config"
expect_status 0
expect_out_contains "us"

case_begin "another text of a configuration is another run"
text='#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<distribution = [64, 64, 0], vector_common_parallel = [8, 16, 0], vector_reduction = [0, 0, RED]>, translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>'
for reduction in 4 8; do
  spec texts <<YAML >"$TMP/texts.yaml"
    params: {pipeline: [own], DUPLICATE: [1, 2, 3]}
    texts: {compilation_info: '${text/RED/$reduction}'}
YAML
  run "$HONE" tune "$TMP/texts.yaml" --no-confirm --screen-samples 1 --quiet
  expect_status 0
  of_last 'es[0]["object"]' >>"$TMP/objects"
done
expect_same "number of modules" "2" "$(sort -u "$TMP/objects" | wc -l)"

case_begin "equal modules are measured once"
expect_same "measured" "1" "$(of_last 'sum(e["same_as"] is None for e in es)')"
expect_out_contains "with another's object"

case_begin "a spec that matches nothing is not applied, and the run goes on"
sed -i.kept 's/%m_dims, \[64\]/%m_dims, [65]/' "$TMP/settings.yaml"
spec nothing <<YAML >"$TMP/nothing.yaml"
    params: {pipeline: [own], RED: [2, 4]}
    texts: {compilation_info: '${text/RED/\$\{RED\}}'}
YAML
mv "$TMP/settings.yaml.kept" "$TMP/settings.yaml"
run "$HONE" tune "$TMP/nothing.yaml" --quiet
expect_status 0
expect_out_contains "NO IMPROVEMENT"
expect_same "outcomes" "['not_applied', 'not_applied']" "$(of_last '[e["outcome"] for e in es]')"
expect_same "times" "[None, None]" "$(of_last '[e["time_ns"] for e in es]')"

case_begin "another matcher is another question"
sed 's/%m_dims, \[65\]/%m_dims, [64]/' "$TMP/nothing.yaml" >"$TMP/something.yaml"
sed -i 's/^name: .*/name: nothing/' "$TMP/something.yaml"
run "$HONE" tune "$TMP/something.yaml" --no-confirm --quiet
expect_status 0
expect_same "outcomes" "set()" "$(of_last '{e["outcome"] for e in es} - {"ok", "slow"}')"

case_begin "a matcher that the compiler does not know"
sed 's/match.contraction/match.contractoin/' "$TMP/nothing.yaml" >"$TMP/unknown.yaml"
run "$HONE" tune "$TMP/unknown.yaml" --no-confirm --quiet
expect_status 0
expect_same "outcomes" "{'compile_error'}" "$(of_last '{e["outcome"] for e in es}')"
expect_contains "evidence" "error: custom op 'transform.iree.match.contractoin' is unknown" \
  "$(of_last 'es[0]["evidence"]')"

# ---- The search ----

case_begin "the order is that of the seed"
tune --num-candidates 3 --order shuffle --stop-after build
expect_status 0
first=$(of_last 'sorted(e["config"] for e in es)')
tune --num-candidates 3 --order shuffle --stop-after build --fresh
expect_same "with the same seed" "$first" "$(of_last 'sorted(e["config"] for e in es)')"
tune --num-candidates 3 --order shuffle --stop-after build --seed 7
[ "$first" != "$(of_last 'sorted(e["config"] for e in es)')" ] || fail "seed 7 is as 42"
expect_same "number" "3" "$(of_last 'len(es)')"

case_begin "--order none takes them as they are listed"
tune --num-candidates 3 --order none --stop-after build
expect_status 0
listed=$("$HONE" space "$TMP/small.mlir" --iree-target llvm-cpu --list --format json | head -n 3 | python3 -c '
import json, sys
rows = [{k: v for k, v in json.loads(line).items() if k != "compilation_info"} for line in sys.stdin]
print(sorted(",".join(f"{k}={v}" for k, v in row.items()) for row in rows))')
expect_same "candidates" "$listed" "$(of_last 'sorted(e["config"] for e in es)')"

case_begin "the compiler's own choice is none of the candidates"
for order in none shuffle heuristic; do
  tune --num-candidates 3 --order $order --stop-after build --seed 3
  expect_same "$order" "3 False" "$(of_last 'len(es), any("compiler" in e["config"] for e in es)' | tr -d '(),')"
done

case_begin "a budget of time ends a run in order"
tune --budget 1s
expect_status 0
expect_same "not all" "True" "$(of_last 'len(es) < 84')"
tune --budget 0s
expect_status 2
tune --budget -5s
expect_status 2

# ---- Hosts ----

case_begin "built here"
rm -rf "$TMP/cache" "$HONE_STORE"*
HONE_IREE=$TMP/compiler tune --num-candidates 2 --stop-after build
expect_status 0
expect_same "outcomes" "2" "$(of_last 'sum(e["outcome"] == "ok" for e in es)')"

case_begin "measured there: a host without a compiler builds nothing"
mkdir "$TMP/there"
cp -r "$TMP/cache" "$HONE_STORE" "$TMP/small.mlir" "$TMP/there"
(
  cd "$TMP/there" || exit
  HONE_IREE=$TMP/runtime HONE_CACHE=$TMP/there/cache HONE_STORE=$TMP/there/store.db \
    "$HONE" tune small.mlir --iree-target llvm-cpu --no-confirm --no-cap --quiet --num-candidates 2
) >"$TMP/stdout" 2>"$TMP/stderr"
STATUS=$? OUT=$(cat "$TMP/stdout") ERR=$(cat "$TMP/stderr") COMMAND="hone tune, without a compiler"
expect_status 0
expect_out_contains "3 ok"
expect_out_contains "3 built before"

case_begin "what was not built before fails there, and the others are measured"
HONE_IREE=$TMP/runtime tune --num-candidates 4
expect_status 0
expect_out_contains "3 ok, 2 failed"
expect_out_contains "cannot find 'iree-compile'"
expect_same "outcomes" "2" "$(of_last 'sum(e["outcome"] == "not_built" for e in es)')"

case_begin "what nobody could build here is tried again by the same command"
tune --num-candidates 4
expect_status 0
expect_out_contains "5 ok"

case_begin "with the compiler again it is built"
tune --num-candidates 5
expect_status 0
expect_out_contains "6 ok"
expect_out_contains "1 compiled"

case_begin "what is missing is named"
HONE_IREE=$TMP/runtime HONE_CACHE=$TMP/nothing tune --num-candidates 3
expect_status 1
expect_err_contains "cannot find 'iree-compile'"
HONE_IREE=$TMP/compiler tune --num-candidates 3
expect_status 1
expect_err_contains "cannot find 'iree-benchmark-module'"
HONE_IREE=$TMP/nowhere HONE_CACHE=$TMP/nothing tune --num-candidates 3
expect_status 1
expect_err_contains "HONE_IREE '$TMP/nowhere'"

# ---- Devices ----

export HONE_IREE=$REAL_IREE

case_begin "devices"
tune --num-candidates 1 --devices iree:local-task
expect_status 0
expect_out_contains "2 ok"
tune --num-candidates 1 --devices ' iree:local-sync , iree:local-sync'
expect_status 0
expect_out_contains "2 ok"
tune --num-candidates 2 --devices iree:nonsense
expect_status 1
expect_err_contains "no driver 'nonsense'"
tune --num-candidates 2 --devices invalid_device
expect_status 2
expect_err_contains "device 'invalid_device' does not belong to backend 'iree'"
if ! ldconfig -p 2>/dev/null | grep -q libcuda.so; then
  tune --num-candidates 2 --devices iree:cuda://0
  expect_status 1
  expect_err_contains "CUDA driver library"
fi

case_begin "kernels timed by rocprofv3"
cat >"$TMP/rocprofv3" <<'SH'
#!/bin/sh
for word; do
  case $word in --output-file=*) table=${word#*=}_kernel_trace.csv ;; esac
done
[ -z "$MUTE_TRACER" ] || exit 0
{
  echo '"Kernel_Name","Start_Timestamp","End_Timestamp"'
  for i in $(seq 40); do echo "main_dispatch_0_matmul_64x64x64_f32,1000,3500"; done
} >"$table"
SH
chmod +x "$TMP/rocprofv3"
HONE_ROCPROF=$TMP/rocprofv3 tune --num-candidates 2 --timing rocprof
expect_status 0
expect_same "time" "[2500.0, 2500.0]" "$(of_last '[e["time_ns"] for e in es]')"
case $OUT$ERR in *"CPU time"*) fail "the trace's times are no CPU time" ;; esac
command=$(of_last 'es[0]["command"]')
expect_contains "its command" "--timing rocprof" "$command"
HONE_ROCPROF=$TMP/rocprofv3 PATH=$(dirname "$HONE"):$PATH run sh -c "$command"
expect_status 0
expect_out_contains "2.5"
MUTE_TRACER=1 HONE_ROCPROF=$TMP/rocprofv3 tune --num-candidates 3 --timing rocprof
expect_status 1
expect_err_contains "the baseline fails on "
HONE_ROCPROF=$TMP/nowhere tune --num-candidates 3 --timing rocprof
expect_status 1
expect_err_contains "cannot be started"

# ---- What cannot be tuned ----

export HONE_IREE=$QUICK_IREE

refuse() { # refuse FILE WORDS [OPTION...]
  local file=$1 words=$2
  shift 2
  run "$HONE" tune "$file" --stop-after generate --quiet "$@"
  expect_status 2
  expect_err_contains "$words"
  expect_same "standard output" "" "$OUT"
}
function_of() { # function_of OPERATION TYPES: a function of three tensors
  local a=$2 b=$3 c=$4
  echo "func.func @main(%a: tensor<$a>, %b: tensor<$b>, %c: tensor<$c>) -> tensor<$c> {"
  echo "  %r = $1 ins(%a, %b : tensor<$a>, tensor<$b>) outs(%c : tensor<$c>) -> tensor<$c>"
  echo "  return %r : tensor<$c> }"
}

case_begin "a dynamic shape"
function_of linalg.matmul '?x64xf32' '64x64xf32' '?x64xf32' >"$TMP/dynamic.mlir"
refuse "$TMP/dynamic.mlir" "no fixed size" --iree-target llvm-cpu
words=$ERR
run "$HONE" space "$TMP/dynamic.mlir" --iree-target llvm-cpu
expect_same "as 'hone space' says it" "$ERR" "$words"
expect_contains "where" "dynamic.mlir:2:3: error" "$words"

case_begin "a product with a vector"
function_of linalg.matvec '64x64xf32' '64xf32' '64xf32' >"$TMP/matvec.mlir"
refuse "$TMP/matvec.mlir" "matrix-vector product" --iree-target gfx942
run "$HONE" tune "$TMP/matvec.mlir" --iree-target llvm-cpu --stop-after generate --quiet
expect_status 0
run "$HONE" space "$TMP/matvec.mlir" --iree-target llvm-cpu --count
expect_status 0

case_begin "no operation with knobs"
cat >"$TMP/sum.mlir" <<'MLIR'
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = arith.addf %a, %b : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
MLIR
refuse "$TMP/sum.mlir" "elementwise" --iree-target gfx942
run "$HONE" tune "$TMP/sum.mlir" --iree-target llvm-cpu --stop-after generate --quiet
expect_status 0
run "$HONE" space "$TMP/sum.mlir" --iree-target llvm-cpu --count
expect_status 0

case_begin "two of them"
cat >"$TMP/two.mlir" <<'MLIR'
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x32xf32>, %c: tensor<64x64xf32>, %d: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%r, %b : tensor<64x64xf32>, tensor<64x32xf32>) outs(%d : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %s : tensor<64x32xf32>
}
MLIR
refuse "$TMP/two.mlir" "several dispatches that can be tuned" --iree-target llvm-cpu

case_begin "two root operations in one dispatch"
awk '{print} /linalg.matmul/ {sub(/%[0-9]+ =/, "%again ="); print}' "$TMP/dump.mlir" >"$TMP/roots.mlir"
refuse "$TMP/roots.mlir" "two root operations"

case_begin "a dispatch of Vulkan"
refuse "$data/dumps/matmul_vulkan.mlir" "IREE reads no tuning specs for vulkan-spirv"
refuse "$TMP/small.mlir" "IREE reads no tuning specs for vulkan-spirv" --iree-target vulkan

case_begin "no target, and one that is unknown"
refuse "$TMP/small.mlir" "--iree-target"
refuse "$TMP/small.mlir" "unknown target 'nonsense'" --iree-target nonsense

case_begin "what the compiler refuses"
function_of linalg.matmul '64x64xf32' '32x64xf32' '64x64xf32' >"$TMP/wrong.mlir"
refuse "$TMP/wrong.mlir" "iree-compile: 'linalg.matmul' op" --iree-target llvm-cpu
echo 'func.func @main(' >"$TMP/half.mlir"
refuse "$TMP/half.mlir" "half.mlir:1:16: error: '(' is not closed" --iree-target llvm-cpu

cases_end
