/* The words of the kernels, in C: one call does the work of all items. */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define KERNEL
#define GLOBAL
#define EACH(i, n)                                                                                 \
  int64_t i = 0;                                                                                   \
  i < (int64_t)(n);                                                                                \
  i++
/* Arrays outside of functions that are arguments. */
#define CONSTANT_ARRAY(type, name, count) type name[count];
#define DEVICE_ARRAY(type, name, count)   type name[count];
#define CONSTANT_ARGUMENT(type, name)
#define DEVICE_ARGUMENT(type, name)
#define TRAP()    __builtin_trap()
#define ANOTHER() cts_another()

/* One call is one thread; what is static outlives it. */
#define STATE       static
#define BARRIER()   ((void)0)
#define LOCAL_ID(d) 0

/* A number that no two calls share. */
static inline float cts_another(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (float)(now.tv_nsec & 0x3fffff);
}

typedef int8_t t_i8;
typedef int16_t t_i16;
typedef int32_t t_i32;
typedef int64_t t_i64;
typedef uint8_t t_u8;
typedef uint16_t t_u16;
typedef uint32_t t_u32;
typedef uint64_t t_u64;
typedef _Float16 t_f16;
typedef struct {
  _Float16 bits;
} t_bf16; /* it travels where __bf16 does, which not every compiler has */
typedef float t_f32;
typedef double t_f64;
typedef uint8_t t_f8e4m3;
typedef uint8_t t_f8e5m2;
typedef _Bool t_bool;
