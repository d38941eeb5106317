/* Entries come from a file that a person maintains, or directly from measurements. Two equal
 * entries of a file are a mistake, because one of them would be dead code; two runs with the same
 * best configuration are not. */
#include "export/manifest.h"

#include "base/diagnostics.h"
#include "base/file.h"
#include "results/results.h"
#include "spec/yaml.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_MANIFEST_BYTES = 64 << 20, MOST_ENTRIES = 10000 };

/* ---- Entries ---- */

const char *hone__entry_find(const struct hone__entry *entry, const char *name, size_t length)
{
  for (size_t i = 0; i < entry->count; i++)
    if (strncmp(entry->values[i].name, name, length) == 0 && !entry->values[i].name[length])
      return entry->values[i].text;
  return NULL;
}

static bool same_text(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* Names are distinct within an entry, so that an equal count and one direction are enough. */
static bool entries_equal(const struct hone__entry *a, const struct hone__entry *b)
{
  if (a->count != b->count || !same_text(a->variant, b->variant)) return false;
  for (size_t i = 0; i < a->count; i++) {
    const char *name = a->values[i].name;
    if (!same_text(a->values[i].text, hone__entry_find(b, name, strlen(name)))) return false;
  }
  return true;
}

/* True if there was no equal entry yet. */
static bool add_entry(struct hone__manifest *manifest, struct hone__entry entry)
{
  for (size_t i = 0; i < manifest->count; i++)
    if (entries_equal(&manifest->entries[i], &entry)) return false;
  HONE__GROW(manifest->entries, manifest->count, manifest->capacity);
  manifest->entries[manifest->count++] = entry;
  return true;
}

static struct hone__entry make_entry(struct hone__manifest *manifest, size_t room)
{
  struct hone__entry entry = {0};

  entry.values = hone__arena_alloc(&manifest->arena, (room + 1) * sizeof *entry.values);
  return entry;
}

static const char *without_dollar(const char *name)
{
  return name[0] == '$' && name[1] ? name + 1 : name;
}

/* A later value of the same name counts. */
static void set_value(struct hone__manifest *manifest, struct hone__entry *entry, const char *name,
                      size_t length, const char *text)
{
  size_t i = 0;

  while (i < entry->count &&
         (strncmp(entry->values[i].name, name, length) != 0 || entry->values[i].name[length]))
    i++;
  entry->values[i].name = hone__arena_strndup(&manifest->arena, name, length);
  entry->values[i].text = hone__arena_strdup(&manifest->arena, text);
  if (i == entry->count) entry->count++;
}

void hone__manifest_release(struct hone__manifest *manifest)
{
  free(manifest->entries);
  hone__arena_release(&manifest->arena);
  *manifest = (struct hone__manifest){0};
}

/* ---- From a YAML file ---- */

struct reading {
  struct hone__manifest *manifest;
  struct hone__source source;
  struct hone__diagnostics diagnostics;
};

static void report(struct reading *reading, const struct hone__node *node, const char *text)
{
  struct hone__place nowhere = {0, 0};

  hone__report(&reading->diagnostics, HONE__ERROR, &reading->source, node ? node->place : nowhere,
               "%s", text);
}

/* Lists as Python prints them; a mapping has no place in a snippet. */
static bool print_node(const struct hone__node *node, bool is_item, struct hone__text *text)
{
  if (node->kind == HONE__MAPPING) return false;
  if (node->kind == HONE__SCALAR) {
    (is_item ? hone__value_repr : hone__value_print)(node->value, text);
    return true;
  }
  hone__text_add(text, "[");
  for (size_t i = 0; i < node->count; i++) {
    if (i) hone__text_add(text, ", ");
    if (!print_node(node->items[i], true, text)) return false;
  }
  hone__text_add(text, "]");
  return true;
}

static void read_variant(struct reading *reading, const struct hone__node *node,
                         struct hone__entry *entry)
{
  if (node->kind == HONE__SCALAR && node->value.type == HONE_NONE) return;
  if (node->kind == HONE__SCALAR && node->value.type == HONE_TEXT)
    entry->variant = hone__arena_strdup(&reading->manifest->arena, node->value.text);
  else
    report(reading, node, "'_template' must be text: the name of a snippet variant");
}

static void read_value(struct reading *reading, const struct hone__pair *pair,
                       struct hone__entry *entry)
{
  const char *name = without_dollar(pair->key->text);
  struct hone__text text = {0};

  hone__text_add(&text, "");
  if (strcmp(pair->key->text, "_template") == 0)
    read_variant(reading, pair->value, entry);
  else if (!print_node(pair->value, false, &text))
    report(reading, pair->value, "a mapping cannot be inserted into a snippet");
  else
    set_value(reading->manifest, entry, name, strlen(name), text.data);
  hone__text_release(&text);
}

static void read_entry(struct reading *reading, const struct hone__node *node, size_t index)
{
  struct hone__entry entry = make_entry(reading->manifest, node->count);
  char problem[64];

  if (node->kind != HONE__MAPPING) {
    snprintf(problem, sizeof problem, "params[%zu] must be a mapping", index);
    report(reading, node, problem);
    return;
  }
  for (size_t i = 0; i < node->count; i++)
    read_value(reading, &node->pairs[i], &entry);
  if (add_entry(reading->manifest, entry)) return;
  snprintf(problem, sizeof problem, "duplicate params entry at index %zu", index);
  report(reading, node, problem);
}

static void read_entries(struct reading *reading, const struct hone__node *root)
{
  const struct hone__node *params = root ? hone__node_get(root, "params") : NULL;

  if (!root || root->kind != HONE__MAPPING)
    report(reading, root, "expected a YAML mapping with 'params'");
  else if (!params || params->kind != HONE__SEQUENCE)
    report(reading, params, "expected 'params' to be a sequence");
  else if (params->count > MOST_ENTRIES)
    report(reading, params, "more than 10000 entries");
  else
    for (size_t i = 0; i < params->count; i++)
      read_entry(reading, params->items[i], i);
}

static hone_status end_reading(struct reading *reading)
{
  hone_status status = NULL;

  if (reading->diagnostics.errors) {
    char *errors = hone__diagnostics_text(&reading->diagnostics, HONE__ERROR);
    status = hone__error(HONE_INVALID_SPEC, "%s", errors);
    free(errors);
  }
  hone__diagnostics_release(&reading->diagnostics);
  return status;
}

hone_status hone__manifest_read(const char *path, struct hone__manifest *manifest)
{
  struct reading reading = {.manifest = manifest};
  struct hone__node *root = NULL;
  char *text = NULL;
  hone_status status = hone__file_read(path, MOST_MANIFEST_BYTES, &text, &reading.source.size);

  if (status) return status;
  reading.source.path = strcmp(path, "-") == 0 ? "<stdin>" : path;
  reading.source.text = text;
  hone__source_index(&reading.source, &manifest->arena);
  hone__yaml_parse(text, reading.source.size, &reading.source, &manifest->arena,
                   &reading.diagnostics, &root);
  if (!reading.diagnostics.errors) read_entries(&reading, root);
  status = end_reading(&reading);
  free(text);
  return status;
}

/* ---- From results ---- */

/* Sizes, "M=1 N=3"; parameters of the same name are set after them. */
static void add_sizes(struct hone__manifest *manifest, struct hone__entry *entry,
                      const char *problem)
{
  char *words = hone__strdup(problem), *rest = words, *word;

  while ((word = strsep(&rest, " ")) != NULL) {
    const char *name = without_dollar(word);
    char *equals = strchr(word, '=');
    if (equals > name) set_value(manifest, entry, name, (size_t)(equals - name), equals + 1);
  }
  free(words);
}

static size_t count_words(const char *text)
{
  size_t count = 1;

  for (; *text; text++)
    count += *text == ' ';
  return count;
}

static hone_status find_best(const struct hone_results *results, const char *metric,
                             size_t *out_row)
{
  size_t column = 0, count, *order = NULL;
  bool maximise = false;
  hone_status status = hone_results_find_column(results, metric, &column, &maximise);

  if (status) return hone__annotate(status, "%s", results->origin);
  count = hone_results_order(results, column, maximise, &order);
  if (count) *out_row = order[0];
  free(order);
  return count ? NULL
               : hone__error(HONE_NOT_FOUND, "%s: no configuration has a number in '%s'",
                             results->origin, results->columns[column]);
}

hone_status hone__manifest_add_row(struct hone__manifest *manifest,
                                   const struct hone_results *results, size_t row,
                                   const char *metric)
{
  const struct hone_result_row *chosen;
  struct hone__entry entry;

  if (row >= results->row_count) {
    hone_status status = find_best(results, metric, &row);
    if (status) return status;
  }
  chosen = &results->rows[row];
  entry = make_entry(manifest, chosen->params.count + count_words(results->problem));
  add_sizes(manifest, &entry, results->problem);
  for (size_t i = 0; i < chosen->params.count; i++)
    set_value(manifest, &entry, chosen->params.at[i].name, strlen(chosen->params.at[i].name),
              chosen->params.at[i].value);
  add_entry(manifest, entry);
  return NULL;
}
