module {
  func.func @main(%lhs: tensor<33x17xf16>, %rhs: tensor<129x17xf16>, %acc: tensor<33x129xf32>) -> tensor<33x129xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%lhs, %rhs : tensor<33x17xf16>, tensor<129x17xf16>) outs(%acc : tensor<33x129xf32>) attrs = {root_op = #iree_codegen.root_op<set = 0>} {
    ^bb0(%a: f16, %b: f16, %c: f32):
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : f16 to f32
      %1 = arith.mulf %x, %y : f32
      %2 = arith.addf %c, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<33x129xf32>
    return %0 : tensor<33x129xf32>
  }
}
