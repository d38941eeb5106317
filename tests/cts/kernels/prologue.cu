/* The words of the kernels, in CUDA C++ without any header. Halves travel as their bits. */
#define KERNEL extern "C" __global__
#define GLOBAL
#define BOUNDS(threads) __launch_bounds__(threads)
#define EACH(i, n)                                                                                 \
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;                                  \
  i < (long long)(n);                                                                              \
  i += (long long)blockDim.x * gridDim.x
#define LOCAL_ARRAY(type, name, count) __shared__ type name[count]
#define LOCAL_ARGUMENT(type, name)
#define LOCAL_DYNAMIC(type, name) extern __shared__ type name[]
/* Arrays outside of functions that are arguments. */
#define CONSTANT_ARRAY(type, name, count) __constant__ type name[count];
#define DEVICE_ARRAY(type, name, count) __device__ type name[count];
#define CONSTANT_ARGUMENT(type, name)
#define DEVICE_ARGUMENT(type, name)
#define BARRIER() __syncthreads()
#define DIMENSION(v, d) ((d) == 0 ? v.x : (d) == 1 ? v.y : v.z)
#define LOCAL_ID(d) DIMENSION(threadIdx, d)
#define LOCAL_SIZE(d) DIMENSION(blockDim, d)
#define GROUP_ID(d) DIMENSION(blockIdx, d)
#define GLOBAL_ID(d) (GROUP_ID(d) * LOCAL_SIZE(d) + LOCAL_ID(d))
#define GLOBAL_SIZE(d) (DIMENSION(gridDim, d) * LOCAL_SIZE(d))
#define STATE __device__
#define TRAP() asm volatile("trap;")
#define ANOTHER() ((float)(clock64() & 0x3fffff))

typedef signed char t_i8;
typedef short t_i16;
typedef int t_i32;
typedef long long t_i64;
typedef unsigned char t_u8;
typedef unsigned short t_u16;
typedef unsigned int t_u32;
typedef unsigned long long t_u64;
typedef unsigned short t_f16;
typedef unsigned short t_bf16;
typedef float t_f32;
typedef double t_f64;
typedef unsigned char t_f8e4m3;
typedef unsigned char t_f8e5m2;
typedef bool t_bool;
typedef decltype(sizeof 0) size_t;

/* Images: a canvas is written to. Textures have their own samplers. */
#define PICTURE cudaTextureObject_t
#define LINE cudaTextureObject_t
#define CANVAS cudaSurfaceObject_t
#define SAMPLER(name)
#define TEXTURE_REFERENCE(name) texture<float, 2> name;
#define REFERENCE_ARGUMENT(name)
#define READ_REFERENCE(p, s, column, row) tex2D(p, (column) + 0.5f, (row) + 0.5f)
#define SURFACE_REFERENCE(name) surface<void, 2> name;
#define SURFACE_ARGUMENT(name)
#define STORE_REFERENCE(c, column, row, value) surf2Dwrite(value, c, (column) * 4, row)
#define COLOUR uchar4
#define READ(p, s, column, row) tex2D<float>(p, (column) + 0.5f, (row) + 0.5f)
#define SMOOTH(p, s, column, row) tex2D<float>(p, column, row)
#define READ_COLOUR(p, s, column, row) tex2D<uchar4>(p, (column) + 0.5f, (row) + 0.5f)
#define READ_LINE(p, i) tex1Dfetch<float>(p, i)
#define STORE(c, column, row, value) surf2Dwrite<float>(value, c, (column) * 4, row)
