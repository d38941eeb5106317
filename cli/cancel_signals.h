/* cancel_signals.h - INT, TERM and HUP ask the library for an end: the first one in good order, the
 * second one at once. A third one ends the program.
 */
#ifndef CLI_CANCEL_SIGNALS_H
#define CLI_CANCEL_SIGNALS_H

#include "hone.h"

#include <signal.h>

enum { CANCEL_SIGNALS = 3 };

struct cancel_signals {
  struct sigaction before[CANCEL_SIGNALS];
};

/* Returns what to give to the library until the end. Not to be nested. */
const struct hone_cancel *cancel_signals_begin(struct cancel_signals *signals);
void cancel_signals_end(const struct cancel_signals *signals);
/* Whether there was one, now or before. */
bool cancel_signals_caught(void);

#endif
