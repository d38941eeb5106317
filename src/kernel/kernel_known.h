/* kernel_known.h - results of the store, for the problem of a session that has its keys. */
#ifndef HONE_KERNEL_KERNEL_KNOWN_H
#define HONE_KERNEL_KERNEL_KNOWN_H

#include "kernel/kernel_internal.h"

/* The newest finished run of the problem. *out_holds: there is one, and it is still valid; else the
 * choice is untouched. */
hone_status hone__handle_known(struct hone__session *session, struct hone_store *store,
                               struct hone__handle_choice *out_choice, bool *out_holds);
/* The same of a certain run. */
hone_status hone__handle_read_run(struct hone__session *session, struct hone_store *store,
                                  int64_t run, struct hone__handle_choice *out_choice,
                                  bool *out_holds);

#endif
