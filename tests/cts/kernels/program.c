/* A program of backend `program`: times some work and writes the time into the table that it is
 * asked for. Any WAY but BASE and FAST fails once, if TWICE is 0, and is good else. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BASE            0
#define FAST            1
#define NO_COMPILE      2
#define COMPILE_FOREVER 3
#define ILLEGAL         4
#define TRAPS           5
#define HANGS           6
#define EXITS           7
#define NO_RESULT       8
#define BAD_RESULT      9
#ifndef WAY
#define WAY   BASE
#define TWICE 1
#endif
#ifndef KNOB
#define KNOB (2 * WAY + TWICE)
#endif
#ifndef WORK
#define WORK (WAY == FAST ? 500 : 50000)
#endif

#if WAY == NO_COMPILE && !TWICE
#error "nobody can compile this"
#endif

#if WAY == COMPILE_FOREVER && !TWICE
#define B0  1
#define B1  (B0 + B0 + B0 + B0 + B0 + B0 + B0 + B0)
#define B2  (B1 + B1 + B1 + B1 + B1 + B1 + B1 + B1)
#define B3  (B2 + B2 + B2 + B2 + B2 + B2 + B2 + B2)
#define B4  (B3 + B3 + B3 + B3 + B3 + B3 + B3 + B3)
#define B5  (B4 + B4 + B4 + B4 + B4 + B4 + B4 + B4)
#define B6  (B5 + B5 + B5 + B5 + B5 + B5 + B5 + B5)
#define B7  (B6 + B6 + B6 + B6 + B6 + B6 + B6 + B6)
#define B8  (B7 + B7 + B7 + B7 + B7 + B7 + B7 + B7)
#define B9  (B8 + B8 + B8 + B8 + B8 + B8 + B8 + B8)
#define B10 (B9 + B9 + B9 + B9 + B9 + B9 + B9 + B9)
#define B11 (B10 + B10 + B10 + B10 + B10 + B10 + B10 + B10)
#if B11
#endif
#endif

static const char *table = "output.csv";
static volatile int state;

static void write_time(const char *time_ms)
{
  FILE *file = fopen(table, "w");

  if (!file) exit(9);
  fprintf(file, "name,met (ms),iters\n\"work\",%s,1\n", time_ms);
  fclose(file);
}

static void fail_once(int way)
{
  if (way == ILLEGAL) *(volatile int *)(size_t)(64 + state - state) = 1;
  if (way == TRAPS) abort();
  if (way == EXITS) exit(3);
  if (way == NO_RESULT) exit(0);
  if (way == BAD_RESULT) write_time("fast"), exit(0);
  while (way == HANGS)
    pause();
}

int main(int count, char **words)
{
  struct timespec begin, end;
  char text[32];

  for (int i = 1; i + 1 < count; i++)
    if (strcmp(words[i], "-o") == 0) table = words[i + 1];
  state += KNOB; /* so that no two objects are equal */
  if (!TWICE) fail_once(WAY);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (volatile int i = 0; i < 20 * WORK; i++) /* a time beside which starting is little */
    ;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  snprintf(text, sizeof text, "%.6f",
           1e3 * (double)(end.tv_sec - begin.tv_sec) +
               1e-6 * (double)(end.tv_nsec - begin.tv_nsec));
  write_time(text);
  return 0;
}
