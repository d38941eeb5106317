/* broken_pipe.h - this thread writes to processes that may end at any time: that is an error of the
 * write, and no signal. The program's own handling of SIGPIPE stays.
 */
#ifndef HONE_PROC_BROKEN_PIPE_H
#define HONE_PROC_BROKEN_PIPE_H

#include <signal.h>
#include <stdbool.h>

struct hone__broken_pipe {
  sigset_t before;
  bool was_pending;
};

/* In one thread, in pairs. */
void hone__broken_pipe_hold(struct hone__broken_pipe *held);
void hone__broken_pipe_release(const struct hone__broken_pipe *held);

#endif
