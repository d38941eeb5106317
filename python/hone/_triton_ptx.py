"""_triton_device.cu, compiled: see there. The CUDA driver compiles it for the device at hand."""

DEVICE_FUNCTIONS = """
.version 7.0
.target sm_75
.address_size 64
.visible .entry hone_compare(
  .param .u64 hone_compare_param_0,
  .param .u64 hone_compare_param_1,
  .param .u64 hone_compare_param_2,
  .param .u32 hone_compare_param_3,
  .param .f64 hone_compare_param_4,
  .param .f64 hone_compare_param_5,
  .param .u64 hone_compare_param_6
)
{
  .reg .pred   %p<51>;
  .reg .b16   %rs<5>;
  .reg .f32   %f<5>;
  .reg .b32   %r<74>;
  .reg .f64   %fd<86>;
  .reg .b64   %rd<79>;
  ld.param.u64   %rd35, [hone_compare_param_0];
  ld.param.u64   %rd36, [hone_compare_param_1];
  ld.param.u64   %rd37, [hone_compare_param_2];
  ld.param.u32   %r13, [hone_compare_param_3];
  ld.param.f64   %fd33, [hone_compare_param_4];
  ld.param.f64   %fd34, [hone_compare_param_5];
  ld.param.u64   %rd40, [hone_compare_param_6];
  cvta.to.global.u64   %rd1, %rd40;
  mov.u32   %r14, %ctaid.x;
  mov.u32   %r15, %ntid.x;
  cvt.u64.u32   %rd2, %r15;
  mul.wide.u32   %rd41, %r14, %r15;
  mov.u32   %r16, %tid.x;
  cvt.u64.u32   %rd42, %r16;
  add.s64   %rd70, %rd41, %rd42;
  setp.ge.u64   %p1, %rd70, %rd37;
  mov.f64   %fd84, 0d0000000000000000;
  mov.u64   %rd71, -1;
  mov.u64   %rd72, 0;
  @%p1 bra   $L__BB0_52;
  cvta.to.global.u64   %rd4, %rd36;
  cvta.to.global.u64   %rd5, %rd35;
  mov.u32   %r17, %nctaid.x;
  cvt.u64.u32   %rd45, %r17;
  mul.lo.s64   %rd6, %rd45, %rd2;
  mov.u64   %rd72, 0;
  mov.u64   %rd71, -1;
  mov.f64   %fd84, 0d0000000000000000;
$L__BB0_2:
  shl.b64   %rd46, %rd70, 2;
  add.s64   %rd10, %rd5, %rd46;
  shl.b64   %rd47, %rd70, 1;
  add.s64   %rd11, %rd5, %rd47;
  add.s64   %rd12, %rd5, %rd70;
  shl.b64   %rd48, %rd70, 3;
  add.s64   %rd13, %rd5, %rd48;
  setp.gt.u32   %p2, %r13, 9;
  @%p2 bra   $L__BB0_9;
  mov.u32   %r19, 1;
  shl.b32   %r20, %r19, %r13;
  and.b32    %r21, %r20, 50;
  setp.ne.s32   %p3, %r21, 0;
  @%p3 bra   $L__BB0_7;
  and.b32    %r24, %r20, 769;
  setp.ne.s32   %p4, %r24, 0;
  @%p4 bra   $L__BB0_8;
  bra.uni   $L__BB0_5;
$L__BB0_8:
  ld.global.u8   %rd73, [%rd12];
  bra.uni   $L__BB0_10;
$L__BB0_7:
  ld.global.u16   %rd73, [%rd11];
  bra.uni   $L__BB0_10;
$L__BB0_5:
  mov.u32   %r25, 1;
  shl.b32   %r26, %r25, %r13;
  and.b32    %r27, %r26, 68;
  setp.ne.s32   %p5, %r27, 0;
  @%p5 bra   $L__BB0_6;
  bra.uni   $L__BB0_9;
$L__BB0_6:
  ld.global.u32   %rd73, [%rd10];
  bra.uni   $L__BB0_10;
$L__BB0_9:
  ld.global.u64   %rd73, [%rd13];
$L__BB0_10:
  add.s64   %rd19, %rd4, %rd46;
  add.s64   %rd20, %rd4, %rd47;
  add.s64   %rd21, %rd4, %rd70;
  add.s64   %rd22, %rd4, %rd48;
  @%p2 bra   $L__BB0_17;
  mov.u32   %r29, 1;
  shl.b32   %r30, %r29, %r13;
  and.b32    %r31, %r30, 50;
  setp.ne.s32   %p7, %r31, 0;
  @%p7 bra   $L__BB0_15;
  and.b32    %r34, %r30, 769;
  setp.ne.s32   %p8, %r34, 0;
  @%p8 bra   $L__BB0_16;
  bra.uni   $L__BB0_13;
$L__BB0_16:
  ld.global.u8   %rd74, [%rd21];
  bra.uni   $L__BB0_18;
$L__BB0_15:
  ld.global.u16   %rd74, [%rd20];
  bra.uni   $L__BB0_18;
$L__BB0_13:
  mov.u32   %r35, 1;
  shl.b32   %r36, %r35, %r13;
  and.b32    %r37, %r36, 68;
  setp.ne.s32   %p9, %r37, 0;
  @%p9 bra   $L__BB0_14;
  bra.uni   $L__BB0_17;
$L__BB0_14:
  ld.global.u32   %rd74, [%rd19];
  bra.uni   $L__BB0_18;
$L__BB0_17:
  ld.global.u64   %rd74, [%rd22];
$L__BB0_18:
  setp.eq.s64   %p10, %rd73, %rd74;
  @%p10 bra   $L__BB0_51;
  setp.lt.s32   %p11, %r13, 4;
  @%p11 bra   $L__BB0_50;
  setp.gt.s32   %p12, %r13, 5;
  @%p12 bra   $L__BB0_24;
  bra.uni   $L__BB0_21;
$L__BB0_24:
  setp.eq.s32   %p13, %r13, 6;
  @%p13 bra   $L__BB0_32;
  setp.eq.s32   %p14, %r13, 7;
  @%p14 bra   $L__BB0_31;
  setp.ne.s32   %p15, %r13, 8;
  @%p15 bra   $L__BB0_40;
  ld.global.u8   %r1, [%rd12];
  and.b32    %r38, %r1, 127;
  setp.eq.s32   %p18, %r38, 127;
  mov.f64   %fd82, 0d7FF8000000000000;
  mov.f64   %fd81, %fd82;
  @%p18 bra   $L__BB0_29;
  shr.u32   %r39, %r1, 3;
  and.b32    %r40, %r39, 15;
  and.b32    %r41, %r1, 7;
  cvt.rn.f64.u32   %fd38, %r41;
  setp.eq.s32   %p19, %r40, 0;
  add.s32   %r42, %r40, 1013;
  selp.b32   %r43, 1014, %r42, %p19;
  cvt.u64.u32   %rd52, %r43;
  shl.b64   %rd53, %rd52, 52;
  mov.b64   %fd39, %rd53;
  add.f64   %fd40, %fd38, 0d4020000000000000;
  selp.f64   %fd41, %fd38, %fd40, %p19;
  mul.f64   %fd42, %fd41, %fd39;
  and.b32    %r44, %r1, 128;
  setp.eq.s32   %p20, %r44, 0;
  neg.f64   %fd43, %fd42;
  selp.f64   %fd81, %fd42, %fd43, %p20;
$L__BB0_29:
  ld.global.u8   %r2, [%rd21];
  and.b32    %r45, %r2, 127;
  setp.eq.s32   %p21, %r45, 127;
  @%p21 bra   $L__BB0_47;
  shr.u32   %r46, %r2, 3;
  and.b32    %r47, %r46, 15;
  and.b32    %r48, %r2, 7;
  cvt.rn.f64.u32   %fd45, %r48;
  setp.eq.s32   %p22, %r47, 0;
  add.s32   %r49, %r47, 1013;
  selp.b32   %r50, 1014, %r49, %p22;
  cvt.u64.u32   %rd54, %r50;
  shl.b64   %rd55, %rd54, 52;
  mov.b64   %fd46, %rd55;
  add.f64   %fd47, %fd45, 0d4020000000000000;
  selp.f64   %fd48, %fd45, %fd47, %p22;
  mul.f64   %fd49, %fd48, %fd46;
  and.b32    %r51, %r2, 128;
  setp.eq.s32   %p23, %r51, 0;
  neg.f64   %fd50, %fd49;
  selp.f64   %fd82, %fd49, %fd50, %p23;
  bra.uni   $L__BB0_47;
$L__BB0_21:
  setp.eq.s32   %p16, %r13, 4;
  @%p16 bra   $L__BB0_33;
  setp.eq.s32   %p17, %r13, 5;
  @%p17 bra   $L__BB0_23;
  bra.uni   $L__BB0_40;
$L__BB0_23:
  ld.global.u16   %r52, [%rd11];
  shl.b32   %r53, %r52, 16;
  mov.b32   %f3, %r53;
  cvt.f64.f32   %fd81, %f3;
  ld.global.u16   %r54, [%rd20];
  shl.b32   %r55, %r54, 16;
  mov.b32   %f4, %r55;
  cvt.f64.f32   %fd82, %f4;
  bra.uni   $L__BB0_47;
$L__BB0_32:
  ld.global.f32   %f1, [%rd10];
  cvt.f64.f32   %fd81, %f1;
  ld.global.f32   %f2, [%rd19];
  cvt.f64.f32   %fd82, %f2;
  bra.uni   $L__BB0_47;
$L__BB0_31:
  ld.global.f64   %fd81, [%rd13];
  ld.global.f64   %fd82, [%rd22];
  bra.uni   $L__BB0_47;
$L__BB0_33:
  ld.global.u16   %rs1, [%rd11];
  cvt.u32.u16   %r56, %rs1;
  shr.u32   %r57, %r56, 10;
  and.b32    %r3, %r57, 31;
  and.b32    %r4, %r56, 1023;
  setp.eq.s32   %p24, %r3, 31;
  @%p24 bra   $L__BB0_35;
  bra.uni   $L__BB0_34;
$L__BB0_35:
  setp.eq.s32   %p26, %r4, 0;
  selp.f64   %fd77, 0d7FF0000000000000, 0d7FF8000000000000, %p26;
  bra.uni   $L__BB0_36;
$L__BB0_40:
  ld.global.u8   %rs3, [%rd12];
  cvt.u32.u16   %r7, %rs3;
  mul.wide.u16   %r64, %rs3, 256;
  shr.u32   %r65, %r7, 2;
  and.b32    %r8, %r65, 31;
  and.b32    %r9, %r64, 768;
  setp.eq.s32   %p32, %r8, 31;
  @%p32 bra   $L__BB0_42;
  bra.uni   $L__BB0_41;
$L__BB0_42:
  setp.eq.s32   %p34, %r9, 0;
  selp.f64   %fd79, 0d7FF0000000000000, 0d7FF8000000000000, %p34;
  bra.uni   $L__BB0_43;
$L__BB0_34:
  cvt.rn.f64.u32   %fd51, %r4;
  setp.eq.s32   %p25, %r3, 0;
  add.s32   %r58, %r3, 998;
  selp.b32   %r59, 999, %r58, %p25;
  cvt.u64.u32   %rd56, %r59;
  shl.b64   %rd57, %rd56, 52;
  mov.b64   %fd52, %rd57;
  add.f64   %fd53, %fd51, 0d4090000000000000;
  selp.f64   %fd54, %fd51, %fd53, %p25;
  mul.f64   %fd77, %fd54, %fd52;
$L__BB0_36:
  neg.f64   %fd55, %fd77;
  setp.gt.s16   %p27, %rs1, -1;
  selp.f64   %fd81, %fd77, %fd55, %p27;
  ld.global.u16   %rs2, [%rd20];
  cvt.u32.u16   %r60, %rs2;
  shr.u32   %r61, %r60, 10;
  and.b32    %r5, %r61, 31;
  and.b32    %r6, %r60, 1023;
  setp.eq.s32   %p28, %r5, 31;
  @%p28 bra   $L__BB0_38;
  bra.uni   $L__BB0_37;
$L__BB0_38:
  setp.eq.s32   %p30, %r6, 0;
  selp.f64   %fd78, 0d7FF0000000000000, 0d7FF8000000000000, %p30;
  bra.uni   $L__BB0_39;
$L__BB0_41:
  cvt.rn.f64.u32   %fd61, %r9;
  setp.eq.s32   %p33, %r8, 0;
  add.s32   %r66, %r8, 998;
  selp.b32   %r67, 999, %r66, %p33;
  cvt.u64.u32   %rd60, %r67;
  shl.b64   %rd61, %rd60, 52;
  mov.b64   %fd62, %rd61;
  add.f64   %fd63, %fd61, 0d4090000000000000;
  selp.f64   %fd64, %fd61, %fd63, %p33;
  mul.f64   %fd79, %fd64, %fd62;
$L__BB0_43:
  and.b32    %r68, %r7, 128;
  setp.eq.s32   %p35, %r68, 0;
  neg.f64   %fd65, %fd79;
  selp.f64   %fd81, %fd79, %fd65, %p35;
  ld.global.u8   %rs4, [%rd21];
  cvt.u32.u16   %r10, %rs4;
  mul.wide.u16   %r69, %rs4, 256;
  shr.u32   %r70, %r10, 2;
  and.b32    %r11, %r70, 31;
  and.b32    %r12, %r69, 768;
  setp.eq.s32   %p36, %r11, 31;
  @%p36 bra   $L__BB0_45;
  bra.uni   $L__BB0_44;
$L__BB0_45:
  setp.eq.s32   %p38, %r12, 0;
  selp.f64   %fd80, 0d7FF0000000000000, 0d7FF8000000000000, %p38;
  bra.uni   $L__BB0_46;
$L__BB0_37:
  cvt.rn.f64.u32   %fd56, %r6;
  setp.eq.s32   %p29, %r5, 0;
  add.s32   %r62, %r5, 998;
  selp.b32   %r63, 999, %r62, %p29;
  cvt.u64.u32   %rd58, %r63;
  shl.b64   %rd59, %rd58, 52;
  mov.b64   %fd57, %rd59;
  add.f64   %fd58, %fd56, 0d4090000000000000;
  selp.f64   %fd59, %fd56, %fd58, %p29;
  mul.f64   %fd78, %fd59, %fd57;
$L__BB0_39:
  neg.f64   %fd60, %fd78;
  setp.gt.s16   %p31, %rs2, -1;
  selp.f64   %fd82, %fd78, %fd60, %p31;
  bra.uni   $L__BB0_47;
$L__BB0_44:
  cvt.rn.f64.u32   %fd66, %r12;
  setp.eq.s32   %p37, %r11, 0;
  add.s32   %r71, %r11, 998;
  selp.b32   %r72, 999, %r71, %p37;
  cvt.u64.u32   %rd62, %r72;
  shl.b64   %rd63, %rd62, 52;
  mov.b64   %fd67, %rd63;
  add.f64   %fd68, %fd66, 0d4090000000000000;
  selp.f64   %fd69, %fd66, %fd68, %p37;
  mul.f64   %fd80, %fd69, %fd67;
$L__BB0_46:
  and.b32    %r73, %r10, 128;
  setp.eq.s32   %p39, %r73, 0;
  neg.f64   %fd70, %fd80;
  selp.f64   %fd82, %fd80, %fd70, %p39;
$L__BB0_47:
  setp.eq.f64   %p40, %fd81, %fd82;
  @%p40 bra   $L__BB0_51;
  setp.nan.f64   %p41, %fd81, %fd81;
  setp.nan.f64   %p42, %fd82, %fd82;
  and.pred    %p43, %p41, %p42;
  @%p43 bra   $L__BB0_51;
  sub.f64   %fd71, %fd81, %fd82;
  abs.f64   %fd72, %fd71;
  setp.gt.f64   %p44, %fd72, %fd84;
  selp.f64   %fd84, %fd72, %fd84, %p44;
  abs.f64   %fd73, %fd82;
  fma.rn.f64   %fd74, %fd73, %fd33, %fd34;
  setp.le.f64   %p45, %fd72, %fd74;
  setp.neu.f64   %p46, %fd73, 0d7FF0000000000000;
  and.pred    %p47, %p45, %p46;
  @%p47 bra   $L__BB0_51;
$L__BB0_50:
  add.s64   %rd72, %rd72, 1;
  min.u64   %rd71, %rd70, %rd71;
$L__BB0_51:
  add.s64   %rd70, %rd70, %rd6;
  setp.lt.u64   %p48, %rd70, %rd37;
  @%p48 bra   $L__BB0_2;
$L__BB0_52:
  setp.leu.f64   %p49, %fd84, 0d0000000000000000;
  @%p49 bra   $L__BB0_54;
  add.s64   %rd64, %rd1, 16;
  mov.b64   %rd65, %fd84;
  atom.global.max.u64   %rd66, [%rd64], %rd65;
$L__BB0_54:
  setp.eq.s64   %p50, %rd72, 0;
  @%p50 bra   $L__BB0_56;
  atom.global.add.u64   %rd67, [%rd1], %rd72;
  add.s64   %rd68, %rd1, 8;
  atom.global.min.u64   %rd69, [%rd68], %rd71;
$L__BB0_56:
  ret;
}
.visible .entry hone_digest(
  .param .u64 hone_digest_param_0,
  .param .u64 hone_digest_param_1,
  .param .u64 hone_digest_param_2
)
{
  .reg .pred   %p<4>;
  .reg .b32   %r<5>;
  .reg .b64   %rd<37>;
  ld.param.u64   %rd10, [hone_digest_param_0];
  ld.param.u64   %rd11, [hone_digest_param_1];
  ld.param.u64   %rd12, [hone_digest_param_2];
  mov.u32   %r1, %ctaid.x;
  mov.u32   %r2, %ntid.x;
  cvt.u64.u32   %rd1, %r2;
  mul.wide.u32   %rd14, %r1, %r2;
  mov.u32   %r3, %tid.x;
  cvt.u64.u32   %rd15, %r3;
  add.s64   %rd34, %rd14, %rd15;
  setp.ge.u64   %p1, %rd34, %rd11;
  mov.u64   %rd36, 0;
  @%p1 bra   $L__BB1_3;
  mov.u32   %r4, %nctaid.x;
  cvt.u64.u32   %rd17, %r4;
  mul.lo.s64   %rd3, %rd17, %rd1;
  cvta.to.global.u64   %rd4, %rd10;
  mov.u64   %rd36, 0;
$L__BB1_2:
  mul.lo.s64   %rd18, %rd34, -7046029254386353131;
  shl.b64   %rd19, %rd34, 3;
  add.s64   %rd20, %rd4, %rd19;
  ld.global.u64   %rd21, [%rd20];
  add.s64   %rd22, %rd18, %rd21;
  add.s64   %rd23, %rd22, -7046029254386353131;
  shr.u64   %rd24, %rd23, 30;
  xor.b64    %rd25, %rd24, %rd23;
  mul.lo.s64   %rd26, %rd25, -4658895280553007687;
  shr.u64   %rd27, %rd26, 27;
  xor.b64    %rd28, %rd27, %rd26;
  mul.lo.s64   %rd29, %rd28, -7723592293110705685;
  shr.u64   %rd30, %rd29, 31;
  xor.b64    %rd31, %rd30, %rd29;
  add.s64   %rd36, %rd31, %rd36;
  add.s64   %rd34, %rd34, %rd3;
  setp.lt.u64   %p2, %rd34, %rd11;
  @%p2 bra   $L__BB1_2;
$L__BB1_3:
  setp.eq.s64   %p3, %rd36, 0;
  @%p3 bra   $L__BB1_5;
  cvta.to.global.u64   %rd32, %rd12;
  atom.global.add.u64   %rd33, [%rd32], %rd36;
$L__BB1_5:
  ret;
}
"""
