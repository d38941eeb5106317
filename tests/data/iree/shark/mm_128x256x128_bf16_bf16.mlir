module {
  func.func @main(%lhs: tensor<128x128xbf16>, %rhs: tensor<256x128xbf16>, %acc: tensor<128x256xbf16>) -> tensor<128x256xbf16> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%lhs, %rhs : tensor<128x128xbf16>, tensor<256x128xbf16>) outs(%acc : tensor<128x256xbf16>) attrs = {root_op = #iree_codegen.root_op<set = 0>} {
    ^bb0(%a: bf16, %b: bf16, %c: bf16):
      %1 = arith.mulf %a, %b : bf16
      %2 = arith.addf %c, %1 : bf16
      linalg.yield %2 : bf16
    } -> tensor<128x256xbf16>
    return %0 : tensor<128x256xbf16>
  }
}
