module {
  func.func @main(%lhs: tensor<128x128xf8E4M3FNUZ>, %rhs: tensor<256x128xf8E5M2FNUZ>, %acc: tensor<128x256xf32>) -> tensor<128x256xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%lhs, %rhs : tensor<128x128xf8E4M3FNUZ>, tensor<256x128xf8E5M2FNUZ>) outs(%acc : tensor<128x256xf32>) attrs = {root_op = #iree_codegen.root_op<set = 0>} {
    ^bb0(%a: f8E4M3FNUZ, %b: f8E5M2FNUZ, %c: f32):
      %x = arith.extf %a : f8E4M3FNUZ to f32
      %y = arith.extf %b : f8E5M2FNUZ to f32
      %1 = arith.mulf %x, %y : f32
      %2 = arith.addf %c, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<128x256xf32>
    return %0 : tensor<128x256xf32>
  }
}
