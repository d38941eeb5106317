/* A run as a cache file of Kernel Tuner, which its simulation mode reads: an entry for each
 * configuration, by the values of its parameters. Times are in ms. Kernel Tuner wants the file to
 * end with the brackets of `cache` and of the whole, and times that are floats. A failure is the
 * name of one of its classes instead of the time. */
#include "export/formatting.h"

#include "export/evaluation_list.h"
#include "export/evaluation_times.h"
#include "spec/json_writer.h"
#include "spec/word_kind.h"

#include <math.h>
#include <stdlib.h>

/* ---- The head ---- */

static int by_value(const void *a, const void *b)
{
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  struct hone_value first = hone__word_value(x), second = hone__word_value(y);
  double number = first.type == HONE_FLOAT ? first.real : (double)first.integer;
  double other = second.type == HONE_FLOAT ? second.real : (double)second.integer;

  if (first.type == HONE_TEXT || second.type == HONE_TEXT || first.type == HONE_NONE ||
      second.type == HONE_NONE)
    return strcmp(x, y);
  return (number > other) - (number < other);
}

/* The values that were evaluated, in order. */
static void add_values(const struct hone__export_evaluation_list *list, const char *name,
                       struct hone__json_writer *writer)
{
  struct hone__words values = {0};

  for (size_t i = 0; i < list->count; i++) {
    const char *value = hone__listed_value(&list->items[i], name);
    size_t k = 0;
    if (!value) value = "None";
    while (k < values.count && strcmp(values.data[k], value) != 0)
      k++;
    if (k == values.count) hone__words_add(&values, value);
  }
  qsort(values.data, values.count, sizeof *values.data, by_value);
  hone__json_open(writer, name, '[');
  for (size_t i = 0; i < values.count; i++)
    hone__json_word(writer, NULL, values.data[i]);
  hone__json_close(writer, ']');
  hone__words_release(&values);
}

static void add_parameters(const struct hone__export_evaluation_list *list,
                           struct hone__json_writer *writer)
{
  hone__json_open(writer, "tune_params_keys", '[');
  for (size_t i = 0; i < list->names.count; i++)
    hone__json_text(writer, NULL, list->names.data[i]);
  hone__json_close(writer, ']');
  hone__json_open(writer, "tune_params", '{');
  for (size_t i = 0; i < list->names.count; i++)
    add_values(list, list->names.data[i], writer);
  hone__json_close(writer, '}');
}

static void add_head(const struct hone__tuned *tuned, struct hone__json_writer *writer)
{
  hone__json_text(writer, "device_name", tuned->device);
  hone__json_text(writer, "kernel_name", tuned->kernel);
  hone__json_open(writer, "problem_size", '[');
  for (size_t i = 0; i < tuned->size_count; i++)
    if (hone__word_kind(tuned->sizes[i].value) == HONE__WORD_INT)
      hone__json_word(writer, NULL, tuned->sizes[i].value);
  hone__json_close(writer, ']');
}

/* ---- Entries ---- */

/* Kernel Tuner knows no others. */
static const char *failure_of(enum hone_outcome outcome)
{
  switch (outcome) {
  case HONE_OUTCOME_INVALID: return "InvalidConfig";
  case HONE_OUTCOME_COMPILE_ERROR:
  case HONE_OUTCOME_COMPILE_TIMEOUT:
  case HONE_OUTCOME_COMPILE_CRASH:
  case HONE_OUTCOME_COMPILE_OOM: return "CompilationFailedConfig";
  default: return "RuntimeFailedConfig";
  }
}

static void add_key(const struct hone__export_evaluation_list *list,
                    const struct hone__listed_evaluation *item, struct hone__text *key)
{
  for (size_t i = 0; i < list->names.count; i++) {
    const char *value = hone__listed_value(item, list->names.data[i]);
    hone__text_addf(key, "%s%s", i ? "," : "", value ? value : "None");
  }
}

static double milliseconds(double ns)
{
  return ns > 0 ? ns * 1e-6 : 0;
}

static void add_times(const struct hone__export_evaluation_times *times,
                      struct hone__json_writer *writer)
{
  double sum_ns = times->calls_ns;

  hone__json_open(writer, "times", '[');
  for (size_t i = 0; i < times->count; i++) {
    hone__json_real(writer, NULL, milliseconds(times->screen_ns[i]));
    sum_ns += times->screen_ns[i];
  }
  hone__json_close(writer, ']');
  hone__json_real(writer, "compile_time", times->compile_s > 0 ? times->compile_s * 1e3 : 0);
  hone__json_real(writer, "verification_time", milliseconds(times->cold_ns));
  hone__json_real(writer, "benchmark_time", milliseconds(sum_ns));
  hone__json_real(writer, "strategy_time", 0);
  hone__json_real(writer, "framework_time", 0);
}

static void add_entry(const struct hone__export_evaluation_list *list,
                      const struct hone__listed_evaluation *item,
                      const struct hone__export_evaluation_times *times,
                      struct hone__json_writer *writer)
{
  const struct hone__evaluation *evaluation = &item->stored.evaluation;
  struct hone__text key = {0};

  add_key(list, item, &key);
  hone__json_open(writer, key.data ? key.data : "", '{');
  for (size_t i = 0; i < list->names.count; i++) {
    const char *value = hone__listed_value(item, list->names.data[i]);
    hone__json_word(writer, list->names.data[i], value ? value : "None");
  }
  if (hone__outcome_works(evaluation->outcome))
    hone__json_real(writer, "time", evaluation->time_ns * 1e-6);
  else
    hone__json_text(writer, "time", failure_of(evaluation->outcome));
  add_times(times, writer);
  hone__json_text(writer, "hone_outcome", hone_outcome_name(evaluation->outcome));
  if (item->stored.made) hone__json_text(writer, "timestamp", item->stored.made);
  hone__json_close(writer, '}');
  hone__text_release(&key);
}

/* Failures of the host and of the device say nothing about a configuration. */
static bool is_result(const struct hone__evaluation *evaluation)
{
  if (hone__outcome_works(evaluation->outcome)) return isfinite(evaluation->time_ns);
  return hone__outcome_blame(evaluation->outcome) == HONE__BLAME_CANDIDATE;
}

static hone_status add_entries(struct hone__formatting *formatting,
                               const struct hone__export_evaluation_list *list,
                               struct hone__json_writer *writer, size_t *out_count)
{
  hone_status status = NULL;

  *out_count = 0;
  for (size_t i = 0; i < list->count && !status; i++) {
    struct hone__export_evaluation_times times;
    if (!is_result(&list->items[i].stored.evaluation)) continue;
    status = hone__export_evaluation_times_load(formatting->store,
                                                &list->items[i].stored.evaluation, &times);
    if (!status) add_entry(list, &list->items[i], &times, writer);
    hone__export_evaluation_times_release(&times);
    ++*out_count;
  }
  return status;
}

/* ---- The file ---- */

static void note_missing(struct hone__formatting *formatting,
                         const struct hone__export_evaluation_list *list, size_t count)
{
  const char *space = list->run.record.space ? list->run.record.space : "";
  struct hone__text note = {0};

  if (strtoull(space, NULL, 10) <= count) return;
  hone__text_addf(&note,
                  "the cache has %zu of the space's %s configurations: simulate with strategies "
                  "that ask for these alone",
                  count, space);
  hone__words_add(&formatting->notes, note.data);
  hone__text_release(&note);
}

static hone_status write_cache(struct hone__formatting *formatting,
                               const struct hone__export_evaluation_list *list,
                               const struct hone__tuned *tuned)
{
  enum { DEPTH_OF_ENTRIES = 2 };
  struct hone__json_writer writer = {.flat = DEPTH_OF_ENTRIES};
  hone_status status;
  size_t count;

  hone__json_open(&writer, NULL, '{');
  add_head(tuned, &writer);
  add_parameters(list, &writer);
  hone__json_text(&writer, "objective", "time");
  hone__json_open(&writer, "cache", '{');
  status = add_entries(formatting, list, &writer, &count);
  hone__json_close(&writer, '}');
  hone__json_close(&writer, '}');
  hone__text_addf(&formatting->text, "%s\n", writer.text.data);
  note_missing(formatting, list, count);
  hone__text_release(&writer.text);
  return status;
}

hone_status hone__export_kernel_tuner(struct hone__formatting *formatting)
{
  struct hone__export_evaluation_list list = {0};
  struct hone__tuned tuned;
  int64_t run = formatting->runs[0];
  hone_status status = hone__export_evaluation_list_load(formatting->store, run, &list);

  if (!status) status = hone__tuned_load(formatting->store, run, NULL, &formatting->arena, &tuned);
  if (!status) status = write_cache(formatting, &list, &tuned);
  hone__export_evaluation_list_release(&list);
  return status;
}
