module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
util.global private @__device_0 = #hal.device.target<"cuda", [#hal.executable.target<"cuda", "cuda-nvptx-fb", {iree_codegen.target_info = #iree_gpu.target<arch = "sm_80", features = "+ptx76", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<NV_MMA_SYNC_F32_16x8x16_F16>, <NV_MMA_SYNC_F16_16x8x16_F16>, <NV_MMA_SYNC_F32_16x8x16_BF16>, <NV_WMMA_F32_16x16x16_F16>, <NV_WMMA_F16_16x16x16_F16>], subgroup_size_choices = [32], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 166912, max_workgroup_counts = [2147483647, 65535, 65535]>>}>]> : !hal.device
hal.executable private @matmul_f16_dispatch_0 {
hal.executable.variant public @cuda_nvptx_fb target(<"cuda", "cuda-nvptx-fb", {iree_codegen.target_info = #iree_gpu.target<arch = "sm_80", features = "+ptx76", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<NV_MMA_SYNC_F32_16x8x16_F16>, <NV_MMA_SYNC_F16_16x8x16_F16>, <NV_MMA_SYNC_F32_16x8x16_BF16>, <NV_WMMA_F32_16x16x16_F16>, <NV_WMMA_F16_16x16x16_F16>], subgroup_size_choices = [32], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 166912, max_workgroup_counts = [2147483647, 65535, 65535]>>}>) {
hal.executable.export public @matmul_f16_dispatch_0_matmul_like_1024x1280x1280_f16xf16xf32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
%x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
hal.return %x, %y, %z : index, index, index
}
builtin.module {
func.func @matmul_f16_dispatch_0_matmul_like_1024x1280x1280_f16xf16xf32() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [128, 1, 1] subgroup_size = 32, {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2, no_reduce_shared_memory_bank_conflicts = false, use_igemm_convolution = false>}>} {
%cst = arith.constant 0.000000e+00 : f32
%c0 = arith.constant 0 : index
%0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<1024x1280xf16, #hal.descriptor_type<storage_buffer>>
%1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<1280x1280xf16, #hal.descriptor_type<storage_buffer>>
%2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(Indirect) : memref<1024x1280xf32, #hal.descriptor_type<storage_buffer>>
%3 = iree_codegen.load_from_buffer %0 : memref<1024x1280xf16, #hal.descriptor_type<storage_buffer>> -> tensor<1024x1280xf16>
%4 = iree_codegen.load_from_buffer %1 : memref<1280x1280xf16, #hal.descriptor_type<storage_buffer>> -> tensor<1280x1280xf16>
%5 = tensor.empty() : tensor<1024x1280xf32>
%6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<1024x1280xf32>) -> tensor<1024x1280xf32>
%7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3, %4 : tensor<1024x1280xf16>, tensor<1280x1280xf16>) outs(%6 : tensor<1024x1280xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{convert_acc_gemm, mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 8], subgroup = [2, 4, 0], workgroup = [64, 64, 0]}>, root_op = #iree_codegen.root_op<set = 0>} {
^bb0(%in: f16, %in_9: f16, %out: f32):
%8 = arith.extf %in : f16 to f32
%9 = arith.extf %in_9 : f16 to f32
%10 = arith.mulf %8, %9 : f32
%11 = arith.addf %out, %10 : f32
linalg.yield %11 : f32
} -> tensor<1024x1280xf32>
%c0_0 = arith.constant 0 : index
%c1024 = arith.constant 1024 : index
%c0_1 = arith.constant 0 : index
%c1280 = arith.constant 1280 : index
%c1 = arith.constant 1 : index
%c1280_2 = arith.constant 1280 : index
iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_gpu.pipeline<TileAndFuse>, 
knobs = {gpu_pipeline_options = {no_reduce_shared_memory_bank_conflicts = false, prefetch_num_stages = #iree_codegen.smt.int_knob<"prefetch_num_stages">, use_igemm_convolution = false}, mma_kind = #iree_codegen.smt.one_of_knob<"mma_idx", [#iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>]>, promote_operands = [0, 1], reduction = [0, 0, #iree_codegen.smt.int_knob<"red_2">], subgroup = [#iree_codegen.smt.int_knob<"sg_0">, #iree_codegen.smt.int_knob<"sg_1">, 0], subgroup_size = #iree_codegen.smt.int_knob<"sg_size">, workgroup = [#iree_codegen.smt.int_knob<"wg_0">, #iree_codegen.smt.int_knob<"wg_1">, 0], workgroup_size = [#iree_codegen.smt.int_knob<"wg_size_x">, #iree_codegen.smt.int_knob<"wg_size_y">, #iree_codegen.smt.int_knob<"wg_size_z">]}
dims(%c1024, %c1280, %c1280_2) {
^bb0(%arg0: !smt.int, %arg1: !smt.int, %arg2: !smt.int):
%c1024_9 = smt.int.constant 1024
%8 = smt.eq %arg0, %c1024_9 : !smt.int
iree_codegen.smt.assert %8, "dim_0 ({}) == 1024", %arg0 : !smt.bool, !smt.int
%c1280_10 = smt.int.constant 1280
%9 = smt.eq %arg1, %c1280_10 : !smt.int
iree_codegen.smt.assert %9, "dim_1 ({}) == 1280", %arg1 : !smt.bool, !smt.int
%c1280_11 = smt.int.constant 1280
%10 = smt.eq %arg2, %c1280_11 : !smt.int
iree_codegen.smt.assert %10, "dim_2 ({}) == 1280", %arg2 : !smt.bool, !smt.int
%c32 = smt.int.constant 32
%c1024_12 = smt.int.constant 1024
%c166912 = smt.int.constant 166912
%c512 = smt.int.constant 512
%11 = iree_codegen.smt.knob "wg_0" : !smt.int
%12 = iree_codegen.smt.knob "wg_1" : !smt.int
%13 = iree_codegen.smt.knob "sg_0" : !smt.int
%14 = iree_codegen.smt.knob "sg_1" : !smt.int
%15 = iree_codegen.smt.knob "red_2" : !smt.int
%16 = iree_codegen.smt.knob "sg_size" : !smt.int
%17 = iree_codegen.smt.knob "wg_size_x" : !smt.int
%18 = iree_codegen.smt.knob "wg_size_y" : !smt.int
%19 = iree_codegen.smt.knob "wg_size_z" : !smt.int
%20 = iree_codegen.smt.knob "prefetch_num_stages" : !smt.int
%21 = iree_codegen.smt.knob "mma_idx" : !smt.int
%c0_13 = smt.int.constant 0
%c0_14 = smt.int.constant 0
%22 = smt.int.cmp ge %21, %c0_13
iree_codegen.smt.assert %22, "mma_idx >= 0" : !smt.bool
%23 = smt.int.cmp le %21, %c0_14
iree_codegen.smt.assert %23, "mma_idx <= 0" : !smt.bool
%24 = iree_codegen.smt.lookup %21 [0] -> [16] : !smt.int
%25 = iree_codegen.smt.lookup %21 [0] -> [8] : !smt.int
%26 = iree_codegen.smt.lookup %21 [0] -> [16] : !smt.int
%c1_15 = smt.int.constant 1
%27 = smt.int.mul %c1_15, %11
%c1_16 = smt.int.constant 1
%28 = smt.int.mul %c1_16, %12
%c1_17 = smt.int.constant 1
%29 = smt.int.mul %c1_17, %13
%c1_18 = smt.int.constant 1
%30 = smt.int.mul %c1_18, %14
%31 = smt.int.mul %29, %24
%32 = smt.int.mul %30, %25
%sg_m_cnt = smt.declare_fun "sg_m_cnt" : !smt.int
%sg_n_cnt = smt.declare_fun "sg_n_cnt" : !smt.int
%33 = smt.int.mul %sg_m_cnt, %sg_n_cnt
%34 = smt.int.mul %33, %16
%35 = smt.int.mul %15, %26
%c1_19 = smt.int.constant 1
%36 = smt.int.sub %24, %c1_19
%37 = smt.int.add %arg0, %36
%38 = smt.int.div %37, %24
%39 = smt.int.mul %38, %24
%c1_20 = smt.int.constant 1
%40 = smt.int.sub %25, %c1_20
%41 = smt.int.add %arg1, %40
%42 = smt.int.div %41, %25
%43 = smt.int.mul %42, %25
%c1_21 = smt.int.constant 1
%44 = smt.int.sub %26, %c1_21
%45 = smt.int.add %arg2, %44
%46 = smt.int.div %45, %26
%47 = smt.int.mul %46, %26
%48 = smt.eq %16, %c32 : !smt.int
iree_codegen.smt.assert %48, "sg_size == preferred_subgroup_size" : !smt.bool
%c0_22 = smt.int.constant 0
%49 = smt.int.mod %39, %11
%50 = smt.eq %49, %c0_22 : !smt.int
iree_codegen.smt.assert %50, "dim_0 must be divisible by wg_0 ({} % {} == 0)", %39, %11 : !smt.bool, !smt.int, !smt.int
%c1_23 = smt.int.constant 1
%51 = smt.int.cmp ge %11, %c1_23
iree_codegen.smt.assert %51, "wg_0 >= 1" : !smt.bool
%52 = smt.int.cmp le %11, %39
iree_codegen.smt.assert %52, "wg_0 <= dim_0" : !smt.bool
%c0_24 = smt.int.constant 0
%53 = smt.int.mod %11, %13
%54 = smt.eq %53, %c0_24 : !smt.int
iree_codegen.smt.assert %54, "wg_0 must be divisible by sg_0 ({} % {} == 0)", %11, %13 : !smt.bool, !smt.int, !smt.int
%c0_25 = smt.int.constant 0
%55 = smt.int.mod %43, %12
%56 = smt.eq %55, %c0_25 : !smt.int
iree_codegen.smt.assert %56, "dim_1 must be divisible by wg_1 ({} % {} == 0)", %43, %12 : !smt.bool, !smt.int, !smt.int
%c1_26 = smt.int.constant 1
%57 = smt.int.cmp ge %12, %c1_26
iree_codegen.smt.assert %57, "wg_1 >= 1" : !smt.bool
%58 = smt.int.cmp le %12, %43
iree_codegen.smt.assert %58, "wg_1 <= dim_1" : !smt.bool
%c0_27 = smt.int.constant 0
%59 = smt.int.mod %12, %14
%60 = smt.eq %59, %c0_27 : !smt.int
iree_codegen.smt.assert %60, "wg_1 must be divisible by sg_1 ({} % {} == 0)", %12, %14 : !smt.bool, !smt.int, !smt.int
%61 = smt.int.cmp ge %11, %24
iree_codegen.smt.assert %61, "wg_0 >= mma_m" : !smt.bool
%62 = smt.int.cmp ge %12, %25
iree_codegen.smt.assert %62, "wg_1 >= mma_n" : !smt.bool
%c0_28 = smt.int.constant 0
%63 = smt.int.mod %11, %24
%64 = smt.eq %63, %c0_28 : !smt.int
iree_codegen.smt.assert %64, "wg_0 must be divisible by mma_m ({} % {} == 0)", %11, %24 : !smt.bool, !smt.int, !smt.int
%c0_29 = smt.int.constant 0
%65 = smt.int.mod %12, %25
%66 = smt.eq %65, %c0_29 : !smt.int
iree_codegen.smt.assert %66, "wg_1 must be divisible by mma_n ({} % {} == 0)", %12, %25 : !smt.bool, !smt.int, !smt.int
%67 = smt.int.mul %13, %24
%68 = smt.int.mul %14, %25
%c0_30 = smt.int.constant 0
%69 = smt.int.mod %11, %67
%70 = smt.eq %69, %c0_30 : !smt.int
iree_codegen.smt.assert %70, "wg_0 must be divisible by sg_0 * mma_m ({} % {} == 0)", %11, %67 : !smt.bool, !smt.int, !smt.int
%c0_31 = smt.int.constant 0
%71 = smt.int.mod %12, %68
%72 = smt.eq %71, %c0_31 : !smt.int
iree_codegen.smt.assert %72, "wg_1 must be divisible by sg_1 * mma_n ({} % {} == 0)", %12, %68 : !smt.bool, !smt.int, !smt.int
%73 = smt.int.cmp le %27, %c512
iree_codegen.smt.assert %73, "prod(wg_m) <= 512 (max_vgprs)" : !smt.bool
%74 = smt.int.cmp le %28, %c512
iree_codegen.smt.assert %74, "prod(wg_n) <= 512 (max_vgprs)" : !smt.bool
%c0_32 = smt.int.constant 0
%75 = smt.int.mod %27, %31
%76 = smt.eq %75, %c0_32 : !smt.int
iree_codegen.smt.assert %76, "prod(wg_m) must be divisible by prod(sg_m) * mma_m ({} % {} == 0)", %27, %31 : !smt.bool, !smt.int, !smt.int
%c0_33 = smt.int.constant 0
%77 = smt.int.mod %28, %32
%78 = smt.eq %77, %c0_33 : !smt.int
iree_codegen.smt.assert %78, "prod(wg_n) must be divisible by prod(sg_n) * mma_n ({} % {} == 0)", %28, %32 : !smt.bool, !smt.int, !smt.int
%79 = smt.int.mul %29, %sg_m_cnt, %24
%80 = smt.int.mul %30, %sg_n_cnt, %25
%81 = smt.eq %27, %79 : !smt.int
%82 = smt.eq %28, %80 : !smt.int
iree_codegen.smt.assert %81, "prod(wg_m) == prod(sg_m) * sg_m_cnt * mma_m" : !smt.bool
iree_codegen.smt.assert %82, "prod(wg_n) == prod(sg_n) * sg_n_cnt * mma_n" : !smt.bool
%c1_34 = smt.int.constant 1
%83 = smt.int.cmp ge %15, %c1_34
iree_codegen.smt.assert %83, "red_2 >= 1" : !smt.bool
%c0_35 = smt.int.constant 0
%84 = smt.int.mod %47, %35
%85 = smt.eq %84, %c0_35 : !smt.int
iree_codegen.smt.assert %85, "aligned inner k dim dim_2 must be divisible by red_2 * mma_k ({} % {} == 0)", %47, %35 : !smt.bool, !smt.int, !smt.int
%86 = smt.int.cmp le %35, %c512
iree_codegen.smt.assert %86, "red_2 * mma_k <= 512 (max_vgprs)" : !smt.bool
%87 = smt.int.cmp le %35, %47
iree_codegen.smt.assert %87, "red_2 * mma_k <= aligned k dim" : !smt.bool
%c1_36 = smt.int.constant 1
%88 = smt.int.cmp ge %13, %c1_36
iree_codegen.smt.assert %88, "sg_0 >= 1" : !smt.bool
%c1_37 = smt.int.constant 1
%89 = smt.int.cmp ge %14, %c1_37
iree_codegen.smt.assert %89, "sg_1 >= 1" : !smt.bool
%c1_38 = smt.int.constant 1
%c32_39 = smt.int.constant 32
%90 = smt.int.cmp ge %sg_m_cnt, %c1_38
iree_codegen.smt.assert %90, "sg_m_cnt >= 1" : !smt.bool
%91 = smt.int.cmp le %sg_m_cnt, %c32_39
iree_codegen.smt.assert %91, "sg_m_cnt <= 32" : !smt.bool
%c1_40 = smt.int.constant 1
%c32_41 = smt.int.constant 32
%92 = smt.int.cmp ge %sg_n_cnt, %c1_40
iree_codegen.smt.assert %92, "sg_n_cnt >= 1" : !smt.bool
%93 = smt.int.cmp le %sg_n_cnt, %c32_41
iree_codegen.smt.assert %93, "sg_n_cnt <= 32" : !smt.bool
%c1_42 = smt.int.constant 1
%c10 = smt.int.constant 10
%94 = smt.int.cmp ge %33, %c1_42
iree_codegen.smt.assert %94, "sg_num >= 1" : !smt.bool
%95 = smt.int.cmp le %33, %c10
iree_codegen.smt.assert %95, "sg_num <= 10" : !smt.bool
%96 = smt.int.cmp le %34, %c1024_12
iree_codegen.smt.assert %96, "total_threads <= max_threads" : !smt.bool
%c2 = smt.int.constant 2
%c2_43 = smt.int.constant 2
%97 = smt.int.mul %c2, %27, %35
%98 = smt.int.mul %c2_43, %28, %35
%99 = smt.int.add %97, %98
%100 = smt.int.cmp le %99, %c166912
iree_codegen.smt.assert %100, "shared memory must fit in workgroup memory" : !smt.bool
%101 = smt.eq %17, %34 : !smt.int
iree_codegen.smt.assert %101, "wg_size_x == total_threads" : !smt.bool
%c1_44 = smt.int.constant 1
%102 = smt.eq %18, %c1_44 : !smt.int
iree_codegen.smt.assert %102, "wg_size_y == 1" : !smt.bool
%c1_45 = smt.int.constant 1
%103 = smt.eq %19, %c1_45 : !smt.int
iree_codegen.smt.assert %103, "wg_size_z == 1" : !smt.bool
%c2_46 = smt.int.constant 2
%104 = smt.eq %20, %c2_46 : !smt.int
iree_codegen.smt.assert %104, "prefetch_num_stages == 2 (use_igemm_convolution=false)" : !smt.bool
}
%c0_3 = arith.constant 0 : index
%c1024_4 = arith.constant 1024 : index
%c0_5 = arith.constant 0 : index
%c1280_6 = arith.constant 1280 : index
%c1_7 = arith.constant 1 : index
%c1280_8 = arith.constant 1280 : index
iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_gpu.pipeline<VectorDistribute>, 
knobs = {gpu_pipeline_options = {no_reduce_shared_memory_bank_conflicts = false, prefetch_num_stages = #iree_codegen.smt.int_knob<"prefetch_num_stages">, use_igemm_convolution = false}, mma_kind = #iree_codegen.smt.one_of_knob<"mma_idx", [#iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>]>, promote_operands = [0, 1], promotion_types = [#iree_gpu.derived_thread_config, #iree_gpu.derived_thread_config], reduction = [0, 0, #iree_codegen.smt.int_knob<"red_2">], subgroup_basis = [[#iree_codegen.smt.int_knob<"sg_m_cnt">, #iree_codegen.smt.int_knob<"sg_n_cnt">, 1], [0, 1, 2]], subgroup_size = #iree_codegen.smt.int_knob<"sg_size">, workgroup = [#iree_codegen.smt.int_knob<"wg_0">, #iree_codegen.smt.int_knob<"wg_1">, 0], workgroup_size = [#iree_codegen.smt.int_knob<"wg_size_x">, #iree_codegen.smt.int_knob<"wg_size_y">, #iree_codegen.smt.int_knob<"wg_size_z">]}
dims(%c1024_4, %c1280_6, %c1280_8) {
^bb0(%arg0: !smt.int, %arg1: !smt.int, %arg2: !smt.int):
%c1024_9 = smt.int.constant 1024
%8 = smt.eq %arg0, %c1024_9 : !smt.int
iree_codegen.smt.assert %8, "dim_0 ({}) == 1024", %arg0 : !smt.bool, !smt.int
%c1280_10 = smt.int.constant 1280
%9 = smt.eq %arg1, %c1280_10 : !smt.int
iree_codegen.smt.assert %9, "dim_1 ({}) == 1280", %arg1 : !smt.bool, !smt.int
%c1280_11 = smt.int.constant 1280
%10 = smt.eq %arg2, %c1280_11 : !smt.int
iree_codegen.smt.assert %10, "dim_2 ({}) == 1280", %arg2 : !smt.bool, !smt.int
%c32 = smt.int.constant 32
%c1024_12 = smt.int.constant 1024
%c166912 = smt.int.constant 166912
%c512 = smt.int.constant 512
%11 = iree_codegen.smt.knob "wg_0" : !smt.int
%12 = iree_codegen.smt.knob "wg_1" : !smt.int
%13 = iree_codegen.smt.knob "red_2" : !smt.int
%14 = iree_codegen.smt.knob "sg_m_cnt" : !smt.int
%15 = iree_codegen.smt.knob "sg_n_cnt" : !smt.int
%16 = iree_codegen.smt.knob "sg_size" : !smt.int
%17 = iree_codegen.smt.knob "wg_size_x" : !smt.int
%18 = iree_codegen.smt.knob "wg_size_y" : !smt.int
%19 = iree_codegen.smt.knob "wg_size_z" : !smt.int
%20 = iree_codegen.smt.knob "prefetch_num_stages" : !smt.int
%21 = iree_codegen.smt.knob "mma_idx" : !smt.int
%c0_13 = smt.int.constant 0
%c0_14 = smt.int.constant 0
%22 = smt.int.cmp ge %21, %c0_13
iree_codegen.smt.assert %22, "mma_idx >= 0" : !smt.bool
%23 = smt.int.cmp le %21, %c0_14
iree_codegen.smt.assert %23, "mma_idx <= 0" : !smt.bool
%24 = iree_codegen.smt.lookup %21 [0] -> [16] : !smt.int
%25 = iree_codegen.smt.lookup %21 [0] -> [8] : !smt.int
%26 = iree_codegen.smt.lookup %21 [0] -> [16] : !smt.int
%27 = smt.int.mul %14, %15
%28 = smt.int.mul %14, %24
%29 = smt.int.div %11, %28
%30 = smt.int.mul %15, %25
%31 = smt.int.div %12, %30
%32 = smt.int.div %13, %26
%33 = smt.eq %16, %c32 : !smt.int
iree_codegen.smt.assert %33, "sg_size == preferred_subgroup_size" : !smt.bool
%c0_15 = smt.int.constant 0
%34 = smt.int.mod %arg0, %11
%35 = smt.eq %34, %c0_15 : !smt.int
iree_codegen.smt.assert %35, "dim_0 must be divisible by wg_0 ({} % {} == 0)", %arg0, %11 : !smt.bool, !smt.int, !smt.int
%c0_16 = smt.int.constant 0
%36 = smt.int.mod %arg1, %12
%37 = smt.eq %36, %c0_16 : !smt.int
iree_codegen.smt.assert %37, "dim_1 must be divisible by wg_1 ({} % {} == 0)", %arg1, %12 : !smt.bool, !smt.int, !smt.int
%c0_17 = smt.int.constant 0
%38 = smt.int.mod %arg2, %13
%39 = smt.eq %38, %c0_17 : !smt.int
iree_codegen.smt.assert %39, "dim_2 must be divisible by red_2 ({} % {} == 0)", %arg2, %13 : !smt.bool, !smt.int, !smt.int
%40 = smt.int.cmp ge %11, %24
iree_codegen.smt.assert %40, "wg_0 >= mma_m" : !smt.bool
%41 = smt.int.cmp le %11, %arg0
iree_codegen.smt.assert %41, "wg_0 <= dim_0" : !smt.bool
%42 = smt.int.cmp ge %12, %25
iree_codegen.smt.assert %42, "wg_1 >= mma_n" : !smt.bool
%43 = smt.int.cmp le %12, %arg1
iree_codegen.smt.assert %43, "wg_1 <= dim_1" : !smt.bool
%44 = smt.int.cmp ge %13, %26
iree_codegen.smt.assert %44, "red_2 >= mma_k" : !smt.bool
%45 = smt.int.cmp le %13, %arg2
iree_codegen.smt.assert %45, "red_2 <= dim_2" : !smt.bool
%46 = smt.int.cmp le %11, %c512
iree_codegen.smt.assert %46, "wg_0 <= 512 (max VGPRs)" : !smt.bool
%47 = smt.int.cmp le %12, %c512
iree_codegen.smt.assert %47, "wg_1 <= 512 (max VGPRs)" : !smt.bool
%48 = smt.int.cmp le %13, %c512
iree_codegen.smt.assert %48, "red_2 <= 512 (max VGPRs)" : !smt.bool
%c0_18 = smt.int.constant 0
%49 = smt.int.mod %11, %24
%50 = smt.eq %49, %c0_18 : !smt.int
iree_codegen.smt.assert %50, "wg_0 must be divisible by mma_m ({} % {} == 0)", %11, %24 : !smt.bool, !smt.int, !smt.int
%c0_19 = smt.int.constant 0
%51 = smt.int.mod %12, %25
%52 = smt.eq %51, %c0_19 : !smt.int
iree_codegen.smt.assert %52, "wg_1 must be divisible by mma_n ({} % {} == 0)", %12, %25 : !smt.bool, !smt.int, !smt.int
%c0_20 = smt.int.constant 0
%53 = smt.int.mod %13, %26
%54 = smt.eq %53, %c0_20 : !smt.int
iree_codegen.smt.assert %54, "red_2 must be divisible by mma_k ({} % {} == 0)", %13, %26 : !smt.bool, !smt.int, !smt.int
%55 = smt.int.mul %14, %24, %29
%56 = smt.int.mul %15, %25, %31
%57 = smt.int.mul %26, %32
%c0_21 = smt.int.constant 0
%58 = smt.int.mod %11, %55
%59 = smt.eq %58, %c0_21 : !smt.int
iree_codegen.smt.assert %59, "wg_0 must be divisible by (sg_m_cnt * mma_m * sg_m) ({} % {} == 0)", %11, %55 : !smt.bool, !smt.int, !smt.int
%c0_22 = smt.int.constant 0
%60 = smt.int.mod %12, %56
%61 = smt.eq %60, %c0_22 : !smt.int
iree_codegen.smt.assert %61, "wg_1 must be divisible by (sg_n_cnt * mma_n * sg_n) ({} % {} == 0)", %12, %56 : !smt.bool, !smt.int, !smt.int
%c0_23 = smt.int.constant 0
%62 = smt.int.mod %13, %57
%63 = smt.eq %62, %c0_23 : !smt.int
iree_codegen.smt.assert %63, "red_2 must be divisible by (mma_k * sg_k) ({} % {} == 0)", %13, %57 : !smt.bool, !smt.int, !smt.int
%c1_24 = smt.int.constant 1
%c32_25 = smt.int.constant 32
%64 = smt.int.cmp ge %14, %c1_24
iree_codegen.smt.assert %64, "sg_m_cnt >= 1" : !smt.bool
%65 = smt.int.cmp le %14, %c32_25
iree_codegen.smt.assert %65, "sg_m_cnt <= 32" : !smt.bool
%66 = smt.int.cmp ge %15, %c1_24
iree_codegen.smt.assert %66, "sg_n_cnt >= 1" : !smt.bool
%67 = smt.int.cmp le %15, %c32_25
iree_codegen.smt.assert %67, "sg_n_cnt <= 32" : !smt.bool
%68 = smt.int.cmp ge %29, %c1_24
iree_codegen.smt.assert %68, "sg_m >= 1" : !smt.bool
%69 = smt.int.cmp le %29, %c32_25
iree_codegen.smt.assert %69, "sg_m <= 32" : !smt.bool
%70 = smt.int.cmp ge %31, %c1_24
iree_codegen.smt.assert %70, "sg_n >= 1" : !smt.bool
%71 = smt.int.cmp le %31, %c32_25
iree_codegen.smt.assert %71, "sg_n <= 32" : !smt.bool
%72 = smt.int.cmp ge %32, %c1_24
iree_codegen.smt.assert %72, "sg_k >= 1" : !smt.bool
%73 = smt.int.cmp le %32, %c32_25
iree_codegen.smt.assert %73, "sg_k <= 32" : !smt.bool
%74 = smt.int.mul %14, %15
%75 = smt.eq %74, %27 : !smt.int
iree_codegen.smt.assert %75, "sg_m_cnt * sg_n_cnt == sg_num" : !smt.bool
%c1_26 = smt.int.constant 1
%c10 = smt.int.constant 10
%76 = smt.int.cmp ge %27, %c1_26
iree_codegen.smt.assert %76, "sg_num >= 1" : !smt.bool
%77 = smt.int.cmp le %27, %c10
iree_codegen.smt.assert %77, "sg_num <= 10" : !smt.bool
%78 = smt.int.mul %14, %15, %16
%79 = smt.int.cmp le %78, %c1024_12
iree_codegen.smt.assert %79, "total_threads <= max_threads" : !smt.bool
%80 = smt.int.mul %13, %11
%81 = smt.int.mul %14, %15, %16
%c0_27 = smt.int.constant 0
%82 = smt.int.mod %80, %81
%83 = smt.eq %82, %c0_27 : !smt.int
iree_codegen.smt.assert %83, "lhs_tile_elements must be divisible by thread_count ({} % {} == 0)", %80, %81 : !smt.bool, !smt.int, !smt.int
%84 = smt.int.mul %13, %12
%85 = smt.int.mul %14, %15, %16
%c0_28 = smt.int.constant 0
%86 = smt.int.mod %84, %85
%87 = smt.eq %86, %c0_28 : !smt.int
iree_codegen.smt.assert %87, "rhs_tile_elements must be divisible by thread_count ({} % {} == 0)", %84, %85 : !smt.bool, !smt.int, !smt.int
%c2 = smt.int.constant 2
%c2_29 = smt.int.constant 2
%88 = smt.int.mul %c2, %11, %13
%89 = smt.int.mul %c2_29, %12, %13
%90 = smt.int.add %88, %89
%91 = smt.int.cmp le %90, %c166912
iree_codegen.smt.assert %91, "shared memory must fit in workgroup memory" : !smt.bool
%92 = smt.eq %17, %78 : !smt.int
iree_codegen.smt.assert %92, "wg_size_x == total_threads" : !smt.bool
%c1_30 = smt.int.constant 1
%93 = smt.eq %18, %c1_30 : !smt.int
iree_codegen.smt.assert %93, "wg_size_y == 1" : !smt.bool
%c1_31 = smt.int.constant 1
%94 = smt.eq %19, %c1_31 : !smt.int
iree_codegen.smt.assert %94, "wg_size_z == 1" : !smt.bool
%95 = smt.int.cmp le %17, %11
%96 = smt.int.cmp le %17, %12
%97 = smt.or %95, %96
iree_codegen.smt.assert %97, "wg_size_x <= wg_m OR wg_size_x <= wg_n" : !smt.bool
%c0_32 = smt.int.constant 0
%98 = smt.int.mod %13, %24
%99 = smt.eq %98, %c0_32 : !smt.int
iree_codegen.smt.assert %99, "red_2 must be divisible by mma_m ({} % {} == 0)", %13, %24 : !smt.bool, !smt.int, !smt.int
%c2_33 = smt.int.constant 2
%100 = smt.eq %20, %c2_33 : !smt.int
iree_codegen.smt.assert %100, "prefetch_num_stages == 2" : !smt.bool
}
iree_codegen.store_to_buffer %7, %2 : tensor<1024x1280xf32> into memref<1024x1280xf32, #hal.descriptor_type<storage_buffer>>
return
}
iree_codegen.dispatch_config @matmul_f16_dispatch_0_matmul_like_1024x1280x1280_f16xf16xf32 {
^bb0(%arg0: !hal.device):
%x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
iree_codegen.yield %x, %y, %z : index, index, index
}
}
}
}
util.func public @matmul_f16(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @matmul_f16(%input0: tensor<1024x1280xf16>, %input1: tensor<1280x1280xf16>) -> (%output0: tensor<1024x1280xf32>)"}} {
%c0 = arith.constant 0 : index
%c5242880 = arith.constant 5242880 : index
%c3276800 = arith.constant 3276800 : index
%c2621440 = arith.constant 2621440 : index
%c1280 = arith.constant 1280 : index
%c1024 = arith.constant 1024 : index
%element_type_f16 = hal.element_type<f16> : i32
%dense_row_major = hal.encoding_type<dense_row_major> : i32
hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c1024, %c1280]) type(%element_type_f16) encoding(%dense_row_major)
%0 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg0 : !hal.buffer_view -> tensor<1024x1280xf16> in !stream.resource<external>{%c2621440}
hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c1280, %c1280]) type(%element_type_f16) encoding(%dense_row_major)
%1 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg1 : !hal.buffer_view -> tensor<1280x1280xf16> in !stream.resource<external>{%c3276800}
%result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) : !stream.resource<external>{%c5242880} => !stream.timepoint
%2 = stream.cmd.execute on(#hal.device.affinity<@__device_0>) await(%result_timepoint) => with(%0 as %arg2: !stream.resource<external>{%c2621440}, %1 as %arg3: !stream.resource<external>{%c3276800}, %result as %arg4: !stream.resource<external>{%c5242880}) {
stream.cmd.dispatch @matmul_f16_dispatch_0::@cuda_nvptx_fb::@matmul_f16_dispatch_0_matmul_like_1024x1280x1280_f16xf16xf32 {
ro %arg2[%c0 for %c2621440] : !stream.resource<external>{%c2621440},
ro %arg3[%c0 for %c3276800] : !stream.resource<external>{%c3276800},
wo %arg4[%c0 for %c5242880] : !stream.resource<external>{%c5242880}
}
} => !stream.timepoint
%3 = stream.timepoint.await %2 => %result : !stream.resource<external>{%c5242880}
%4 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %3 : tensor<1024x1280xf32> in !stream.resource<external>{%c5242880} -> !hal.buffer_view
util.return %4 : !hal.buffer_view
}
}