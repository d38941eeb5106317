#include "held_signals.h"

#include <stddef.h>

static const int numbers[HELD_SIGNALS] = {SIGXFSZ, SIGPIPE};

void held_signals_begin(struct held_signals *held)
{
  const struct sigaction ignore = {.sa_handler = SIG_IGN};

  for (int i = 0; i < HELD_SIGNALS; i++)
    sigaction(numbers[i], &ignore, &held->before[i]);
}

void held_signals_end(const struct held_signals *held)
{
  for (int i = 0; i < HELD_SIGNALS; i++)
    sigaction(numbers[i], &held->before[i], NULL);
}
