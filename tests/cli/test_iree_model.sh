# hone iree tune: from a model to a tuning spec that is proved in it.
# With the real compiler, on the CPU; what is found is never asserted, only that it holds. One model is
# really timed, the others are not.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/iree.sh"
export COLUMNS=100 HONE_STORE="$TMP/hone.db" HONE_CACHE="$TMP/cache" RUN_TIMEOUT=300
need_iree "a model is tuned"
. "$(dirname "$0")/iree_models.sh"

case_begin "what is missing is said"
run "$HONE" iree tune
expect_status 2
expect_err_contains "no model given: hone iree tune MODEL TARGET"
run "$HONE" iree tune "$TMP/small.mlir" --dump-command true
expect_status 2
expect_err_contains "not both"
run "$HONE" iree tune "$TMP/nowhere.mlir" llvm-cpu
expect_err_contains "nowhere.mlir"
[ "$STATUS" != 0 ] || fail "a model that is not there is tuned"

case_begin "--dry-run prints commands and runs none"
tune "$TMP/small.mlir" --dry-run --work "$TMP/dry"
expect_status 0
expect_out_contains "iree-compile $TMP/small.mlir"
expect_out_contains "--iree-hal-dump-executable-benchmarks-to="
[ ! -e "$TMP/dry/untuned.vmfb" ] || fail "the model was compiled"

case_begin "--stop-after dispatches lists them, with their share"
tune "$TMP/small.mlir" --stop-after dispatches --format json
expect_status 0
expect_same "dispatches" "main_dispatch_0" "$(field '" ".join(x["executable"] for x in d["dispatches"])')"
expect_same "share" "True" "$(field '0 < d["dispatches"][0]["share"] <= 1')"
expect_same "stage" "dispatches" "$(field 'd["stopped_after"]')"

case_begin "a target without a name is a flag, and without times the work decides"
cat >"$TMP/unequal.mlir" <<'END'
func.func @main(%x: tensor<4x512xf16>, %w: tensor<512x512xf16>, %v: tensor<512x4xf16>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x512xf32>) -> tensor<4x512xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x512xf16>, tensor<512x512xf16>) outs(%fill : tensor<4x512xf32>) -> tensor<4x512xf32>
  %half = tensor.empty() : tensor<4x512xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x512xf32>) outs(%half : tensor<4x512xf16>) {
  ^bb0(%a: f32, %b: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4x512xf16>
  %last = tensor.empty() : tensor<4x4xf32>
  %clear = linalg.fill ins(%zero : f32) outs(%last : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = linalg.matmul ins(%h, %v : tensor<4x512xf16>, tensor<512x4xf16>) outs(%clear : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
END
run env CUDA_VISIBLE_DEVICES= "$HONE" iree tune "$TMP/unequal.mlir" sm_90 --stop-after dispatches --format json
expect_status 0
expect_contains "the file" "iree-compile $TMP/unequal.mlir " "$(field 'd["command"]')"
(cd "$TMP" && eval "$(dirname "$compiler")/$(field 'd["command"]')") || fail "it does not compile"
grep -aq '^\.target sm_90' "$TMP/model.vmfb" || fail "it is not for sm_90"
case $ERR in
*"chosen by the number of their arithmetic operations"*)
  expect_same "chosen" "True its share of the arithmetic operations is too small" \
    "$(field '"%s %s" % (d["dispatches"][0]["tuned"], d["dispatches"][-1]["why_not"])')" ;;
esac

expect_proved() { # expect_proved SPEC DISPATCH: what was printed, and the spec that was written
  expect_status 0
  expect_same "verdict" "True" "$(field 'd["model"]["verdict"] in ("IMPROVED", "NO IMPROVEMENT", "INCONCLUSIVE")')"
  expect_same "the spec is proved" "True" "$(field 'd["verified"]')"
  expect_same "entries" "1" "$(field 'd["entries"]')"
  expect_err_contains "dispatch 1 of 1: $2 (100 % of the time)"
  grep -q 'transform.iree.match.contraction' "$1" || fail "no matcher in the spec"
}

case_begin "StableHLO, and a name with signs of patterns, tuned in one command with real times"
cat >"$TMP/hlo.mlir" <<'END'
func.func @"a $model (x|y).[z]*"(%x: tensor<64x128xf32>, %w: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
END
tune "$TMP/hlo.mlir" --threads 1 --evals 1 --model-candidates 1 --keep-slower --fresh \
  --margin 50 -o "$TMP/hlo.out" --format json
expect_proved "$TMP/hlo.out" 'a $model (x|y).[z]*_dispatch_0'
expect_foreign 'a $model (x|y).[z]*_dispatch_0'

# ---- From here on nothing is timed ----

export HONE_IREE=$QUICK_IREE
case_begin "a model is tuned in one command"
tune "$TMP/small.mlir" --evals 3 --model-candidates 2 --keep-slower \
  -o "$TMP/spec.mlir" --format json
expect_proved "$TMP/spec.mlir" main_dispatch_0

# ---- Models of other frameworks ----

onnx() { # onnx KIND
  python3 tests/data/iree/onnx.py "$1" >"$TMP/$1.onnx"
}

case_begin "torch's names, types and two functions"
cat >"$TMP/torch.mlir" <<'END'
func.func @"torch-jit-export"(%x: !torch.vtensor<[64,128],f32>, %w: !torch.vtensor<[128,64],f32>,
    %unused: !torch.vtensor<[1],si32>) -> !torch.vtensor<[64,64],f32> {
  %y = torch.aten.mm %x, %w : !torch.vtensor<[64,128],f32>, !torch.vtensor<[128,64],f32> -> !torch.vtensor<[64,64],f32>
  return %y : !torch.vtensor<[64,64],f32>
}
END
tune_small "$TMP/torch.mlir"
expect_foreign 'torch-jit-export$async_dispatch_0'

case_begin "buffer views, and an argument that nothing uses"
cat >"$TMP/view.mlir" <<'END'
func.func @run(%a: !hal.buffer_view, %b: !hal.buffer_view, %unused: !hal.buffer_view) -> !hal.buffer_view {
  %x = hal.tensor.import %a : !hal.buffer_view -> tensor<64x128xf32>
  %w = hal.tensor.import %b : !hal.buffer_view -> tensor<128x64xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x64xf32>) outs(%fill : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = hal.tensor.export %y : tensor<64x64xf32> -> !hal.buffer_view
  return %r : !hal.buffer_view
}
END
tune_small "$TMP/view.mlir"
expect_foreign run_dispatch_0

case_begin "attention on a CPU, and a time for the model"
cat >"$TMP/attention.mlir" <<'END'
#q = affine_map<(b, m, n, k1, k2) -> (b, m, k1)>
#k = affine_map<(b, m, n, k1, k2) -> (b, k2, k1)>
#v = affine_map<(b, m, n, k1, k2) -> (b, k2, n)>
#s = affine_map<(b, m, n, k1, k2) -> ()>
#o = affine_map<(b, m, n, k1, k2) -> (b, m, n)>
func.func @main(%q: tensor<2x16x16xf32>, %k: tensor<2x16x16xf32>, %v: tensor<2x16x16xf32>) -> tensor<2x16x16xf32> {
  %scale = arith.constant 0.25 : f32
  %empty = tensor.empty() : tensor<2x16x16xf32>
  %y = iree_linalg_ext.attention <indexing_maps = [#q, #k, #v, #s, #o]>
      ins(%q, %k, %v, %scale : tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, f32)
      outs(%empty : tensor<2x16x16xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x16x16xf32>
  return %y : tensor<2x16x16xf32>
}
END
tune_small "$TMP/attention.mlir" --model-budget 10m
expect_foreign main_dispatch_0
expect_contains "the operation" "attention 2x16x16x16x16" "$(field 'd["dispatches"][0]["operation"]')"
grep -q 'LinalgExtTileAndVectorize' "$TMP/foreign.out" || fail "no configuration of attention"

case_begin "relative paths"
mkdir "$TMP/relative"
cp "$TMP/small.mlir" "$TMP/relative/model.mlir"
python3 - "$TMP/relative/x.npy" <<'END'
import struct, sys
head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (64, 128), }".ljust(117) + b"\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack("<f", 0.5) * 64 * 128)
END
run env -C "$TMP/relative" HONE_STORE=hone.db HONE_CACHE=cache "$HONE" iree tune model.mlir llvm-cpu --iree-dir "../quick" \
  --input=@x.npy --input=128x64xf32=0.25 --work work --evals 1 --model-candidates 1 --keep-slower -o spec.mlir
expect_status 0
[ -s "$TMP/relative/spec.mlir" ] || fail "no spec was written"
tune "$TMP/small.mlir" --input=@nowhere.npy
expect_err_contains "cannot open 'nowhere.npy'"
case $ERR in
*"dispatch 1 of"*) fail "it was found out late" ;;
esac
tune "$TMP/small.mlir" --parameters=model=nowhere.irpa
expect_err_contains "cannot open 'nowhere.irpa'"

case_begin "a dim without a size is asked for"
cp "$data/models/dyn.mlir" "$TMP/dyn.mlir"
run "$HONE" iree tune "$TMP/dyn.mlir" llvm-cpu
[ "$STATUS" != 0 ] || fail "it is tuned"
expect_err_contains "--dim input0.0=1"
run "$HONE" iree tune "$TMP/dyn.mlir" llvm-cpu --dim input0.0=8 --stop-after dispatches
expect_status 0

case_begin "without iree-import-onnx there is a hint"
onnx fixed
rm -f "$TMP/quick/iree-import-onnx"
run env PATH=/usr/bin:/bin HONE_IREE="$QUICK_IREE" "$HONE" iree tune "$TMP/fixed.onnx" llvm-cpu
[ "$STATUS" != 0 ] || fail "it is tuned"
expect_err_contains "cannot find 'iree-import-onnx' of IREE"
expect_err_contains "pip install iree-base-compiler[onnx]"

if [ -x "$REAL_IREE/iree-import-onnx" ]; then
  cp -P "$REAL_IREE/iree-import-onnx" "$QUICK_IREE"
  case_begin "an ONNX model is imported once"
  tune_small "$TMP/fixed.onnx" --work "$TMP/onnx"
  expect_foreign 'torch-jit-export$async_dispatch_0'
  imported=$(echo "$TMP"/onnx/imported-*.mlir)
  [ -s "$imported" ] || fail "no import is kept"
  touch -d 2001-01-01 "$imported"
  tune_small "$TMP/fixed.onnx" --work "$TMP/onnx" --stop-after dispatches
  expect_same "imports" 1 "$(find "$TMP/onnx" -name 'imported-*' ! -newermt 2002-01-01 | wc -l)"

  case_begin "the command that is printed takes a copy of the import beside the spec"
  run "$HONE" iree tune "$TMP/fixed.onnx" llvm-cpu --evals 1 --model-candidates 1 --keep-slower \
    --work "$TMP/onnx" -o "$TMP/onnx.out"
  expect_status 0
  expect_out_contains "iree-compile $TMP/fixed.imported.mlir "
  cmp "$imported" "$TMP/fixed.imported.mlir" || fail "it is not the import"
  command=$(sed -n 's/^  \(iree-compile .*\) -o model.vmfb$/\1/p' "$TMP/stdout")
  run env PATH="$REAL_IREE:$PATH" sh -c "$command -o '$TMP/onnx.vmfb'"
  expect_status 0
  run "$HONE" iree verify "$TMP/onnx.out" --on "$TMP/fixed.onnx" llvm-cpu
  expect_status 0
  expect_out_contains "applied"

  case_begin "sizes of an ONNX model"
  onnx dynamic
  run "$HONE" iree tune "$TMP/dynamic.onnx" llvm-cpu
  [ "$STATUS" != 0 ] || fail "it is tuned"
  expect_err_contains "give --dim batch=1 --dim x.1=N"
  onnx twice
  run "$HONE" iree tune "$TMP/twice.onnx" llvm-cpu
  expect_same "each once" "--dim batch=1 --dim n=N" "${ERR##*: give }"
  run "$HONE" iree tune "$TMP/dynamic.onnx" llvm-cpu --dim batch=2 --dim x.1=64 --stop-after dispatches --format json
  expect_status 0
  expect_same "operation" "batch_matmul 2x64x64x128 f32xf32->f32" "$(field 'd["dispatches"][0]["operation"]')"
  run "$HONE" iree dispatches "$TMP/dynamic.onnx" llvm-cpu --input=1x32x128xf32=1 --input=1x128x64xf32=1
  expect_status 0
  expect_out_contains "32x64x128"

  case_begin "what cannot be imported or compiled is one sentence"
  onnx slash
  run "$HONE" iree dispatches "$TMP/slash.onnx" llvm-cpu
  expect_status 0
  onnx unknown
  run "$HONE" iree tune "$TMP/unknown.onnx" llvm-cpu
  [ "$STATUS" != 0 ] || fail "it is tuned"
  expect_err_contains "unknown.onnx: error: "
  expect_err_contains "NoSuchOperation"
  echo nothing >"$TMP/none.onnx"
  run "$HONE" iree tune "$TMP/none.onnx" llvm-cpu
  expect_err_contains "it is not an ONNX model, or damaged"
else
  case_skip "an ONNX model is imported" "no iree-import-onnx: 'make iree'"
fi

case_begin "the spec is applied to the model"
run "$HONE" iree verify "$TMP/spec.mlir" --on "$TMP/small.mlir" llvm-cpu
expect_status 0
expect_out_contains "applied"

case_begin "configurations are edited, and the compiler goes on from them"
run "$HONE" iree configure "$TMP/small.mlir" llvm-cpu -o "$TMP/own.mlir"
expect_status 0
expect_out_contains "iree-compile $TMP/own.mlir --compile-from=executable-configurations"
run "$HONE" iree verify "$TMP/own.mlir" --on "$TMP/small.mlir" llvm-cpu --full
expect_status 1
expect_out_contains "all are the compiler's own"
run "$HONE" iree configure "$TMP/small.mlir" llvm-cpu --spec "$TMP/spec.mlir" -o "$TMP/edited.mlir"
run "$HONE" iree verify "$TMP/edited.mlir" --on "$TMP/small.mlir" llvm-cpu --full --format json
expect_status 0
expect_contains "the run" "equals that of the untuned model" "$(field 'd["run"]')"
expect_same "edited" "linalg.matmul" "$(field '" ".join(h["operation"] for m in d["matchers"] for h in m["hits"])')"
run "$HONE" iree verify "$TMP/edited.mlir" --on "$TMP/small.mlir" llvm-cpu
expect_status 2
expect_err_contains "a model with its configurations, not a tuning spec: --full compiles and runs it"

case_begin "a model without dispatches has no configurations to edit"
echo 'module {}' >"$TMP/empty.mlir"
run "$HONE" iree configure "$TMP/empty.mlir" llvm-cpu -o "$TMP/empty.out"
expect_status 2
expect_err_contains "empty.mlir: error: it has no dispatches, and so no configurations to edit"
[ ! -e "$TMP/empty.out" ] || fail "a file was written"

case_begin "flags come from files"
printf '# a comment\n\n  --iree-opt-level=O2\n' >"$TMP/compile.flags"
printf '%s\n' --function=main --input=64x128xf32=0.5 --benchmark_min_time=1s >"$TMP/run.flags"
tune "$TMP/small.mlir" --compile-flags-file "$TMP/compile.flags" \
  --model-benchmark-flags-file "$TMP/run.flags" --stop-after dispatches --work "$TMP/flags" --enable-random-seed
expect_status 0
expect_err_contains "'--benchmark_min_time=1s' is left out"
expect_err_contains "seed "
grep -q -- --iree-opt-level=O2 "$TMP/flags/hone.json" || fail "the flag is not used"
grep -q -- --input=64x128xf32=0.5 "$TMP/flags/hone.json" || fail "the input is not used"
tune "$TMP/small.mlir" --compile-flags-file "$TMP/nowhere.flags"
expect_status 2
expect_err_contains "cannot open '$TMP/nowhere.flags'"

case_begin "the model's candidates are built, and all candidates are in a table"
tune "$TMP/small.mlir" --evals 3 --model-candidates 2 --keep-slower \
  --stop-after compile-models --candidates-csv "$TMP/candidates.csv" -o "$TMP/none.mlir"
expect_status 0
expect_out_contains "stopped after model-build"
[ ! -e "$TMP/none.mlir" ] || fail "a spec was written"
expect_same "columns" "main_dispatch_0 True True 1" "$(python3 -c '
import csv, sys
best = min((r for r in csv.DictReader(open(sys.argv[1])) if r["benchmark_rank_order"]), key=lambda r: int(r["benchmark_rank_order"]))
print(best["dispatch"], best["compile_status"], best["benchmark_status"], best["benchmark_rank_order"])' "$TMP/candidates.csv")"

case_begin "an entry for an operation that data tiling takes is told"
run "$HONE" iree verify "$TMP/spec.mlir" --on "$TMP/small.mlir" llvm-cpu -- --iree-opt-data-tiling
expect_status 1
expect_out_contains "data tiling has taken products of the model"

case_begin "the same command is answered from what is known"
tune "$TMP/small.mlir" --evals 3 --model-candidates 2 --keep-slower \
  -o "$TMP/again.mlir"
expect_status 0
cmp -s "$TMP/spec.mlir" "$TMP/again.mlir" || fail "another spec"
case $ERR in
*screening*) fail "it was measured again: $ERR" ;;
esac
expect_out_contains "iree-compile $TMP/small.mlir"
expect_out_contains "--iree-codegen-tuning-spec-path=$TMP/again.mlir"

case_begin "a starter is merged behind what was found"
product 96 64 128 >"$TMP/other.mlir"
tune "$TMP/other.mlir" --evals 1 --model-candidates 1 --keep-slower \
  --starter "$TMP/spec.mlir" -o "$TMP/both.mlir"
expect_status 0
expect_same "matchers" "2" "$(grep -c 'named_sequence @match_' "$TMP/both.mlir")"
expect_contains "the first" 96x64x128 "$(grep 'named_sequence @match_' "$TMP/both.mlir" | head -n 1)"

cases_end
