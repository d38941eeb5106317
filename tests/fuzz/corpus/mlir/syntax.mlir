// Everything that the reader knows.
#map = affine_map<(d0, d1)[s0] -> (d0 * 2 + d1 - 1, -d0, d1 floordiv 4, (d0 + s0) mod 3, 0)>
#set = affine_set<(d0) : (d0 - 1 >= 0, d0 == 3)>
#list = [1, -2 : i64, 0x7F : i32, 1.5e-3, "a\"\5C\n", unit, @a::@"b c", none, [], {}, <>, <a b, c>]
#loc1 = loc("file.py":1:2)
!t = tensor<4x?x[8]xf32, #some.encoding<a = [1]>>
!fn = (i32, !t) -> (f16)
module @"quoted name" attributes {a.b, "c-d" = "e", f = #map, g = !t, h = (i32) -> i64, i = #list} {
  util.global private @d = #hal.device.target<"hip", [#x.y<compute = fp64|fp32, mma = [<A_4x4>]>]> : !hal.device
  func.func private @f(%arg0: !t {x.y}, %arg1: memref<2x3xf16, strided<[?, 1], offset: ?>, 3>) -> (i32 {a = 1}, f32) attributes {z} {
    %0:2, %1 = "some.op"(%arg0, %arg1#1) <{p = 1 : i32}> ({
    ^bb0(%x: i32 loc("q"), %y: f8E4M3FNUZ):
      "other.op"() [^bb1] : () -> ()
    ^bb1:
      cf.cond_br %c, ^bb0(%x : i32), ^bb1 loc(#loc1)
    }, {}) {b = array<i64: 1, 2>, c = array<i8>} : (i32, f32) -> (i32, f32)
    %c = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %d = arith.constant dense<"0x00FF"> : tensor<2xi8>
    %e = arith.constant dense_resource<blob> : tensor<2xi8>
    %2 = linalg.generic {indexing_maps = [#map]} ins(%0, %1 : !t, i32) outs(%c : vector<4xf32>) attrs = {k} { ^bb0(%z: f32): linalg.yield %z : f32 } -> !t
    %3 = linalg.matmul indexing_maps = [affine_map<(m, n) -> (n, m)>] {q = true} ins(%0 : !t) outs(%1 : !t) -> !t
    %4 = tensor.extract_slice %3[%c, 0] [4, %d] [1, 1] : !t to tensor<?xf32>
    %5 = hal.allocator.allocate<%a : !hal.allocator> type(%b) : !hal.buffer{%c}
    scf.for %i = %c to %d step %e iter_args(%k = %0) -> (f32) { scf.yield } {unroll}
    scf.if %c { foo.bar %c } else { foo.baz }
    %6 = affine.apply #map(%c, %d)[%e]
    %7 = arith.addf %c, %d fastmath<contract> : f32 %8 = arith.negf %7 : f32
    stream.cmd {
      ro %arg2[%c0 for %c1] : !x.y{%c1}
    }
    iree_codegen.smt.lookup %c [0, 1] -> [2, 3] : !smt.int
    transform.annotate %a "key" = %b : !transform.any_op
    %9 = transform.param.constant {a = 1} -> !transform.any_param
    return %c : i32
  }
}
{-# dialect_resources: { builtin: { blob: "0x08000000" } } #-}
