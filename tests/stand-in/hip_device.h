/* hip_device.h - the words of HIP's kernels, for the CPU: see hip.c, which puts this before a
 * source and compiles both with the compiler of C++.
 *
 * A thread of a block is a call of the kernel with another threadIdx; hip.c starts them, and
 * changes from one to another at a barrier. Shared memory is static, as one block runs at a time.
 */
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __constant__
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
