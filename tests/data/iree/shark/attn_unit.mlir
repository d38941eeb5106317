module {
  func.func @main(%q: tensor<2x64x64xf16>, %k: tensor<2x64x64xf16>, %v: tensor<2x64x32xf16>, %scale: f16, %out: tensor<2x64x32xf16>) -> tensor<2x64x32xf16> {
    %0 = iree_linalg_ext.attention {root_op = #iree_codegen.root_op<set = 0>, indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> ()>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>]} ins(%q, %k, %v, %scale : tensor<2x64x64xf16>, tensor<2x64x64xf16>, tensor<2x64x32xf16>, f16) outs(%out : tensor<2x64x32xf16>) {
    ^bb0(%score: f32):
      iree_linalg_ext.yield %score : f32
    } -> tensor<2x64x32xf16>
    return %0 : tensor<2x64x32xf16>
  }
}
