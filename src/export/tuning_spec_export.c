/* tuning_spec_export.c - the winners of runs as a tuning spec of IREE.
 *
 * All that is needed is in the store: the matcher is in the settings that were kept with the
 * run, the configuration among the texts of the winner. No compiler is asked.
 */
#include "hone.h"
#include "hone_iree.h"

#include "base/memory.h"
#include "iree/tuning_spec/tuning_spec.h"
#include "spec/yaml.h"
#include "store/stored.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

struct winner { /* of one run; texts live in the arena */
  struct hone__arena *arena;
  struct hone__store_run_stored run;
  struct hone__iree_tuning_entry entry;
  bool is_found;
};

/* ---- The matcher ---- */

static const char *scalar(const struct hone__node *mapping, const char *key)
{
  const struct hone__node *node =
      mapping && mapping->kind == HONE__MAPPING ? hone__node_get(mapping, key) : NULL;

  return node && node->kind == HONE__SCALAR ? node->text : NULL;
}

/* The settings were written by Hone itself; what cannot be read has no matcher. */
static void read_matcher(struct winner *winner, const char *settings)
{
  struct hone__diagnostics diagnostics = {0};
  struct hone__source source = {.path = "settings", .text = settings, .size = strlen(settings)};
  struct hone__node *root = NULL, *iree = NULL;

  hone__source_index(&source, winner->arena);
  hone__yaml_parse(settings, source.size, &source, winner->arena, &diagnostics, &root);
  if (root && root->kind == HONE__MAPPING) iree = hone__node_get(root, "iree");
  winner->entry.name = scalar(iree, "matcher_name");
  winner->entry.matcher = scalar(iree, "matcher");
  hone__diagnostics_release(&diagnostics);
}

static hone_status find_matcher(struct winner *winner)
{
  const char *text = winner->run.record.options;
  json_t *options = text ? json_loads(text, 0, NULL) : NULL;
  const char *settings = json_string_value(json_object_get(options, "settings"));

  if (settings) read_matcher(winner, hone__arena_strdup(winner->arena, settings));
  json_decref(options);
  if (winner->entry.matcher) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "run %" PRId64 " did not tune an IREE operation: it has no tuning spec",
                     winner->run.record.id);
}

/* ---- The configuration ---- */

static const char *keep_text(struct winner *winner, const json_t *texts, const char *name)
{
  const char *text = json_string_value(json_object_get(texts, name));

  return text ? hone__arena_strdup(winner->arena, text) : NULL;
}

static bool visit_evaluation(void *data, const struct hone__evaluation *evaluation)
{
  struct winner *winner = data;
  json_t *output;

  if (evaluation->is_baseline || strcmp(evaluation->config, winner->run.result.winner) != 0)
    return true;
  output = evaluation->output ? json_loads(evaluation->output, 0, NULL) : NULL;
  winner->entry.compilation_info =
      keep_text(winner, json_object_get(output, "texts"), "compilation_info");
  winner->entry.decomposition_config =
      keep_text(winner, json_object_get(output, "texts"), "decomposition_config");
  winner->is_found = winner->entry.compilation_info != NULL;
  json_decref(output);
  return !winner->is_found;
}

static const char *how_it_ended(const struct hone__store_run_result *result)
{
  return result->verdict == HONE_VERDICT_NONE ? hone_run_state_name(result->state)
                                              : hone_verdict_name(result->verdict);
}

static hone_status find_configuration(struct winner *winner, struct hone_store *store)
{
  int64_t run = winner->run.record.id;
  hone_status status;

  if (!winner->run.result.winner)
    return hone__error(HONE_NOT_FOUND, "run %" PRId64 " has no winner (%s): nothing to export", run,
                       how_it_ended(&winner->run.result));
  status = hone__store_evaluations(store, run, visit_evaluation, winner);
  if (status || winner->is_found) return status;
  return hone__error(
      HONE_NOT_FOUND,
      "the configuration of the winner of run %" PRId64 " was not stored: tune it again", run);
}

/* ---- The spec ---- */

hone_status hone_iree_export(struct hone_store *store, const int64_t *runs, size_t count,
                             char **out_text)
{
  struct hone__arena arena = {0};
  struct hone__iree_tuning_entry *entries = hone__alloc((count + 1) * sizeof *entries);
  struct hone__text text = {0};
  hone_status status = NULL;

  *out_text = NULL;
  for (size_t i = 0; i < count && !status; i++) {
    struct winner winner = {.arena = &arena};
    status = hone__store_run(store, runs[i], &arena, &winner.run);
    if (!status) status = find_matcher(&winner);
    if (!status) status = find_configuration(&winner, store);
    entries[i] = winner.entry;
  }
  if (!status) {
    hone__iree_tuning_spec_print(entries, count, &text);
    *out_text = hone__text_take(&text);
  }
  free(entries);
  hone__arena_release(&arena);
  return status;
}
