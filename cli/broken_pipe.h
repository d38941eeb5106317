/* broken_pipe.h - writes to standard error without being killed by SIGPIPE.
 *
 * A closed standard error must not lose a run or its results. Ignoring SIGPIPE would be inherited
 * by every process started meanwhile, so the signal is blocked during a write, and consumed.
 */
#ifndef CLI_BROKEN_PIPE_H
#define CLI_BROKEN_PIPE_H

#include <signal.h>
#include <stdbool.h>

struct broken_pipe {
  sigset_t before;
  bool was_pending;
};

void broken_pipe_hold(struct broken_pipe *held);
void broken_pipe_release(struct broken_pipe *held);

#endif
