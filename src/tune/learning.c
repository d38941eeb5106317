#include "tune/learning.h"

#include "replay/recording_lessons.h"
#include "replay/replay_files.h"
#include "tune/learned_store.h"
#include "tune/learned_wisdom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Stores and wisdom ---- */

enum { HEAD = 4096 };
enum kind { RECORDINGS, STORE, WISDOM, NEITHER };

/* JSON, or its gzip. */
static bool may_be_recording(const char *head)
{
  const char *first = head + strspn(head, " \t\r\n");

  return *first == '{' || *first == '\x1f';
}

/* By how the file begins; what cannot be read is left to the reader of recordings. */
static enum kind kind_of(const char *path)
{
  char head[HEAD + 1];
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(head, 1, HEAD, file) : 0;

  bool is_read = file && !ferror(file);

  if (file) fclose(file);
  head[size] = '\0';
  if (strcmp(head, "SQLite format 3") == 0) return STORE;
  if (strstr(head, "\"hone_wisdom\"")) return WISDOM;
  return is_read && !may_be_recording(head) ? NEITHER : RECORDINGS;
}

static hone_status refuse_file(const char *path)
{
  return hone__error(HONE_INVALID_ARGUMENT,
                     "nothing can be learned from '%s': it is neither a store ('hone tune --store "
                     "FILE'), a wisdom file ('hone export --format wisdom') nor a recording (T4, "
                     "or a cache of Kernel Tuner or KTT)",
                     path);
}

static hone_status learn_file(struct hone__tuning *tuning, const char *path, enum kind kind)
{
  size_t count;
  hone_status status = kind == STORE ? hone__learned_store(tuning, path, &count)
                                     : hone__learned_wisdom(tuning, path, &count);

  if (status) return status;
  if (count && kind == STORE)
    hone__session_say(&tuning->session, HONE_EVENT_NOTE, "the search learns from %zu run%s in '%s'",
                      count, count == 1 ? "" : "s", path);
  else if (count)
    hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                      "the search begins with %zu configuration%s of '%s'", count,
                      count == 1 ? "" : "s", path);
  else
    hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                      "nothing is learned from '%s': it has too little of '%s' that is legal here",
                      path, tuning->session.problem.task.spec->name);
  return NULL;
}

/* ---- Recordings ---- */

static hone_status learn_one(struct hone__tuning *tuning, const struct hone__replay_path *path,
                             size_t *count)
{
  struct hone__recording *recording = NULL;
  hone_status status = hone__recording_load(path->path, NULL, &recording);

  if (!status) {
    bool taught = hone__recording_teach(recording, tuning->search.lessons);
    *count += taught;
    if (!taught && path->is_named)
      hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                        "nothing is learned from '%s': it lacks a knob of this space, less than "
                        "half of it is legal here, or nothing in it works",
                        path->path);
    hone__recording_free(recording);
  } else if (!path->is_named) {
    hone_status_free(status);
    status = NULL;
  }
  return status;
}

static void note_recordings(struct hone__tuning *tuning, const char *path, size_t count)
{
  if (count)
    hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                      "the search learns from %zu recording%s in '%s'", count,
                      count == 1 ? "" : "s", path);
  else
    hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                      "nothing is learned from '%s': it has no recording with all knobs of this "
                      "space, half of it legal here",
                      path);
}

static hone_status learn_recordings(struct hone__tuning *tuning, const char *path)
{
  size_t count = 0;
  struct hone__replay_paths paths = {0};
  hone_status status = hone__replay_paths_find(&path, 1, &paths);

  for (size_t i = 0; i < paths.count && !status; i++)
    status = learn_one(tuning, &paths.paths[i], &count);
  if (!status && (count || !paths.count || !paths.paths[0].is_named))
    note_recordings(tuning, path, count);
  hone__replay_paths_release(&paths);
  return status;
}

static void open_lessons(struct hone__tuning *tuning)
{
  tuning->search.lessons = hone__alloc(sizeof *tuning->search.lessons);
  hone__lessons_open(tuning->search.lessons, tuning->session.problem.space);
}

static void note_unused(struct hone__tuning *tuning)
{
  const struct hone__strategy *strategy = tuning->session.settings.strategy;

  if (tuning->search.lessons->count && !strategy->uses_lessons)
    hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                      "strategy '%s' makes no use of --learn-from: 'auto' and 'surrogate' do",
                      strategy->name);
}

hone_status hone__tuning_learn(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;
  hone_status status = NULL;

  if (!options->learn_from_count) return NULL;
  open_lessons(tuning);
  for (size_t i = 0; i < options->learn_from_count && !status; i++) {
    const char *path = options->learn_from[i];
    enum kind kind = kind_of(path);
    status = kind == RECORDINGS ? learn_recordings(tuning, path)
             : kind == NEITHER  ? refuse_file(path)
                                : learn_file(tuning, path, kind);
  }
  if (!status) note_unused(tuning);
  return status;
}

/* ---- The own store ---- */

/* Making a model of a run takes some ten milliseconds, and so does asking many of them. Of shorter
 * runs it is too sure: with 50 configurations each, two recordings of 14 lost by it. */
enum { MOST_OWN = 6, LEAST_MEASURED = 100 };

hone_status hone__tuning_learn_own(struct hone__tuning *tuning, struct hone_store *store,
                                   const int64_t *runs, size_t count, size_t *out_count)
{
  hone_status status = NULL;

  *out_count = 0;
  if (tuning->search.lessons || !tuning->session.settings.strategy->uses_lessons ||
      hone__tuning_is_complete(tuning))
    return NULL;
  open_lessons(tuning);
  for (size_t i = 0; i < count && *out_count < MOST_OWN && !status; i++) {
    bool taught;
    status = hone__learned_run(tuning, store, runs[i], LEAST_MEASURED, &taught);
    *out_count += taught;
  }
  return status;
}
