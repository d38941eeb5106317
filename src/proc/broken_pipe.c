#include "proc/broken_pipe.h"

#include <stddef.h>
#include <time.h>

static void only_this(sigset_t *signals)
{
  sigemptyset(signals);
  sigaddset(signals, SIGPIPE);
}

void hone__broken_pipe_hold(struct hone__broken_pipe *held)
{
  sigset_t pipe, pending;

  only_this(&pipe);
  sigpending(&pending);
  held->was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe, &held->before);
}

void hone__broken_pipe_release(const struct hone__broken_pipe *held)
{
  const struct timespec at_once = {0};
  sigset_t pipe;

  only_this(&pipe);
  if (!held->was_pending) sigtimedwait(&pipe, NULL, &at_once);
  pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}
