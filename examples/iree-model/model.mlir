// Two layers of a perceptron: relu(x * w1) * w2.
//
//   hone iree tune examples/iree-model/model.mlir llvm-cpu
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<128x256xf32>, %w1: tensor<256x1024xf32>, %w2: tensor<1024x192xf32>) -> tensor<128x192xf32> {
  %zero = arith.constant 0.0 : f32
  %hidden_empty = tensor.empty() : tensor<128x1024xf32>
  %hidden_zero = linalg.fill ins(%zero : f32) outs(%hidden_empty : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %hidden = linalg.matmul ins(%x, %w1 : tensor<128x256xf32>, tensor<256x1024xf32>) outs(%hidden_zero : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%hidden : tensor<128x1024xf32>) outs(%hidden_empty : tensor<128x1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<128x1024xf32>
  %y_empty = tensor.empty() : tensor<128x192xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<128x192xf32>) -> tensor<128x192xf32>
  %y = linalg.matmul ins(%relu, %w2 : tensor<128x1024xf32>, tensor<1024x192xf32>) outs(%y_zero : tensor<128x192xf32>) -> tensor<128x192xf32>
  return %y : tensor<128x192xf32>
}
