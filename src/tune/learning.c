#include "tune/learning.h"

#include "replay/recording_lessons.h"
#include "replay/replay_files.h"

#include <stdlib.h>

static hone_status learn_one(struct hone__tuning *tuning, const struct hone__replay_path *path)
{
  struct hone__recording *recording = NULL;
  hone_status status = hone__recording_load(path->path, NULL, &recording);

  if (!status) {
    if (!hone__recording_teach(recording, tuning->search.lessons) && path->is_named)
      hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                        "nothing is learned from '%s': its parameters or their values differ from "
                        "this space, or nothing in it works",
                        path->path);
    hone__recording_free(recording);
  } else if (!path->is_named) {
    hone_status_free(status);
    status = NULL;
  }
  return status;
}

hone_status hone__tuning_learn(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;
  struct hone__replay_paths paths = {0};
  hone_status status;

  if (!options->learn_from_count) return NULL;
  status = hone__replay_paths_find(options->learn_from, options->learn_from_count, &paths);
  if (status) return status;
  tuning->search.lessons = hone__alloc(sizeof *tuning->search.lessons);
  hone__lessons_open(tuning->search.lessons, tuning->session.problem.space);
  for (size_t i = 0; i < paths.count && !status; i++)
    status = learn_one(tuning, &paths.paths[i]);
  hone__replay_paths_release(&paths);
  return status;
}
