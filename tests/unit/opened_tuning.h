/* opened_tuning.h - a tuning of a recording that is opened, as before its first worker is started.
 * Needs sim_tuning.h's folder. */
#ifndef HONE_TESTS_UNIT_OPENED_TUNING_H
#define HONE_TESTS_UNIT_OPENED_TUNING_H

#include "sim_tuning.h"

#include "base/memory.h"
#include "session/cases.h"
#include "session/identity.h"
#include "store/store.h"
#include "tune/candidate_steps.h"
#include "tune/tuning.h"

struct opened {
  struct hone_spec *spec;
  struct hone_tune_options options;
  struct hone__tuning tuning;
  char said[8][512]; /* texts of its events */
  size_t said_count;
};

static inline bool keep_text(void *data, const struct hone_event *event)
{
  struct opened *opened = data;

  if (!event->text || opened->said_count == 8) return true;
  snprintf(opened->said[opened->said_count++], sizeof opened->said[0], "%s", event->text);
  return true;
}

/* A recording of K = 0 ... count - 1, all as fast as the baseline. */
static inline void write_equal_times(size_t count)
{
  double *times = hone__alloc(count * sizeof *times);

  for (size_t i = 0; i < count; i++)
    times[i] = 1;
  write_recording(times, count);
  free(times);
}

/* The caller has set the options; release_opened even after a failure. */
static inline hone_status try_open(struct opened *opened, const char *lines)
{
  struct hone__cases cases;
  struct hone__case which;

  opened->spec = sim_spec(lines);
  opened->options.progress = keep_text;
  opened->options.progress_data = opened;
  assert_null(hone__cases_init(&cases, opened->spec, &opened->options));
  which = hone__cases_at(&cases, 0);
  return hone__tuning_open(&opened->tuning, opened->spec, &which, &opened->options,
                           &hone__purpose_tune);
}

static inline void open_tuning(struct opened *opened, const char *lines)
{
  hone_status status = try_open(opened, lines);

  if (status) fail_msg("%s", hone_status_message(status));
}

/* A run of it in the store, as hone_tune begins one. */
static inline void begin_run(struct opened *opened)
{
  hone_status status =
      hone__store_open(getenv("HONE_STORE"), false, &opened->tuning.session.entry.store);

  if (!status) status = hone__session_begin_run(&opened->tuning.session, false);
  if (status) fail_msg("%s", hone_status_message(status));
}

/* K=k, as a candidate of it. */
static inline struct hone__candidate *candidate_of(struct opened *opened, uint32_t k)
{
  struct hone__candidate *candidate = NULL;
  hone_status status =
      hone__candidate_new(&opened->tuning.session, (const uint32_t[]){0, k}, &candidate);

  if (status) fail_msg("%s", hone_status_message(status));
  return candidate;
}

static inline void release_opened(struct opened *opened)
{
  struct hone_store *store = opened->tuning.session.entry.store;

  hone__tuning_release(&opened->tuning);
  hone__store_close(store);
  hone_spec_free(opened->spec);
}

#endif
