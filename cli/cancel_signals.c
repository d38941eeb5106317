#include "cancel_signals.h"

#include <stddef.h>

enum { MOST_REQUESTS = 2 };

static const int numbers[CANCEL_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static struct hone_cancel *cancel; /* for the handler */
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
  if (caught < MOST_REQUESTS) {
    caught++;
    hone_cancel_request(cancel);
  } else {
    signal(number, SIG_DFL);
    raise(number);
  }
}

const struct hone_cancel *cancel_signals_begin(struct cancel_signals *signals)
{
  const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

  if (!cancel) cancel = hone_cancel_new();
  for (int i = 0; i < CANCEL_SIGNALS; i++) {
    sigaction(numbers[i], NULL, &signals->before[i]);
    if (numbers[i] == SIGHUP && signals->before[i].sa_handler == SIG_IGN) continue; /* nohup */
    sigaction(numbers[i], &action, NULL);
  }
  return cancel;
}

void cancel_signals_end(const struct cancel_signals *signals)
{
  for (int i = 0; i < CANCEL_SIGNALS; i++)
    sigaction(numbers[i], &signals->before[i], NULL);
}

bool cancel_signals_caught(void)
{
  return caught > 0;
}
