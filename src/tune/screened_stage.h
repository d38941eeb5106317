/* screened_stage.h - the host's decision after screening: which candidates may become finalists. */
#ifndef HONE_TUNE_SCREENED_STAGE_H
#define HONE_TUNE_SCREENED_STAGE_H

#include "tune/tuning.h"

/* Takes what the filter rejects out of the ranking, and sets the ranks of the others. */
void hone__screened_stage(struct hone__tuning *tuning);
/* Adds how many were rejected to the notes of the run. */
void hone__screened_stage_note(struct hone__tuning *tuning);
/* True: the filter has rejected some, and none is left. */
bool hone__screened_stage_took_all(const struct hone__tuning *tuning);

#endif
