module {
  func.func @main(%lhs: tensor<2x10x10x4x20xf16>, %rhs: tensor<4x24x3x3x20xf16>, %acc: tensor<2x8x8x4x24xf32>) -> tensor<2x8x8x4x24xf32> {
    %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, root_op = #iree_codegen.root_op<set = 0>} ins(%lhs, %rhs : tensor<2x10x10x4x20xf16>, tensor<4x24x3x3x20xf16>) outs(%acc : tensor<2x8x8x4x24xf32>) -> tensor<2x8x8x4x24xf32>
    return %0 : tensor<2x8x8x4x24xf32>
  }
}
