module {
  func.func @main(%lhs: tensor<64x64xf16>, %rhs: tensor<64x64xf16>, %acc: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0)>, affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%lhs, %rhs : tensor<64x64xf16>, tensor<64x64xf16>) outs(%acc : tensor<64x64xf32>) attrs = {root_op = #iree_codegen.root_op<set = 0>} {
    ^bb0(%a: f16, %b: f16, %c: f32):
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : f16 to f32
      %1 = arith.mulf %x, %y : f32
      %2 = arith.addf %c, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}
