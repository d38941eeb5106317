/* held_signals.h - signals that are not to end hone while the library works.
 *
 * A limit of file sizes is to fail a write, which is a message, and not to end the run. Broken
 * pipes to workers are the library's business while it runs, those of standard output ours again
 * then.
 */
#ifndef CLI_HELD_SIGNALS_H
#define CLI_HELD_SIGNALS_H

#include <signal.h>

enum { HELD_SIGNALS = 2 };

struct held_signals {
  struct sigaction before[HELD_SIGNALS];
};

void held_signals_begin(struct held_signals *held);
void held_signals_end(const struct held_signals *held);

#endif
