module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
util.global private @__device_0 = #hal.device.target<"hip", [#hal.executable.target<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, iree_codegen.default_tuning_spec = #rocm.builtin.tuning_module<"iree_default_tuning_spec_gfx942.mlir">, iree_codegen.target_info = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x16_BF16>, <MFMA_F32_32x32x8_BF16>, <MFMA_F32_16x16x32_F8E5M2FNUZ>, <MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_I32_16x16x32_I8>, <MFMA_I32_32x32x16_I8>, <MFMA_F64_16x16x4_F64>, <MFMA_F32_16x16x4_F32>, <MFMA_F32_16x16x16_F16>, <MFMA_F32_32x32x8_F16>, <MFMA_F32_4x4x4x16B_F16>, <MFMA_F32_16x16x4x4B_F16>, <MFMA_F32_32x32x4x2B_F16>, <MFMA_F32_4x4x4x16B_BF16>, <MFMA_F32_16x16x4x4B_BF16>, <MFMA_F32_32x32x4x2B_BF16>, <MFMA_F32_4x4x1x16B_F32>, <MFMA_F32_16x16x1x4B_F32>, <MFMA_F32_32x32x1x2B_F32>, <MFMA_F64_4x4x4x4B_F64>, <MFMA_I32_4x4x4x16B_I8>, <MFMA_I32_16x16x4x4B_I8>, <MFMA_I32_32x32x4x2B_I8>], subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, 2147483647], max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 16384, dma_sizes = [32], workgroup_memory_bank_count = 32>>, ukernels = "none"}>]> : !hal.device
hal.executable private @attention_f16_dispatch_0 {
hal.executable.variant public @rocm_hsaco_fb target(<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, iree_codegen.default_tuning_spec = #rocm.builtin.tuning_module<"iree_default_tuning_spec_gfx942.mlir">, iree_codegen.target_info = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x16_BF16>, <MFMA_F32_32x32x8_BF16>, <MFMA_F32_16x16x32_F8E5M2FNUZ>, <MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_I32_16x16x32_I8>, <MFMA_I32_32x32x16_I8>, <MFMA_F64_16x16x4_F64>, <MFMA_F32_16x16x4_F32>, <MFMA_F32_16x16x16_F16>, <MFMA_F32_32x32x8_F16>, <MFMA_F32_4x4x4x16B_F16>, <MFMA_F32_16x16x4x4B_F16>, <MFMA_F32_32x32x4x2B_F16>, <MFMA_F32_4x4x4x16B_BF16>, <MFMA_F32_16x16x4x4B_BF16>, <MFMA_F32_32x32x4x2B_BF16>, <MFMA_F32_4x4x1x16B_F32>, <MFMA_F32_16x16x1x4B_F32>, <MFMA_F32_32x32x1x2B_F32>, <MFMA_F64_4x4x4x4B_F64>, <MFMA_I32_4x4x4x16B_I8>, <MFMA_I32_16x16x4x4B_I8>, <MFMA_I32_32x32x4x2B_I8>], subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, 2147483647], max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 16384, dma_sizes = [32], workgroup_memory_bank_count = 32>>, ukernels = "none"}>) {
hal.executable.export public @attention_f16_dispatch_0_attention_20x4096x64x64x1024 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
%x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
hal.return %x, %y, %z : index, index, index
}
builtin.module {
func.func @attention_f16_dispatch_0_attention_20x4096x64x64x1024() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64, {iree_codegen.denormal_fp_math_f32 = #iree_codegen.denormal_fp_math<"preserve-sign">}>} {
%cst = arith.constant 1.000000e+00 : f32
%cst_0 = arith.constant -3.40282347E+38 : f32
%cst_1 = arith.constant 0.000000e+00 : f32
%cst_2 = arith.constant 1.250000e-01 : f16
%c0 = arith.constant 0 : index
%0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<20x4096x64xf16, #hal.descriptor_type<storage_buffer>>
%1 = amdgpu.fat_raw_buffer_cast %0 resetOffset : memref<20x4096x64xf16, #hal.descriptor_type<storage_buffer>> to memref<20x4096x64xf16, #amdgpu.address_space<fat_raw_buffer>>
%2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<20x1024x64xf16, #hal.descriptor_type<storage_buffer>>
%3 = amdgpu.fat_raw_buffer_cast %2 resetOffset : memref<20x1024x64xf16, #hal.descriptor_type<storage_buffer>> to memref<20x1024x64xf16, #amdgpu.address_space<fat_raw_buffer>>
%4 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<20x1024x64xf16, #hal.descriptor_type<storage_buffer>>
%5 = amdgpu.fat_raw_buffer_cast %4 resetOffset : memref<20x1024x64xf16, #hal.descriptor_type<storage_buffer>> to memref<20x1024x64xf16, #amdgpu.address_space<fat_raw_buffer>>
%6 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(3) alignment(64) offset(%c0) flags(Indirect) : memref<20x4096x64xf16, #hal.descriptor_type<storage_buffer>>
%7 = amdgpu.fat_raw_buffer_cast %6 resetOffset : memref<20x4096x64xf16, #hal.descriptor_type<storage_buffer>> to memref<20x4096x64xf16, #amdgpu.address_space<fat_raw_buffer>>
%8 = iree_codegen.load_from_buffer %1 : memref<20x4096x64xf16, #amdgpu.address_space<fat_raw_buffer>> -> tensor<20x4096x64xf16>
%9 = iree_codegen.load_from_buffer %3 : memref<20x1024x64xf16, #amdgpu.address_space<fat_raw_buffer>> -> tensor<20x1024x64xf16>
%10 = iree_codegen.load_from_buffer %5 : memref<20x1024x64xf16, #amdgpu.address_space<fat_raw_buffer>> -> tensor<20x1024x64xf16>
%11 = tensor.empty() : tensor<20x4096x64xf16>
%12 = tensor.empty() : tensor<20x4096x64xf32>
%13 = tensor.empty() : tensor<20x4096xf32>
%14 = linalg.fill ins(%cst_1 : f32) outs(%12 : tensor<20x4096x64xf32>) -> tensor<20x4096x64xf32>
%15 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<20x4096xf32>) -> tensor<20x4096xf32>
%16 = linalg.fill ins(%cst_1 : f32) outs(%13 : tensor<20x4096xf32>) -> tensor<20x4096xf32>
%17:3 = iree_linalg_ext.online_attention <indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> ()>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>], decomposition_config = {pv_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16, col_major = true>, promote_operands = [1], promotion_types = [#iree_gpu.derived_thread_config], subgroup_basis = [[1, 4, 1, 1, 1], [0, 1, 2, 4]]}>}, qk_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.virtual_mma_layout<VMFMA_F32_16x16x32_F16, col_major = true>, promote_operands = [0, 1], promotion_types = [#iree_gpu.derived_thread_config, #iree_gpu.derived_thread_config], subgroup_basis = [[1, 4, 1, 1, 1], [0, 1, 3, 4]]}>}}> {lowering_config = #iree_gpu.lowering_config<{promote_operands = [0, 1, 2], promotion_types = [#iree_gpu.derived_thread_config, #iree_gpu.derived_thread_config, #iree_gpu.derived_thread_config], reduction = [0, 0, 0, 0, 64], workgroup = [1, 64, 64, 0, 0]}>, root_op = #iree_codegen.root_op<set = 0>} ins(%8, %9, %10, %cst_2 : tensor<20x4096x64xf16>, tensor<20x1024x64xf16>, tensor<20x1024x64xf16>, f16) outs(%14, %15, %16 : tensor<20x4096x64xf32>, tensor<20x4096xf32>, tensor<20x4096xf32>) {
^bb0(%arg0: f32):
iree_linalg_ext.yield %arg0 : f32
} -> tensor<20x4096x64xf32>, tensor<20x4096xf32>, tensor<20x4096xf32>
%c0_3 = arith.constant 0 : index
%c20 = arith.constant 20 : index
%c1 = arith.constant 1 : index
%c4096 = arith.constant 4096 : index
%c2 = arith.constant 2 : index
%c64 = arith.constant 64 : index
%c2_4 = arith.constant 2 : index
%c64_5 = arith.constant 64 : index
%c1_6 = arith.constant 1 : index
%c1024 = arith.constant 1024 : index
iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_gpu.pipeline<VectorDistribute>, 
knobs = {decomposition_config = {pv_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_codegen.smt.one_of_knob<"pv_mma_idx", [#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, #iree_gpu.virtual_mma_layout<VMFMA_F32_16x16x32_F16>, #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>, #iree_gpu.virtual_mma_layout<VMFMA_F32_32x32x16_F16>]>, promote_operands = [1], promotion_types = [#iree_gpu.derived_thread_config], subgroup_basis = [[1, #iree_codegen.smt.int_knob<"sg_m_cnt">, #iree_codegen.smt.int_knob<"sg_n_cnt">, 1, 1], [0, 1, 2, 4]]}>}, qk_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_codegen.smt.one_of_knob<"qk_mma_idx", [#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, #iree_gpu.virtual_mma_layout<VMFMA_F32_16x16x32_F16>, #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>, #iree_gpu.virtual_mma_layout<VMFMA_F32_32x32x16_F16>]>, promote_operands = [0, 1], promotion_types = [#iree_gpu.derived_thread_config, #iree_gpu.derived_thread_config], subgroup_basis = [[1, #iree_codegen.smt.int_knob<"sg_m_cnt">, #iree_codegen.smt.int_knob<"sg_n_cnt">, 1, 1], [0, 1, 3, 4]]}>}}, promote_operands = [0, 1, 2], promotion_types = [#iree_gpu.derived_thread_config, #iree_gpu.derived_thread_config, #iree_gpu.derived_thread_config], reduction = [0, 0, 0, 0, #iree_codegen.smt.int_knob<"red_k2">], subgroup_size = #iree_codegen.smt.int_knob<"sg_size">, workgroup = [1, #iree_codegen.smt.int_knob<"m_tile">, #iree_codegen.smt.int_knob<"n_tile">, 0, 0], workgroup_size = [#iree_codegen.smt.int_knob<"wg_size_x">, 1, 1]}
dims(%c20, %c4096, %c64, %c64_5, %c1024) {
^bb0(%arg0: !smt.int, %arg1: !smt.int, %arg2: !smt.int, %arg3: !smt.int, %arg4: !smt.int):
%c20_7 = smt.int.constant 20
%19 = smt.eq %arg0, %c20_7 : !smt.int
iree_codegen.smt.assert %19, "dim_0 ({}) == 20", %arg0 : !smt.bool, !smt.int
%c4096_8 = smt.int.constant 4096
%20 = smt.eq %arg1, %c4096_8 : !smt.int
iree_codegen.smt.assert %20, "dim_1 ({}) == 4096", %arg1 : !smt.bool, !smt.int
%c64_9 = smt.int.constant 64
%21 = smt.eq %arg2, %c64_9 : !smt.int
iree_codegen.smt.assert %21, "dim_2 ({}) == 64", %arg2 : !smt.bool, !smt.int
%c64_10 = smt.int.constant 64
%22 = smt.eq %arg3, %c64_10 : !smt.int
iree_codegen.smt.assert %22, "dim_3 ({}) == 64", %arg3 : !smt.bool, !smt.int
%c1024_11 = smt.int.constant 1024
%23 = smt.eq %arg4, %c1024_11 : !smt.int
iree_codegen.smt.assert %23, "dim_4 ({}) == 1024", %arg4 : !smt.bool, !smt.int
%c64_12 = smt.int.constant 64
%c1024_13 = smt.int.constant 1024
%c65536 = smt.int.constant 65536
%c512 = smt.int.constant 512
%c1_14 = smt.int.constant 1
%24 = iree_codegen.smt.knob "m_tile" : !smt.int
%25 = iree_codegen.smt.knob "n_tile" : !smt.int
%26 = iree_codegen.smt.knob "red_k2" : !smt.int
%27 = iree_codegen.smt.knob "sg_m_cnt" : !smt.int
%28 = iree_codegen.smt.knob "sg_n_cnt" : !smt.int
%29 = iree_codegen.smt.knob "sg_size" : !smt.int
%30 = iree_codegen.smt.knob "wg_size_x" : !smt.int
%31 = iree_codegen.smt.knob "qk_mma_idx" : !smt.int
%c0_15 = smt.int.constant 0
%c3 = smt.int.constant 3
%32 = smt.int.cmp ge %31, %c0_15
iree_codegen.smt.assert %32, "qk_mma_idx >= 0" : !smt.bool
%33 = smt.int.cmp le %31, %c3
iree_codegen.smt.assert %33, "qk_mma_idx <= 3" : !smt.bool
%34 = iree_codegen.smt.lookup %31 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%35 = iree_codegen.smt.lookup %31 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%36 = iree_codegen.smt.lookup %31 [0, 1, 2, 3] -> [16, 32, 8, 16] : !smt.int
%37 = iree_codegen.smt.knob "pv_mma_idx" : !smt.int
%c0_16 = smt.int.constant 0
%c3_17 = smt.int.constant 3
%38 = smt.int.cmp ge %37, %c0_16
iree_codegen.smt.assert %38, "pv_mma_idx >= 0" : !smt.bool
%39 = smt.int.cmp le %37, %c3_17
iree_codegen.smt.assert %39, "pv_mma_idx <= 3" : !smt.bool
%40 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%41 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%42 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [16, 32, 8, 16] : !smt.int
%43 = smt.eq %34, %40 : !smt.int
iree_codegen.smt.assert %43, "qk_mma_m == pv_mma_m (single intrinsic_mn)" : !smt.bool
%44 = smt.eq %35, %41 : !smt.int
iree_codegen.smt.assert %44, "qk_mma_n == pv_mma_n (single intrinsic_mn)" : !smt.bool
%45 = iree_codegen.smt.lookup %31 [0, 1, 2, 3] -> [4, 4, 4, 4] : !smt.int
%46 = iree_codegen.smt.lookup %31 [0, 1, 2, 3] -> [1, 1, 1, 1] : !smt.int
%47 = iree_codegen.smt.lookup %31 [0, 1, 2, 3] -> [4, 4, 2, 2] : !smt.int
%48 = iree_codegen.smt.lookup %31 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%49 = iree_codegen.smt.lookup %31 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%50 = iree_codegen.smt.lookup %31 [0, 1, 2, 3] -> [1, 1, 1, 1] : !smt.int
%51 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [1, 1, 1, 1] : !smt.int
%52 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [4, 8, 4, 8] : !smt.int
%53 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%54 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [4, 4, 2, 2] : !smt.int
%55 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [1, 1, 1, 1] : !smt.int
%56 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%57 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [4, 8, 4, 8] : !smt.int
%58 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [1, 1, 1, 1] : !smt.int
%59 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [4, 4, 2, 2] : !smt.int
%60 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%61 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%62 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [1, 1, 1, 1] : !smt.int
%63 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [4, 4, 4, 4] : !smt.int
%64 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [1, 1, 1, 1] : !smt.int
%65 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [4, 4, 2, 2] : !smt.int
%66 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%67 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [16, 16, 32, 32] : !smt.int
%68 = iree_codegen.smt.lookup %37 [0, 1, 2, 3] -> [1, 1, 1, 1] : !smt.int
%69 = smt.eq %45, %57 : !smt.int
%70 = smt.eq %46, %58 : !smt.int
%71 = smt.eq %47, %59 : !smt.int
%72 = smt.eq %48, %60 : !smt.int
%73 = smt.eq %49, %61 : !smt.int
%74 = smt.eq %50, %62 : !smt.int
%75 = smt.and %69, %70, %71, %72, %73, %74
%76 = smt.eq %45, %51 : !smt.int
%77 = smt.eq %46, %52 : !smt.int
%78 = smt.eq %47, %53 : !smt.int
%79 = smt.eq %48, %54 : !smt.int
%80 = smt.eq %49, %55 : !smt.int
%81 = smt.eq %50, %56 : !smt.int
%82 = smt.and %76, %77, %78, %79, %80, %81
%83 = smt.or %82, %75
%84 = smt.eq %45, %63 : !smt.int
iree_codegen.smt.assert %84, "qk_acc.element_x == pv_acc.element_x" : !smt.bool
%85 = smt.eq %46, %64 : !smt.int
iree_codegen.smt.assert %85, "qk_acc.element_y == pv_acc.element_y" : !smt.bool
%86 = smt.eq %47, %65 : !smt.int
iree_codegen.smt.assert %86, "qk_acc.thread_x == pv_acc.thread_x" : !smt.bool
%87 = smt.eq %48, %66 : !smt.int
iree_codegen.smt.assert %87, "qk_acc.thread_y == pv_acc.thread_y" : !smt.bool
%88 = smt.eq %49, %67 : !smt.int
iree_codegen.smt.assert %88, "qk_acc.tstrides_x == pv_acc.tstrides_x" : !smt.bool
%89 = smt.eq %50, %68 : !smt.int
iree_codegen.smt.assert %89, "qk_acc.tstrides_y == pv_acc.tstrides_y" : !smt.bool
%90 = smt.eq %29, %c64_12 : !smt.int
iree_codegen.smt.assert %90, "sg_size == preferred_subgroup_size" : !smt.bool
%c0_18 = smt.int.constant 0
%91 = smt.int.mod %arg1, %24
%92 = smt.eq %91, %c0_18 : !smt.int
iree_codegen.smt.assert %92, "dim_1 must be divisible by m_tile ({} % {} == 0)", %arg1, %24 : !smt.bool, !smt.int, !smt.int
%c0_19 = smt.int.constant 0
%93 = smt.int.mod %arg2, %25
%94 = smt.eq %93, %c0_19 : !smt.int
iree_codegen.smt.assert %94, "dim_2 must be divisible by n_tile ({} % {} == 0)", %arg2, %25 : !smt.bool, !smt.int, !smt.int
%c0_20 = smt.int.constant 0
%95 = smt.int.mod %arg4, %26
%96 = smt.eq %95, %c0_20 : !smt.int
iree_codegen.smt.assert %96, "dim_4 must be divisible by red_k2 ({} % {} == 0)", %arg4, %26 : !smt.bool, !smt.int, !smt.int
%97 = smt.int.cmp ge %24, %40
iree_codegen.smt.assert %97, "m_tile >= pv_mma_m" : !smt.bool
%98 = smt.int.cmp ge %25, %41
iree_codegen.smt.assert %98, "n_tile >= pv_mma_n" : !smt.bool
%99 = smt.int.cmp ge %26, %42
iree_codegen.smt.assert %99, "red_k2 >= pv_mma_k" : !smt.bool
%100 = smt.int.cmp le %24, %c512
iree_codegen.smt.assert %100, "m_tile <= 512 (max VGPRs)" : !smt.bool
%101 = smt.int.cmp le %25, %c512
iree_codegen.smt.assert %101, "n_tile <= 512 (max VGPRs)" : !smt.bool
%102 = smt.int.cmp le %26, %c512
iree_codegen.smt.assert %102, "red_k2 <= 512 (max VGPRs)" : !smt.bool
%103 = smt.int.mul %27, %40
%104 = smt.int.div %24, %103
%105 = smt.int.mul %103, %104
%106 = smt.eq %24, %105 : !smt.int
iree_codegen.smt.assert %106, "m_tile must be divisible by sg_m_cnt * pv_mma_m" : !smt.bool
%107 = smt.int.mul %28, %41
%108 = smt.int.div %25, %107
%109 = smt.int.mul %107, %108
%110 = smt.eq %25, %109 : !smt.int
iree_codegen.smt.assert %110, "n_tile must be divisible by sg_n_cnt * pv_mma_n" : !smt.bool
%111 = smt.int.div %26, %42
%112 = smt.int.mul %42, %111
%113 = smt.eq %26, %112 : !smt.int
iree_codegen.smt.assert %113, "red_k2 must be divisible by pv_mma_k" : !smt.bool
%c64_21 = smt.int.constant 64
%c0_22 = smt.int.constant 0
%114 = smt.int.mod %c64_21, %36
%115 = smt.eq %114, %c0_22 : !smt.int
iree_codegen.smt.assert %115, "dim_k1 must be divisible by qk_mma_k ({} % {} == 0)", %c64_21, %36 : !smt.bool, !smt.int, !smt.int
%c32 = smt.int.constant 32
%116 = smt.int.cmp ge %27, %c1_14
iree_codegen.smt.assert %116, "sg_m_cnt >= 1" : !smt.bool
%117 = smt.int.cmp le %27, %c32
iree_codegen.smt.assert %117, "sg_m_cnt <= 32" : !smt.bool
%118 = smt.eq %28, %c1_14 : !smt.int
iree_codegen.smt.assert %118, "sg_n_cnt == 1" : !smt.bool
%119 = smt.int.mul %27, %28
%c4 = smt.int.constant 4
%120 = smt.eq %119, %c4 : !smt.int
iree_codegen.smt.assert %120, "sg_m_cnt * sg_n_cnt == 4" : !smt.bool
%121 = smt.int.mul %119, %29
%122 = smt.int.cmp le %121, %c1024_13
iree_codegen.smt.assert %122, "sg_m_cnt * sg_n_cnt * sg_size <= max_threads" : !smt.bool
%123 = smt.eq %30, %121 : !smt.int
iree_codegen.smt.assert %123, "wg_size_x == sg_m_cnt * sg_n_cnt * sg_size" : !smt.bool
%c4096_23 = smt.int.constant 4096
%c1024_24 = smt.int.constant 1024
%124 = smt.int.div %c64_21, %36
%125 = smt.int.mul %27, %104, %40
%126 = smt.int.mul %c1_14, %111, %42
%127 = smt.int.mul %124, %36
%c0_25 = smt.int.constant 0
%128 = smt.int.mod %c4096_23, %125
%129 = smt.eq %128, %c0_25 : !smt.int
iree_codegen.smt.assert %129, "qk_schedule.m must be divisible by the derived M workgroup tile ({} % {} == 0)", %c4096_23, %125 : !smt.bool, !smt.int, !smt.int
%c0_26 = smt.int.constant 0
%130 = smt.int.mod %c1024_24, %126
%131 = smt.eq %130, %c0_26 : !smt.int
iree_codegen.smt.assert %131, "qk_schedule.n must be divisible by the derived N workgroup tile ({} % {} == 0)", %c1024_24, %126 : !smt.bool, !smt.int, !smt.int
%c0_27 = smt.int.constant 0
%132 = smt.int.mod %c64_21, %127
%133 = smt.eq %132, %c0_27 : !smt.int
iree_codegen.smt.assert %133, "qk_schedule.k must be divisible by the derived K workgroup tile ({} % {} == 0)", %c64_21, %127 : !smt.bool, !smt.int, !smt.int
%c8 = smt.int.constant 8
%134 = smt.int.div %127, %c8
%135 = smt.int.div %126, %c8
%c0_28 = smt.int.constant 0
%136 = smt.int.mod %134, %121
%137 = smt.eq %136, %c0_28 : !smt.int
%138 = smt.int.mod %121, %134
%139 = smt.eq %138, %c0_28 : !smt.int
%140 = smt.or %137, %139
iree_codegen.smt.assert %140, "qk_schedule.lhs inner dim distributable across wg_threads" : !smt.bool
%c0_29 = smt.int.constant 0
%141 = smt.int.mod %135, %121
%142 = smt.eq %141, %c0_29 : !smt.int
%143 = smt.int.mod %121, %135
%144 = smt.eq %143, %c0_29 : !smt.int
%145 = smt.or %142, %144
iree_codegen.smt.assert %145, "qk_schedule.rhs inner dim distributable across wg_threads" : !smt.bool
%c4096_30 = smt.int.constant 4096
%c64_31 = smt.int.constant 64
%c1024_32 = smt.int.constant 1024
%146 = smt.int.mul %27, %104, %40
%147 = smt.int.mul %28, %108, %41
%148 = smt.int.mul %111, %42
%c0_33 = smt.int.constant 0
%149 = smt.int.mod %c4096_30, %146
%150 = smt.eq %149, %c0_33 : !smt.int
iree_codegen.smt.assert %150, "pv_schedule.m must be divisible by the derived M workgroup tile ({} % {} == 0)", %c4096_30, %146 : !smt.bool, !smt.int, !smt.int
%c0_34 = smt.int.constant 0
%151 = smt.int.mod %c64_31, %147
%152 = smt.eq %151, %c0_34 : !smt.int
iree_codegen.smt.assert %152, "pv_schedule.n must be divisible by the derived N workgroup tile ({} % {} == 0)", %c64_31, %147 : !smt.bool, !smt.int, !smt.int
%c0_35 = smt.int.constant 0
%153 = smt.int.mod %c1024_32, %148
%154 = smt.eq %153, %c0_35 : !smt.int
iree_codegen.smt.assert %154, "pv_schedule.k must be divisible by the derived K workgroup tile ({} % {} == 0)", %c1024_32, %148 : !smt.bool, !smt.int, !smt.int
%c8_36 = smt.int.constant 8
%155 = smt.int.div %148, %c8_36
%156 = smt.int.div %148, %c8_36
%c0_37 = smt.int.constant 0
%157 = smt.int.mod %155, %121
%158 = smt.eq %157, %c0_37 : !smt.int
%159 = smt.int.mod %121, %155
%160 = smt.eq %159, %c0_37 : !smt.int
%161 = smt.or %158, %160
iree_codegen.smt.assert %161, "pv_schedule.lhs inner dim distributable across wg_threads" : !smt.bool
%c0_38 = smt.int.constant 0
%162 = smt.int.mod %156, %121
%163 = smt.eq %162, %c0_38 : !smt.int
%164 = smt.int.mod %121, %156
%165 = smt.eq %164, %c0_38 : !smt.int
%166 = smt.or %163, %165
iree_codegen.smt.assert %166, "pv_schedule.rhs inner dim distributable across wg_threads" : !smt.bool
%167 = smt.int.mul %40, %104, %27
%168 = smt.int.mul %42, %111
%c2_39 = smt.int.constant 2
%169 = smt.int.mul %167, %c64_21, %c2_39
%c2_40 = smt.int.constant 2
%170 = smt.int.mul %168, %c64_21, %c2_40
%171 = smt.int.add %169, %170
%172 = smt.int.mul %41, %108, %28
%173 = smt.int.mul %42, %111
%c2_41 = smt.int.constant 2
%174 = smt.int.mul %167, %173, %c2_41
%c2_42 = smt.int.constant 2
%175 = smt.int.mul %172, %173, %c2_42
%176 = smt.int.add %174, %175
%c2_43 = smt.int.constant 2
%177 = smt.int.div %176, %c2_43
%178 = smt.ite %83, %177, %176 : !smt.int
%179 = smt.int.add %171, %178
%180 = smt.int.cmp le %179, %c65536
iree_codegen.smt.assert %180, "per-matmul shared memory must fit in workgroup memory" : !smt.bool
}
%18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17#2, %17#0 : tensor<20x4096xf32>, tensor<20x4096x64xf32>) outs(%11 : tensor<20x4096x64xf16>) {
^bb0(%in: f32, %in_7: f32, %out: f16):
%19 = arith.divf %cst, %in : f32
%20 = arith.mulf %19, %in_7 : f32
%21 = arith.truncf %20 : f32 to f16
linalg.yield %21 : f16
} -> tensor<20x4096x64xf16>
iree_codegen.store_to_buffer %18, %7 : tensor<20x4096x64xf16> into memref<20x4096x64xf16, #amdgpu.address_space<fat_raw_buffer>>
return
}
iree_codegen.dispatch_config @attention_f16_dispatch_0_attention_20x4096x64x64x1024 {
^bb0(%arg0: !hal.device):
%x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
iree_codegen.yield %x, %y, %z : index, index, index
}
}
}
}
util.func public @attention_f16(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @attention_f16(%input0: tensor<20x4096x64xf16>, %input1: tensor<20x1024x64xf16>, %input2: tensor<20x1024x64xf16>) -> (%output0: tensor<20x4096x64xf16>)"}} {
%c0 = arith.constant 0 : index
%c2621440 = arith.constant 2621440 : index
%c10485760 = arith.constant 10485760 : index
%c1024 = arith.constant 1024 : index
%c64 = arith.constant 64 : index
%c4096 = arith.constant 4096 : index
%c20 = arith.constant 20 : index
%element_type_f16 = hal.element_type<f16> : i32
%dense_row_major = hal.encoding_type<dense_row_major> : i32
hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c20, %c4096, %c64]) type(%element_type_f16) encoding(%dense_row_major)
%0 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg0 : !hal.buffer_view -> tensor<20x4096x64xf16> in !stream.resource<external>{%c10485760}
hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c20, %c1024, %c64]) type(%element_type_f16) encoding(%dense_row_major)
%1 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg1 : !hal.buffer_view -> tensor<20x1024x64xf16> in !stream.resource<external>{%c2621440}
hal.buffer_view.assert<%arg2 : !hal.buffer_view> message("input2") shape([%c20, %c1024, %c64]) type(%element_type_f16) encoding(%dense_row_major)
%2 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg2 : !hal.buffer_view -> tensor<20x1024x64xf16> in !stream.resource<external>{%c2621440}
%result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) : !stream.resource<external>{%c10485760} => !stream.timepoint
%3 = stream.cmd.execute on(#hal.device.affinity<@__device_0>) await(%result_timepoint) => with(%0 as %arg3: !stream.resource<external>{%c10485760}, %1 as %arg4: !stream.resource<external>{%c2621440}, %2 as %arg5: !stream.resource<external>{%c2621440}, %result as %arg6: !stream.resource<external>{%c10485760}) {
stream.cmd.dispatch @attention_f16_dispatch_0::@rocm_hsaco_fb::@attention_f16_dispatch_0_attention_20x4096x64x64x1024 {
ro %arg3[%c0 for %c10485760] : !stream.resource<external>{%c10485760},
ro %arg4[%c0 for %c2621440] : !stream.resource<external>{%c2621440},
ro %arg5[%c0 for %c2621440] : !stream.resource<external>{%c2621440},
wo %arg6[%c0 for %c10485760] : !stream.resource<external>{%c10485760}
}
} => !stream.timepoint
%4 = stream.timepoint.await %3 => %result : !stream.resource<external>{%c10485760}
%5 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %4 : tensor<20x4096x64xf16> in !stream.resource<external>{%c10485760} -> !hal.buffer_view
util.return %5 : !hal.buffer_view
}
}