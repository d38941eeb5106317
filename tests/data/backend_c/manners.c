/* y = 2 x, by a kernel that leaves its process in another state than it was in, or tries to. The
 * baseline does the work twenty times. */
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum {
  BASELINE,
  AT_EXIT,
  BEFORE,
  BEHIND,
  BEFORE_INPUT,
  CHDIR,
  CONSTRUCTOR,
  DEEP,
  EXEC,
  JUMP,
  KILL_PARENT,
  KILL_SELF,
  LIMITS,
  MAP_OVER,
  MASK,
  NO_INPUT,
  OVER_READ,
  PRINT,
  PROTECT,
  RANDOM,
  ROUND_UP,
  STATE,
  THREAD,
  THREAD_EXIT,
  UMASK,
  WRITE_INPUT
};

static volatile float sink;
static volatile int never;
static int calls;
static jmp_buf back;

__attribute__((constructor)) static void begin(void)
{
  if (BEHAVIOUR == CONSTRUCTOR) puts("constructed");
}

static void leave(void)
{
  _exit(7);
}

static void *spin(void *data)
{
  while (!never)
    continue;
  return data;
}

__attribute__((noinline)) static void dive(volatile char *from, int depth)
{
  volatile char here[1 << 14];

  here[0] = from[0];
  if (depth) dive(here, depth - 1);
  here[1] = 0;
}

static void *page_of(void *at)
{
  return (void *)((size_t)at & ~(size_t)4095);
}

static void first_only(void)
{
  const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  pthread_t thread;
  sigset_t all;

  switch (BEHAVIOUR) {
  case AT_EXIT: atexit(leave); break;
  case CHDIR:
    if (chdir("/") != 0) abort();
    break;
  case LIMITS:
    setrlimit(RLIMIT_AS, &none);
    setrlimit(RLIMIT_CORE, &none);
    break;
  case MASK:
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    break;
  case THREAD: pthread_create(&thread, NULL, spin, NULL); break;
  case UMASK: umask(0777); break;
  case KILL_PARENT: kill(getppid(), SIGKILL); break;
  }
}

static void misbehave(float *x, float *y, int n)
{
  char *block, start = 1;

  switch (BEHAVIOUR) {
  case BEFORE: ((char *)y)[-1] = 0; break;
  case BEHIND: ((char *)(y + n))[0] = 0; break;
  case BEFORE_INPUT: ((char *)x)[-1] = 0; break;
  case DEEP: dive(&start, 1 << 20); break;
  case EXEC: execl("/bin/true", "true", (char *)NULL); break;
  case JUMP:
    if (setjmp(back) == 0) longjmp(back, 1);
    break;
  case KILL_SELF: kill(0, SIGKILL); break;
  case MAP_OVER:
    mmap(page_of(x), 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    break;
  case NO_INPUT: munmap(page_of(x), 4096); break;
  case OVER_READ:
    for (int i = 0; i < 16; i++)
      sink = x[-1 - i] + x[n + i] + y[-1 - i] + y[n + i];
    break;
  case PRINT:
    for (int i = 0; i < 100; i++)
      puts("a kernel that has much to say about every call of it");
    break;
  case PROTECT: mprotect(page_of(y), 4096, PROT_NONE); break;
  case RANDOM:
    block = malloc(1000);
    memset(block, rand(), 1000);
    sink = block[rand() % 1000];
    free(block);
    break;
  case ROUND_UP: fesetround(FE_UPWARD); break;
  case STATE: y[0] = calls > 3 ? 17 : y[0]; break;
  case THREAD_EXIT: pthread_exit(NULL); break;
  case WRITE_INPUT: memset(x, 0, (size_t)n * sizeof *x); break;
  }
}

void kernel(float *x, float *y, int n)
{
  for (int k = 0; k < (BEHAVIOUR == BASELINE ? 80 : 4); k++)
    for (int i = 0; i < n; i++) {
      y[i] = 2 * x[i];
      __asm__ volatile("" ::: "memory");
    }
  if (calls++ == 0) first_only();
  misbehave(x, y, n);
}
