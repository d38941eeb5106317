/* Checks limits that would otherwise cause an obscure error, or a crash. */
#include "limits.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

struct need {
  int resource;
  rlim_t least, unit;
  const char *what, *unit_name, *option;
};

static const struct need needs[] = {
    {RLIMIT_STACK, 1 << 20, 1 << 10, "stack size", " KiB", "-s"},
    {RLIMIT_NOFILE, 64, 1, "number of open files", "", "-n"},
};

static bool is_met(const struct need *need, rlim_t *out_limit)
{
  struct rlimit limit;

  *out_limit = 0;
  if (getrlimit(need->resource, &limit) != 0 || limit.rlim_cur >= need->least) return true;
  limit.rlim_cur = limit.rlim_max < need->least ? limit.rlim_max : need->least;
  setrlimit(need->resource, &limit);
  *out_limit = limit.rlim_cur;
  return limit.rlim_cur >= need->least;
}

/* A stack of a few KiB is too small for printf to standard error. */
static void print_advice(const struct need *need, rlim_t limit)
{
  static char text[256];
  unsigned long long least = need->least / need->unit, own = limit / need->unit;
  int length = snprintf(
      text, sizeof text,
      "hone: the limit on %s is %llu%s, but hone needs %llu%s: raise it with 'ulimit %s %llu'\n",
      need->what, own, need->unit_name, least, need->unit_name, need->option, least);

  if (write(STDERR_FILENO, text, (size_t)length) < 0)
    return; /* standard error is closed: nothing to do */
}

bool limits_suffice(void)
{
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    rlim_t limit;
    if (is_met(&needs[i], &limit)) continue;
    print_advice(&needs[i], limit);
    return false;
  }
  return true;
}
