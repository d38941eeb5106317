/* A file is written in one go, by the thread that made the run. */
#include "replay/replay_csv.h"

#include "base/file.h"
#include "base/text.h"
#include "base/paths.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static void add_steps(struct hone__text *text, const struct hone__replay_trace *trace)
{
  for (size_t i = 0; i < trace->count; i++) {
    hone__text_addf(text, "%.17g,", trace->steps[i].at_s);
    if (!isnan(trace->steps[i].time_ms)) hone__text_addf(text, "%.17g", trace->steps[i].time_ms);
    hone__text_add(text, "\n");
  }
}

static hone_status write_file(const char *path, const char *bytes, size_t size)
{
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  hone_status status = NULL;

  if (file < 0) return hone__path_error("write", path);
  if (!hone__file_write(file, bytes, size)) status = hone__path_error("write", path);
  if (close(file) != 0 && !status) status = hone__path_error("write", path);
  return status;
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
  if (!status) status = write_file(path.data, text.data, text.length);
  hone__text_release(&text);
  hone__text_release(&path);
  return status;
}
