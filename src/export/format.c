/* Runs in the formats of other programs: what they found is loaded and checked once, then written
 * by the format. */
#include "export/formatting.h"

#include "base/options_size.h"

#include <inttypes.h>
#include <stdlib.h>

struct hone_formatted {
  char *text, *name;
  struct hone__words notes;
};

static const struct format {
  const char *name;
  hone__format_writer *write;
  bool claims;  /* the configuration is the best: it must be proved */
  bool one_run; /* at a time */
  bool builds;  /* a kernel is compiled with it */
} formats[] = {
    [HONE_FORMAT_HEADER] = {"header", hone__export_header, true, false, true},
    [HONE_FORMAT_FLAGS] = {"flags", hone__export_flags, true, true, true},
    [HONE_FORMAT_WISDOM] = {"wisdom", hone__export_wisdom, true, false, false},
    [HONE_FORMAT_VLLM] = {"vllm", hone__export_vllm, true, false, false},
    [HONE_FORMAT_KERNEL_TUNER] = {"kernel-tuner", hone__export_kernel_tuner, false, true, false},
    [HONE_FORMAT_MARKDOWN] = {"markdown", hone__export_markdown, false, false, false},
    [HONE_FORMAT_CSV] = {"csv", hone__export_csv, false, true, false},
};

void hone_format_options_fill(struct hone_format_options *options, size_t size)
{
  static const struct hone_format_options defaults;

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

static void note_doubt(struct hone__formatting *formatting, const struct hone__tuned *tuned)
{
  struct hone__text note = {0};

  if (!tuned->unproved) return;
  hone__text_addf(&note, "run %" PRId64 " proves nothing: %s; the output says so", tuned->run,
                  tuned->unproved);
  hone__words_add(&formatting->notes, note.data);
  hone__text_release(&note);
}

static void note_lost_flag(struct hone__formatting *formatting, const struct hone__tuned *tuned)
{
  struct hone__text note = {0};

  if (!tuned->lost_flag) return;
  hone__text_addf(&note,
                  "the flag '%s' of the build is left out: its value depends on the configuration",
                  tuned->lost_flag);
  hone__words_add(&formatting->notes, note.data);
  hone__text_release(&note);
}

static hone_status load_tuned(struct hone__formatting *formatting, const char *config, bool builds)
{
  hone_status status = NULL;

  formatting->tuned =
      hone__arena_alloc(&formatting->arena, formatting->count * sizeof *formatting->tuned);
  for (size_t i = 0; i < formatting->count && !status; i++) {
    struct hone__tuned *tuned = &formatting->tuned[i];
    status =
        hone__tuned_load(formatting->store, formatting->runs[i], config, &formatting->arena, tuned);
    if (!status && !formatting->force) status = hone__tuned_check(tuned);
    if (!status) note_doubt(formatting, tuned);
    if (!status && builds) note_lost_flag(formatting, tuned);
  }
  return status;
}

static hone_status check_options(const struct hone_format_options *options,
                                 const struct format *format)
{
  if (!options->run_count)
    return hone__error(HONE_INVALID_ARGUMENT, "nothing to export: give a run");
  if (format->one_run && options->run_count > 1)
    return hone__error(HONE_INVALID_ARGUMENT, "format '%s' takes one run, not %zu", format->name,
                       options->run_count);
  if (options->config && !format->claims)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "format '%s' writes all configurations and cannot write a single one",
                       format->name);
  return NULL;
}

static struct hone_formatted *take(struct hone__formatting *formatting)
{
  struct hone_formatted *formatted = hone__alloc(sizeof *formatted);

  formatted->text = hone__text_take(&formatting->text);
  formatted->name = formatting->name;
  formatted->notes = formatting->notes;
  formatting->name = NULL;
  formatting->notes = (struct hone__words){0};
  return formatted;
}

static hone_status format_runs(struct hone_store *store, const struct hone_format_options *options,
                               struct hone_formatted **out_formatted)
{
  struct hone__formatting formatting = {
      .store = store, .runs = options->runs, .count = options->run_count, .force = options->force};
  const struct format *format;
  hone_status status;

  if ((size_t)options->format >= sizeof formats / sizeof *formats)
    return hone__error(HONE_INVALID_ARGUMENT, "unknown format %d", (int)options->format);
  format = &formats[options->format];
  status = check_options(options, format);
  if (!status && format->claims) status = load_tuned(&formatting, options->config, format->builds);
  if (!status) status = format->write(&formatting);
  if (!status) *out_formatted = take(&formatting);
  hone__text_release(&formatting.text);
  hone__words_release(&formatting.notes);
  free(formatting.name);
  hone__arena_release(&formatting.arena);
  return status;
}

hone_status hone_format_runs(struct hone_store *store, const struct hone_format_options *options,
                             struct hone_formatted **out_formatted)
{
  struct hone_format_options own;
  hone_status status;

  *out_formatted = NULL;
  hone_format_options_init(&own);
  status = hone__options_take(&own, sizeof own, options, "hone_format_options");
  return status ? status : format_runs(store, &own, out_formatted);
}

const char *hone_formatted_text(const struct hone_formatted *formatted)
{
  return formatted->text;
}

const char *hone_formatted_name(const struct hone_formatted *formatted)
{
  return formatted->name;
}

const char *hone_formatted_note(const struct hone_formatted *formatted, size_t i)
{
  return i < formatted->notes.count ? formatted->notes.data[i] : NULL;
}

void hone_formatted_free(struct hone_formatted *formatted)
{
  if (!formatted) return;
  free(formatted->text);
  free(formatted->name);
  hone__words_release(&formatted->notes);
  free(formatted);
}
