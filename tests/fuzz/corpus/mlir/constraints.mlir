func.func @f() {
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
}
}
