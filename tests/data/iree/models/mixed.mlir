// What cannot be tuned: a matrix by a vector, a sum of rows, an operation by elements; and a second
// function.
#row = affine_map<(d0, d1) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<64x256xf32>, %v: tensor<256xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %cst = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%cst : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.matvec ins(%a, %v : tensor<64x256xf32>, tensor<256xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %m, %s : tensor<64xf32>, tensor<64xf32>
}
func.func @twice(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %x : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
