/* live_view.h - the live page of a run, served by another process of this program: a slow browser
 * never delays the run. */
#ifndef CLI_LIVE_VIEW_H
#define CLI_LIVE_VIEW_H

#include <sys/types.h>

/* Of the newest run of the store (NULL: the usual one), at an address ("": the default). It ends
 * with this process at the latest. -1: it could not be started. */
pid_t live_view_start(const char *store, const char *address);
void live_view_stop(pid_t view);

#endif
