module {
  func.func @main(%q: tensor<4x256x128xbf16>, %k: tensor<4x128x128xbf16>, %v: tensor<4x128x64xbf16>, %scale: f16, %out: tensor<4x256x64xbf16>) -> tensor<4x256x64xbf16> {
    %0 = iree_linalg_ext.attention {root_op = #iree_codegen.root_op<set = 0>, indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> ()>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>]} ins(%q, %k, %v, %scale : tensor<4x256x128xbf16>, tensor<4x128x128xbf16>, tensor<4x128x64xbf16>, f16) outs(%out : tensor<4x256x64xbf16>) {
    ^bb0(%score: f32):
      iree_linalg_ext.yield %score : f32
    } -> tensor<4x256x64xbf16>
    return %0 : tensor<4x256x64xbf16>
  }
}
