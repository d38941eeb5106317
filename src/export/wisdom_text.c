#include "export/wisdom_text.h"

#include "spec/json_writer.h"
#include "spec/word_kind.h"

#include <math.h>
#include <stdlib.h>

/* ---- From a run ---- */

static struct hone_wisdom_value value_of(const char *word)
{
  struct hone_value value = hone__word_value(word);

  switch (value.type) {
  case HONE_NONE: return (struct hone_wisdom_value){.type = HONE_WISDOM_NONE};
  case HONE_BOOL:
    return (struct hone_wisdom_value){.type = HONE_WISDOM_BOOL, .integer = value.integer};
  case HONE_INT:
    return (struct hone_wisdom_value){
        .type = HONE_WISDOM_INTEGER, .integer = value.integer, .real = (double)value.integer};
  case HONE_FLOAT:
    if (isfinite(value.real))
      return (struct hone_wisdom_value){.type = HONE_WISDOM_REAL, .real = value.real};
    break;
  default: break;
  }
  return (struct hone_wisdom_value){.type = HONE_WISDOM_TEXT, .text = word};
}

static const struct hone_wisdom_pair *pairs_of(struct hone__arena *arena,
                                               const struct hone__spec_param *params, size_t count)
{
  struct hone_wisdom_pair *pairs = hone__arena_alloc(arena, (count + 1) * sizeof *pairs);

  for (size_t i = 0; i < count; i++)
    pairs[i] = (struct hone_wisdom_pair){params[i].name, value_of(params[i].value)};
  return pairs;
}

static void describe(struct hone__arena *arena, const struct hone__tuned *tuned,
                     struct hone__export_wisdom_draft *draft)
{
  const struct hone_wisdom_pair all[] = {
      hone_wisdom_text("compiler", tuned->compiler), hone_wisdom_text("driver", tuned->driver),
      hone_wisdom_text("hone", tuned->hone),         hone_wisdom_text("date", tuned->date),
      hone_wisdom_text("baseline", tuned->baseline), hone_wisdom_text("source", tuned->source),
      hone_wisdom_text("unproved", tuned->unproved)};
  struct hone_wisdom_pair *pairs = hone__arena_alloc(arena, sizeof all);

  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].value.text && *all[i].value.text) pairs[draft->environment_count++] = all[i];
  draft->environment = pairs;
}

struct hone__export_wisdom_draft hone__export_wisdom_of_tuned(struct hone__arena *arena,
                                                              const struct hone__tuned *tuned)
{
  struct hone__export_wisdom_draft draft = {
      .kernel = tuned->kernel,
      .device = tuned->device,
      .family = tuned->family,
      .problem = pairs_of(arena, tuned->sizes, tuned->size_count),
      .problem_count = tuned->size_count,
      .config = pairs_of(arena, tuned->params, tuned->param_count),
      .config_count = tuned->param_count,
      .verdict = tuned->unproved                                 ? HONE_WISDOM_UNPROVED
                 : tuned->verdict == HONE_VERDICT_NO_IMPROVEMENT ? HONE_WISDOM_NO_IMPROVEMENT
                                                                 : HONE_WISDOM_IMPROVED,
      .speedup = tuned->speedup,
      .low = tuned->low,
      .high = tuned->high,
      .confidence = tuned->confidence,
      .origin = hone__arena_printf(arena, "run %lld", (long long)tuned->run),
      .is_run = true};

  if (*tuned->alias) {
    draft.aliases = hone__arena_alloc(arena, sizeof *draft.aliases);
    draft.aliases[draft.alias_count++] = tuned->alias;
  }
  describe(arena, tuned, &draft);
  return draft;
}

/* ---- From a file ---- */

/* The pairs of an entry lie one after the other. */
static size_t count_pairs(const struct hone_wisdom_pair *(*at)(const struct hone_wisdom_entry *,
                                                               size_t),
                          const struct hone_wisdom_entry *entry)
{
  size_t count = 0;

  while (at(entry, count))
    count++;
  return count;
}

struct hone__export_wisdom_draft hone__export_wisdom_of_entry(struct hone__arena *arena,
                                                              const struct hone_wisdom_entry *entry,
                                                              const char *file)
{
  struct hone__export_wisdom_draft draft = {
      .kernel = hone_wisdom_entry_kernel(entry),
      .device = hone_wisdom_entry_device(entry),
      .family = hone_wisdom_entry_family(entry),
      .problem = hone_wisdom_entry_size(entry, 0),
      .problem_count = count_pairs(hone_wisdom_entry_size, entry),
      .config = hone_wisdom_entry_param(entry, 0),
      .config_count = count_pairs(hone_wisdom_entry_param, entry),
      .environment = hone_wisdom_entry_environment(entry, 0),
      .environment_count = count_pairs(hone_wisdom_entry_environment, entry),
      .verdict = hone_wisdom_entry_verdict(entry),
      .speedup = hone_wisdom_entry_speedup(entry),
      .low = hone_wisdom_entry_low(entry),
      .high = hone_wisdom_entry_high(entry),
      .confidence = hone_wisdom_entry_confidence(entry),
      .origin = file};

  while (hone_wisdom_entry_alias(entry, draft.alias_count))
    draft.alias_count++;
  draft.aliases = hone__arena_alloc(arena, (draft.alias_count + 1) * sizeof *draft.aliases);
  for (size_t i = 0; i < draft.alias_count; i++)
    draft.aliases[i] = hone_wisdom_entry_alias(entry, i);
  return draft;
}

const char *hone__export_wisdom_environment(const struct hone__export_wisdom_draft *draft,
                                            const char *name)
{
  for (size_t i = 0; i < draft->environment_count; i++)
    if (strcmp(draft->environment[i].name, name) == 0 &&
        draft->environment[i].value.type == HONE_WISDOM_TEXT)
      return draft->environment[i].value.text;
  return "";
}

/* ---- Order ---- */

static bool is_number(const struct hone_wisdom_value *value)
{
  return value->type != HONE_WISDOM_TEXT && value->type != HONE_WISDOM_NONE;
}

static double number_of(const struct hone_wisdom_value *value)
{
  return value->type == HONE_WISDOM_REAL ? value->real : (double)value->integer;
}

static int compare_values(const struct hone_wisdom_value *a, const struct hone_wisdom_value *b)
{
  if (is_number(a) && is_number(b)) {
    double x = number_of(a), y = number_of(b);
    return (x > y) - (x < y);
  }
  if (a->type != b->type) return a->type < b->type ? -1 : 1;
  return a->type == HONE_WISDOM_TEXT ? strcmp(a->text, b->text) : 0;
}

/* The value of the size of this name; sizes may be in any order. */
static const struct hone_wisdom_value *find_size(const struct hone__export_wisdom_draft *draft,
                                                 const char *name)
{
  for (size_t i = 0; i < draft->problem_count; i++)
    if (strcmp(draft->problem[i].name, name) == 0) return &draft->problem[i].value;
  return NULL;
}

static int compare_problems(const struct hone__export_wisdom_draft *a,
                            const struct hone__export_wisdom_draft *b)
{
  if (a->problem_count != b->problem_count) return a->problem_count < b->problem_count ? -1 : 1;
  for (size_t i = 0; i < a->problem_count; i++) {
    const struct hone_wisdom_value *other = find_size(b, a->problem[i].name);
    int order = other ? compare_values(&a->problem[i].value, other)
                      : strcmp(a->problem[i].name, b->problem[i].name);
    if (order) return order;
  }
  return 0;
}

int hone__export_wisdom_compare(const struct hone__export_wisdom_draft *a,
                                const struct hone__export_wisdom_draft *b)
{
  int order = strcmp(a->kernel, b->kernel);

  if (!order) order = strcmp(a->device, b->device);
  return order ? order : compare_problems(a, b);
}

static int by_subject(const void *a, const void *b)
{
  return hone__export_wisdom_compare(a, b);
}

/* ---- Text ---- */

static struct hone_value plain_value(const struct hone_wisdom_value *value)
{
  switch (value->type) {
  case HONE_WISDOM_BOOL: return (struct hone_value){.type = HONE_BOOL, .integer = value->integer};
  case HONE_WISDOM_INTEGER: return (struct hone_value){.type = HONE_INT, .integer = value->integer};
  case HONE_WISDOM_REAL: return (struct hone_value){.type = HONE_FLOAT, .real = value->real};
  case HONE_WISDOM_TEXT: return (struct hone_value){.type = HONE_TEXT, .text = value->text};
  default: return (struct hone_value){.type = HONE_NONE};
  }
}

void hone__export_wisdom_print_pairs(struct hone__text *text, const struct hone_wisdom_pair *pairs,
                                     size_t count)
{
  char value[256];

  for (size_t i = 0; i < count; i++) {
    hone_value_print(plain_value(&pairs[i].value), value, sizeof value);
    hone__text_addf(text, "%s%s=%s", i ? " " : "", pairs[i].name, value);
  }
}

static void write_pairs(struct hone__json_writer *writer, const char *key,
                        const struct hone_wisdom_pair *pairs, size_t count)
{
  hone__json_open(writer, key, '{');
  for (size_t i = 0; i < count; i++)
    hone__json_value(writer, pairs[i].name, plain_value(&pairs[i].value));
  hone__json_close(writer, '}');
}

static void write_number(struct hone__json_writer *writer, const char *key, double number)
{
  if (isfinite(number)) hone__json_real(writer, key, number);
}

static void write_device(struct hone__json_writer *writer,
                         const struct hone__export_wisdom_draft *draft)
{
  hone__json_text(writer, "device", draft->device);
  if (*draft->family) hone__json_text(writer, "family", draft->family);
  if (!draft->alias_count) return;
  hone__json_open(writer, "aliases", '[');
  for (size_t i = 0; i < draft->alias_count; i++)
    hone__json_text(writer, NULL, draft->aliases[i]);
  hone__json_close(writer, ']');
}

static void write_entry(struct hone__json_writer *writer,
                        const struct hone__export_wisdom_draft *draft)
{
  hone__json_open(writer, NULL, '{');
  hone__json_text(writer, "kernel", draft->kernel);
  write_pairs(writer, "problem", draft->problem, draft->problem_count);
  write_device(writer, draft);
  write_pairs(writer, "config", draft->config, draft->config_count);
  hone__json_text(writer, "verdict", hone_wisdom_verdict_name(draft->verdict));
  write_number(writer, "speedup", draft->speedup);
  write_number(writer, "low", draft->low);
  write_number(writer, "high", draft->high);
  write_number(writer, "confidence", draft->confidence);
  write_pairs(writer, "environment", draft->environment, draft->environment_count);
  hone__json_close(writer, '}');
}

void hone__export_wisdom_write(struct hone__text *text, struct hone__export_wisdom_draft *drafts,
                               size_t count, double bound)
{
  enum { DEPTH_OF_FIELDS = 3 }; /* what is in them stays on their line */
  struct hone__json_writer writer = {.flat = DEPTH_OF_FIELDS};

  if (count) qsort(drafts, count, sizeof *drafts, by_subject);
  hone__json_open(&writer, NULL, '{');
  hone__json_integer(&writer, "hone_wisdom", HONE_WISDOM_VERSION);
  hone__json_real(&writer, "nearest", bound);
  hone__json_open(&writer, "entries", '[');
  for (size_t i = 0; i < count; i++)
    write_entry(&writer, &drafts[i]);
  hone__json_close(&writer, ']');
  hone__json_close(&writer, '}');
  hone__text_add(&writer.text, "\n");
  hone__text_addn(text, writer.text.data, writer.text.length);
  hone__text_release(&writer.text);
}
