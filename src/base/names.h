/* names.h - values by their names: for what was written to the store or to a file.
 *
 * The tables are in hone.h; hone_verdict_name() and its like print them.
 */
#ifndef HONE_BASE_NAMES_H
#define HONE_BASE_NAMES_H

#include "hone.h"

/* NULL is not a verdict. False if none has this name. */
bool hone__verdict_parse(const char *name, enum hone_verdict *out_verdict);
/* False if no run's state has this name. */
bool hone__state_parse(const char *name, enum hone_run_state *out_state);

const char *hone__phase_name(enum hone_phase phase); /* "screen" */
/* HONE_PHASE_NONE if none has this name; NULL has none. */
enum hone_phase hone__phase_parse(const char *name);

/* What replaces a strategy where nothing was searched. */
#define HONE__STRATEGY_OF_SWEEPS  "sweep"
#define HONE__STRATEGY_OF_IMPORTS "import" /* of a run that another tuner has made */
bool hone__is_sweep(const char *strategy); /* which may be NULL */

#endif
