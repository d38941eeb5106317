/* broken_pipe.h - writing to standard error without dying of it.
 *
 * Messages that nobody reads any more are no reason to lose a run or its results. To ignore SIGPIPE
 * would pass to every process that is started meanwhile: it is held back while something is
 * written, and taken.
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
