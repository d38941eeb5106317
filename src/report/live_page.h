/* live_page.h - what the live server sends: the page of a run, and its state as one line. */
#ifndef HONE_REPORT_LIVE_PAGE_H
#define HONE_REPORT_LIVE_PAGE_H

#include "hone_results.h"

/* `run` 0: the newest. Before the first result, a page that waits. free(). */
hone_status hone__live_page(struct hone_store *store, int64_t run, char **out_html);
/* {"run": 12, "state": "running", "evaluations": 40}: it differs if the page does. free(). */
char *hone__live_state(struct hone_store *store, int64_t run);

#endif
