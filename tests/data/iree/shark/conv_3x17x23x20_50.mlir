module {
  func.func @main(%lhs: tensor<3x19x25x20xf16>, %rhs: tensor<3x3x20x50xf16>, %acc: tensor<3x17x23x50xf32>) -> tensor<3x17x23x50xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, root_op = #iree_codegen.root_op<set = 0>} ins(%lhs, %rhs : tensor<3x19x25x20xf16>, tensor<3x3x20x50xf16>) outs(%acc : tensor<3x17x23x50xf32>) -> tensor<3x17x23x50xf32>
    return %0 : tensor<3x17x23x50xf32>
  }
}
