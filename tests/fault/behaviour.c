/* y = 2 x, by a kernel that may do anything: the knob BEHAVIOUR says what. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define GOOD             0
#define SLOW             1
#define WRONG            2
#define NONDETERMINISTIC 3
#define SEGFAULT         4
#define ABORT            5
#define DIVIDE           6
#define HANG             7
#define HANG_HARD        8
#define ESCAPE           9
#define EXIT_EARLY       10
#define FLOOD            11
#define EAT_MEMORY       12
#define CLOSE_ALL        13
#define GARBAGE          14
#define STOP             15
#define OVERRUN          16
#define NO_COMPILE       17
#define COMPILE_FOREVER  18
#define BASELINE         19

#if BEHAVIOUR == NO_COMPILE
#error "this one does not compile"
#endif

#if BEHAVIOUR == COMPILE_FOREVER /* includes itself as often as the compiler lets it, twice each   \
                                  */
#define AGAIN __FILE__
#if __INCLUDE_LEVEL__ < 150
#include AGAIN
#include AGAIN
#endif
#endif

#if BEHAVIOUR != COMPILE_FOREVER || __INCLUDE_LEVEL__ == 0

static volatile int never, zero;

static void spin(double factor, const float *x, float *y, int n)
{
  for (int repeat = 0; repeat < (int)(40 * factor); repeat++)
    for (int i = 0; i < n; i++) {
      y[i] = 2 * x[i];
      __asm__ volatile("" ::: "memory");
    }
}

static void hang(void)
{
  while (!never)
    continue;
}

/* A grandchild in a session of its own, that would live for an hour. */
static void escape(void)
{
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      execlp("sleep", "hone-escapee", "3600", (char *)NULL);
      _exit(1);
    }
    _exit(0);
  }
  for (;;)
    pause();
}

static void flood(void)
{
  static char block[1 << 16];

  memset(block, 'x', sizeof block);
  for (int i = 0; i < 5 << 10; i++) /* 320 MB, more than the limit of its memory */
    if (write(1, block, sizeof block) < 0) break;
}

static void eat_memory(void)
{
  for (;;) {
    char *block = malloc(1 << 20);
    if (!block) abort();
    memset(block, 1, 1 << 20);
  }
}

static void write_garbage(void)
{
  for (int file = 0; file < 1024; file++)
    if (fcntl(file, F_GETFL) >= 0 && write(file, "\0garbage HONE \xff\n", 15) < 0) continue;
}

static void misbehave(float *y, int n)
{
  static int calls;

  calls++;
  switch (BEHAVIOUR) {
  case WRONG: y[n / 2] += 1; break;
  case NONDETERMINISTIC: y[0] += (float)(getpid() % 1000 + calls); break;
  case SEGFAULT: *(volatile int *)8 = 1; break;
  case ABORT: abort();
  case DIVIDE: never = calls / zero; break;
  case HANG: hang(); break;
  case HANG_HARD:
    for (int number = 1; number < 32; number++)
      signal(number, SIG_IGN);
    hang();
    break;
  case ESCAPE: escape(); break;
  case EXIT_EARLY: exit(0);
  case FLOOD:
    if (calls == 1) flood();
    break;
  case EAT_MEMORY: eat_memory(); break;
  case CLOSE_ALL:
    for (int file = 0; calls == 1 && file < 1024; file++)
      close(file);
    break;
  case GARBAGE:
    if (calls == 1) write_garbage();
    break;
  case STOP: raise(SIGSTOP); break;
  case OVERRUN: memset(y + n, 0, 16); break;
  default: break;
  }
}

void kernel(const float *x, float *y, int n)
{
  spin(BEHAVIOUR == SLOW ? 400 : BEHAVIOUR == BASELINE ? 20 : 1, x, y, n);
  misbehave(y, n);
}

#endif
