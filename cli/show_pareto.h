/* show_pareto.h - the Pareto set of a run by itself. */
#ifndef CLI_SHOW_PARETO_H
#define CLI_SHOW_PARETO_H

#include "hone_results.h"
#include "report_text.h"

/* False after a message. */
bool pareto_is_there(const struct hone_report *report);
/* `format` is an enum show_format. */
hone_status pareto_print(const struct report_view *view, struct hone_store *store, int format);

#endif
