// Two convolutions of f32 (nhwc, 3x3), relu between them, the second with strides of 2.
!x = tensor<4x58x58x64xf32>
!w1 = tensor<3x3x64x128xf32>
!h = tensor<4x56x56x128xf32>
!w2 = tensor<3x3x128x128xf32>
!y = tensor<4x27x27x128xf32>
func.func @main(%x: !x, %w1: !w1, %w2: !w2) -> !y {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : !h
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : !h) -> !h
  %p = linalg.conv_2d_nhwc_hwcf ins(%x, %w1 : !x, !w1) outs(%f1 : !h) -> !h
  %e2 = tensor.empty() : !h
  %h = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : !h) outs(%e2 : !h) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.maximumf %v, %zero : f32
    linalg.yield %r : f32
  } -> !h
  %e3 = tensor.empty() : !y
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : !y) -> !y
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%h, %w2 : !h, !w2) outs(%f3 : !y) -> !y
  return %y : !y
}
