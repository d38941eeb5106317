module {
  func.func @main(%lhs: tensor<1x6x6x10x16xf16>, %rhs: tensor<3x3x3x16x24xf16>, %acc: tensor<1x4x4x8x24xf32>) -> tensor<1x4x4x8x24xf32> {
    %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>, root_op = #iree_codegen.root_op<set = 0>} ins(%lhs, %rhs : tensor<1x6x6x10x16xf16>, tensor<3x3x3x16x24xf16>) outs(%acc : tensor<1x4x4x8x24xf32>) -> tensor<1x4x4x8x24xf32>
    return %0 : tensor<1x4x4x8x24xf32>
  }
}
