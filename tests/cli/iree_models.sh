# iree_models.sh - models for tests of `hone iree tune`, and what was made of them; read behind iree.sh.
compiler=$REAL_IREE/iree-compile
flags="--iree-hal-target-device=local --iree-hal-local-target-device-backends=llvm-cpu --iree-llvmcpu-target-cpu=host --iree-llvmcpu-debug-symbols=false"

product() { # product M N K: a function with one matrix product
  cat <<END
func.func @main(%x: tensor<$1x$3xf32>, %w: tensor<$3x$2xf32>) -> tensor<$1x$2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<$1x$2xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<$1x$2xf32>) -> tensor<$1x$2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<$1x$3xf32>, tensor<$3x$2xf32>) outs(%fill : tensor<$1x$2xf32>) -> tensor<$1x$2xf32>
  return %y : tensor<$1x$2xf32>
}
END
}
tune() { # tune MODEL OPTIONS...: without the compiler's own options
  local model=$1
  shift
  run "$HONE" iree tune "$model" llvm-cpu --no-options "$@"
}
field() { # field EXPRESSION: of the JSON that was printed
  python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$TMP/stdout" "$1"
}
product 64 64 128 >"$TMP/small.mlir"
three_dispatches() { # two equal matrix products and a convolution
  cat <<'END'
func.func @main(%x: tensor<64x128xf32>, %w: tensor<128x128xf32>, %in: tensor<1x18x18x16xf32>,
                %k: tensor<3x3x16x32xf32>) -> (tensor<64x128xf32>, tensor<1x16x16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x128xf32>) outs(%fill : tensor<64x128xf32>) -> tensor<64x128xf32>
  %t = math.tanh %y : tensor<64x128xf32>
  %z = linalg.matmul ins(%t, %w : tensor<64x128xf32>, tensor<128x128xf32>) outs(%fill : tensor<64x128xf32>) -> tensor<64x128xf32>
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%in, %k : tensor<1x18x18x16xf32>, tensor<3x3x16x32xf32>) outs(%f : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %z, %c : tensor<64x128xf32>, tensor<1x16x16x32xf32>
}
END
}
tune_small() { # tune_small MODEL OPTION...: all stages, as short as can be
  tune "$1" --evals 1 --model-candidates 1 --keep-slower --format json \
    --fresh -o "$TMP/foreign.out" "${@:2}"
}
expect_foreign() { # expect_foreign DISPATCH
  expect_status 0
  expect_same "the spec is proved" "True" "$(field 'd["verified"]')"
  expect_same "the dispatch" "$1" "$(field 'd["dispatches"][0]["executable"]')"
  case $ERR in
  *"not checked"* | *"is not set"*) fail "a name is not understood: $ERR" ;;
  esac
}
