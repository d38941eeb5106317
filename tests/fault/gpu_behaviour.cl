/* y = x + 1, and what else a kernel can do. On a device that is a CPU all of it happens in the process that
 * runs the kernel. */
#define BASELINE 0
#define GOOD 1
#define SLOW 2
#define WRONG 3
#define NAN_ANSWER 4
#define UNWRITTEN 5
#define NULL_WRITE 6
#define FAR 7
#define FAR_BEFORE 8
#define PAST_1 9
#define BEFORE_1 10
#define PAST_1M 11
#define INPUT 12
#define HANG_FIRST 13
#define HANG_LATER 14
#define DIVERGE 16
#define PRINT_FOREVER 17
#define PRINT_MUCH 18
#define LOCAL 19
#define STACK 20
#define DIVIDE 21
#define NO_COMPILE 22
#define NO_ENTRY 23
#define NO_INCLUDE 24
#define COMPILE_FOREVER 25
#define NOTHING 26

#if BEHAVIOUR == NO_COMPILE
#error "this one does not compile"
#endif
#if BEHAVIOUR == NO_INCLUDE
#include "is-not-there.h"
#endif
#if BEHAVIOUR == COMPILE_FOREVER /* 8 to the 12th summands, none of which is kept */
#define A0 1
#define A1 (A0 + A0 + A0 + A0 + A0 + A0 + A0 + A0)
#define A2 (A1 + A1 + A1 + A1 + A1 + A1 + A1 + A1)
#define A3 (A2 + A2 + A2 + A2 + A2 + A2 + A2 + A2)
#define A4 (A3 + A3 + A3 + A3 + A3 + A3 + A3 + A3)
#define A5 (A4 + A4 + A4 + A4 + A4 + A4 + A4 + A4)
#define A6 (A5 + A5 + A5 + A5 + A5 + A5 + A5 + A5)
#define A7 (A6 + A6 + A6 + A6 + A6 + A6 + A6 + A6)
#define A8 (A7 + A7 + A7 + A7 + A7 + A7 + A7 + A7)
#define A9 (A8 + A8 + A8 + A8 + A8 + A8 + A8 + A8)
#define A10 (A9 + A9 + A9 + A9 + A9 + A9 + A9 + A9)
#define A11 (A10 + A10 + A10 + A10 + A10 + A10 + A10 + A10)
#define A12 (A11 + A11 + A11 + A11 + A11 + A11 + A11 + A11)
#if A12
#endif
#endif

#if BEHAVIOUR != NO_ENTRY
/* Calls that it has answered before in this set of arguments, told by the last bits of y[0]; 0 where it was poisoned. */
static int calls_before(__global float *y, float right)
{
  uint bits = as_uint(y[0]), wanted = as_uint(right) & ~255u;
  return (bits & ~255u) == wanted ? (int)(bits & 255u) : 0;
}

static void spin(volatile __global float *y)
{
  for (;;)
    y[1] = y[1];
}

__kernel void add_one(__global float *x, __global float *y, int n)
{
  int i = get_global_id(0);
  float answer = x[i] + 1;
  int before = i == 0 ? calls_before(y, answer) : 0;
  if (i == 0) answer = as_float((as_uint(answer) & ~255u) | (uint)(before < 255 ? before + 1 : 255));
#if BEHAVIOUR == BASELINE
  volatile float v = 0;
  for (int k = 0; k < 50; k++)
    v += k;
#elif BEHAVIOUR == SLOW
  volatile float v = 0;
  for (int k = 0; k < 20000; k++)
    v += k;
#elif BEHAVIOUR == WRONG
  answer += 1;
#elif BEHAVIOUR == NAN_ANSWER
  answer = NAN;
#elif BEHAVIOUR == UNWRITTEN || BEHAVIOUR == NOTHING
  if (n > 0) return;
#elif BEHAVIOUR == NULL_WRITE
  *(volatile __global int *)(ulong)(n - n) = 1;
#elif BEHAVIOUR == FAR
  y[(1ul << 40) + i] = 1;
#elif BEHAVIOUR == FAR_BEFORE
  y[-(1l << 40) + i] = 1;
#elif BEHAVIOUR == PAST_1
  ((__global char *)y)[4 * n] = 1;
#elif BEHAVIOUR == BEFORE_1
  ((__global char *)y)[-1] = 1;
#elif BEHAVIOUR == PAST_1M
  y[n + (1 << 18)] = 1;
#elif BEHAVIOUR == INPUT
  x[i] = 3;
#elif BEHAVIOUR == HANG_FIRST
  spin(y);
#elif BEHAVIOUR == HANG_LATER
  if (before == 1) spin(y);
#elif BEHAVIOUR == DIVERGE
  if (get_local_id(0) % 2) barrier(CLK_GLOBAL_MEM_FENCE);
#elif BEHAVIOUR == PRINT_FOREVER
  for (;;)
    printf("I go on and on and on %d\n", i);
#elif BEHAVIOUR == PRINT_MUCH
  if (i == 0)
    for (int k = 0; k < 2000; k++)
      printf("a line of many lines %d\n", k);
#elif BEHAVIOUR == LOCAL
  __local float huge[1 << 28];
  huge[n + i] = answer;
  barrier(CLK_LOCAL_MEM_FENCE);
  answer = huge[n + i];
#elif BEHAVIOUR == STACK
  volatile float deep[1 << 24];
  deep[n * i] = answer;
  answer = deep[n * i];
#elif BEHAVIOUR == DIVIDE
  if (n / (i - i + n - 4096) == 3) answer = 1;
#endif
  y[i] = answer;
}
#endif
