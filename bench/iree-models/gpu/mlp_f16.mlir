// Two products of f16 with f32 sums, and relu between them.
!x = tensor<1024x1280xf16>
!w1 = tensor<1280x5120xf16>
!w2 = tensor<5120x1280xf16>
!h32 = tensor<1024x5120xf32>
!h = tensor<1024x5120xf16>
!y = tensor<1024x1280xf32>
func.func @main(%x: !x, %w1: !w1, %w2: !w2) -> !y {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : !h32
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : !h32) -> !h32
  %p = linalg.matmul ins(%x, %w1 : !x, !w1) outs(%f1 : !h32) -> !h32
  %e2 = tensor.empty() : !h
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : !h32) outs(%e2 : !h) {
  ^bb0(%v: f32, %o: f16):
    %r = arith.maximumf %v, %zero : f32
    %t = arith.truncf %r : f32 to f16
    linalg.yield %t : f16
  } -> !h
  %e3 = tensor.empty() : !y
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : !y) -> !y
  %y = linalg.matmul ins(%h, %w2 : !h, !w2) outs(%f3 : !y) -> !y
  return %y : !y
}
