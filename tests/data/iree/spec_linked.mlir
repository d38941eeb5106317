#config = #iree_cpu.lowering_config<distribution = [128, 128, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16]>
#config1 = #iree_cpu.lowering_config<distribution = [32, 32, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16]>
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#translation = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>
#compilation = #iree_codegen.compilation_info<lowering_config = #config, translation_info = #translation>
#compilation1 = #iree_codegen.compilation_info<lowering_config = #config1, translation_info = #translation>
module attributes {transform.with_named_sequence} {
  module @a attributes {transform.with_named_sequence} {
    transform.named_sequence @apply_op_config(%arg0: !transform.any_op {transform.readonly}, %arg1: !transform.any_param {transform.readonly}) {
      transform.annotate %arg0 "compilation_info" = %arg1 : !transform.any_op, !transform.any_param
      transform.yield 
    }
    transform.named_sequence @match_matmul_512x512x512(%arg0: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
      %batch_dims, %m_dims, %n_dims, %k_dims = transform.iree.match.contraction %arg0, lhs_type = f32, rhs_type = f32, output_type = f32, indexing_maps = [#map, #map1, #map2] : !transform.any_op -> !transform.param<i64>
      transform.iree.match.dims_equal %batch_dims, [] : !transform.param<i64>
      transform.iree.match.dims_equal %m_dims, [512] : !transform.param<i64>
      transform.iree.match.dims_equal %n_dims, [512] : !transform.param<i64>
      transform.iree.match.dims_equal %k_dims, [512] : !transform.param<i64>
      %0 = transform.param.constant #compilation -> !transform.any_param
      transform.yield %arg0, %0 : !transform.any_op, !transform.any_param
    }
    transform.named_sequence @__kernel_config_1(%arg0: !transform.any_op {transform.consumed}) -> !transform.any_op attributes {iree_codegen.tuning_spec_entrypoint} {
      %updated_root = transform.foreach_match in %arg0 
          @match_matmul_512x512x512 -> @apply_op_config : (!transform.any_op) -> !transform.any_op
      transform.yield %updated_root : !transform.any_op
    }
  }
  module @b attributes {transform.with_named_sequence} {
    transform.named_sequence @apply_op_config(%arg0: !transform.any_op {transform.readonly}, %arg1: !transform.any_param {transform.readonly}) {
      transform.annotate %arg0 "compilation_info" = %arg1 : !transform.any_op, !transform.any_param
      transform.yield 
    }
    transform.named_sequence @match_matmul_512x512x512(%arg0: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
      %batch_dims, %m_dims, %n_dims, %k_dims = transform.iree.match.contraction %arg0, lhs_type = f32, rhs_type = f32, output_type = f32, indexing_maps = [#map, #map1, #map2] : !transform.any_op -> !transform.param<i64>
      transform.iree.match.dims_equal %batch_dims, [] : !transform.param<i64>
      transform.iree.match.dims_equal %m_dims, [512] : !transform.param<i64>
      transform.iree.match.dims_equal %n_dims, [512] : !transform.param<i64>
      transform.iree.match.dims_equal %k_dims, [512] : !transform.param<i64>
      %0 = transform.param.constant #compilation1 -> !transform.any_param
      transform.yield %arg0, %0 : !transform.any_op, !transform.any_param
    }
    transform.named_sequence @__kernel_config_2(%arg0: !transform.any_op {transform.consumed}) -> !transform.any_op attributes {iree_codegen.tuning_spec_entrypoint} {
      %updated_root = transform.foreach_match in %arg0 
          @match_matmul_512x512x512 -> @apply_op_config : (!transform.any_op) -> !transform.any_op
      transform.yield %updated_root : !transform.any_op
    }
  }
  transform.named_sequence @__kernel_config(%arg0: !transform.any_op {transform.consumed}) -> !transform.any_op attributes {iree_codegen.tuning_spec_entrypoint} {
    %0 = transform.include @a::@__kernel_config_1 failures(suppress) (%arg0) : (!transform.any_op) -> !transform.any_op
    %1 = transform.include @b::@__kernel_config_2 failures(suppress) (%0) : (!transform.any_op) -> !transform.any_op
    transform.yield %1 : !transform.any_op
  }
}

