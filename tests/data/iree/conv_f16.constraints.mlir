module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
util.global private @__device_0 = #hal.device.target<"hip", [#hal.executable.target<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, iree_codegen.default_tuning_spec = #rocm.builtin.tuning_module<"iree_default_tuning_spec_gfx942.mlir">, iree_codegen.target_info = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x16_BF16>, <MFMA_F32_32x32x8_BF16>, <MFMA_F32_16x16x32_F8E5M2FNUZ>, <MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_I32_16x16x32_I8>, <MFMA_I32_32x32x16_I8>, <MFMA_F64_16x16x4_F64>, <MFMA_F32_16x16x4_F32>, <MFMA_F32_16x16x16_F16>, <MFMA_F32_32x32x8_F16>, <MFMA_F32_4x4x4x16B_F16>, <MFMA_F32_16x16x4x4B_F16>, <MFMA_F32_32x32x4x2B_F16>, <MFMA_F32_4x4x4x16B_BF16>, <MFMA_F32_16x16x4x4B_BF16>, <MFMA_F32_32x32x4x2B_BF16>, <MFMA_F32_4x4x1x16B_F32>, <MFMA_F32_16x16x1x4B_F32>, <MFMA_F32_32x32x1x2B_F32>, <MFMA_F64_4x4x4x4B_F64>, <MFMA_I32_4x4x4x16B_I8>, <MFMA_I32_16x16x4x4B_I8>, <MFMA_I32_32x32x4x2B_I8>], subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, 2147483647], max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 16384, dma_sizes = [32], workgroup_memory_bank_count = 32>>, ukernels = "none"}>]> : !hal.device
hal.executable private @conv_f16_dispatch_0 {
hal.executable.variant public @rocm_hsaco_fb target(<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, iree_codegen.default_tuning_spec = #rocm.builtin.tuning_module<"iree_default_tuning_spec_gfx942.mlir">, iree_codegen.target_info = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x16_BF16>, <MFMA_F32_32x32x8_BF16>, <MFMA_F32_16x16x32_F8E5M2FNUZ>, <MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_I32_16x16x32_I8>, <MFMA_I32_32x32x16_I8>, <MFMA_F64_16x16x4_F64>, <MFMA_F32_16x16x4_F32>, <MFMA_F32_16x16x16_F16>, <MFMA_F32_32x32x8_F16>, <MFMA_F32_4x4x4x16B_F16>, <MFMA_F32_16x16x4x4B_F16>, <MFMA_F32_32x32x4x2B_F16>, <MFMA_F32_4x4x4x16B_BF16>, <MFMA_F32_16x16x4x4B_BF16>, <MFMA_F32_32x32x4x2B_BF16>, <MFMA_F32_4x4x1x16B_F32>, <MFMA_F32_16x16x1x4B_F32>, <MFMA_F32_32x32x1x2B_F32>, <MFMA_F64_4x4x4x4B_F64>, <MFMA_I32_4x4x4x16B_I8>, <MFMA_I32_16x16x4x4B_I8>, <MFMA_I32_32x32x4x2B_I8>], subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, 2147483647], max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 16384, dma_sizes = [32], workgroup_memory_bank_count = 32>>, ukernels = "none"}>) {
hal.executable.export public @conv_f16_dispatch_0_conv_2x32x32x640x3x3x640_f16xf16xf32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
%x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
hal.return %x, %y, %z : index, index, index
}
builtin.module {
func.func @conv_f16_dispatch_0_conv_2x32x32x640x3x3x640_f16xf16xf32() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [512, 1, 1] subgroup_size = 64, {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2, no_reduce_shared_memory_bank_conflicts = false, use_igemm_convolution = true>}>} {
%cst = arith.constant 0.000000e+00 : f32
%c0 = arith.constant 0 : index
%0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<2x34x34x640xf16, #hal.descriptor_type<storage_buffer>>
%1 = amdgpu.fat_raw_buffer_cast %0 resetOffset : memref<2x34x34x640xf16, #hal.descriptor_type<storage_buffer>> to memref<2x34x34x640xf16, #amdgpu.address_space<fat_raw_buffer>>
%2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<3x3x640x640xf16, #hal.descriptor_type<storage_buffer>>
%3 = amdgpu.fat_raw_buffer_cast %2 resetOffset : memref<3x3x640x640xf16, #hal.descriptor_type<storage_buffer>> to memref<3x3x640x640xf16, #amdgpu.address_space<fat_raw_buffer>>
%4 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(Indirect) : memref<2x32x32x640xf32, #hal.descriptor_type<storage_buffer>>
%5 = amdgpu.fat_raw_buffer_cast %4 resetOffset : memref<2x32x32x640xf32, #hal.descriptor_type<storage_buffer>> to memref<2x32x32x640xf32, #amdgpu.address_space<fat_raw_buffer>>
%6 = iree_codegen.load_from_buffer %1 : memref<2x34x34x640xf16, #amdgpu.address_space<fat_raw_buffer>> -> tensor<2x34x34x640xf16>
%7 = iree_codegen.load_from_buffer %3 : memref<3x3x640x640xf16, #amdgpu.address_space<fat_raw_buffer>> -> tensor<3x3x640x640xf16>
%8 = tensor.empty() : tensor<2x32x32x640xf32>
%9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x32x32x640xf32>) -> tensor<2x32x32x640xf32>
%10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%6, %7 : tensor<2x34x34x640xf16>, tensor<3x3x640x640xf16>) outs(%9 : tensor<2x32x32x640xf32>) attrs =  {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 0, 0, 8], subgroup = [1, 2, 1, 2, 0], workgroup = [1, 4, 32, 64, 0]}>, root_op = #iree_codegen.root_op<set = 0>} {
^bb0(%in: f16, %in_37: f16, %out: f32):
%11 = arith.extf %in : f16 to f32
%12 = arith.extf %in_37 : f16 to f32
%13 = arith.mulf %11, %12 : f32
%14 = arith.addf %out, %13 : f32
linalg.yield %14 : f32
} -> tensor<2x32x32x640xf32>
%c0_0 = arith.constant 0 : index
%c2 = arith.constant 2 : index
%c1 = arith.constant 1 : index
%c32 = arith.constant 32 : index
%c2_1 = arith.constant 2 : index
%c32_2 = arith.constant 32 : index
%c3 = arith.constant 3 : index
%c640 = arith.constant 640 : index
%c0_3 = arith.constant 0 : index
%c3_4 = arith.constant 3 : index
%c1_5 = arith.constant 1 : index
%c3_6 = arith.constant 3 : index
%c3_7 = arith.constant 3 : index
%c640_8 = arith.constant 640 : index
iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_gpu.pipeline<TileAndFuse>, 
knobs = {gpu_pipeline_options = {no_reduce_shared_memory_bank_conflicts = false, prefetch_num_stages = #iree_codegen.smt.int_knob<"prefetch_num_stages">, use_igemm_convolution = #iree_codegen.smt.one_of_knob<"use_igemm_idx", [false, true]>}, mma_kind = #iree_codegen.smt.one_of_knob<"mma_idx", [#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>]>, promote_operands = [0, 1], reduction = [0, 0, 0, 0, 1, 1, #iree_codegen.smt.int_knob<"red_6">], subgroup = [#iree_codegen.smt.int_knob<"sg_0">, #iree_codegen.smt.int_knob<"sg_1">, #iree_codegen.smt.int_knob<"sg_2">, #iree_codegen.smt.int_knob<"sg_3">, 0, 0, 0], subgroup_size = #iree_codegen.smt.int_knob<"sg_size">, workgroup = [#iree_codegen.smt.int_knob<"wg_0">, #iree_codegen.smt.int_knob<"wg_1">, #iree_codegen.smt.int_knob<"wg_2">, #iree_codegen.smt.int_knob<"wg_3">, 0, 0, 0], workgroup_size = [#iree_codegen.smt.int_knob<"wg_size_x">, #iree_codegen.smt.int_knob<"wg_size_y">, #iree_codegen.smt.int_knob<"wg_size_z">]}
dims(%c2, %c32, %c32_2, %c640, %c3_4, %c3_6, %c640_8) {
^bb0(%arg0: !smt.int, %arg1: !smt.int, %arg2: !smt.int, %arg3: !smt.int, %arg4: !smt.int, %arg5: !smt.int, %arg6: !smt.int):
%c2_37 = smt.int.constant 2
%11 = smt.eq %arg0, %c2_37 : !smt.int
iree_codegen.smt.assert %11, "dim_0 ({}) == 2", %arg0 : !smt.bool, !smt.int
%c32_38 = smt.int.constant 32
%12 = smt.eq %arg1, %c32_38 : !smt.int
iree_codegen.smt.assert %12, "dim_1 ({}) == 32", %arg1 : !smt.bool, !smt.int
%c32_39 = smt.int.constant 32
%13 = smt.eq %arg2, %c32_39 : !smt.int
iree_codegen.smt.assert %13, "dim_2 ({}) == 32", %arg2 : !smt.bool, !smt.int
%c640_40 = smt.int.constant 640
%14 = smt.eq %arg3, %c640_40 : !smt.int
iree_codegen.smt.assert %14, "dim_3 ({}) == 640", %arg3 : !smt.bool, !smt.int
%c3_41 = smt.int.constant 3
%15 = smt.eq %arg4, %c3_41 : !smt.int
iree_codegen.smt.assert %15, "dim_4 ({}) == 3", %arg4 : !smt.bool, !smt.int
%c3_42 = smt.int.constant 3
%16 = smt.eq %arg5, %c3_42 : !smt.int
iree_codegen.smt.assert %16, "dim_5 ({}) == 3", %arg5 : !smt.bool, !smt.int
%c640_43 = smt.int.constant 640
%17 = smt.eq %arg6, %c640_43 : !smt.int
iree_codegen.smt.assert %17, "dim_6 ({}) == 640", %arg6 : !smt.bool, !smt.int
%c64 = smt.int.constant 64
%c1024 = smt.int.constant 1024
%c65536 = smt.int.constant 65536
%c512 = smt.int.constant 512
%18 = iree_codegen.smt.knob "wg_0" : !smt.int
%19 = iree_codegen.smt.knob "wg_1" : !smt.int
%20 = iree_codegen.smt.knob "wg_2" : !smt.int
%21 = iree_codegen.smt.knob "wg_3" : !smt.int
%22 = iree_codegen.smt.knob "sg_0" : !smt.int
%23 = iree_codegen.smt.knob "sg_1" : !smt.int
%24 = iree_codegen.smt.knob "sg_2" : !smt.int
%25 = iree_codegen.smt.knob "sg_3" : !smt.int
%26 = iree_codegen.smt.knob "red_6" : !smt.int
%27 = iree_codegen.smt.knob "sg_size" : !smt.int
%28 = iree_codegen.smt.knob "wg_size_x" : !smt.int
%29 = iree_codegen.smt.knob "wg_size_y" : !smt.int
%30 = iree_codegen.smt.knob "wg_size_z" : !smt.int
%31 = iree_codegen.smt.knob "prefetch_num_stages" : !smt.int
%32 = iree_codegen.smt.knob "use_igemm_idx" : !smt.int
%c0_44 = smt.int.constant 0
%33 = smt.eq %32, %c0_44 : !smt.int
iree_codegen.smt.assert %33, "use_igemm_idx == 0 (use_igemm_convolution=false)" : !smt.bool
%34 = iree_codegen.smt.knob "mma_idx" : !smt.int
%c0_45 = smt.int.constant 0
%c1_46 = smt.int.constant 1
%35 = smt.int.cmp ge %34, %c0_45
iree_codegen.smt.assert %35, "mma_idx >= 0" : !smt.bool
%36 = smt.int.cmp le %34, %c1_46
iree_codegen.smt.assert %36, "mma_idx <= 1" : !smt.bool
%37 = iree_codegen.smt.lookup %34 [0, 1] -> [16, 32] : !smt.int
%38 = iree_codegen.smt.lookup %34 [0, 1] -> [16, 32] : !smt.int
%39 = iree_codegen.smt.lookup %34 [0, 1] -> [16, 8] : !smt.int
%c1_47 = smt.int.constant 1
%40 = smt.int.mul %c1_47, %18
%41 = smt.int.mul %40, %19
%42 = smt.int.mul %41, %20
%c1_48 = smt.int.constant 1
%43 = smt.int.mul %c1_48, %21
%c1_49 = smt.int.constant 1
%44 = smt.int.mul %c1_49, %22
%45 = smt.int.mul %44, %23
%46 = smt.int.mul %45, %24
%c1_50 = smt.int.constant 1
%47 = smt.int.mul %c1_50, %25
%48 = smt.int.mul %46, %37
%49 = smt.int.mul %47, %38
%sg_m_cnt = smt.declare_fun "sg_m_cnt" : !smt.int
%sg_n_cnt = smt.declare_fun "sg_n_cnt" : !smt.int
%50 = smt.int.mul %sg_m_cnt, %sg_n_cnt
%51 = smt.int.mul %50, %27
%52 = smt.int.mul %26, %39
%c1_51 = smt.int.constant 1
%53 = smt.int.sub %37, %c1_51
%54 = smt.int.add %arg2, %53
%55 = smt.int.div %54, %37
%56 = smt.int.mul %55, %37
%c1_52 = smt.int.constant 1
%57 = smt.int.sub %38, %c1_52
%58 = smt.int.add %arg3, %57
%59 = smt.int.div %58, %38
%60 = smt.int.mul %59, %38
%c1_53 = smt.int.constant 1
%61 = smt.int.sub %39, %c1_53
%62 = smt.int.add %arg6, %61
%63 = smt.int.div %62, %39
%64 = smt.int.mul %63, %39
%65 = smt.eq %27, %c64 : !smt.int
iree_codegen.smt.assert %65, "sg_size == preferred_subgroup_size" : !smt.bool
%c0_54 = smt.int.constant 0
%66 = smt.int.mod %arg0, %18
%67 = smt.eq %66, %c0_54 : !smt.int
iree_codegen.smt.assert %67, "dim_0 must be divisible by wg_0 ({} % {} == 0)", %arg0, %18 : !smt.bool, !smt.int, !smt.int
%c1_55 = smt.int.constant 1
%68 = smt.int.cmp ge %18, %c1_55
iree_codegen.smt.assert %68, "wg_0 >= 1" : !smt.bool
%69 = smt.int.cmp le %18, %arg0
iree_codegen.smt.assert %69, "wg_0 <= dim_0" : !smt.bool
%c0_56 = smt.int.constant 0
%70 = smt.int.mod %18, %22
%71 = smt.eq %70, %c0_56 : !smt.int
iree_codegen.smt.assert %71, "wg_0 must be divisible by sg_0 ({} % {} == 0)", %18, %22 : !smt.bool, !smt.int, !smt.int
%c0_57 = smt.int.constant 0
%72 = smt.int.mod %arg1, %19
%73 = smt.eq %72, %c0_57 : !smt.int
iree_codegen.smt.assert %73, "dim_1 must be divisible by wg_1 ({} % {} == 0)", %arg1, %19 : !smt.bool, !smt.int, !smt.int
%c1_58 = smt.int.constant 1
%74 = smt.int.cmp ge %19, %c1_58
iree_codegen.smt.assert %74, "wg_1 >= 1" : !smt.bool
%75 = smt.int.cmp le %19, %arg1
iree_codegen.smt.assert %75, "wg_1 <= dim_1" : !smt.bool
%c0_59 = smt.int.constant 0
%76 = smt.int.mod %19, %23
%77 = smt.eq %76, %c0_59 : !smt.int
iree_codegen.smt.assert %77, "wg_1 must be divisible by sg_1 ({} % {} == 0)", %19, %23 : !smt.bool, !smt.int, !smt.int
%c0_60 = smt.int.constant 0
%78 = smt.int.mod %56, %20
%79 = smt.eq %78, %c0_60 : !smt.int
iree_codegen.smt.assert %79, "dim_2 must be divisible by wg_2 ({} % {} == 0)", %56, %20 : !smt.bool, !smt.int, !smt.int
%c1_61 = smt.int.constant 1
%80 = smt.int.cmp ge %20, %c1_61
iree_codegen.smt.assert %80, "wg_2 >= 1" : !smt.bool
%81 = smt.int.cmp le %20, %56
iree_codegen.smt.assert %81, "wg_2 <= dim_2" : !smt.bool
%c0_62 = smt.int.constant 0
%82 = smt.int.mod %20, %24
%83 = smt.eq %82, %c0_62 : !smt.int
iree_codegen.smt.assert %83, "wg_2 must be divisible by sg_2 ({} % {} == 0)", %20, %24 : !smt.bool, !smt.int, !smt.int
%c0_63 = smt.int.constant 0
%84 = smt.int.mod %60, %21
%85 = smt.eq %84, %c0_63 : !smt.int
iree_codegen.smt.assert %85, "dim_3 must be divisible by wg_3 ({} % {} == 0)", %60, %21 : !smt.bool, !smt.int, !smt.int
%c1_64 = smt.int.constant 1
%86 = smt.int.cmp ge %21, %c1_64
iree_codegen.smt.assert %86, "wg_3 >= 1" : !smt.bool
%87 = smt.int.cmp le %21, %60
iree_codegen.smt.assert %87, "wg_3 <= dim_3" : !smt.bool
%c0_65 = smt.int.constant 0
%88 = smt.int.mod %21, %25
%89 = smt.eq %88, %c0_65 : !smt.int
iree_codegen.smt.assert %89, "wg_3 must be divisible by sg_3 ({} % {} == 0)", %21, %25 : !smt.bool, !smt.int, !smt.int
%90 = smt.int.cmp ge %20, %37
iree_codegen.smt.assert %90, "wg_2 >= mma_m" : !smt.bool
%91 = smt.int.cmp ge %21, %38
iree_codegen.smt.assert %91, "wg_3 >= mma_n" : !smt.bool
%c0_66 = smt.int.constant 0
%92 = smt.int.mod %20, %37
%93 = smt.eq %92, %c0_66 : !smt.int
iree_codegen.smt.assert %93, "wg_2 must be divisible by mma_m ({} % {} == 0)", %20, %37 : !smt.bool, !smt.int, !smt.int
%c0_67 = smt.int.constant 0
%94 = smt.int.mod %21, %38
%95 = smt.eq %94, %c0_67 : !smt.int
iree_codegen.smt.assert %95, "wg_3 must be divisible by mma_n ({} % {} == 0)", %21, %38 : !smt.bool, !smt.int, !smt.int
%96 = smt.int.mul %24, %37
%97 = smt.int.mul %25, %38
%c0_68 = smt.int.constant 0
%98 = smt.int.mod %20, %96
%99 = smt.eq %98, %c0_68 : !smt.int
iree_codegen.smt.assert %99, "wg_2 must be divisible by sg_2 * mma_m ({} % {} == 0)", %20, %96 : !smt.bool, !smt.int, !smt.int
%c0_69 = smt.int.constant 0
%100 = smt.int.mod %21, %97
%101 = smt.eq %100, %c0_69 : !smt.int
iree_codegen.smt.assert %101, "wg_3 must be divisible by sg_3 * mma_n ({} % {} == 0)", %21, %97 : !smt.bool, !smt.int, !smt.int
%102 = smt.int.cmp le %42, %c512
iree_codegen.smt.assert %102, "prod(wg_m) <= 512 (max_vgprs)" : !smt.bool
%103 = smt.int.cmp le %43, %c512
iree_codegen.smt.assert %103, "prod(wg_n) <= 512 (max_vgprs)" : !smt.bool
%c0_70 = smt.int.constant 0
%104 = smt.int.mod %42, %48
%105 = smt.eq %104, %c0_70 : !smt.int
iree_codegen.smt.assert %105, "prod(wg_m) must be divisible by prod(sg_m) * mma_m ({} % {} == 0)", %42, %48 : !smt.bool, !smt.int, !smt.int
%c0_71 = smt.int.constant 0
%106 = smt.int.mod %43, %49
%107 = smt.eq %106, %c0_71 : !smt.int
iree_codegen.smt.assert %107, "prod(wg_n) must be divisible by prod(sg_n) * mma_n ({} % {} == 0)", %43, %49 : !smt.bool, !smt.int, !smt.int
%108 = smt.int.mul %46, %sg_m_cnt, %37
%109 = smt.int.mul %47, %sg_n_cnt, %38
%110 = smt.eq %42, %108 : !smt.int
%111 = smt.eq %43, %109 : !smt.int
iree_codegen.smt.assert %110, "prod(wg_m) == prod(sg_m) * sg_m_cnt * mma_m" : !smt.bool
iree_codegen.smt.assert %111, "prod(wg_n) == prod(sg_n) * sg_n_cnt * mma_n" : !smt.bool
%c1_72 = smt.int.constant 1
%112 = smt.int.cmp ge %26, %c1_72
iree_codegen.smt.assert %112, "red_6 >= 1" : !smt.bool
%c0_73 = smt.int.constant 0
%113 = smt.int.mod %64, %52
%114 = smt.eq %113, %c0_73 : !smt.int
iree_codegen.smt.assert %114, "aligned inner k dim dim_6 must be divisible by red_6 * mma_k ({} % {} == 0)", %64, %52 : !smt.bool, !smt.int, !smt.int
%115 = smt.int.cmp le %52, %c512
iree_codegen.smt.assert %115, "red_6 * mma_k <= 512 (max_vgprs)" : !smt.bool
%116 = smt.int.cmp le %52, %64
iree_codegen.smt.assert %116, "red_6 * mma_k <= aligned k dim" : !smt.bool
%c1_74 = smt.int.constant 1
%117 = smt.int.cmp ge %22, %c1_74
iree_codegen.smt.assert %117, "sg_0 >= 1" : !smt.bool
%c1_75 = smt.int.constant 1
%118 = smt.int.cmp ge %23, %c1_75
iree_codegen.smt.assert %118, "sg_1 >= 1" : !smt.bool
%c1_76 = smt.int.constant 1
%119 = smt.int.cmp ge %24, %c1_76
iree_codegen.smt.assert %119, "sg_2 >= 1" : !smt.bool
%c1_77 = smt.int.constant 1
%120 = smt.int.cmp ge %25, %c1_77
iree_codegen.smt.assert %120, "sg_3 >= 1" : !smt.bool
%c1_78 = smt.int.constant 1
%c32_79 = smt.int.constant 32
%121 = smt.int.cmp ge %sg_m_cnt, %c1_78
iree_codegen.smt.assert %121, "sg_m_cnt >= 1" : !smt.bool
%122 = smt.int.cmp le %sg_m_cnt, %c32_79
iree_codegen.smt.assert %122, "sg_m_cnt <= 32" : !smt.bool
%c1_80 = smt.int.constant 1
%c32_81 = smt.int.constant 32
%123 = smt.int.cmp ge %sg_n_cnt, %c1_80
iree_codegen.smt.assert %123, "sg_n_cnt >= 1" : !smt.bool
%124 = smt.int.cmp le %sg_n_cnt, %c32_81
iree_codegen.smt.assert %124, "sg_n_cnt <= 32" : !smt.bool
%c1_82 = smt.int.constant 1
%c10 = smt.int.constant 10
%125 = smt.int.cmp ge %50, %c1_82
iree_codegen.smt.assert %125, "sg_num >= 1" : !smt.bool
%126 = smt.int.cmp le %50, %c10
iree_codegen.smt.assert %126, "sg_num <= 10" : !smt.bool
%127 = smt.int.cmp le %51, %c1024
iree_codegen.smt.assert %127, "total_threads <= max_threads" : !smt.bool
%c2_83 = smt.int.constant 2
%c2_84 = smt.int.constant 2
%128 = smt.int.mul %c2_83, %42, %52
%129 = smt.int.mul %c2_84, %43, %52
%130 = smt.int.add %128, %129
%131 = smt.int.cmp le %130, %c65536
iree_codegen.smt.assert %131, "shared memory must fit in workgroup memory" : !smt.bool
%132 = smt.eq %28, %51 : !smt.int
iree_codegen.smt.assert %132, "wg_size_x == total_threads" : !smt.bool
%c1_85 = smt.int.constant 1
%133 = smt.eq %29, %c1_85 : !smt.int
iree_codegen.smt.assert %133, "wg_size_y == 1" : !smt.bool
%c1_86 = smt.int.constant 1
%134 = smt.eq %30, %c1_86 : !smt.int
iree_codegen.smt.assert %134, "wg_size_z == 1" : !smt.bool
%c2_87 = smt.int.constant 2
%135 = smt.eq %31, %c2_87 : !smt.int
iree_codegen.smt.assert %135, "prefetch_num_stages == 2 (use_igemm_convolution=false)" : !smt.bool
}
%c0_9 = arith.constant 0 : index
%c2_10 = arith.constant 2 : index
%c1_11 = arith.constant 1 : index
%c32_12 = arith.constant 32 : index
%c2_13 = arith.constant 2 : index
%c32_14 = arith.constant 32 : index
%c3_15 = arith.constant 3 : index
%c640_16 = arith.constant 640 : index
%c0_17 = arith.constant 0 : index
%c3_18 = arith.constant 3 : index
%c1_19 = arith.constant 1 : index
%c3_20 = arith.constant 3 : index
%c3_21 = arith.constant 3 : index
%c640_22 = arith.constant 640 : index
iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_gpu.pipeline<TileAndFuse>, 
knobs = {gpu_pipeline_options = {no_reduce_shared_memory_bank_conflicts = false, prefetch_num_stages = #iree_codegen.smt.int_knob<"prefetch_num_stages">, use_igemm_convolution = #iree_codegen.smt.one_of_knob<"use_igemm_idx", [false, true]>}, mma_kind = #iree_codegen.smt.one_of_knob<"mma_idx", [#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>]>, promote_operands = [0, 1], reduction = [0, 0, 0, 0, #iree_codegen.smt.int_knob<"red_6">], subgroup = [#iree_codegen.smt.int_knob<"sg_0">, #iree_codegen.smt.int_knob<"sg_1">, #iree_codegen.smt.int_knob<"sg_2">, #iree_codegen.smt.int_knob<"sg_3">, 0], subgroup_size = #iree_codegen.smt.int_knob<"sg_size">, workgroup = [#iree_codegen.smt.int_knob<"wg_0">, #iree_codegen.smt.int_knob<"wg_1">, #iree_codegen.smt.int_knob<"wg_2">, #iree_codegen.smt.int_knob<"wg_3">, 0], workgroup_size = [#iree_codegen.smt.int_knob<"wg_size_x">, #iree_codegen.smt.int_knob<"wg_size_y">, #iree_codegen.smt.int_knob<"wg_size_z">]}
dims(%c2_10, %c32_12, %c32_14, %c640_16, %c3_18, %c3_20, %c640_22) {
^bb0(%arg0: !smt.int, %arg1: !smt.int, %arg2: !smt.int, %arg3: !smt.int, %arg4: !smt.int, %arg5: !smt.int, %arg6: !smt.int):
%c2_37 = smt.int.constant 2
%11 = smt.eq %arg0, %c2_37 : !smt.int
iree_codegen.smt.assert %11, "dim_0 ({}) == 2", %arg0 : !smt.bool, !smt.int
%c32_38 = smt.int.constant 32
%12 = smt.eq %arg1, %c32_38 : !smt.int
iree_codegen.smt.assert %12, "dim_1 ({}) == 32", %arg1 : !smt.bool, !smt.int
%c32_39 = smt.int.constant 32
%13 = smt.eq %arg2, %c32_39 : !smt.int
iree_codegen.smt.assert %13, "dim_2 ({}) == 32", %arg2 : !smt.bool, !smt.int
%c640_40 = smt.int.constant 640
%14 = smt.eq %arg3, %c640_40 : !smt.int
iree_codegen.smt.assert %14, "dim_3 ({}) == 640", %arg3 : !smt.bool, !smt.int
%c3_41 = smt.int.constant 3
%15 = smt.eq %arg4, %c3_41 : !smt.int
iree_codegen.smt.assert %15, "dim_4 ({}) == 3", %arg4 : !smt.bool, !smt.int
%c3_42 = smt.int.constant 3
%16 = smt.eq %arg5, %c3_42 : !smt.int
iree_codegen.smt.assert %16, "dim_5 ({}) == 3", %arg5 : !smt.bool, !smt.int
%c640_43 = smt.int.constant 640
%17 = smt.eq %arg6, %c640_43 : !smt.int
iree_codegen.smt.assert %17, "dim_6 ({}) == 640", %arg6 : !smt.bool, !smt.int
%c64 = smt.int.constant 64
%c1024 = smt.int.constant 1024
%c65536 = smt.int.constant 65536
%c512 = smt.int.constant 512
%18 = iree_codegen.smt.knob "wg_0" : !smt.int
%19 = iree_codegen.smt.knob "wg_1" : !smt.int
%20 = iree_codegen.smt.knob "wg_2" : !smt.int
%21 = iree_codegen.smt.knob "wg_3" : !smt.int
%22 = iree_codegen.smt.knob "sg_0" : !smt.int
%23 = iree_codegen.smt.knob "sg_1" : !smt.int
%24 = iree_codegen.smt.knob "sg_2" : !smt.int
%25 = iree_codegen.smt.knob "sg_3" : !smt.int
%26 = iree_codegen.smt.knob "red_6" : !smt.int
%27 = iree_codegen.smt.knob "sg_size" : !smt.int
%28 = iree_codegen.smt.knob "wg_size_x" : !smt.int
%29 = iree_codegen.smt.knob "wg_size_y" : !smt.int
%30 = iree_codegen.smt.knob "wg_size_z" : !smt.int
%31 = iree_codegen.smt.knob "prefetch_num_stages" : !smt.int
%32 = iree_codegen.smt.knob "use_igemm_idx" : !smt.int
%c1_44 = smt.int.constant 1
%33 = smt.eq %32, %c1_44 : !smt.int
iree_codegen.smt.assert %33, "use_igemm_idx == 1 (use_igemm_convolution=true)" : !smt.bool
%34 = iree_codegen.smt.knob "mma_idx" : !smt.int
%c0_45 = smt.int.constant 0
%c1_46 = smt.int.constant 1
%35 = smt.int.cmp ge %34, %c0_45
iree_codegen.smt.assert %35, "mma_idx >= 0" : !smt.bool
%36 = smt.int.cmp le %34, %c1_46
iree_codegen.smt.assert %36, "mma_idx <= 1" : !smt.bool
%37 = iree_codegen.smt.lookup %34 [0, 1] -> [16, 32] : !smt.int
%38 = iree_codegen.smt.lookup %34 [0, 1] -> [16, 32] : !smt.int
%39 = iree_codegen.smt.lookup %34 [0, 1] -> [16, 8] : !smt.int
%c1_47 = smt.int.constant 1
%40 = smt.int.mul %c1_47, %18
%41 = smt.int.mul %40, %19
%42 = smt.int.mul %41, %20
%c1_48 = smt.int.constant 1
%43 = smt.int.mul %c1_48, %21
%c1_49 = smt.int.constant 1
%44 = smt.int.mul %c1_49, %22
%45 = smt.int.mul %44, %23
%46 = smt.int.mul %45, %24
%c1_50 = smt.int.constant 1
%47 = smt.int.mul %c1_50, %25
%48 = smt.int.mul %46, %37
%49 = smt.int.mul %47, %38
%sg_m_cnt = smt.declare_fun "sg_m_cnt" : !smt.int
%sg_n_cnt = smt.declare_fun "sg_n_cnt" : !smt.int
%50 = smt.int.mul %sg_m_cnt, %sg_n_cnt
%51 = smt.int.mul %50, %27
%52 = smt.int.mul %26, %39
%c1_51 = smt.int.constant 1
%53 = smt.int.sub %37, %c1_51
%54 = smt.int.add %arg2, %53
%55 = smt.int.div %54, %37
%56 = smt.int.mul %55, %37
%c1_52 = smt.int.constant 1
%57 = smt.int.sub %38, %c1_52
%58 = smt.int.add %arg3, %57
%59 = smt.int.div %58, %38
%60 = smt.int.mul %59, %38
%c1_53 = smt.int.constant 1
%61 = smt.int.sub %39, %c1_53
%62 = smt.int.add %arg6, %61
%63 = smt.int.div %62, %39
%64 = smt.int.mul %63, %39
%c1_54 = smt.int.constant 1
%65 = smt.int.mul %c1_54, %arg4
%66 = smt.int.mul %65, %arg5
%67 = smt.int.mul %arg6, %66
%68 = smt.eq %27, %c64 : !smt.int
iree_codegen.smt.assert %68, "sg_size == preferred_subgroup_size" : !smt.bool
%c32_55 = smt.int.constant 32
%c128 = smt.int.constant 128
%c1_56 = smt.int.constant 1
%69 = smt.int.sub %c32_55, %c1_56
%70 = smt.int.add %arg0, %69
%71 = smt.int.div %70, %c32_55
%72 = smt.int.mul %71, %c32_55
%c1_57 = smt.int.constant 1
%73 = smt.int.sub %c128, %c1_57
%74 = smt.int.add %arg0, %73
%75 = smt.int.div %74, %c128
%76 = smt.int.mul %75, %c128
%77 = smt.int.cmp gt %arg0, %c32_55
%78 = smt.int.cmp gt %arg0, %c128
%79 = smt.ite %77, %72, %arg0 : !smt.int
%80 = smt.ite %78, %76, %79 : !smt.int
%c0_58 = smt.int.constant 0
%81 = smt.int.mod %80, %18
%82 = smt.eq %81, %c0_58 : !smt.int
iree_codegen.smt.assert %82, "dim_0 must be divisible by wg_0 ({} % {} == 0)", %80, %18 : !smt.bool, !smt.int, !smt.int
%c1_59 = smt.int.constant 1
%83 = smt.int.cmp ge %18, %c1_59
iree_codegen.smt.assert %83, "wg_0 >= 1" : !smt.bool
%84 = smt.int.cmp le %18, %80
iree_codegen.smt.assert %84, "wg_0 <= dim_0" : !smt.bool
%c0_60 = smt.int.constant 0
%85 = smt.int.mod %18, %22
%86 = smt.eq %85, %c0_60 : !smt.int
iree_codegen.smt.assert %86, "wg_0 must be divisible by sg_0 ({} % {} == 0)", %18, %22 : !smt.bool, !smt.int, !smt.int
%c32_61 = smt.int.constant 32
%c128_62 = smt.int.constant 128
%c1_63 = smt.int.constant 1
%87 = smt.int.sub %c32_61, %c1_63
%88 = smt.int.add %arg1, %87
%89 = smt.int.div %88, %c32_61
%90 = smt.int.mul %89, %c32_61
%c1_64 = smt.int.constant 1
%91 = smt.int.sub %c128_62, %c1_64
%92 = smt.int.add %arg1, %91
%93 = smt.int.div %92, %c128_62
%94 = smt.int.mul %93, %c128_62
%95 = smt.int.cmp gt %arg1, %c32_61
%96 = smt.int.cmp gt %arg1, %c128_62
%97 = smt.ite %95, %90, %arg1 : !smt.int
%98 = smt.ite %96, %94, %97 : !smt.int
%c0_65 = smt.int.constant 0
%99 = smt.int.mod %98, %19
%100 = smt.eq %99, %c0_65 : !smt.int
iree_codegen.smt.assert %100, "dim_1 must be divisible by wg_1 ({} % {} == 0)", %98, %19 : !smt.bool, !smt.int, !smt.int
%c1_66 = smt.int.constant 1
%101 = smt.int.cmp ge %19, %c1_66
iree_codegen.smt.assert %101, "wg_1 >= 1" : !smt.bool
%102 = smt.int.cmp le %19, %98
iree_codegen.smt.assert %102, "wg_1 <= dim_1" : !smt.bool
%c0_67 = smt.int.constant 0
%103 = smt.int.mod %19, %23
%104 = smt.eq %103, %c0_67 : !smt.int
iree_codegen.smt.assert %104, "wg_1 must be divisible by sg_1 ({} % {} == 0)", %19, %23 : !smt.bool, !smt.int, !smt.int
%c0_68 = smt.int.constant 0
%105 = smt.int.mod %56, %20
%106 = smt.eq %105, %c0_68 : !smt.int
iree_codegen.smt.assert %106, "dim_2 must be divisible by wg_2 ({} % {} == 0)", %56, %20 : !smt.bool, !smt.int, !smt.int
%c1_69 = smt.int.constant 1
%107 = smt.int.cmp ge %20, %c1_69
iree_codegen.smt.assert %107, "wg_2 >= 1" : !smt.bool
%108 = smt.int.cmp le %20, %56
iree_codegen.smt.assert %108, "wg_2 <= dim_2" : !smt.bool
%c0_70 = smt.int.constant 0
%109 = smt.int.mod %20, %24
%110 = smt.eq %109, %c0_70 : !smt.int
iree_codegen.smt.assert %110, "wg_2 must be divisible by sg_2 ({} % {} == 0)", %20, %24 : !smt.bool, !smt.int, !smt.int
%c0_71 = smt.int.constant 0
%111 = smt.int.mod %60, %21
%112 = smt.eq %111, %c0_71 : !smt.int
iree_codegen.smt.assert %112, "dim_3 must be divisible by wg_3 ({} % {} == 0)", %60, %21 : !smt.bool, !smt.int, !smt.int
%c1_72 = smt.int.constant 1
%113 = smt.int.cmp ge %21, %c1_72
iree_codegen.smt.assert %113, "wg_3 >= 1" : !smt.bool
%114 = smt.int.cmp le %21, %60
iree_codegen.smt.assert %114, "wg_3 <= dim_3" : !smt.bool
%c0_73 = smt.int.constant 0
%115 = smt.int.mod %21, %25
%116 = smt.eq %115, %c0_73 : !smt.int
iree_codegen.smt.assert %116, "wg_3 must be divisible by sg_3 ({} % {} == 0)", %21, %25 : !smt.bool, !smt.int, !smt.int
%117 = smt.int.cmp ge %20, %37
iree_codegen.smt.assert %117, "wg_2 >= mma_m" : !smt.bool
%118 = smt.int.cmp ge %21, %38
iree_codegen.smt.assert %118, "wg_3 >= mma_n" : !smt.bool
%c0_74 = smt.int.constant 0
%119 = smt.int.mod %20, %37
%120 = smt.eq %119, %c0_74 : !smt.int
iree_codegen.smt.assert %120, "wg_2 must be divisible by mma_m ({} % {} == 0)", %20, %37 : !smt.bool, !smt.int, !smt.int
%c0_75 = smt.int.constant 0
%121 = smt.int.mod %21, %38
%122 = smt.eq %121, %c0_75 : !smt.int
iree_codegen.smt.assert %122, "wg_3 must be divisible by mma_n ({} % {} == 0)", %21, %38 : !smt.bool, !smt.int, !smt.int
%123 = smt.int.mul %24, %37
%124 = smt.int.mul %25, %38
%c0_76 = smt.int.constant 0
%125 = smt.int.mod %20, %123
%126 = smt.eq %125, %c0_76 : !smt.int
iree_codegen.smt.assert %126, "wg_2 must be divisible by sg_2 * mma_m ({} % {} == 0)", %20, %123 : !smt.bool, !smt.int, !smt.int
%c0_77 = smt.int.constant 0
%127 = smt.int.mod %21, %124
%128 = smt.eq %127, %c0_77 : !smt.int
iree_codegen.smt.assert %128, "wg_3 must be divisible by sg_3 * mma_n ({} % {} == 0)", %21, %124 : !smt.bool, !smt.int, !smt.int
%129 = smt.int.cmp le %42, %c512
iree_codegen.smt.assert %129, "prod(wg_m) <= 512 (max_vgprs)" : !smt.bool
%130 = smt.int.cmp le %43, %c512
iree_codegen.smt.assert %130, "prod(wg_n) <= 512 (max_vgprs)" : !smt.bool
%c0_78 = smt.int.constant 0
%131 = smt.int.mod %42, %48
%132 = smt.eq %131, %c0_78 : !smt.int
iree_codegen.smt.assert %132, "prod(wg_m) must be divisible by prod(sg_m) * mma_m ({} % {} == 0)", %42, %48 : !smt.bool, !smt.int, !smt.int
%c0_79 = smt.int.constant 0
%133 = smt.int.mod %43, %49
%134 = smt.eq %133, %c0_79 : !smt.int
iree_codegen.smt.assert %134, "prod(wg_n) must be divisible by prod(sg_n) * mma_n ({} % {} == 0)", %43, %49 : !smt.bool, !smt.int, !smt.int
%135 = smt.int.mul %46, %sg_m_cnt, %37
%136 = smt.int.mul %47, %sg_n_cnt, %38
%137 = smt.eq %42, %135 : !smt.int
%138 = smt.eq %43, %136 : !smt.int
iree_codegen.smt.assert %137, "prod(wg_m) == prod(sg_m) * sg_m_cnt * mma_m" : !smt.bool
iree_codegen.smt.assert %138, "prod(wg_n) == prod(sg_n) * sg_n_cnt * mma_n" : !smt.bool
%c1_80 = smt.int.constant 1
%139 = smt.int.cmp ge %26, %c1_80
iree_codegen.smt.assert %139, "red_6 >= 1" : !smt.bool
%c0_81 = smt.int.constant 0
%140 = smt.int.mod %67, %52
%141 = smt.eq %140, %c0_81 : !smt.int
iree_codegen.smt.assert %141, "aligned inner k dim dim_6 must be divisible by red_6 * mma_k ({} % {} == 0)", %67, %52 : !smt.bool, !smt.int, !smt.int
%142 = smt.int.cmp le %52, %c512
iree_codegen.smt.assert %142, "red_6 * mma_k <= 512 (max_vgprs)" : !smt.bool
%143 = smt.int.cmp le %52, %67
iree_codegen.smt.assert %143, "red_6 * mma_k <= aligned k dim" : !smt.bool
%c1_82 = smt.int.constant 1
%144 = smt.int.cmp ge %22, %c1_82
iree_codegen.smt.assert %144, "sg_0 >= 1" : !smt.bool
%c1_83 = smt.int.constant 1
%145 = smt.int.cmp ge %23, %c1_83
iree_codegen.smt.assert %145, "sg_1 >= 1" : !smt.bool
%c1_84 = smt.int.constant 1
%146 = smt.int.cmp ge %24, %c1_84
iree_codegen.smt.assert %146, "sg_2 >= 1" : !smt.bool
%c1_85 = smt.int.constant 1
%147 = smt.int.cmp ge %25, %c1_85
iree_codegen.smt.assert %147, "sg_3 >= 1" : !smt.bool
%c1_86 = smt.int.constant 1
%c32_87 = smt.int.constant 32
%148 = smt.int.cmp ge %sg_m_cnt, %c1_86
iree_codegen.smt.assert %148, "sg_m_cnt >= 1" : !smt.bool
%149 = smt.int.cmp le %sg_m_cnt, %c32_87
iree_codegen.smt.assert %149, "sg_m_cnt <= 32" : !smt.bool
%c1_88 = smt.int.constant 1
%c32_89 = smt.int.constant 32
%150 = smt.int.cmp ge %sg_n_cnt, %c1_88
iree_codegen.smt.assert %150, "sg_n_cnt >= 1" : !smt.bool
%151 = smt.int.cmp le %sg_n_cnt, %c32_89
iree_codegen.smt.assert %151, "sg_n_cnt <= 32" : !smt.bool
%c1_90 = smt.int.constant 1
%c10 = smt.int.constant 10
%152 = smt.int.cmp ge %50, %c1_90
iree_codegen.smt.assert %152, "sg_num >= 1" : !smt.bool
%153 = smt.int.cmp le %50, %c10
iree_codegen.smt.assert %153, "sg_num <= 10" : !smt.bool
%154 = smt.int.cmp le %51, %c1024
iree_codegen.smt.assert %154, "total_threads <= max_threads" : !smt.bool
%c2_91 = smt.int.constant 2
%c2_92 = smt.int.constant 2
%155 = smt.int.mul %c2_91, %42, %52
%156 = smt.int.mul %c2_92, %43, %52
%157 = smt.int.add %155, %156
%158 = smt.int.cmp le %157, %c65536
iree_codegen.smt.assert %158, "shared memory must fit in workgroup memory" : !smt.bool
%159 = smt.eq %28, %51 : !smt.int
iree_codegen.smt.assert %159, "wg_size_x == total_threads" : !smt.bool
%c1_93 = smt.int.constant 1
%160 = smt.eq %29, %c1_93 : !smt.int
iree_codegen.smt.assert %160, "wg_size_y == 1" : !smt.bool
%c1_94 = smt.int.constant 1
%161 = smt.eq %30, %c1_94 : !smt.int
iree_codegen.smt.assert %161, "wg_size_z == 1" : !smt.bool
%c0_95 = smt.int.constant 0
%162 = smt.eq %31, %c0_95 : !smt.int
iree_codegen.smt.assert %162, "prefetch_num_stages == 0 (use_igemm_convolution=true)" : !smt.bool
}
%c0_23 = arith.constant 0 : index
%c2_24 = arith.constant 2 : index
%c1_25 = arith.constant 1 : index
%c32_26 = arith.constant 32 : index
%c2_27 = arith.constant 2 : index
%c32_28 = arith.constant 32 : index
%c3_29 = arith.constant 3 : index
%c640_30 = arith.constant 640 : index
%c0_31 = arith.constant 0 : index
%c3_32 = arith.constant 3 : index
%c1_33 = arith.constant 1 : index
%c3_34 = arith.constant 3 : index
%c3_35 = arith.constant 3 : index
%c640_36 = arith.constant 640 : index
iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_gpu.pipeline<VectorDistribute>, 
knobs = {gpu_pipeline_options = {no_reduce_shared_memory_bank_conflicts = false, prefetch_num_stages = #iree_codegen.smt.int_knob<"prefetch_num_stages">, use_igemm_convolution = false}, mma_kind = #iree_codegen.smt.one_of_knob<"mma_idx", [#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>]>, promote_operands = [0, 1], reduction = [0, 0, 0, 0, 1, 1, #iree_codegen.smt.int_knob<"red_6">], subgroup_basis = [[1, 1, #iree_codegen.smt.int_knob<"sg_m_cnt">, #iree_codegen.smt.int_knob<"sg_n_cnt">, 1, 1, 1], [0, 1, 2, 3, 4, 5, 6]], subgroup_size = #iree_codegen.smt.int_knob<"sg_size">, workgroup = [1, 1, #iree_codegen.smt.int_knob<"wg_2">, #iree_codegen.smt.int_knob<"wg_3">, 0, 0, 0], workgroup_size = [#iree_codegen.smt.int_knob<"wg_size_x">, #iree_codegen.smt.int_knob<"wg_size_y">, #iree_codegen.smt.int_knob<"wg_size_z">]}
dims(%c2_24, %c32_26, %c32_28, %c640_30, %c3_32, %c3_34, %c640_36) {
^bb0(%arg0: !smt.int, %arg1: !smt.int, %arg2: !smt.int, %arg3: !smt.int, %arg4: !smt.int, %arg5: !smt.int, %arg6: !smt.int):
%c2_37 = smt.int.constant 2
%11 = smt.eq %arg0, %c2_37 : !smt.int
iree_codegen.smt.assert %11, "dim_0 ({}) == 2", %arg0 : !smt.bool, !smt.int
%c32_38 = smt.int.constant 32
%12 = smt.eq %arg1, %c32_38 : !smt.int
iree_codegen.smt.assert %12, "dim_1 ({}) == 32", %arg1 : !smt.bool, !smt.int
%c32_39 = smt.int.constant 32
%13 = smt.eq %arg2, %c32_39 : !smt.int
iree_codegen.smt.assert %13, "dim_2 ({}) == 32", %arg2 : !smt.bool, !smt.int
%c640_40 = smt.int.constant 640
%14 = smt.eq %arg3, %c640_40 : !smt.int
iree_codegen.smt.assert %14, "dim_3 ({}) == 640", %arg3 : !smt.bool, !smt.int
%c3_41 = smt.int.constant 3
%15 = smt.eq %arg4, %c3_41 : !smt.int
iree_codegen.smt.assert %15, "dim_4 ({}) == 3", %arg4 : !smt.bool, !smt.int
%c3_42 = smt.int.constant 3
%16 = smt.eq %arg5, %c3_42 : !smt.int
iree_codegen.smt.assert %16, "dim_5 ({}) == 3", %arg5 : !smt.bool, !smt.int
%c640_43 = smt.int.constant 640
%17 = smt.eq %arg6, %c640_43 : !smt.int
iree_codegen.smt.assert %17, "dim_6 ({}) == 640", %arg6 : !smt.bool, !smt.int
%c64 = smt.int.constant 64
%c1024 = smt.int.constant 1024
%c65536 = smt.int.constant 65536
%c512 = smt.int.constant 512
%18 = iree_codegen.smt.knob "wg_2" : !smt.int
%19 = iree_codegen.smt.knob "wg_3" : !smt.int
%20 = iree_codegen.smt.knob "red_6" : !smt.int
%21 = iree_codegen.smt.knob "sg_m_cnt" : !smt.int
%22 = iree_codegen.smt.knob "sg_n_cnt" : !smt.int
%23 = iree_codegen.smt.knob "sg_size" : !smt.int
%24 = iree_codegen.smt.knob "wg_size_x" : !smt.int
%25 = iree_codegen.smt.knob "wg_size_y" : !smt.int
%26 = iree_codegen.smt.knob "wg_size_z" : !smt.int
%27 = iree_codegen.smt.knob "prefetch_num_stages" : !smt.int
%28 = iree_codegen.smt.knob "mma_idx" : !smt.int
%c0_44 = smt.int.constant 0
%c1_45 = smt.int.constant 1
%29 = smt.int.cmp ge %28, %c0_44
iree_codegen.smt.assert %29, "mma_idx >= 0" : !smt.bool
%30 = smt.int.cmp le %28, %c1_45
iree_codegen.smt.assert %30, "mma_idx <= 1" : !smt.bool
%31 = iree_codegen.smt.lookup %28 [0, 1] -> [16, 32] : !smt.int
%32 = iree_codegen.smt.lookup %28 [0, 1] -> [16, 32] : !smt.int
%33 = iree_codegen.smt.lookup %28 [0, 1] -> [16, 8] : !smt.int
%34 = smt.int.mul %21, %22
%35 = smt.int.mul %21, %31
%36 = smt.int.div %18, %35
%37 = smt.int.mul %22, %32
%38 = smt.int.div %19, %37
%39 = smt.int.div %20, %33
%40 = smt.eq %23, %c64 : !smt.int
iree_codegen.smt.assert %40, "sg_size == preferred_subgroup_size" : !smt.bool
%c0_46 = smt.int.constant 0
%41 = smt.int.mod %arg2, %18
%42 = smt.eq %41, %c0_46 : !smt.int
iree_codegen.smt.assert %42, "dim_2 must be divisible by wg_2 ({} % {} == 0)", %arg2, %18 : !smt.bool, !smt.int, !smt.int
%c0_47 = smt.int.constant 0
%43 = smt.int.mod %arg3, %19
%44 = smt.eq %43, %c0_47 : !smt.int
iree_codegen.smt.assert %44, "dim_3 must be divisible by wg_3 ({} % {} == 0)", %arg3, %19 : !smt.bool, !smt.int, !smt.int
%c0_48 = smt.int.constant 0
%45 = smt.int.mod %arg6, %20
%46 = smt.eq %45, %c0_48 : !smt.int
iree_codegen.smt.assert %46, "dim_6 must be divisible by red_6 ({} % {} == 0)", %arg6, %20 : !smt.bool, !smt.int, !smt.int
%47 = smt.int.cmp ge %18, %31
iree_codegen.smt.assert %47, "wg_2 >= mma_m" : !smt.bool
%48 = smt.int.cmp le %18, %arg2
iree_codegen.smt.assert %48, "wg_2 <= dim_2" : !smt.bool
%49 = smt.int.cmp ge %19, %32
iree_codegen.smt.assert %49, "wg_3 >= mma_n" : !smt.bool
%50 = smt.int.cmp le %19, %arg3
iree_codegen.smt.assert %50, "wg_3 <= dim_3" : !smt.bool
%51 = smt.int.cmp ge %20, %33
iree_codegen.smt.assert %51, "red_6 >= mma_k" : !smt.bool
%52 = smt.int.cmp le %20, %arg6
iree_codegen.smt.assert %52, "red_6 <= dim_6" : !smt.bool
%53 = smt.int.cmp le %18, %c512
iree_codegen.smt.assert %53, "wg_2 <= 512 (max VGPRs)" : !smt.bool
%54 = smt.int.cmp le %19, %c512
iree_codegen.smt.assert %54, "wg_3 <= 512 (max VGPRs)" : !smt.bool
%55 = smt.int.cmp le %20, %c512
iree_codegen.smt.assert %55, "red_6 <= 512 (max VGPRs)" : !smt.bool
%c0_49 = smt.int.constant 0
%56 = smt.int.mod %18, %31
%57 = smt.eq %56, %c0_49 : !smt.int
iree_codegen.smt.assert %57, "wg_2 must be divisible by mma_m ({} % {} == 0)", %18, %31 : !smt.bool, !smt.int, !smt.int
%c0_50 = smt.int.constant 0
%58 = smt.int.mod %19, %32
%59 = smt.eq %58, %c0_50 : !smt.int
iree_codegen.smt.assert %59, "wg_3 must be divisible by mma_n ({} % {} == 0)", %19, %32 : !smt.bool, !smt.int, !smt.int
%c0_51 = smt.int.constant 0
%60 = smt.int.mod %20, %33
%61 = smt.eq %60, %c0_51 : !smt.int
iree_codegen.smt.assert %61, "red_6 must be divisible by mma_k ({} % {} == 0)", %20, %33 : !smt.bool, !smt.int, !smt.int
%62 = smt.int.mul %21, %31, %36
%63 = smt.int.mul %22, %32, %38
%64 = smt.int.mul %33, %39
%c0_52 = smt.int.constant 0
%65 = smt.int.mod %18, %62
%66 = smt.eq %65, %c0_52 : !smt.int
iree_codegen.smt.assert %66, "wg_2 must be divisible by (sg_m_cnt * mma_m * sg_m) ({} % {} == 0)", %18, %62 : !smt.bool, !smt.int, !smt.int
%c0_53 = smt.int.constant 0
%67 = smt.int.mod %19, %63
%68 = smt.eq %67, %c0_53 : !smt.int
iree_codegen.smt.assert %68, "wg_3 must be divisible by (sg_n_cnt * mma_n * sg_n) ({} % {} == 0)", %19, %63 : !smt.bool, !smt.int, !smt.int
%c0_54 = smt.int.constant 0
%69 = smt.int.mod %20, %64
%70 = smt.eq %69, %c0_54 : !smt.int
iree_codegen.smt.assert %70, "red_6 must be divisible by (mma_k * sg_k) ({} % {} == 0)", %20, %64 : !smt.bool, !smt.int, !smt.int
%c1_55 = smt.int.constant 1
%c32_56 = smt.int.constant 32
%71 = smt.int.cmp ge %21, %c1_55
iree_codegen.smt.assert %71, "sg_m_cnt >= 1" : !smt.bool
%72 = smt.int.cmp le %21, %c32_56
iree_codegen.smt.assert %72, "sg_m_cnt <= 32" : !smt.bool
%73 = smt.int.cmp ge %22, %c1_55
iree_codegen.smt.assert %73, "sg_n_cnt >= 1" : !smt.bool
%74 = smt.int.cmp le %22, %c32_56
iree_codegen.smt.assert %74, "sg_n_cnt <= 32" : !smt.bool
%75 = smt.int.cmp ge %36, %c1_55
iree_codegen.smt.assert %75, "sg_m >= 1" : !smt.bool
%76 = smt.int.cmp le %36, %c32_56
iree_codegen.smt.assert %76, "sg_m <= 32" : !smt.bool
%77 = smt.int.cmp ge %38, %c1_55
iree_codegen.smt.assert %77, "sg_n >= 1" : !smt.bool
%78 = smt.int.cmp le %38, %c32_56
iree_codegen.smt.assert %78, "sg_n <= 32" : !smt.bool
%79 = smt.int.cmp ge %39, %c1_55
iree_codegen.smt.assert %79, "sg_k >= 1" : !smt.bool
%80 = smt.int.cmp le %39, %c32_56
iree_codegen.smt.assert %80, "sg_k <= 32" : !smt.bool
%81 = smt.int.mul %21, %22
%82 = smt.eq %81, %34 : !smt.int
iree_codegen.smt.assert %82, "sg_m_cnt * sg_n_cnt == sg_num" : !smt.bool
%c1_57 = smt.int.constant 1
%c10 = smt.int.constant 10
%83 = smt.int.cmp ge %34, %c1_57
iree_codegen.smt.assert %83, "sg_num >= 1" : !smt.bool
%84 = smt.int.cmp le %34, %c10
iree_codegen.smt.assert %84, "sg_num <= 10" : !smt.bool
%85 = smt.int.mul %21, %22, %23
%86 = smt.int.cmp le %85, %c1024
iree_codegen.smt.assert %86, "total_threads <= max_threads" : !smt.bool
%87 = smt.int.mul %20, %18
%88 = smt.int.mul %21, %22, %23
%c0_58 = smt.int.constant 0
%89 = smt.int.mod %87, %88
%90 = smt.eq %89, %c0_58 : !smt.int
iree_codegen.smt.assert %90, "lhs_tile_elements must be divisible by thread_count ({} % {} == 0)", %87, %88 : !smt.bool, !smt.int, !smt.int
%91 = smt.int.mul %20, %19
%92 = smt.int.mul %21, %22, %23
%c0_59 = smt.int.constant 0
%93 = smt.int.mod %91, %92
%94 = smt.eq %93, %c0_59 : !smt.int
iree_codegen.smt.assert %94, "rhs_tile_elements must be divisible by thread_count ({} % {} == 0)", %91, %92 : !smt.bool, !smt.int, !smt.int
%c2_60 = smt.int.constant 2
%c2_61 = smt.int.constant 2
%95 = smt.int.mul %c2_60, %18, %20
%96 = smt.int.mul %c2_61, %19, %20
%97 = smt.int.add %95, %96
%98 = smt.int.cmp le %97, %c65536
iree_codegen.smt.assert %98, "shared memory must fit in workgroup memory" : !smt.bool
%99 = smt.eq %24, %85 : !smt.int
iree_codegen.smt.assert %99, "wg_size_x == total_threads" : !smt.bool
%c1_62 = smt.int.constant 1
%100 = smt.eq %25, %c1_62 : !smt.int
iree_codegen.smt.assert %100, "wg_size_y == 1" : !smt.bool
%c1_63 = smt.int.constant 1
%101 = smt.eq %26, %c1_63 : !smt.int
iree_codegen.smt.assert %101, "wg_size_z == 1" : !smt.bool
%102 = smt.int.cmp le %24, %18
%103 = smt.int.cmp le %24, %19
%104 = smt.or %102, %103
iree_codegen.smt.assert %104, "wg_size_x <= wg_m OR wg_size_x <= wg_n" : !smt.bool
%c0_64 = smt.int.constant 0
%105 = smt.int.mod %20, %31
%106 = smt.eq %105, %c0_64 : !smt.int
iree_codegen.smt.assert %106, "red_6 must be divisible by mma_m ({} % {} == 0)", %20, %31 : !smt.bool, !smt.int, !smt.int
%c2_65 = smt.int.constant 2
%107 = smt.eq %27, %c2_65 : !smt.int
iree_codegen.smt.assert %107, "prefetch_num_stages == 2" : !smt.bool
}
iree_codegen.store_to_buffer %10, %5 : tensor<2x32x32x640xf32> into memref<2x32x32x640xf32, #amdgpu.address_space<fat_raw_buffer>>
return
}
iree_codegen.dispatch_config @conv_f16_dispatch_0_conv_2x32x32x640x3x3x640_f16xf16xf32 {
^bb0(%arg0: !hal.device):
%x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
iree_codegen.yield %x, %y, %z : index, index, index
}
}
}
}
util.func public @conv_f16(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @conv_f16(%input0: tensor<2x34x34x640xf16>, %input1: tensor<3x3x640x640xf16>) -> (%output0: tensor<2x32x32x640xf32>)"}} {
%c0 = arith.constant 0 : index
%c5242880 = arith.constant 5242880 : index
%c7372800 = arith.constant 7372800 : index
%c2959360 = arith.constant 2959360 : index
%c3 = arith.constant 3 : index
%c640 = arith.constant 640 : index
%c34 = arith.constant 34 : index
%c2 = arith.constant 2 : index
%element_type_f16 = hal.element_type<f16> : i32
%dense_row_major = hal.encoding_type<dense_row_major> : i32
hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c2, %c34, %c34, %c640]) type(%element_type_f16) encoding(%dense_row_major)
%0 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg0 : !hal.buffer_view -> tensor<2x34x34x640xf16> in !stream.resource<external>{%c2959360}
hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c3, %c3, %c640, %c640]) type(%element_type_f16) encoding(%dense_row_major)
%1 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg1 : !hal.buffer_view -> tensor<3x3x640x640xf16> in !stream.resource<external>{%c7372800}
%result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) : !stream.resource<external>{%c5242880} => !stream.timepoint
%2 = stream.cmd.execute on(#hal.device.affinity<@__device_0>) await(%result_timepoint) => with(%0 as %arg2: !stream.resource<external>{%c2959360}, %1 as %arg3: !stream.resource<external>{%c7372800}, %result as %arg4: !stream.resource<external>{%c5242880}) {
stream.cmd.dispatch @conv_f16_dispatch_0::@rocm_hsaco_fb::@conv_f16_dispatch_0_conv_2x32x32x640x3x3x640_f16xf16xf32 {
ro %arg2[%c0 for %c2959360] : !stream.resource<external>{%c2959360},
ro %arg3[%c0 for %c7372800] : !stream.resource<external>{%c7372800},
wo %arg4[%c0 for %c5242880] : !stream.resource<external>{%c5242880}
}
} => !stream.timepoint
%3 = stream.timepoint.await %2 => %result : !stream.resource<external>{%c5242880}
%4 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %3 : tensor<2x32x32x640xf32> in !stream.resource<external>{%c5242880} -> !hal.buffer_view
util.return %4 : !hal.buffer_view
}
}