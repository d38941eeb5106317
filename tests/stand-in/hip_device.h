/* hip_device.h - the words of HIP's kernels, for the CPU: see hip.c, which puts this before a
 * source and compiles both with the compiler of C++.
 *
 * A thread of a block is a call of the kernel with another threadIdx; hip.c starts them, and
 * changes from one to another at a barrier. Shared memory is static, as one block runs at a time.
 */
#define __global__
#define __device__ __attribute__((visibility("default")))
#define __host__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __constant__    __attribute__((visibility("default")))
#define STAND_IN_SHARED static __attribute__((section("stand_in_shared")))

struct uint3 {
  unsigned x, y, z;
};

extern "C" {
__attribute__((visibility("default"))) uint3 threadIdx, blockIdx, blockDim, gridDim;
__attribute__((visibility("default"))) char *stand_in_dynamic;
__attribute__((visibility("default"))) void (*stand_in_barrier)(void);
__attribute__((visibility("default"))) long long (*stand_in_clock)(void);
extern char __start_stand_in_shared[] __attribute__((weak));
extern char __stop_stand_in_shared[] __attribute__((weak));
__attribute__((visibility("default"))) unsigned long stand_in_shared_bytes(void)
{
  return __stop_stand_in_shared - __start_stand_in_shared;
}
/* hip.c writes the metadata here. */
__asm__(".pushsection .note.amdgpu,\"a\",@note\n.zero 16384\n.popsection");
}

static const int warpSize = 64;

static inline void __syncthreads()
{
  stand_in_barrier();
}
static inline void __threadfence()
{
}
static inline long long clock64()
{
  return stand_in_clock();
}
template <typename StandInT> StandInT atomicMin(StandInT *at, StandInT value)
{
  StandInT before = *at;
  if (value < before) *at = value;
  return before;
}
template <typename StandInT> StandInT atomicAdd(StandInT *at, StandInT value)
{
  StandInT before = *at;
  *at = before + value;
  return before;
}

/* ---- Images: what the tests read and write; 2-D textures of f32 and of four bytes ---- */

#include "hip_image.h"

typedef stand_in_texture *hipTextureObject_t;
typedef stand_in_array *hipSurfaceObject_t;
struct uchar4 {
  unsigned char x, y, z, w;
};

/* The place of a texel by the mode of addresses: clamp, or wrap. */
static inline long stand_in_place(const stand_in_texture *texture, long at, long size)
{
  if (texture->address[0] == 0) return (at % size + size) % size;
  return at < 0 ? 0 : at >= size ? size - 1 : at;
}
static inline long stand_in_floor(float at)
{
  long below = (long)at;
  return below > at ? below - 1 : below;
}
template <typename StandInT> StandInT stand_in_texel(const stand_in_texture *t, long x, long y)
{
  long column = stand_in_place(t, x, t->array.width), row = stand_in_place(t, y, t->array.height);
  if (t->array.texel_bytes != sizeof(StandInT)) __builtin_trap();
  return *(const StandInT *)(t->array.texels + (row * t->array.width + column) * sizeof(StandInT));
}
template <typename StandInT> struct stand_in_sample {
  static StandInT take(const stand_in_texture *t, float x, float y)
  {
    return stand_in_texel<StandInT>(t, stand_in_floor(x), stand_in_floor(y));
  }
};
template <> struct stand_in_sample<float> {
  static float take(const stand_in_texture *t, float x, float y)
  {
    long left = stand_in_floor(x - 0.5f), top = stand_in_floor(y - 0.5f);
    float a = x - 0.5f - left, b = y - 0.5f - top;
    if (!t->is_smooth) return stand_in_texel<float>(t, stand_in_floor(x), stand_in_floor(y));
    return (1 - b) * ((1 - a) * stand_in_texel<float>(t, left, top) +
                      a * stand_in_texel<float>(t, left + 1, top)) +
           b * ((1 - a) * stand_in_texel<float>(t, left, top + 1) +
                a * stand_in_texel<float>(t, left + 1, top + 1));
  }
};
template <typename StandInT> StandInT tex2D(hipTextureObject_t texture, float x, float y)
{
  float columns = texture->is_normalized ? texture->array.width : 1,
        rows = texture->is_normalized ? texture->array.height : 1;
  return stand_in_sample<StandInT>::take(texture, x * columns, y * rows);
}
template <typename StandInT> StandInT tex1Dfetch(hipTextureObject_t texture, int i)
{
  return stand_in_texel<StandInT>(texture, i, 0);
}
template <typename StandInT>
void surf2Dwrite(StandInT value, hipSurfaceObject_t surface, int x, int y)
{
  if (x < 0 || y < 0 || x / sizeof value >= surface->width || (unsigned long)y >= surface->height)
    return;
  *(StandInT *)(surface->texels + y * surface->width * surface->texel_bytes + x) = value;
}

/* ---- Kernels as hip.c calls them ---- */

template <unsigned... StandInI> struct stand_in_list {
};
template <unsigned StandInN, unsigned... StandInI>
struct stand_in_count : stand_in_count<StandInN - 1, StandInN - 1, StandInI...> {
};
template <unsigned... StandInI> struct stand_in_count<0, StandInI...> {
  typedef stand_in_list<StandInI...> list;
};

template <typename... StandInA, unsigned... StandInI>
void stand_in_apply(void (*kernel)(StandInA...), void **params, stand_in_list<StandInI...>)
{
  kernel(*(StandInA *)params[StandInI]...);
}
template <typename... StandInA> void stand_in_call(void (*kernel)(StandInA...), void **params)
{
  stand_in_apply(kernel, params, typename stand_in_count<sizeof...(StandInA)>::list());
}
template <typename... StandInA> unsigned stand_in_size(void (*)(StandInA...), unsigned i)
{
  const unsigned sizes[] = {(unsigned)sizeof(StandInA)..., 0};
  return i < sizeof...(StandInA) ? sizes[i] : 0;
}

/* Number `i`: what it is called by, and the size of its j-th parameter; 0: it has no more. */
#define STAND_IN_KERNEL(i, ...)                                                                    \
  extern "C" __attribute__((visibility("default"))) void stand_in_call_##i(void **params)          \
  {                                                                                                \
    stand_in_call(__VA_ARGS__, params);                                                            \
  }                                                                                                \
  extern "C" __attribute__((visibility("default"))) unsigned stand_in_size_##i(unsigned j)         \
  {                                                                                                \
    return stand_in_size(__VA_ARGS__, j);                                                          \
  }
