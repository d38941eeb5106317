func.func @conv_1d(%a: tensor<17xf32>, %b: tensor<3xf32>, %c: tensor<15xf32>) -> tensor<15xf32> {
  %0 = linalg.conv_1d ins(%a, %b : tensor<17xf32>, tensor<3xf32>) outs(%c : tensor<15xf32>) -> tensor<15xf32>
  return %0 : tensor<15xf32>
}
func.func @conv_2d(%a: tensor<17x18xf32>, %b: tensor<3x4xf32>, %c: tensor<15x15xf32>) -> tensor<15x15xf32> {
  %0 = linalg.conv_2d ins(%a, %b : tensor<17x18xf32>, tensor<3x4xf32>) outs(%c : tensor<15x15xf32>) -> tensor<15x15xf32>
  return %0 : tensor<15x15xf32>
}
func.func @conv_3d(%a: tensor<17x18x19xf32>, %b: tensor<3x4x5xf32>, %c: tensor<15x15x15xf32>) -> tensor<15x15x15xf32> {
  %0 = linalg.conv_3d ins(%a, %b : tensor<17x18x19xf32>, tensor<3x4x5xf32>) outs(%c : tensor<15x15x15xf32>) -> tensor<15x15x15xf32>
  return %0 : tensor<15x15x15xf32>
}
func.func @conv_1d_nwc_wcf(%a: tensor<2x35x5xf32>, %b: tensor<3x5x7xf32>, %c: tensor<2x15x7xf32>) -> tensor<2x15x7xf32> {
  %0 = linalg.conv_1d_nwc_wcf {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x35x5xf32>, tensor<3x5x7xf32>) outs(%c : tensor<2x15x7xf32>) -> tensor<2x15x7xf32>
  return %0 : tensor<2x15x7xf32>
}
func.func @conv_1d_ncw_fcw(%a: tensor<2x5x35xf32>, %b: tensor<7x5x3xf32>, %c: tensor<2x7x15xf32>) -> tensor<2x7x15xf32> {
  %0 = linalg.conv_1d_ncw_fcw {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x5x35xf32>, tensor<7x5x3xf32>) outs(%c : tensor<2x7x15xf32>) -> tensor<2x7x15xf32>
  return %0 : tensor<2x7x15xf32>
}
func.func @conv_2d_nhwc_hwcf(%a: tensor<2x35x38x5xf32>, %b: tensor<3x4x5x7xf32>, %c: tensor<2x15x15x7xf32>) -> tensor<2x15x15x7xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x35x38x5xf32>, tensor<3x4x5x7xf32>) outs(%c : tensor<2x15x15x7xf32>) -> tensor<2x15x15x7xf32>
  return %0 : tensor<2x15x15x7xf32>
}
func.func @conv_2d_nhwc_fhwc(%a: tensor<2x35x38x5xf32>, %b: tensor<7x3x4x5xf32>, %c: tensor<2x15x15x7xf32>) -> tensor<2x15x15x7xf32> {
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x35x38x5xf32>, tensor<7x3x4x5xf32>) outs(%c : tensor<2x15x15x7xf32>) -> tensor<2x15x15x7xf32>
  return %0 : tensor<2x15x15x7xf32>
}
func.func @conv_2d_nchw_fchw(%a: tensor<2x5x35x38xf32>, %b: tensor<7x5x3x4xf32>, %c: tensor<2x7x15x15xf32>) -> tensor<2x7x15x15xf32> {
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x5x35x38xf32>, tensor<7x5x3x4xf32>) outs(%c : tensor<2x7x15x15xf32>) -> tensor<2x7x15x15xf32>
  return %0 : tensor<2x7x15x15xf32>
}
func.func @conv_2d_ngchw_fgchw(%a: tensor<2x9x5x35x38xf32>, %b: tensor<7x9x5x3x4xf32>, %c: tensor<2x9x7x15x15xf32>) -> tensor<2x9x7x15x15xf32> {
  %0 = linalg.conv_2d_ngchw_fgchw {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x9x5x35x38xf32>, tensor<7x9x5x3x4xf32>) outs(%c : tensor<2x9x7x15x15xf32>) -> tensor<2x9x7x15x15xf32>
  return %0 : tensor<2x9x7x15x15xf32>
}
func.func @conv_2d_ngchw_gfchw(%a: tensor<2x9x5x35x38xf32>, %b: tensor<9x7x5x3x4xf32>, %c: tensor<2x9x7x15x15xf32>) -> tensor<2x9x7x15x15xf32> {
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x9x5x35x38xf32>, tensor<9x7x5x3x4xf32>) outs(%c : tensor<2x9x7x15x15xf32>) -> tensor<2x9x7x15x15xf32>
  return %0 : tensor<2x9x7x15x15xf32>
}
func.func @conv_2d_nhwgc_gfhwc(%a: tensor<2x35x38x9x5xf32>, %b: tensor<9x7x3x4x5xf32>, %c: tensor<2x15x15x9x7xf32>) -> tensor<2x15x15x9x7xf32> {
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x35x38x9x5xf32>, tensor<9x7x3x4x5xf32>) outs(%c : tensor<2x15x15x9x7xf32>) -> tensor<2x15x15x9x7xf32>
  return %0 : tensor<2x15x15x9x7xf32>
}
func.func @conv_3d_ndhwc_dhwcf(%a: tensor<2x32x35x38x5xf32>, %b: tensor<2x3x4x5x7xf32>, %c: tensor<2x15x15x15x7xf32>) -> tensor<2x15x15x15x7xf32> {
  %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x32x35x38x5xf32>, tensor<2x3x4x5x7xf32>) outs(%c : tensor<2x15x15x15x7xf32>) -> tensor<2x15x15x15x7xf32>
  return %0 : tensor<2x15x15x15x7xf32>
}
func.func @conv_3d_ncdhw_fcdhw(%a: tensor<2x5x32x35x38xf32>, %b: tensor<7x5x2x3x4xf32>, %c: tensor<2x7x15x15x15xf32>) -> tensor<2x7x15x15x15xf32> {
  %0 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x5x32x35x38xf32>, tensor<7x5x2x3x4xf32>) outs(%c : tensor<2x7x15x15x15xf32>) -> tensor<2x7x15x15x15xf32>
  return %0 : tensor<2x7x15x15x15xf32>
}
func.func @depthwise_conv_1d_nwc_wc(%a: tensor<2x35x5xf32>, %b: tensor<3x5xf32>, %c: tensor<2x15x5xf32>) -> tensor<2x15x5xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x35x5xf32>, tensor<3x5xf32>) outs(%c : tensor<2x15x5xf32>) -> tensor<2x15x5xf32>
  return %0 : tensor<2x15x5xf32>
}
func.func @depthwise_conv_1d_ncw_cw(%a: tensor<2x5x35xf32>, %b: tensor<5x3xf32>, %c: tensor<2x5x15xf32>) -> tensor<2x5x15xf32> {
  %0 = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x5x35xf32>, tensor<5x3xf32>) outs(%c : tensor<2x5x15xf32>) -> tensor<2x5x15xf32>
  return %0 : tensor<2x5x15xf32>
}
func.func @depthwise_conv_1d_nwc_wcm(%a: tensor<2x35x5xf32>, %b: tensor<3x5x7xf32>, %c: tensor<2x15x5x7xf32>) -> tensor<2x15x5x7xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x35x5xf32>, tensor<3x5x7xf32>) outs(%c : tensor<2x15x5x7xf32>) -> tensor<2x15x5x7xf32>
  return %0 : tensor<2x15x5x7xf32>
}
func.func @depthwise_conv_2d_nhwc_hwc(%a: tensor<2x35x38x5xf32>, %b: tensor<3x4x5xf32>, %c: tensor<2x15x15x5xf32>) -> tensor<2x15x15x5xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x35x38x5xf32>, tensor<3x4x5xf32>) outs(%c : tensor<2x15x15x5xf32>) -> tensor<2x15x15x5xf32>
  return %0 : tensor<2x15x15x5xf32>
}
func.func @depthwise_conv_2d_nchw_chw(%a: tensor<2x5x35x38xf32>, %b: tensor<5x3x4xf32>, %c: tensor<2x5x15x15xf32>) -> tensor<2x5x15x15xf32> {
  %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x5x35x38xf32>, tensor<5x3x4xf32>) outs(%c : tensor<2x5x15x15xf32>) -> tensor<2x5x15x15xf32>
  return %0 : tensor<2x5x15x15xf32>
}
func.func @depthwise_conv_2d_nhwc_hwcm(%a: tensor<2x35x38x5xf32>, %b: tensor<3x4x5x7xf32>, %c: tensor<2x15x15x5x7xf32>) -> tensor<2x15x15x5x7xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x35x38x5xf32>, tensor<3x4x5x7xf32>) outs(%c : tensor<2x15x15x5x7xf32>) -> tensor<2x15x15x5x7xf32>
  return %0 : tensor<2x15x15x5x7xf32>
}
func.func @depthwise_conv_3d_ndhwc_dhwc(%a: tensor<2x32x35x38x5xf32>, %b: tensor<2x3x4x5xf32>, %c: tensor<2x15x15x15x5xf32>) -> tensor<2x15x15x15x5xf32> {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x32x35x38x5xf32>, tensor<2x3x4x5xf32>) outs(%c : tensor<2x15x15x15x5xf32>) -> tensor<2x15x15x15x5xf32>
  return %0 : tensor<2x15x15x15x5xf32>
}
func.func @depthwise_conv_3d_ncdhw_cdhw(%a: tensor<2x5x32x35x38xf32>, %b: tensor<5x2x3x4xf32>, %c: tensor<2x5x15x15x15xf32>) -> tensor<2x5x15x15x15xf32> {
  %0 = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x5x32x35x38xf32>, tensor<5x2x3x4xf32>) outs(%c : tensor<2x5x15x15x15xf32>) -> tensor<2x5x15x15x15xf32>
  return %0 : tensor<2x5x15x15x15xf32>
}
func.func @depthwise_conv_3d_ndhwc_dhwcm(%a: tensor<2x32x35x38x5xf32>, %b: tensor<2x3x4x5x7xf32>, %c: tensor<2x15x15x15x5x7xf32>) -> tensor<2x15x15x15x5x7xf32> {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x32x35x38x5xf32>, tensor<2x3x4x5x7xf32>) outs(%c : tensor<2x15x15x15x5x7xf32>) -> tensor<2x15x15x15x5x7xf32>
  return %0 : tensor<2x15x15x15x5x7xf32>
}
func.func @matmul(%a: tensor<5x6xf32>, %b: tensor<6x7xf32>, %c: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<5x6xf32>, tensor<6x7xf32>) outs(%c : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
func.func @batch_matmul(%a: tensor<2x5x6xf32>, %b: tensor<2x6x7xf32>, %c: tensor<2x5x7xf32>) -> tensor<2x5x7xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x5x6xf32>, tensor<2x6x7xf32>) outs(%c : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  return %0 : tensor<2x5x7xf32>
}
func.func @batch_reduce_matmul(%a: tensor<2x5x6xf32>, %b: tensor<2x6x7xf32>, %c: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x5x6xf32>, tensor<2x6x7xf32>) outs(%c : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
func.func @matvec(%a: tensor<5x6xf32>, %b: tensor<6xf32>, %c: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.matvec ins(%a, %b : tensor<5x6xf32>, tensor<6xf32>) outs(%c : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @vecmat(%a: tensor<6xf32>, %b: tensor<6x5xf32>, %c: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.vecmat ins(%a, %b : tensor<6xf32>, tensor<6x5xf32>) outs(%c : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @batch_matvec(%a: tensor<2x5x6xf32>, %b: tensor<2x6xf32>, %c: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %0 = linalg.batch_matvec ins(%a, %b : tensor<2x5x6xf32>, tensor<2x6xf32>) outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
func.func @batch_vecmat(%a: tensor<2x6xf32>, %b: tensor<2x6x5xf32>, %c: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %0 = linalg.batch_vecmat ins(%a, %b : tensor<2x6xf32>, tensor<2x6x5xf32>) outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
func.func @dot(%a: tensor<6xf32>, %b: tensor<6xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.dot ins(%a, %b : tensor<6xf32>, tensor<6xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @mmt4d(%a: tensor<2x3x4x5xf32>, %b: tensor<6x3x7x5xf32>, %c: tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32> {
  %0 = linalg.mmt4d ins(%a, %b : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%c : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
  return %0 : tensor<2x6x4x7xf32>
}
func.func @batch_mmt4d(%a: tensor<9x2x3x4x5xf32>, %b: tensor<9x6x3x7x5xf32>, %c: tensor<9x2x6x4x7xf32>) -> tensor<9x2x6x4x7xf32> {
  %0 = linalg.batch_mmt4d ins(%a, %b : tensor<9x2x3x4x5xf32>, tensor<9x6x3x7x5xf32>) outs(%c : tensor<9x2x6x4x7xf32>) -> tensor<9x2x6x4x7xf32>
  return %0 : tensor<9x2x6x4x7xf32>
}
