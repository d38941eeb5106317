module {
  func.func @main(%lhs: tensor<2x20x9x9xf16>, %rhs: tensor<50x20x3x3xf16>, %acc: tensor<2x50x7x7xf32>) -> tensor<2x50x7x7xf32> {
    %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, root_op = #iree_codegen.root_op<set = 0>} ins(%lhs, %rhs : tensor<2x20x9x9xf16>, tensor<50x20x3x3xf16>) outs(%acc : tensor<2x50x7x7xf32>) -> tensor<2x50x7x7xf32>
    return %0 : tensor<2x50x7x7xf32>
  }
}
