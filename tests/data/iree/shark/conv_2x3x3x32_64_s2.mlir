module {
  func.func @main(%lhs: tensor<2x7x7x32xf16>, %rhs: tensor<3x3x32x64xf16>, %acc: tensor<2x3x3x64xf32>) -> tensor<2x3x3x64xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>, root_op = #iree_codegen.root_op<set = 0>} ins(%lhs, %rhs : tensor<2x7x7x32xf16>, tensor<3x3x32x64xf16>) outs(%acc : tensor<2x3x3x64xf32>) -> tensor<2x3x3x64xf32>
    return %0 : tensor<2x3x3x64xf32>
  }
}
