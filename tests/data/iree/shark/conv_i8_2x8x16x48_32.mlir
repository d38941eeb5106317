module {
  func.func @main(%lhs: tensor<2x10x18x48xi8>, %rhs: tensor<3x3x48x32xi8>, %acc: tensor<2x8x16x32xi32>) -> tensor<2x8x16x32xi32> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, root_op = #iree_codegen.root_op<set = 0>} ins(%lhs, %rhs : tensor<2x10x18x48xi8>, tensor<3x3x48x32xi8>) outs(%acc : tensor<2x8x16x32xi32>) -> tensor<2x8x16x32xi32>
    return %0 : tensor<2x8x16x32xi32>
  }
}
