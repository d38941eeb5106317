/* held_signals.h - signals that must not end hone while the library works.
 *
 * A limit of file sizes must fail a write, which is reported, and not end the run. The library
 * handles broken pipes to workers while it runs; broken pipes of standard output are handled again
 * afterwards.
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
