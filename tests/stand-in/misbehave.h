/* misbehave.h - what a library that stands in for another does instead of its work.
 *
 *   STUB_CALL  the function that misbehaves, or "constructor"
 *   STUB_FROM  from which call of it on (1)
 *   STUB_DO    a number: that error; crash, hang, exit, print, fork, lie (about what it returns)
 *
 *   int cuInit(unsigned flags) { CALL("cuInit"); ... return problem ? a lie : 0; }
 */
#ifndef TESTS_STAND_IN_MISBEHAVE_H
#define TESTS_STAND_IN_MISBEHAVE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIE = -2 };

static void crash(void)
{
  fprintf(stderr, "the stub crashes\n");
  *(volatile int *)8 =
      1; /* a signal sent to itself would not end the first process of a namespace */
}

static void leave_process(void)
{
  if (fork() == 0) {
    setsid();
    for (;;)
      pause();
  }
}

static int misbehave(const char *name, int calls)
{
  const char *chosen = getenv("STUB_CALL"), *what = getenv("STUB_DO"), *from = getenv("STUB_FROM");

  if (!chosen || !what || strcmp(chosen, name) != 0 || calls < (from ? atoi(from) : 1)) return 0;
  if (strcmp(what, "crash") == 0) crash();
  if (strcmp(what, "fork") == 0) leave_process();
  if (strcmp(what, "hang") == 0)
    for (;;)
      pause();
  if (strcmp(what, "exit") == 0) exit(0);
  if (strcmp(what, "print") == 0) {
    printf("{\"noise\": 1}\n");
    fflush(stdout);
    return 0;
  }
  if (strcmp(what, "lie") == 0) return LIE;
  return atoi(what);
}

#define CALL(name)                                                                                 \
  static int calls;                                                                                \
  int problem = misbehave(name, ++calls);                                                          \
  if (problem > 0) return problem

__attribute__((constructor)) static void begin(void)
{
  misbehave("constructor", 1);
}

#endif
