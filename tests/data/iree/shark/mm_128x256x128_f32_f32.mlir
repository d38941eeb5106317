module {
  func.func @main(%lhs: tensor<128x128xf32>, %rhs: tensor<256x128xf32>, %acc: tensor<128x256xf32>) -> tensor<128x256xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%lhs, %rhs : tensor<128x128xf32>, tensor<256x128xf32>) outs(%acc : tensor<128x256xf32>) attrs = {root_op = #iree_codegen.root_op<set = 0>} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.mulf %a, %b : f32
      %2 = arith.addf %c, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<128x256xf32>
    return %0 : tensor<128x256xf32>
  }
}
