# hone iree dispatches: the kernels of a model, their times, and why some cannot be tuned.
. "$(dirname "$0")/lib.sh"
export COLUMNS=100 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
unset NO_COLOR VIRTUAL_ENV
RUN_TIMEOUT=120
models=tests/data/iree/models

case_begin "a model is needed"
run "$HONE" iree dispatches
expect_status 2
expect_err_contains "no model given: hone iree dispatches MODEL TARGET"

case_begin "without IREE it is said how to get it"
HONE_IREE=$TMP PATH=/usr/bin:/bin run "$HONE" iree dispatches $models/model.mlir llvm-cpu
expect_status 1
expect_err_contains "cannot find 'iree-compile'"
expect_err_contains "pip install"

if ! [ -x "${HONE_IREE-}/iree/compiler/_mlir_libs/iree-compile" ]; then
  case_skip "dispatches of a model are listed" "no IREE in HONE_IREE: 'make iree'"
  cases_end
fi

field() { # field EXPRESSION: of the last output, which is JSON
  python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$TMP/stdout" "$1"
}

case_begin "a model's dispatches are listed with their times"
run "$HONE" iree dispatches $models/model.mlir llvm-cpu
expect_status 0
expect_out_contains "2 dispatches, main takes"
expect_out_contains "main_dispatch_0  contraction matmul  256x2048x512"
expect_out_contains "DoubleTilingExpert: distribution ["
expect_err ""

case_begin "as JSON, and what is kept is named"
run "$HONE" iree dispatches $models/model.mlir llvm-cpu --format json --keep "$TMP/kept"
expect_status 0
expect_same "tunable" "[True, True]" "$(field '[d["tunable"] for d in found["dispatches"]]')"
expect_same "sum of shares" "1.0" "$(field 'round(sum(d["share"] for d in found["dispatches"]), 6)')"
expect_same "order" "True" \
  "$(field 'found["dispatches"][0]["time_ns"] >= found["dispatches"][1]["time_ns"]')"
expect_same "kept" "True" \
  "$(field '__import__("os").path.exists(found["dispatches"][0]["file"])')"
expect_same "kept" "True" "$(field '__import__("os").path.exists(found["module"])')"

case_begin "a dim without size needs an input, and the message says which"
run "$HONE" iree dispatches $models/dyn.mlir llvm-cpu
expect_status 2
expect_err_contains "argument 0 of 'dyn' is tensor<?x512xf32>"
expect_err_contains "--input=64x512xf32=1"

case_begin "dispatches of dynamic shape are listed, with calls and the reason"
run "$HONE" iree dispatches $models/dyn.mlir llvm-cpu --input=64x512xf32=1 --format json
expect_status 0
expect_same "calls" "{'dyn_dispatch_0': 1, 'dyn_dispatch_1': 2}" \
  "$(field 'dict(sorted((d["executable"], d["calls"]) for d in found["dispatches"]))')"
expect_same "why" "True" \
  "$(field 'any("no fixed size" in d.get("why_not", "") for d in found["dispatches"])')"

case_begin "on a CPU, any operation of linalg can be tuned"
run "$HONE" iree dispatches $models/mixed.mlir llvm-cpu --no-time
expect_status 0
expect_out_contains "linalg matvec"
expect_out_contains "linalg reduction"
expect_out_contains "linalg elementwise"
if grep -q "cannot be tuned" <<<"$OUT"; then fail "something is refused"; fi

case_begin "on a GPU, what is not a product of matrices is refused in words"
run "$HONE" iree dispatches $models/mixed.mlir gfx942 --no-time
expect_status 0
expect_out_contains "cannot be tuned"
expect_out_contains "main_dispatch_0: linalg.generic is a matrix-vector product"
expect_out_contains "main_dispatch_1: linalg.generic is a reduction"
expect_out_contains "twice_dispatch_0: linalg.generic is elementwise"

case_begin "one of several functions must be named"
run "$HONE" iree dispatches $models/mixed.mlir llvm-cpu
expect_status 2
expect_err_contains "choose one with --function NAME; it has: main(tensor<64x256xf32>, tensor<256xf32>), twice("
run "$HONE" iree dispatches $models/mixed.mlir llvm-cpu --function=nope --no-time
expect_status 2
expect_err_contains "it has no function 'nope'"
run "$HONE" iree dispatches $models/mixed.mlir llvm-cpu --function=twice --format json
expect_status 0
expect_same "calls" "[1, 0, 0]" "$(field '[d["calls"] for d in found["dispatches"]]')"

case_begin "an input of the wrong shape is an error of the model's run"
run "$HONE" iree dispatches $models/dyn.mlir llvm-cpu --input=64x511xf32=1
expect_status 2
expect_err_contains "the model does not run: input0 shape dimension 1 mismatch"

case_begin "an input in a form that IREE does not read is one, too"
python3 - "$TMP/order.npy" <<'END'
import struct, sys
head = "{'descr': '>f4', 'fortran_order': False, 'shape': (256, 512), }".ljust(117) + "\n"
open(sys.argv[1], "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes(4 * 256 * 512))
END
run "$HONE" iree dispatches $models/model.mlir llvm-cpu --input="@$TMP/order.npy"
expect_status 2
expect_err_contains "the model does not run: big-endian data type '>f4' unsupported; parsing input"

for target in gfx942 sm_80 sm_90; do
  case_begin "a target that is not here, $target, is listed without running"
  run "$HONE" iree dispatches tests/data/iree/problems/mm_1024x1280x1280_f16.mlir $target \
    --no-time --format json
  expect_status 0
  expect_same "target" "$target" "$(field 'found["target"]')"
  expect_same "dispatch" "mmt 1024x1280x1280" \
    "$(field 'found["dispatches"][0]["layout"] + " " + found["dispatches"][0]["sizes"]')"
done
expect_same "sm_90 candidates" "5021" "$(field 'found["dispatches"][0]["candidates"]')"

case_begin "flags of iree-compile may stand for the target"
run "$HONE" iree dispatches $models/model.mlir --no-time --iree-hal-target-device=hip \
  --iree-rocm-target=gfx942 --format json
expect_status 0
expect_same "target" "gfx942" "$(field 'found["target"]')"

case_begin "Vulkan is listed, and it is said that it cannot be tuned"
run "$HONE" iree dispatches $models/model.mlir vulkan:ampere --no-time
expect_status 0
expect_out_contains "main_dispatch_0, main_dispatch_1: IREE reads no tuning specs for vulkan-spirv"

case_begin "without a target, it is for the processor"
run "$HONE" iree dispatches $models/model.mlir --no-time
expect_status 0
expect_out_contains "model.mlir for llvm-cpu"
cat >"$TMP/own.mlir" <<'MLIR'
module attributes {hal.device.targets = [#hal.device.target<"local", [
    #hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device]} {
  func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %r = math.sqrt %a : tensor<8xf32>
    return %r : tensor<8xf32>
  }
}
MLIR
run "$HONE" iree dispatches "$TMP/own.mlir" --no-time
expect_status 0
expect_out_contains "own.mlir for vmvx"
run "$HONE" iree dispatches $models/model.mlir --no-time --iree-hal-target-device=hip
expect_status 2
expect_err_contains "ROCM target not set"

case_begin "targets: unknown ones, two"
run "$HONE" iree dispatches $models/model.mlir gfx94 --no-time
expect_status 2
expect_err_contains "it does not compile for gfx94: Unknown ROCM target 'gfx94'"
run "$HONE" iree dispatches $models/model.mlir mi30x --no-time
expect_status 2
expect_err_contains "unknown target 'mi30x'; did you mean"
run "$HONE" iree dispatches $models/model.mlir llvm-cpu gfx942
expect_status 2
expect_err_contains "two targets, 'llvm-cpu' and 'gfx942'"

case_begin "a flag that the compiler does not know is named"
run "$HONE" iree dispatches $models/model.mlir llvm-cpu --iree-no-such-flag
expect_status 2
expect_err_contains "Unknown command line argument '--iree-no-such-flag'"

case_begin "a model that does not compile has the compiler's first error"
printf 'func.func @f(%%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %%b : tensor<4xf32>\n}\n' \
  >"$TMP/bad.mlir"
run "$HONE" iree dispatches "$TMP/bad.mlir" llvm-cpu
expect_status 2
expect_err_contains "bad.mlir:2:10: error: use of undeclared SSA value name"
expect_err_contains "it does not compile for llvm-cpu"
run "$HONE" iree dispatches "$TMP/nope.mlir" llvm-cpu
expect_status 1
expect_err_contains "cannot open '$TMP/nope.mlir': no such file"

case_begin "names of functions are names of files"
sed 's/@main/@"a\/main"/' $models/model.mlir >"$TMP/slash.mlir"
run "$HONE" iree dispatches "$TMP/slash.mlir" llvm-cpu
expect_status 2
expect_err_contains "slash.mlir: error: the name of a function has a '/'"

case_begin "integers are indices of the first two rows of any table"
cat >"$TMP/rows.mlir" <<'END'
func.func @main(%i: tensor<64xi64>, %t: tensor<2x16xf32>) -> tensor<64x16xf32> {
  %e = tensor.empty() : tensor<64x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>],
      iterator_types = ["parallel", "parallel"]} ins(%i : tensor<64xi64>) outs(%e : tensor<64x16xf32>) {
  ^bb0(%n: i64, %o: f32):
    %row = arith.index_cast %n : i64 to index
    %column = linalg.index 1 : index
    %x = tensor.extract %t[%row, %column] : tensor<2x16xf32>
    linalg.yield %x : f32
  } -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}
END
run "$HONE" iree dispatches "$TMP/rows.mlir" llvm-cpu --keep "$TMP/rows"
expect_status 0
expect_same "rows" "[0, 1]" "$(python3 -c 'import array, sys
print(sorted(set(array.array("q", open(sys.argv[1], "rb").read()[-512:]))))' "$TMP/rows/inputs/input0.npy")"

case_begin "complex numbers come from a file"
cat >"$TMP/complex.mlir" <<'END'
func.func @main(%z: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %r = stablehlo.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
END
run "$HONE" iree dispatches "$TMP/complex.mlir" llvm-cpu
expect_status 2
expect_err_contains "give the arguments up to it with --input=@FILE.npy"
case $ERR in *"such as --input=4x"*) fail "a word that IREE does not take: $ERR" ;; esac
python3 - "$TMP/z.npy" <<'END'
import struct, sys
head = b"{'descr': '<c8', 'fortran_order': False, 'shape': (4,), }".ljust(117) + b"\n"
open(sys.argv[1], "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack("<8f", *range(8)))
END
run "$HONE" iree dispatches "$TMP/complex.mlir" llvm-cpu --input="@$TMP/z.npy"
expect_status 0

cases_end
