module {
  func.func @main(%lhs: tensor<128x128xf64>, %rhs: tensor<256x128xf64>, %acc: tensor<128x256xf64>) -> tensor<128x256xf64> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%lhs, %rhs : tensor<128x128xf64>, tensor<256x128xf64>) outs(%acc : tensor<128x256xf64>) attrs = {root_op = #iree_codegen.root_op<set = 0>} {
    ^bb0(%a: f64, %b: f64, %c: f64):
      %1 = arith.mulf %a, %b : f64
      %2 = arith.addf %c, %1 : f64
      linalg.yield %2 : f64
    } -> tensor<128x256xf64>
    return %0 : tensor<128x256xf64>
  }
}
