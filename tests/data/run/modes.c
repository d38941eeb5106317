/* A kernel that takes 200 us or, with MODES, one process 200 us and the next one 300 us: such as a
 * kernel may whose time depends on where its memory lies. Each process leaves a byte in PLACE; the
 * one with the number STOP does not come back; with MODES 2 it crashes, and so do all after it. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long now_ns(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000 + now.tv_nsec;
}

/* How many processes have been here, this one among them. */
static long number_of_process(void)
{
  int file = open(PLACE, O_WRONLY | O_CREAT | O_APPEND, 0600);
  struct stat stat = {.st_size = 0};

  if (write(file, "x", 1) == 1) fstat(file, &stat);
  close(file);
  return stat.st_size;
}

static long choose_ns(void)
{
  long number = number_of_process();

  if (number >= STOP && MODES == 2) abort();
  while (number == STOP)
    pause();
  return number % 2 ? 300000 : 200000;
}

void take(const int *in, int *out)
{
  static long time_ns;
  long until;

  if (!time_ns) time_ns = MODES ? choose_ns() : 200000;
  until = now_ns() + time_ns;
  while (now_ns() < until)
    continue;
  *out = *in;
}
