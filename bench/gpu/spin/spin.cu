/* A kernel of known duration: one thread waits until the SM's clock has counted `cycles`, or the
 * GPU's timer NS nanoseconds, and reports how far both of them came. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

enum { BY_cycles, BY_timer };

__device__ inline unsigned long long timer_ns()
{
  unsigned long long ns;

  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

extern "C" __global__ void spin(long long cycles, unsigned long long *report)
{
  unsigned long long first_ns = timer_ns(), ns;
  long long first = clock64(), now;

  do {
    ns = timer_ns() - first_ns;
    now = clock64() - first;
  } while (JOIN(BY_, BY) == BY_timer ? ns < NS : now < cycles);
  report[0] = now;
  report[1] = ns;
}
