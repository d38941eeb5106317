module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
util.global private @__device_0 = #hal.device.target<"hip", [#hal.executable.target<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, iree_codegen.default_tuning_spec = #rocm.builtin.tuning_module<"iree_default_tuning_spec_gfx942.mlir">, iree_codegen.target_info = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x16_BF16>, <MFMA_F32_32x32x8_BF16>, <MFMA_F32_16x16x32_F8E5M2FNUZ>, <MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_I32_16x16x32_I8>, <MFMA_I32_32x32x16_I8>, <MFMA_F64_16x16x4_F64>, <MFMA_F32_16x16x4_F32>, <MFMA_F32_16x16x16_F16>, <MFMA_F32_32x32x8_F16>, <MFMA_F32_4x4x4x16B_F16>, <MFMA_F32_16x16x4x4B_F16>, <MFMA_F32_32x32x4x2B_F16>, <MFMA_F32_4x4x4x16B_BF16>, <MFMA_F32_16x16x4x4B_BF16>, <MFMA_F32_32x32x4x2B_BF16>, <MFMA_F32_4x4x1x16B_F32>, <MFMA_F32_16x16x1x4B_F32>, <MFMA_F32_32x32x1x2B_F32>, <MFMA_F64_4x4x4x4B_F64>, <MFMA_I32_4x4x4x16B_I8>, <MFMA_I32_16x16x4x4B_I8>, <MFMA_I32_32x32x4x2B_I8>], subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, 2147483647], max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 16384, dma_sizes = [32], workgroup_memory_bank_count = 32>>, ukernels = "none"}>]> : !hal.device
hal.executable private @matmul_f16_dispatch_0 {
hal.executable.variant public @rocm_hsaco_fb target(<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, iree_codegen.default_tuning_spec = #rocm.builtin.tuning_module<"iree_default_tuning_spec_gfx942.mlir">, iree_codegen.target_info = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x16_BF16>, <MFMA_F32_32x32x8_BF16>, <MFMA_F32_16x16x32_F8E5M2FNUZ>, <MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_I32_16x16x32_I8>, <MFMA_I32_32x32x16_I8>, <MFMA_F64_16x16x4_F64>, <MFMA_F32_16x16x4_F32>, <MFMA_F32_16x16x16_F16>, <MFMA_F32_32x32x8_F16>, <MFMA_F32_4x4x4x16B_F16>, <MFMA_F32_16x16x4x4B_F16>, <MFMA_F32_32x32x4x2B_F16>, <MFMA_F32_4x4x4x16B_BF16>, <MFMA_F32_16x16x4x4B_BF16>, <MFMA_F32_32x32x4x2B_BF16>, <MFMA_F32_4x4x1x16B_F32>, <MFMA_F32_16x16x1x4B_F32>, <MFMA_F32_32x32x1x2B_F32>, <MFMA_F64_4x4x4x4B_F64>, <MFMA_I32_4x4x4x16B_I8>, <MFMA_I32_16x16x4x4B_I8>, <MFMA_I32_32x32x4x2B_I8>], subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, 2147483647], max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 16384, dma_sizes = [32], workgroup_memory_bank_count = 32>>, ukernels = "none"}>) {
hal.executable.export public @matmul_f16_dispatch_0_matmul_like_1024x1280x1280_f16xf16xf32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
%x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
hal.return %x, %y, %z : index, index, index
}
builtin.module {
func.func @matmul_f16_dispatch_0_matmul_like_1024x1280x1280_f16xf16xf32() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [256, 1, 1] subgroup_size = 64, {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2, no_reduce_shared_memory_bank_conflicts = false, use_igemm_convolution = false>}>} {
%cst = arith.constant 0.000000e+00 : f32
%c0 = arith.constant 0 : index
%0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<1024x1280xf16, #hal.descriptor_type<storage_buffer>>
%1 = amdgpu.fat_raw_buffer_cast %0 resetOffset : memref<1024x1280xf16, #hal.descriptor_type<storage_buffer>> to memref<1024x1280xf16, #amdgpu.address_space<fat_raw_buffer>>
%2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<1280x1280xf16, #hal.descriptor_type<storage_buffer>>
%3 = amdgpu.fat_raw_buffer_cast %2 resetOffset : memref<1280x1280xf16, #hal.descriptor_type<storage_buffer>> to memref<1280x1280xf16, #amdgpu.address_space<fat_raw_buffer>>
%4 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(Indirect) : memref<1024x1280xf32, #hal.descriptor_type<storage_buffer>>
%5 = amdgpu.fat_raw_buffer_cast %4 resetOffset : memref<1024x1280xf32, #hal.descriptor_type<storage_buffer>> to memref<1024x1280xf32, #amdgpu.address_space<fat_raw_buffer>>
%6 = iree_codegen.load_from_buffer %1 : memref<1024x1280xf16, #amdgpu.address_space<fat_raw_buffer>> -> tensor<1024x1280xf16>
%7 = iree_codegen.load_from_buffer %3 : memref<1280x1280xf16, #amdgpu.address_space<fat_raw_buffer>> -> tensor<1280x1280xf16>
%8 = tensor.empty() : tensor<1024x1280xf32>
%9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<1024x1280xf32>) -> tensor<1024x1280xf32>
%10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6, %7 : tensor<1024x1280xf16>, tensor<1280x1280xf16>) outs(%9 : tensor<1024x1280xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 8], subgroup = [2, 4, 0], workgroup = [64, 128, 0]}>, root_op = #iree_codegen.root_op<set = 0>} {
^bb0(%in: f16, %in_9: f16, %out: f32):
%11 = arith.extf %in : f16 to f32
%12 = arith.extf %in_9 : f16 to f32
%13 = arith.mulf %11, %12 : f32
%14 = arith.addf %out, %13 : f32
linalg.yield %14 : f32
} -> tensor<1024x1280xf32>
%c0_0 = arith.constant 0 : index
%c1024 = arith.constant 1024 : index
%c0_1 = arith.constant 0 : index
%c1280 = arith.constant 1280 : index
%c1 = arith.constant 1 : index
%c1280_2 = arith.constant 1280 : index
iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_gpu.pipeline<TileAndFuse>, 
knobs = {gpu_pipeline_options = {no_reduce_shared_memory_bank_conflicts = false, prefetch_num_stages = #iree_codegen.smt.int_knob<"prefetch_num_stages">, use_igemm_convolution = false}, mma_kind = #iree_codegen.smt.one_of_knob<"mma_idx", [#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>]>, promote_operands = [0, 1], reduction = [0, 0, #iree_codegen.smt.int_knob<"red_2">], subgroup = [#iree_codegen.smt.int_knob<"sg_0">, #iree_codegen.smt.int_knob<"sg_1">, 0], subgroup_size = #iree_codegen.smt.int_knob<"sg_size">, workgroup = [#iree_codegen.smt.int_knob<"wg_0">, #iree_codegen.smt.int_knob<"wg_1">, 0], workgroup_size = [#iree_codegen.smt.int_knob<"wg_size_x">, #iree_codegen.smt.int_knob<"wg_size_y">, #iree_codegen.smt.int_knob<"wg_size_z">]}
dims(%c1024, %c1280, %c1280_2) {
^bb0(%arg0: !smt.int, %arg1: !smt.int, %arg2: !smt.int):
%c1024_9 = smt.int.constant 1024
%11 = smt.eq %arg0, %c1024_9 : !smt.int
iree_codegen.smt.assert %11, "dim_0 ({}) == 1024", %arg0 : !smt.bool, !smt.int
%c1280_10 = smt.int.constant 1280
%12 = smt.eq %arg1, %c1280_10 : !smt.int
iree_codegen.smt.assert %12, "dim_1 ({}) == 1280", %arg1 : !smt.bool, !smt.int
%c1280_11 = smt.int.constant 1280
%13 = smt.eq %arg2, %c1280_11 : !smt.int
iree_codegen.smt.assert %13, "dim_2 ({}) == 1280", %arg2 : !smt.bool, !smt.int
%c64 = smt.int.constant 64
%c1024_12 = smt.int.constant 1024
%c65536 = smt.int.constant 65536
%c512 = smt.int.constant 512
%14 = iree_codegen.smt.knob "wg_0" : !smt.int
%15 = iree_codegen.smt.knob "wg_1" : !smt.int
%16 = iree_codegen.smt.knob "sg_0" : !smt.int
%17 = iree_codegen.smt.knob "sg_1" : !smt.int
%18 = iree_codegen.smt.knob "red_2" : !smt.int
%19 = iree_codegen.smt.knob "sg_size" : !smt.int
%20 = iree_codegen.smt.knob "wg_size_x" : !smt.int
%21 = iree_codegen.smt.knob "wg_size_y" : !smt.int
%22 = iree_codegen.smt.knob "wg_size_z" : !smt.int
%23 = iree_codegen.smt.knob "prefetch_num_stages" : !smt.int
%24 = iree_codegen.smt.knob "mma_idx" : !smt.int
%c0_13 = smt.int.constant 0
%c1_14 = smt.int.constant 1
%25 = smt.int.cmp ge %24, %c0_13
iree_codegen.smt.assert %25, "mma_idx >= 0" : !smt.bool
%26 = smt.int.cmp le %24, %c1_14
iree_codegen.smt.assert %26, "mma_idx <= 1" : !smt.bool
%27 = iree_codegen.smt.lookup %24 [0, 1] -> [16, 32] : !smt.int
%28 = iree_codegen.smt.lookup %24 [0, 1] -> [16, 32] : !smt.int
%29 = iree_codegen.smt.lookup %24 [0, 1] -> [16, 8] : !smt.int
%c1_15 = smt.int.constant 1
%30 = smt.int.mul %c1_15, %14
%c1_16 = smt.int.constant 1
%31 = smt.int.mul %c1_16, %15
%c1_17 = smt.int.constant 1
%32 = smt.int.mul %c1_17, %16
%c1_18 = smt.int.constant 1
%33 = smt.int.mul %c1_18, %17
%34 = smt.int.mul %32, %27
%35 = smt.int.mul %33, %28
%sg_m_cnt = smt.declare_fun "sg_m_cnt" : !smt.int
%sg_n_cnt = smt.declare_fun "sg_n_cnt" : !smt.int
%36 = smt.int.mul %sg_m_cnt, %sg_n_cnt
%37 = smt.int.mul %36, %19
%38 = smt.int.mul %18, %29
%c1_19 = smt.int.constant 1
%39 = smt.int.sub %27, %c1_19
%40 = smt.int.add %arg0, %39
%41 = smt.int.div %40, %27
%42 = smt.int.mul %41, %27
%c1_20 = smt.int.constant 1
%43 = smt.int.sub %28, %c1_20
%44 = smt.int.add %arg1, %43
%45 = smt.int.div %44, %28
%46 = smt.int.mul %45, %28
%c1_21 = smt.int.constant 1
%47 = smt.int.sub %29, %c1_21
%48 = smt.int.add %arg2, %47
%49 = smt.int.div %48, %29
%50 = smt.int.mul %49, %29
%51 = smt.eq %19, %c64 : !smt.int
iree_codegen.smt.assert %51, "sg_size == preferred_subgroup_size" : !smt.bool
%c0_22 = smt.int.constant 0
%52 = smt.int.mod %42, %14
%53 = smt.eq %52, %c0_22 : !smt.int
iree_codegen.smt.assert %53, "dim_0 must be divisible by wg_0 ({} % {} == 0)", %42, %14 : !smt.bool, !smt.int, !smt.int
%c1_23 = smt.int.constant 1
%54 = smt.int.cmp ge %14, %c1_23
iree_codegen.smt.assert %54, "wg_0 >= 1" : !smt.bool
%55 = smt.int.cmp le %14, %42
iree_codegen.smt.assert %55, "wg_0 <= dim_0" : !smt.bool
%c0_24 = smt.int.constant 0
%56 = smt.int.mod %14, %16
%57 = smt.eq %56, %c0_24 : !smt.int
iree_codegen.smt.assert %57, "wg_0 must be divisible by sg_0 ({} % {} == 0)", %14, %16 : !smt.bool, !smt.int, !smt.int
%c0_25 = smt.int.constant 0
%58 = smt.int.mod %46, %15
%59 = smt.eq %58, %c0_25 : !smt.int
iree_codegen.smt.assert %59, "dim_1 must be divisible by wg_1 ({} % {} == 0)", %46, %15 : !smt.bool, !smt.int, !smt.int
%c1_26 = smt.int.constant 1
%60 = smt.int.cmp ge %15, %c1_26
iree_codegen.smt.assert %60, "wg_1 >= 1" : !smt.bool
%61 = smt.int.cmp le %15, %46
iree_codegen.smt.assert %61, "wg_1 <= dim_1" : !smt.bool
%c0_27 = smt.int.constant 0
%62 = smt.int.mod %15, %17
%63 = smt.eq %62, %c0_27 : !smt.int
iree_codegen.smt.assert %63, "wg_1 must be divisible by sg_1 ({} % {} == 0)", %15, %17 : !smt.bool, !smt.int, !smt.int
%64 = smt.int.cmp ge %14, %27
iree_codegen.smt.assert %64, "wg_0 >= mma_m" : !smt.bool
%65 = smt.int.cmp ge %15, %28
iree_codegen.smt.assert %65, "wg_1 >= mma_n" : !smt.bool
%c0_28 = smt.int.constant 0
%66 = smt.int.mod %14, %27
%67 = smt.eq %66, %c0_28 : !smt.int
iree_codegen.smt.assert %67, "wg_0 must be divisible by mma_m ({} % {} == 0)", %14, %27 : !smt.bool, !smt.int, !smt.int
%c0_29 = smt.int.constant 0
%68 = smt.int.mod %15, %28
%69 = smt.eq %68, %c0_29 : !smt.int
iree_codegen.smt.assert %69, "wg_1 must be divisible by mma_n ({} % {} == 0)", %15, %28 : !smt.bool, !smt.int, !smt.int
%70 = smt.int.mul %16, %27
%71 = smt.int.mul %17, %28
%c0_30 = smt.int.constant 0
%72 = smt.int.mod %14, %70
%73 = smt.eq %72, %c0_30 : !smt.int
iree_codegen.smt.assert %73, "wg_0 must be divisible by sg_0 * mma_m ({} % {} == 0)", %14, %70 : !smt.bool, !smt.int, !smt.int
%c0_31 = smt.int.constant 0
%74 = smt.int.mod %15, %71
%75 = smt.eq %74, %c0_31 : !smt.int
iree_codegen.smt.assert %75, "wg_1 must be divisible by sg_1 * mma_n ({} % {} == 0)", %15, %71 : !smt.bool, !smt.int, !smt.int
%76 = smt.int.cmp le %30, %c512
iree_codegen.smt.assert %76, "prod(wg_m) <= 512 (max_vgprs)" : !smt.bool
%77 = smt.int.cmp le %31, %c512
iree_codegen.smt.assert %77, "prod(wg_n) <= 512 (max_vgprs)" : !smt.bool
%c0_32 = smt.int.constant 0
%78 = smt.int.mod %30, %34
%79 = smt.eq %78, %c0_32 : !smt.int
iree_codegen.smt.assert %79, "prod(wg_m) must be divisible by prod(sg_m) * mma_m ({} % {} == 0)", %30, %34 : !smt.bool, !smt.int, !smt.int
%c0_33 = smt.int.constant 0
%80 = smt.int.mod %31, %35
%81 = smt.eq %80, %c0_33 : !smt.int
iree_codegen.smt.assert %81, "prod(wg_n) must be divisible by prod(sg_n) * mma_n ({} % {} == 0)", %31, %35 : !smt.bool, !smt.int, !smt.int
%82 = smt.int.mul %32, %sg_m_cnt, %27
%83 = smt.int.mul %33, %sg_n_cnt, %28
%84 = smt.eq %30, %82 : !smt.int
%85 = smt.eq %31, %83 : !smt.int
iree_codegen.smt.assert %84, "prod(wg_m) == prod(sg_m) * sg_m_cnt * mma_m" : !smt.bool
iree_codegen.smt.assert %85, "prod(wg_n) == prod(sg_n) * sg_n_cnt * mma_n" : !smt.bool
%c1_34 = smt.int.constant 1
%86 = smt.int.cmp ge %18, %c1_34
iree_codegen.smt.assert %86, "red_2 >= 1" : !smt.bool
%c0_35 = smt.int.constant 0
%87 = smt.int.mod %50, %38
%88 = smt.eq %87, %c0_35 : !smt.int
iree_codegen.smt.assert %88, "aligned inner k dim dim_2 must be divisible by red_2 * mma_k ({} % {} == 0)", %50, %38 : !smt.bool, !smt.int, !smt.int
%89 = smt.int.cmp le %38, %c512
iree_codegen.smt.assert %89, "red_2 * mma_k <= 512 (max_vgprs)" : !smt.bool
%90 = smt.int.cmp le %38, %50
iree_codegen.smt.assert %90, "red_2 * mma_k <= aligned k dim" : !smt.bool
%c1_36 = smt.int.constant 1
%91 = smt.int.cmp ge %16, %c1_36
iree_codegen.smt.assert %91, "sg_0 >= 1" : !smt.bool
%c1_37 = smt.int.constant 1
%92 = smt.int.cmp ge %17, %c1_37
iree_codegen.smt.assert %92, "sg_1 >= 1" : !smt.bool
%c1_38 = smt.int.constant 1
%c32 = smt.int.constant 32
%93 = smt.int.cmp ge %sg_m_cnt, %c1_38
iree_codegen.smt.assert %93, "sg_m_cnt >= 1" : !smt.bool
%94 = smt.int.cmp le %sg_m_cnt, %c32
iree_codegen.smt.assert %94, "sg_m_cnt <= 32" : !smt.bool
%c1_39 = smt.int.constant 1
%c32_40 = smt.int.constant 32
%95 = smt.int.cmp ge %sg_n_cnt, %c1_39
iree_codegen.smt.assert %95, "sg_n_cnt >= 1" : !smt.bool
%96 = smt.int.cmp le %sg_n_cnt, %c32_40
iree_codegen.smt.assert %96, "sg_n_cnt <= 32" : !smt.bool
%c1_41 = smt.int.constant 1
%c10 = smt.int.constant 10
%97 = smt.int.cmp ge %36, %c1_41
iree_codegen.smt.assert %97, "sg_num >= 1" : !smt.bool
%98 = smt.int.cmp le %36, %c10
iree_codegen.smt.assert %98, "sg_num <= 10" : !smt.bool
%99 = smt.int.cmp le %37, %c1024_12
iree_codegen.smt.assert %99, "total_threads <= max_threads" : !smt.bool
%c2 = smt.int.constant 2
%c2_42 = smt.int.constant 2
%100 = smt.int.mul %c2, %30, %38
%101 = smt.int.mul %c2_42, %31, %38
%102 = smt.int.add %100, %101
%103 = smt.int.cmp le %102, %c65536
iree_codegen.smt.assert %103, "shared memory must fit in workgroup memory" : !smt.bool
%104 = smt.eq %20, %37 : !smt.int
iree_codegen.smt.assert %104, "wg_size_x == total_threads" : !smt.bool
%c1_43 = smt.int.constant 1
%105 = smt.eq %21, %c1_43 : !smt.int
iree_codegen.smt.assert %105, "wg_size_y == 1" : !smt.bool
%c1_44 = smt.int.constant 1
%106 = smt.eq %22, %c1_44 : !smt.int
iree_codegen.smt.assert %106, "wg_size_z == 1" : !smt.bool
%c2_45 = smt.int.constant 2
%107 = smt.eq %23, %c2_45 : !smt.int
iree_codegen.smt.assert %107, "prefetch_num_stages == 2 (use_igemm_convolution=false)" : !smt.bool
}
%c0_3 = arith.constant 0 : index
%c1024_4 = arith.constant 1024 : index
%c0_5 = arith.constant 0 : index
%c1280_6 = arith.constant 1280 : index
%c1_7 = arith.constant 1 : index
%c1280_8 = arith.constant 1280 : index
iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_gpu.pipeline<VectorDistribute>, 
knobs = {gpu_pipeline_options = {no_reduce_shared_memory_bank_conflicts = false, prefetch_num_stages = #iree_codegen.smt.int_knob<"prefetch_num_stages">, use_igemm_convolution = false}, mma_kind = #iree_codegen.smt.one_of_knob<"mma_idx", [#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>]>, promote_operands = [0, 1], promotion_types = [#iree_gpu.derived_thread_config, #iree_gpu.derived_thread_config], reduction = [0, 0, #iree_codegen.smt.int_knob<"red_2">], subgroup_basis = [[#iree_codegen.smt.int_knob<"sg_m_cnt">, #iree_codegen.smt.int_knob<"sg_n_cnt">, 1], [0, 1, 2]], subgroup_size = #iree_codegen.smt.int_knob<"sg_size">, workgroup = [#iree_codegen.smt.int_knob<"wg_0">, #iree_codegen.smt.int_knob<"wg_1">, 0], workgroup_size = [#iree_codegen.smt.int_knob<"wg_size_x">, #iree_codegen.smt.int_knob<"wg_size_y">, #iree_codegen.smt.int_knob<"wg_size_z">]}
dims(%c1024_4, %c1280_6, %c1280_8) {
^bb0(%arg0: !smt.int, %arg1: !smt.int, %arg2: !smt.int):
%c1024_9 = smt.int.constant 1024
%11 = smt.eq %arg0, %c1024_9 : !smt.int
iree_codegen.smt.assert %11, "dim_0 ({}) == 1024", %arg0 : !smt.bool, !smt.int
%c1280_10 = smt.int.constant 1280
%12 = smt.eq %arg1, %c1280_10 : !smt.int
iree_codegen.smt.assert %12, "dim_1 ({}) == 1280", %arg1 : !smt.bool, !smt.int
%c1280_11 = smt.int.constant 1280
%13 = smt.eq %arg2, %c1280_11 : !smt.int
iree_codegen.smt.assert %13, "dim_2 ({}) == 1280", %arg2 : !smt.bool, !smt.int
%c64 = smt.int.constant 64
%c1024_12 = smt.int.constant 1024
%c65536 = smt.int.constant 65536
%c512 = smt.int.constant 512
%14 = iree_codegen.smt.knob "wg_0" : !smt.int
%15 = iree_codegen.smt.knob "wg_1" : !smt.int
%16 = iree_codegen.smt.knob "red_2" : !smt.int
%17 = iree_codegen.smt.knob "sg_m_cnt" : !smt.int
%18 = iree_codegen.smt.knob "sg_n_cnt" : !smt.int
%19 = iree_codegen.smt.knob "sg_size" : !smt.int
%20 = iree_codegen.smt.knob "wg_size_x" : !smt.int
%21 = iree_codegen.smt.knob "wg_size_y" : !smt.int
%22 = iree_codegen.smt.knob "wg_size_z" : !smt.int
%23 = iree_codegen.smt.knob "prefetch_num_stages" : !smt.int
%24 = iree_codegen.smt.knob "mma_idx" : !smt.int
%c0_13 = smt.int.constant 0
%c1_14 = smt.int.constant 1
%25 = smt.int.cmp ge %24, %c0_13
iree_codegen.smt.assert %25, "mma_idx >= 0" : !smt.bool
%26 = smt.int.cmp le %24, %c1_14
iree_codegen.smt.assert %26, "mma_idx <= 1" : !smt.bool
%27 = iree_codegen.smt.lookup %24 [0, 1] -> [16, 32] : !smt.int
%28 = iree_codegen.smt.lookup %24 [0, 1] -> [16, 32] : !smt.int
%29 = iree_codegen.smt.lookup %24 [0, 1] -> [16, 8] : !smt.int
%30 = smt.int.mul %17, %18
%31 = smt.int.mul %17, %27
%32 = smt.int.div %14, %31
%33 = smt.int.mul %18, %28
%34 = smt.int.div %15, %33
%35 = smt.int.div %16, %29
%36 = smt.eq %19, %c64 : !smt.int
iree_codegen.smt.assert %36, "sg_size == preferred_subgroup_size" : !smt.bool
%c0_15 = smt.int.constant 0
%37 = smt.int.mod %arg0, %14
%38 = smt.eq %37, %c0_15 : !smt.int
iree_codegen.smt.assert %38, "dim_0 must be divisible by wg_0 ({} % {} == 0)", %arg0, %14 : !smt.bool, !smt.int, !smt.int
%c0_16 = smt.int.constant 0
%39 = smt.int.mod %arg1, %15
%40 = smt.eq %39, %c0_16 : !smt.int
iree_codegen.smt.assert %40, "dim_1 must be divisible by wg_1 ({} % {} == 0)", %arg1, %15 : !smt.bool, !smt.int, !smt.int
%c0_17 = smt.int.constant 0
%41 = smt.int.mod %arg2, %16
%42 = smt.eq %41, %c0_17 : !smt.int
iree_codegen.smt.assert %42, "dim_2 must be divisible by red_2 ({} % {} == 0)", %arg2, %16 : !smt.bool, !smt.int, !smt.int
%43 = smt.int.cmp ge %14, %27
iree_codegen.smt.assert %43, "wg_0 >= mma_m" : !smt.bool
%44 = smt.int.cmp le %14, %arg0
iree_codegen.smt.assert %44, "wg_0 <= dim_0" : !smt.bool
%45 = smt.int.cmp ge %15, %28
iree_codegen.smt.assert %45, "wg_1 >= mma_n" : !smt.bool
%46 = smt.int.cmp le %15, %arg1
iree_codegen.smt.assert %46, "wg_1 <= dim_1" : !smt.bool
%47 = smt.int.cmp ge %16, %29
iree_codegen.smt.assert %47, "red_2 >= mma_k" : !smt.bool
%48 = smt.int.cmp le %16, %arg2
iree_codegen.smt.assert %48, "red_2 <= dim_2" : !smt.bool
%49 = smt.int.cmp le %14, %c512
iree_codegen.smt.assert %49, "wg_0 <= 512 (max VGPRs)" : !smt.bool
%50 = smt.int.cmp le %15, %c512
iree_codegen.smt.assert %50, "wg_1 <= 512 (max VGPRs)" : !smt.bool
%51 = smt.int.cmp le %16, %c512
iree_codegen.smt.assert %51, "red_2 <= 512 (max VGPRs)" : !smt.bool
%c0_18 = smt.int.constant 0
%52 = smt.int.mod %14, %27
%53 = smt.eq %52, %c0_18 : !smt.int
iree_codegen.smt.assert %53, "wg_0 must be divisible by mma_m ({} % {} == 0)", %14, %27 : !smt.bool, !smt.int, !smt.int
%c0_19 = smt.int.constant 0
%54 = smt.int.mod %15, %28
%55 = smt.eq %54, %c0_19 : !smt.int
iree_codegen.smt.assert %55, "wg_1 must be divisible by mma_n ({} % {} == 0)", %15, %28 : !smt.bool, !smt.int, !smt.int
%c0_20 = smt.int.constant 0
%56 = smt.int.mod %16, %29
%57 = smt.eq %56, %c0_20 : !smt.int
iree_codegen.smt.assert %57, "red_2 must be divisible by mma_k ({} % {} == 0)", %16, %29 : !smt.bool, !smt.int, !smt.int
%58 = smt.int.mul %17, %27, %32
%59 = smt.int.mul %18, %28, %34
%60 = smt.int.mul %29, %35
%c0_21 = smt.int.constant 0
%61 = smt.int.mod %14, %58
%62 = smt.eq %61, %c0_21 : !smt.int
iree_codegen.smt.assert %62, "wg_0 must be divisible by (sg_m_cnt * mma_m * sg_m) ({} % {} == 0)", %14, %58 : !smt.bool, !smt.int, !smt.int
%c0_22 = smt.int.constant 0
%63 = smt.int.mod %15, %59
%64 = smt.eq %63, %c0_22 : !smt.int
iree_codegen.smt.assert %64, "wg_1 must be divisible by (sg_n_cnt * mma_n * sg_n) ({} % {} == 0)", %15, %59 : !smt.bool, !smt.int, !smt.int
%c0_23 = smt.int.constant 0
%65 = smt.int.mod %16, %60
%66 = smt.eq %65, %c0_23 : !smt.int
iree_codegen.smt.assert %66, "red_2 must be divisible by (mma_k * sg_k) ({} % {} == 0)", %16, %60 : !smt.bool, !smt.int, !smt.int
%c1_24 = smt.int.constant 1
%c32 = smt.int.constant 32
%67 = smt.int.cmp ge %17, %c1_24
iree_codegen.smt.assert %67, "sg_m_cnt >= 1" : !smt.bool
%68 = smt.int.cmp le %17, %c32
iree_codegen.smt.assert %68, "sg_m_cnt <= 32" : !smt.bool
%69 = smt.int.cmp ge %18, %c1_24
iree_codegen.smt.assert %69, "sg_n_cnt >= 1" : !smt.bool
%70 = smt.int.cmp le %18, %c32
iree_codegen.smt.assert %70, "sg_n_cnt <= 32" : !smt.bool
%71 = smt.int.cmp ge %32, %c1_24
iree_codegen.smt.assert %71, "sg_m >= 1" : !smt.bool
%72 = smt.int.cmp le %32, %c32
iree_codegen.smt.assert %72, "sg_m <= 32" : !smt.bool
%73 = smt.int.cmp ge %34, %c1_24
iree_codegen.smt.assert %73, "sg_n >= 1" : !smt.bool
%74 = smt.int.cmp le %34, %c32
iree_codegen.smt.assert %74, "sg_n <= 32" : !smt.bool
%75 = smt.int.cmp ge %35, %c1_24
iree_codegen.smt.assert %75, "sg_k >= 1" : !smt.bool
%76 = smt.int.cmp le %35, %c32
iree_codegen.smt.assert %76, "sg_k <= 32" : !smt.bool
%77 = smt.int.mul %17, %18
%78 = smt.eq %77, %30 : !smt.int
iree_codegen.smt.assert %78, "sg_m_cnt * sg_n_cnt == sg_num" : !smt.bool
%c1_25 = smt.int.constant 1
%c10 = smt.int.constant 10
%79 = smt.int.cmp ge %30, %c1_25
iree_codegen.smt.assert %79, "sg_num >= 1" : !smt.bool
%80 = smt.int.cmp le %30, %c10
iree_codegen.smt.assert %80, "sg_num <= 10" : !smt.bool
%81 = smt.int.mul %17, %18, %19
%82 = smt.int.cmp le %81, %c1024_12
iree_codegen.smt.assert %82, "total_threads <= max_threads" : !smt.bool
%83 = smt.int.mul %16, %14
%84 = smt.int.mul %17, %18, %19
%c0_26 = smt.int.constant 0
%85 = smt.int.mod %83, %84
%86 = smt.eq %85, %c0_26 : !smt.int
iree_codegen.smt.assert %86, "lhs_tile_elements must be divisible by thread_count ({} % {} == 0)", %83, %84 : !smt.bool, !smt.int, !smt.int
%87 = smt.int.mul %16, %15
%88 = smt.int.mul %17, %18, %19
%c0_27 = smt.int.constant 0
%89 = smt.int.mod %87, %88
%90 = smt.eq %89, %c0_27 : !smt.int
iree_codegen.smt.assert %90, "rhs_tile_elements must be divisible by thread_count ({} % {} == 0)", %87, %88 : !smt.bool, !smt.int, !smt.int
%c2 = smt.int.constant 2
%c2_28 = smt.int.constant 2
%91 = smt.int.mul %c2, %14, %16
%92 = smt.int.mul %c2_28, %15, %16
%93 = smt.int.add %91, %92
%94 = smt.int.cmp le %93, %c65536
iree_codegen.smt.assert %94, "shared memory must fit in workgroup memory" : !smt.bool
%95 = smt.eq %20, %81 : !smt.int
iree_codegen.smt.assert %95, "wg_size_x == total_threads" : !smt.bool
%c1_29 = smt.int.constant 1
%96 = smt.eq %21, %c1_29 : !smt.int
iree_codegen.smt.assert %96, "wg_size_y == 1" : !smt.bool
%c1_30 = smt.int.constant 1
%97 = smt.eq %22, %c1_30 : !smt.int
iree_codegen.smt.assert %97, "wg_size_z == 1" : !smt.bool
%98 = smt.int.cmp le %20, %14
%99 = smt.int.cmp le %20, %15
%100 = smt.or %98, %99
iree_codegen.smt.assert %100, "wg_size_x <= wg_m OR wg_size_x <= wg_n" : !smt.bool
%c0_31 = smt.int.constant 0
%101 = smt.int.mod %16, %27
%102 = smt.eq %101, %c0_31 : !smt.int
iree_codegen.smt.assert %102, "red_2 must be divisible by mma_m ({} % {} == 0)", %16, %27 : !smt.bool, !smt.int, !smt.int
%c2_32 = smt.int.constant 2
%103 = smt.eq %23, %c2_32 : !smt.int
iree_codegen.smt.assert %103, "prefetch_num_stages == 2" : !smt.bool
}
iree_codegen.store_to_buffer %10, %5 : tensor<1024x1280xf32> into memref<1024x1280xf32, #amdgpu.address_space<fat_raw_buffer>>
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
stream.cmd.dispatch @matmul_f16_dispatch_0::@rocm_hsaco_fb::@matmul_f16_dispatch_0_matmul_like_1024x1280x1280_f16xf16xf32 {
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