/* Wisdom files: runs as a file, and files and runs merged into one. */
#include "export/formatting.h"

#include "base/file.h"
#include "base/options_size.h"
#include "base/replace.h"
#include "export/wisdom_merge.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

hone_status hone__export_wisdom(struct hone__formatting *formatting)
{
  struct hone__export_wisdom_merging merging = {0};

  for (size_t i = 0; i < formatting->count; i++) {
    struct hone__export_wisdom_draft draft =
        hone__export_wisdom_of_tuned(&formatting->arena, &formatting->tuned[i]);
    hone__export_wisdom_merge_add(&merging, &draft);
  }
  hone__export_wisdom_write(&formatting->text, merging.drafts, merging.count,
                            HONE__EXPORT_WISDOM_BOUND);
  hone__words_add_all(&formatting->notes, hone__words_list(&merging.notes));
  hone__export_wisdom_merging_release(&merging);
  return NULL;
}

/* ---- Merging ---- */

struct hone_wisdom_merged {
  char *text;
  size_t count;
  bool is_stale;
  struct hone__words notes;
};

struct merge {
  const struct hone_wisdom_merge_options *options;
  struct hone__arena arena;
  struct hone__export_wisdom_merging merging;
  struct hone_wisdom **files; /* that the entries are lent from */
  size_t file_count;
  double bound; /* 0: no file says */
};

void hone_wisdom_merge_options_fill(struct hone_wisdom_merge_options *options, size_t size)
{
  static const struct hone_wisdom_merge_options defaults;

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

static hone_status read_file(struct merge *merge, const char *path)
{
  struct hone_wisdom_error error;
  struct hone_wisdom *wisdom;
  const char *origin = hone__arena_printf(&merge->arena, "'%s'", path);

  if (hone_wisdom_open(path, &wisdom, &error))
    return hone__error(error.code == HONE_WISDOM_IO ? HONE_IO : HONE_INVALID_SPEC, "%s",
                       error.message);
  merge->files[merge->file_count++] = wisdom;
  merge->bound = fmax(merge->bound, hone_wisdom_bound(wisdom));
  for (size_t i = 0; i < hone_wisdom_count(wisdom); i++) {
    struct hone__export_wisdom_draft draft =
        hone__export_wisdom_of_entry(&merge->arena, hone_wisdom_at(wisdom, i), origin);
    hone__export_wisdom_merge_add(&merge->merging, &draft);
  }
  return NULL;
}

static bool has_winner(struct hone_store *store, int64_t run, struct merge *merge,
                       struct hone__tuned *tuned, hone_status *status)
{
  struct hone__text note = {0};
  const char *why;

  *status = hone__tuned_load(store, run, NULL, &merge->arena, tuned);
  if (*status && hone_status_code(*status) != HONE_NOT_FOUND) return false;
  why = *status ? hone_status_message(*status) : tuned->unproved;
  if (why) {
    hone__text_addf(&note, "left out run %lld: %s", (long long)run, why);
    hone__words_add(&merge->merging.notes, note.data);
    hone__text_release(&note);
    hone_status_free(*status);
    *status = NULL;
  }
  return !why;
}

static hone_status read_runs(struct merge *merge)
{
  const struct hone_wisdom_merge_options *options = merge->options;
  hone_status status = NULL;

  for (size_t i = 0; i < options->run_count && !status; i++) {
    struct hone__tuned tuned;
    struct hone__export_wisdom_draft draft;
    if (!has_winner(options->store, options->runs[i], merge, &tuned, &status)) continue;
    draft = hone__export_wisdom_of_tuned(&merge->arena, &tuned);
    hone__export_wisdom_merge_add(&merge->merging, &draft);
  }
  return status;
}

static hone_status read_inputs(struct merge *merge)
{
  const struct hone_wisdom_merge_options *options = merge->options;
  hone_status status = NULL;

  merge->files = hone__alloc((options->file_count + 1) * sizeof *merge->files);
  for (size_t i = 0; i < options->file_count && !status; i++)
    status = read_file(merge, options->files[i]);
  return status ? status : read_runs(merge);
}

static struct hone_wisdom_merged *take(struct merge *merge)
{
  struct hone_wisdom_merged *merged = hone__alloc(sizeof *merged);
  struct hone__text text = {0};

  hone__export_wisdom_merge_remark(&merge->merging);
  hone__export_wisdom_write(&text, merge->merging.drafts, merge->merging.count,
                            merge->bound > 0 ? merge->bound : HONE__EXPORT_WISDOM_BOUND);
  merged->text = hone__text_take(&text);
  merged->count = merge->merging.count;
  merged->notes = merge->merging.notes;
  merge->merging.notes = (struct hone__words){0};
  return merged;
}

static void release(struct merge *merge)
{
  hone__export_wisdom_merging_release(&merge->merging);
  for (size_t i = 0; i < merge->file_count; i++)
    hone_wisdom_free(merge->files[i]);
  free(merge->files);
  hone__arena_release(&merge->arena);
}

/* ---- The output ---- */

enum { MOST_BYTES = 256 << 20 };

static hone_status write_output(const struct hone_wisdom_merge_options *options,
                                struct hone_wisdom_merged *merged)
{
  char *old = NULL;
  size_t size = 0;

  if (access(options->output, F_OK) == 0) {
    hone_status status = hone__file_read_plain(options->output, MOST_BYTES, &old, &size);
    if (status) return status;
  }
  merged->is_stale = !old || strcmp(old, merged->text) != 0;
  free(old);
  if (!merged->is_stale || options->check) return NULL;
  return hone__file_put(options->output, merged->text, strlen(merged->text));
}

/* Two processes may merge into one file: the folder is locked while it is read and written. */
static int lock_folder(const char *output)
{
  const char *slash = output ? strrchr(output, '/') : NULL;
  char *folder = !slash            ? hone__strdup(".")
                 : slash == output ? hone__strdup("/")
                                   : hone__strndup(output, (size_t)(slash - output));
  int lock = output ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

  if (lock >= 0) flock(lock, LOCK_EX);
  free(folder);
  return lock;
}

static hone_status merge_files(const struct hone_wisdom_merge_options *options,
                               struct hone_wisdom_merged **out_merged)
{
  struct merge merge = {.options = options};
  int lock = lock_folder(options->output);
  hone_status status = read_inputs(&merge);

  if (!status) {
    struct hone_wisdom_merged *merged = take(&merge);
    if (options->output) status = write_output(options, merged);
    if (status)
      hone_wisdom_merged_free(merged);
    else
      *out_merged = merged;
  }
  if (lock >= 0) close(lock);
  release(&merge);
  return status;
}

hone_status hone_wisdom_merge(const struct hone_wisdom_merge_options *options,
                              struct hone_wisdom_merged **out_merged)
{
  struct hone_wisdom_merge_options own;
  hone_status status;

  *out_merged = NULL;
  hone_wisdom_merge_options_init(&own);
  status = hone__options_take(&own, sizeof own, options, "hone_wisdom_merge_options");
  return status ? status : merge_files(&own, out_merged);
}

const char *hone_wisdom_merged_text(const struct hone_wisdom_merged *merged)
{
  return merged->text;
}

size_t hone_wisdom_merged_count(const struct hone_wisdom_merged *merged)
{
  return merged->count;
}

bool hone_wisdom_merged_is_stale(const struct hone_wisdom_merged *merged)
{
  return merged->is_stale;
}

const char *hone_wisdom_merged_note(const struct hone_wisdom_merged *merged, size_t i)
{
  return i < merged->notes.count ? merged->notes.data[i] : NULL;
}

void hone_wisdom_merged_free(struct hone_wisdom_merged *merged)
{
  if (!merged) return;
  free(merged->text);
  hone__words_release(&merged->notes);
  free(merged);
}
