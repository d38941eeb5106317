// Two products of f32, and relu between them.
!x = tensor<1024x1280xf32>
!w1 = tensor<1280x5120xf32>
!w2 = tensor<5120x1280xf32>
!h = tensor<1024x5120xf32>
!y = tensor<1024x1280xf32>
func.func @main(%x: !x, %w1: !w1, %w2: !w2) -> !y {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : !h
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : !h) -> !h
  %p = linalg.matmul ins(%x, %w1 : !x, !w1) outs(%f1 : !h) -> !h
  %e2 = tensor.empty() : !h
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : !h) outs(%e2 : !h) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.maximumf %v, %zero : f32
    linalg.yield %r : f32
  } -> !h
  %e3 = tensor.empty() : !y
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : !y) -> !y
  %y = linalg.matmul ins(%h, %w2 : !h, !w2) outs(%f3 : !y) -> !y
  return %y : !y
}
