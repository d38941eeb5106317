module {
  func.func @main(%lhs: tensor<2x10x18x20xf16>, %rhs: tensor<50x3x3x20xf16>, %acc: tensor<2x8x16x50xf32>) -> tensor<2x8x16x50xf32> {
    %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, root_op = #iree_codegen.root_op<set = 0>} ins(%lhs, %rhs : tensor<2x10x18x20xf16>, tensor<50x3x3x20xf16>) outs(%acc : tensor<2x8x16x50xf32>) -> tensor<2x8x16x50xf32>
    return %0 : tensor<2x8x16x50xf32>
  }
}
