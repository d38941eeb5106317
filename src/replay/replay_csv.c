/* A file is written in one go, by the thread that made the run. */
#include "replay/replay_csv.h"

#include "base/text.h"
#include "base/paths.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void add_steps(struct hone__text *text, const struct hone__replay_trace *trace)
{
  for (size_t i = 0; i < trace->count; i++) {
    hone__text_addf(text, "%.17g,", trace->steps[i].at_s);
    if (!isnan(trace->steps[i].time_ms)) hone__text_addf(text, "%.17g", trace->steps[i].time_ms);
    hone__text_add(text, "\n");
  }
}

hone_status hone__replay_csv_write(const char *folder, const char *label,
                                   const struct hone__replay_plan *plan,
                                   const struct hone__replay_trace *trace)
{
  struct hone__text path = {0}, text = {0};
  hone_status status;

  hone__text_addf(&path, "%s/%s/%s/%" PRIu64 ".csv", folder, label, plan->strategy->name,
                  plan->seed);
  hone__text_add(&text, "");
  add_steps(&text, trace);
  status = hone__path_make_folders(path.data);
  if (!status) status = hone__path_write(path.data, text.data, text.length);
  hone__text_release(&text);
  hone__text_release(&path);
  return status;
}
