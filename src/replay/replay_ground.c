/* Loading is work for all cores; the outcome of it is looked at afterwards, in the order of the
 * files. */
#include "replay/replay_ground.h"

#include "replay/replay_threads.h"

#include <math.h>
#include <stdlib.h>

struct loading {
  struct hone__replay_grounds *grounds;
  const struct hone_replay_options *options;
  hone_status *statuses; /* by path */
};

/* Where a file does not say what evaluations took, all take the same: a second. */
static void even_costs(struct hone__recording *recording)
{
  const char *remark = "it does not record how long evaluations took: each counts as one second";
  size_t unknown = 0;

  for (size_t i = 0; i < recording->count; i++)
    unknown += !(recording->at[i].cost_s > 0);
  if (2 * unknown < recording->count) return;
  for (size_t i = 0; i < recording->count; i++)
    recording->at[i].cost_s = 1;
  recording->remark =
      recording->remark ? hone__arena_printf(&recording->arena, "%s; %s", recording->remark, remark)
                        : remark;
}

static void set_measures(const struct hone_replay_options *options,
                         struct hone__replay_ground *ground)
{
  const struct hone__score_scale *scale = &ground->scale;
  double end_s = options->budget_s;

  hone__score_scale(ground->recording, &ground->scale);
  ground->outstanding = options->outstanding;
  ground->has_budget = options->evaluations || options->budget_s > 0;
  if (options->evaluations) end_s = (double)options->evaluations * scale->evaluation_s;
  if (!ground->has_budget) end_s = scale->at_s[HONE__SCORE_POINTS - 1];
  hone__score_points(fmin(scale->evaluation_s, end_s), end_s, ground->budget_at_s);
}

static hone_status load(const char *path, const struct hone_replay_options *options,
                        struct hone__replay_ground *ground)
{
  hone_status status = hone__recording_load(path, options->space_file, &ground->recording);

  if (status) return status;
  if (!ground->recording->working)
    return hone__error(HONE_INVALID_SPEC, "%s: no configuration has a time: nothing to search for",
                       path);
  even_costs(ground->recording);
  set_measures(options, ground);
  return NULL;
}

static void load_piece(void *data, size_t number)
{
  struct loading *loading = data;
  struct hone__replay_grounds *grounds = loading->grounds;

  loading->statuses[number] =
      load(grounds->paths.paths[number].path, loading->options, &grounds->at[number]);
}

static bool is_wanted(void *data, uint64_t done, uint64_t total)
{
  const struct hone_replay_options *options = data;

  (void)done, (void)total;
  return !options->progress || options->progress(options->progress_data, 0, 0);
}

static void release_ground(struct hone__replay_ground *ground)
{
  if (ground->lessons) hone__lessons_release(ground->lessons);
  free(ground->lessons);
  hone__score_scale_release(&ground->scale);
  hone__recording_free(ground->recording);
  *ground = (struct hone__replay_ground){0};
}

/* ---- What stays ---- */

static void add_skipped(struct hone_replay_result *result, const char *path, hone_status status)
{
  result->skipped =
      hone__realloc(result->skipped, (result->skipped_count + 1) * sizeof *result->skipped);
  result->skipped[result->skipped_count++] =
      (struct hone__replay_skipped){hone__strdup(path), hone__strdup(hone_status_message(status))};
}

/* A file that was named must be readable; of a folder, unreadable files are left out. */
static hone_status keep_usable(const struct loading *loading, struct hone_replay_result *result)
{
  struct hone__replay_grounds *grounds = loading->grounds;
  size_t count = grounds->paths.count, kept = 0;

  for (size_t i = 0; i < count; i++) {
    if (!loading->statuses[i]) {
      kept++;
      continue;
    }
    if (grounds->paths.paths[kept].is_named) {
      hone_status status = loading->statuses[i];
      loading->statuses[i] = NULL;
      return status;
    }
    add_skipped(result, grounds->paths.paths[kept].path, loading->statuses[i]);
    hone__replay_paths_drop(&grounds->paths, kept);
    release_ground(&grounds->at[kept]);
    memmove(&grounds->at[kept], &grounds->at[kept + 1], (count - 1 - i) * sizeof *grounds->at);
    grounds->at[grounds->paths.count] = (struct hone__replay_ground){0};
  }
  if (kept) return NULL;
  return hone__error(HONE_NOT_FOUND, "none of the %zu file%s in the folder%s is a recording", count,
                     count == 1 ? "" : "s", loading->options->file_count == 1 ? "" : "s");
}

static struct hone_replay_file describe(const struct hone__replay_path *path,
                                        const struct hone__replay_ground *ground)
{
  const struct hone__recording *recording = ground->recording;
  const struct hone__score_scale *scale = &ground->scale;

  return (struct hone_replay_file){
      .path = hone__strdup(path->path),
      .label = hone__strdup(path->label),
      .name = hone__strdup(recording->name ? recording->name : ""),
      .format = recording->format,
      .remark = hone__strdup(recording->remark ? recording->remark : ""),
      .count = recording->count,
      .working = scale->count,
      .best_ms = scale->best_ms,
      .median_ms = scale->median_ms,
      .evaluation_s = scale->evaluation_s,
      .evaluations = scale->last,
      .budget_s = scale->at_s[HONE__SCORE_POINTS - 1],
  };
}

static void describe_all(struct hone__replay_grounds *grounds, struct hone_replay_result *result)
{
  hone__replay_paths_label(&grounds->paths);
  result->files = hone__alloc((grounds->paths.count + 1) * sizeof *result->files);
  for (; result->file_count < grounds->paths.count; result->file_count++)
    result->files[result->file_count] =
        describe(&grounds->paths.paths[result->file_count], &grounds->at[result->file_count]);
}

hone_status hone__replay_grounds_load(struct hone__replay_grounds *grounds,
                                      const struct hone_replay_options *options,
                                      struct hone_replay_result *result)
{
  struct loading loading = {.grounds = grounds, .options = options};
  atomic_bool stop = false;
  struct hone__replay_work work = {.threads = options->threads,
                                   .piece = load_piece,
                                   .data = &loading,
                                   .stop = &stop,
                                   .progress = is_wanted,
                                   .progress_data = (void *)(uintptr_t)options};
  hone_status status =
      hone__replay_paths_find(options->files, options->file_count, &grounds->paths);

  if (status) return status;
  work.count = grounds->paths.count;
  grounds->at = hone__alloc((work.count + 1) * sizeof *grounds->at);
  loading.statuses = hone__alloc((work.count + 1) * sizeof *loading.statuses);
  hone__replay_work(&work);
  status = atomic_load(&stop) ? hone__error(HONE_CANCELLED, "loading recordings was cancelled")
                              : keep_usable(&loading, result);
  if (!status) describe_all(grounds, result);
  for (size_t i = 0; i < work.count; i++)
    hone_status_free(loading.statuses[i]);
  free(loading.statuses);
  return status;
}

void hone__replay_grounds_release(struct hone__replay_grounds *grounds)
{
  for (size_t i = 0; grounds->at && i < grounds->paths.count; i++)
    release_ground(&grounds->at[i]);
  free(grounds->at);
  hone__replay_paths_release(&grounds->paths);
  *grounds = (struct hone__replay_grounds){0};
}
