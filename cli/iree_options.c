#include "iree_options.h"

#include "message.h"
#include "quote.h"
#include "hone_iree.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of the enums of the library; the words after them are aliases. */
const char *const iree_knob_words[] = {"auto", "hone", "compiler", NULL};
const char *const iree_conv_words[] = {"auto", "igemm", "direct", "both", NULL};
const char *const iree_order_words[] = {"auto", "none", "shuffle", "heuristic", "no-sort", NULL};
const char *const iree_timing_words[] = {"auto", "iree", "rocprof", "iree_benchmark_module", NULL};

enum { NO_SORT = 4, IREE_BENCHMARK_MODULE = 3, MOST_SUBGROUPS = 1024 };

/* ---- Filling ---- */

static const char *chosen(const char *const *words, int choice)
{
  return choice ? words[choice] : NULL;
}

/* "2,3" of several words; NULL: none was given. */
static char *join(const struct word_list *list)
{
  size_t length = 1, used = 0;
  char *joined;

  if (!list->count) return NULL;
  for (size_t i = 0; i < list->count; i++)
    length += strlen(list->words[i]) + 1;
  joined = check_memory(malloc(length));
  for (size_t i = 0; i < list->count; i++) {
    size_t size = strlen(list->words[i]);
    if (i) joined[used++] = ',';
    memcpy(joined + used, list->words[i], size);
    used += size;
  }
  joined[used] = 0;
  return joined;
}

static void fill_lists(const struct iree_settings *settings, struct hone_iree_options *options,
                       struct iree_texts *texts)
{
  const struct {
    const struct word_list *from;
    const char **to;
  } lists[] = {
      {&settings->prefetch, &options->prefetch_num_stages},
      {&settings->no_reduce, &options->no_reduce_bank_conflicts},
      {&settings->waves, &options->waves_per_eu},
      {&settings->denorm, &options->denorm_flushing},
      {&settings->reorder, &options->reorder_workgroups},
  };

  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    *lists[i].to = texts->lists[i] = join(lists[i].from);
}

void iree_texts_own(struct iree_texts *texts, char *text)
{
  size_t count = 0;

  while (texts->owned && texts->owned[count])
    count++;
  texts->owned = check_memory(realloc(texts->owned, (count + 2) * sizeof *texts->owned));
  texts->owned[count] = text;
  texts->owned[count + 1] = NULL;
}

static const char *last_owned(const struct iree_texts *texts)
{
  char **text = texts->owned;

  while (text[1])
    text++;
  return *text;
}

void iree_texts_add_flag(struct iree_texts *texts, const char *flag)
{
  const char *sign = strchr(flag, '='), *value = sign ? sign + 1 : "";
  bool is_path = *value && *value != '/' && strpbrk(value, "/.") && access(value, F_OK) == 0;
  char *real = is_path ? realpath(value, NULL) : NULL, *whole;
  size_t head = (size_t)(value - flag), size = real ? head + strlen(real) + 1 : 0;

  if (!real) {
    word_list_add(&texts->flags, flag);
    return;
  }
  whole = check_memory(malloc(size));
  memcpy(whole, flag, head);
  memcpy(whole + head, real, size - head);
  free(real);
  iree_texts_own(texts, whole);
  word_list_add(&texts->flags, whole);
}

static bool complain(const char *what, const char *path)
{
  const char *reason = strerror(errno);

  message_error("cannot %s '%s': %c%s", what, path, tolower((unsigned char)*reason), reason + 1);
  return false;
}

bool iree_flags_file_read(const char *path, iree_flag_visit *visit, void *data)
{
  FILE *file = fopen(path, "re");
  char *line = NULL;
  int error;
  size_t capacity = 0;
  ssize_t length;

  if (!file) return complain("open", path);
  errno = 0;
  while ((length = getline(&line, &capacity, file)) > 0) {
    char *word = line + strspn(line, " \t");
    while (length > 0 && strchr(" \t\r\n", line[length - 1]))
      line[--length] = '\0';
    if (*word && *word != '#') visit(data, word);
  }
  error = ferror(file) ? errno : 0;
  free(line);
  fclose(file);
  errno = error;
  return error ? complain("read", path) : true;
}

static void add_line(void *data, const char *flag)
{
  struct iree_texts *texts = data;

  iree_texts_own(texts, check_memory(strdup(flag)));
  iree_texts_add_flag(texts, last_owned(texts));
}

static bool add_flags_of(struct iree_texts *texts, const char *path)
{
  return iree_flags_file_read(path, add_line, texts);
}

bool iree_settings_fill(const struct iree_settings *settings, struct hone_iree_options *options,
                        struct iree_texts *texts)
{
  *texts = (struct iree_texts){0};
  if (settings->num_subgroups < -1 || settings->num_subgroups > MOST_SUBGROUPS) {
    message_error("'--num-subgroups' needs a number from 1 to %d, or -1 for any, not %" PRId64,
                  MOST_SUBGROUPS, settings->num_subgroups);
    return false;
  }
  options->iree_dir = settings->dir;
  options->target = settings->target;
  if (settings->flags_file && !add_flags_of(texts, settings->flags_file)) return false;
  for (size_t i = 0; i < settings->flags.count; i++)
    iree_texts_add_flag(texts, settings->flags.words[i]);
  options->flags = texts->flags.words;
  options->flag_count = texts->flags.count;
  options->knobs = (enum hone_iree_knobs)settings->knobs;
  options->pipeline = settings->pipeline;
  options->conv_strategy = (enum hone_iree_conv)settings->conv_strategy;
  options->num_subgroups = (int)settings->num_subgroups;
  options->order =
      settings->order == NO_SORT ? HONE_IREE_ORDER_NONE : (enum hone_iree_order)settings->order;
  options->timing = settings->timing == IREE_BENCHMARK_MODULE
                        ? HONE_IREE_TIMING_IREE
                        : (enum hone_iree_timing)settings->timing;
  options->num_candidates = settings->num_candidates;
  options->starter = settings->starter;
  options->all = settings->all;
  fill_lists(settings, options, texts);
  return true;
}

void iree_texts_release(struct iree_texts *texts)
{
  for (size_t i = 0; i < sizeof texts->lists / sizeof *texts->lists; i++)
    free(texts->lists[i]);
  for (char **text = texts->owned; text && *text; text++)
    free(*text);
  free(texts->owned);
  word_list_release(&texts->flags);
  *texts = (struct iree_texts){0};
}

/* ---- Printing ---- */

struct given {
  const char *option, *text; /* NULL: not given */
};
enum { MOST_GIVEN = 16 };

/* All that take one text and are of a single configuration, too, in the order of the help. */
static size_t list_given(const struct iree_settings *settings, struct given *given)
{
  const struct given all[] = {
      {"iree-target", settings->target},
      {"iree-dir", settings->dir},
      {"compile-flags-file", settings->flags_file},
      {"knobs", chosen(iree_knob_words, settings->knobs)},
      {"pipeline", settings->pipeline},
      {"conv-strategy", chosen(iree_conv_words, settings->conv_strategy)},
      {"timing", chosen(iree_timing_words, settings->timing)},
  };
  size_t count = 0;

  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].text) given[count++] = all[i];
  return count;
}

static size_t list_lists(const struct iree_settings *settings, const struct word_list **lists,
                         const char **names)
{
  const struct {
    const char *name;
    const struct word_list *list;
  } all[] = {
      {"iree-flag", &settings->flags},
      {"prefetch-num-stages-options", &settings->prefetch},
      {"no-reduce-shared-memory-bank-conflicts-options", &settings->no_reduce},
      {"waves-per-eu-options", &settings->waves},
      {"denorm-flushing-options", &settings->denorm},
      {"reorder-workgroups-options", &settings->reorder},
  };
  size_t count = 0;

  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (!all[i].list->count) continue;
    lists[count] = all[i].list;
    names[count++] = all[i].name;
  }
  return count;
}

const char *iree_settings_given(const struct iree_settings *settings)
{
  struct given given[MOST_GIVEN];
  const struct word_list *lists[MOST_GIVEN];
  const char *names[MOST_GIVEN];

  if (list_given(settings, given)) return given[0].option;
  if (list_lists(settings, lists, names)) return names[0];
  if (settings->num_subgroups) return "num-subgroups";
  if (settings->num_candidates) return "num-candidates";
  if (settings->order) return "order";
  if (settings->starter) return "starter";
  return settings->all ? "all" : NULL;
}

void iree_settings_print(const struct iree_settings *settings, struct output *output)
{
  struct given given[MOST_GIVEN];
  const struct word_list *lists[MOST_GIVEN];
  const char *names[MOST_GIVEN];
  size_t count = list_given(settings, given);

  for (size_t i = 0; i < count; i++) {
    output_format(output, " --%s ", given[i].option);
    quote_shell_text(output, given[i].text);
  }
  count = list_lists(settings, lists, names);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < lists[i]->count; k++) {
      output_format(output, " --%s ", names[i]);
      quote_shell_text(output, lists[i]->words[k]);
    }
  if (settings->num_subgroups)
    output_format(output, " --num-subgroups %" PRId64, settings->num_subgroups);
  if (settings->all) output_text(output, " --all");
}
