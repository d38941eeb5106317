module {
  func.func @main(%lhs: tensor<20x6x6x50xf16>, %rhs: tensor<20x3x3x40xf16>, %acc: tensor<40x4x4x50xf32>) -> tensor<40x4x4x50xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d1 + d5, d2 + d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d0)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%lhs, %rhs : tensor<20x6x6x50xf16>, tensor<20x3x3x40xf16>) outs(%acc : tensor<40x4x4x50xf32>) attrs = {root_op = #iree_codegen.root_op<set = 0>} {
    ^bb0(%a: f16, %b: f16, %c: f32):
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : f16 to f32
      %1 = arith.mulf %x, %y : f32
      %2 = arith.addf %c, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<40x4x4x50xf32>
    return %0 : tensor<40x4x4x50xf32>
  }
}
