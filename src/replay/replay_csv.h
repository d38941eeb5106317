/* replay_csv.h - runs as files, for other people's scorers. */
#ifndef HONE_REPLAY_REPLAY_CSV_H
#define HONE_REPLAY_REPLAY_CSV_H

#include "replay/replay.h"

/* FOLDER/LABEL/STRATEGY/SEED.csv: "seconds,time_ms" a line, no time for what failed. */
hone_status hone__replay_csv_write(const char *folder, const char *label,
                                   const struct hone__replay_plan *plan,
                                   const struct hone__replay_trace *trace);

#endif
