#include "replay/replay_lessons.h"

#include "replay/recording_lessons.h"
#include "replay/replay_threads.h"

#include <stdlib.h>

struct sources {
  struct hone__replay_paths paths;
  struct hone__recording **at; /* by path; NULL: it is not a recording */
  hone_status *statuses;       /* likewise */
  struct hone__replay_grounds *grounds;
};

static void load_piece(void *data, size_t number)
{
  struct sources *sources = data;

  sources->statuses[number] =
      hone__recording_load(sources->paths.paths[number].path, NULL, &sources->at[number]);
}

static void teach_piece(void *data, size_t number)
{
  struct sources *sources = data;
  struct hone__replay_ground *ground = &sources->grounds->at[number];

  ground->lessons = hone__alloc(sizeof *ground->lessons);
  hone__lessons_open(ground->lessons, ground->recording->space);
  for (size_t i = 0; i < sources->paths.count; i++)
    if (sources->at[i] && !hone__recording_is_same(sources->at[i], ground->recording))
      hone__recording_teach(sources->at[i], ground->lessons);
}

static void work(struct sources *sources, void (*piece)(void *data, size_t number), size_t count,
                 unsigned threads)
{
  atomic_bool stop = false;
  struct hone__replay_work all = {
      .threads = threads, .piece = piece, .data = sources, .count = count, .stop = &stop};

  hone__replay_work(&all);
}

/* A file that was named must be readable. */
static hone_status first_failure(struct sources *sources)
{
  hone_status status = NULL;

  for (size_t i = 0; i < sources->paths.count; i++) {
    if (!status && sources->paths.paths[i].is_named)
      status = sources->statuses[i];
    else
      hone_status_free(sources->statuses[i]);
  }
  return status;
}

static void release(struct sources *sources)
{
  for (size_t i = 0; i < sources->paths.count; i++)
    hone__recording_free(sources->at[i]);
  free(sources->at);
  free(sources->statuses);
  hone__replay_paths_release(&sources->paths);
}

hone_status hone__replay_lessons_load(struct hone__replay_grounds *grounds,
                                      const struct hone_replay_options *options,
                                      struct hone_replay_result *result)
{
  struct sources sources = {.grounds = grounds};
  hone_status status;

  if (!options->learn_from_count) return NULL;
  status = hone__replay_paths_find(options->learn_from, options->learn_from_count, &sources.paths);
  if (status) return status;
  sources.at = hone__alloc((sources.paths.count + 1) * sizeof *sources.at);
  sources.statuses = hone__alloc((sources.paths.count + 1) * sizeof *sources.statuses);
  work(&sources, load_piece, sources.paths.count, options->threads);
  status = first_failure(&sources);
  if (!status) work(&sources, teach_piece, grounds->paths.count, options->threads);
  for (size_t i = 0; !status && i < grounds->paths.count; i++)
    result->files[i].lessons = grounds->at[i].lessons->count;
  release(&sources);
  return status;
}
