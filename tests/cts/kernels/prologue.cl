/* The words of the kernels, in OpenCL C. Halves travel as their bits: arithmetic with them is no
 * matter of a backend. No argument may be a bool. */
#define KERNEL __kernel
#define GLOBAL __global
#define BOUNDS(threads) __attribute__((reqd_work_group_size(threads, 1, 1)))
#define EACH(i, n) long i = get_global_id(0); i < (long)(n); i += get_global_size(0)
#define LOCAL_ARRAY(type, name, count) __local type name[count]
#define LOCAL_ARGUMENT(type, name) , __local type *name
#define LOCAL_DYNAMIC(type, name)
/* Arrays that are arrays outside of functions in other languages. */
#define CONSTANT_ARRAY(type, name, count)
#define DEVICE_ARRAY(type, name, count)
#define CONSTANT_ARGUMENT(type, name) , __constant type *name
#define DEVICE_ARGUMENT(type, name) , __global type *name
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define GLOBAL_ID(d) get_global_id(d)
#define GLOBAL_SIZE(d) get_global_size(d)
#define LOCAL_ID(d) get_local_id(d)
#define LOCAL_SIZE(d) get_local_size(d)
#define GROUP_ID(d) get_group_id(d)

typedef char t_i8;
typedef short t_i16;
typedef int t_i32;
typedef long t_i64;
typedef uchar t_u8;
typedef ushort t_u16;
typedef uint t_u32;
typedef ulong t_u64;
typedef ushort t_f16;
typedef ushort t_bf16;
typedef float t_f32;
typedef double t_f64;
typedef uchar t_f8e4m3;
typedef uchar t_f8e5m2;
typedef uchar t_bool;

/* Images: a canvas is written to. */
#define PICTURE __read_only image2d_t
#define LINE GLOBAL const float *
#define CANVAS __write_only image2d_t
#define SAMPLER(name) , sampler_t name
#define TEXTURE_REFERENCE(name)
#define REFERENCE_ARGUMENT(name) , PICTURE name
#define READ_REFERENCE READ
#define SURFACE_REFERENCE(name)
#define SURFACE_ARGUMENT(name) , CANVAS name
#define STORE_REFERENCE STORE
#define COLOUR uint4
#define READ(p, s, column, row) read_imagef(p, s, (int2)(column, row)).x
#define SMOOTH(p, s, column, row) read_imagef(p, s, (float2)(column, row)).x
#define READ_COLOUR(p, s, column, row) read_imageui(p, s, (int2)(column, row))
#define READ_LINE(p, i) p[i]
#define STORE(c, column, row, value) write_imagef(c, (int2)(column, row), (float4)(value, 0, 0, 0))
