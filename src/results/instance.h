/* instance.h - the configurations of a run of the store, on their way to becoming results.
 *
 *   1. hone__store_each(store, run, hone__instance_collect, &collection)
 *   2. hone__instances_sort, then hone__instances_add_rows
 *   3. hone__instances_release
 */
#ifndef HONE_RESULTS_INSTANCE_H
#define HONE_RESULTS_INSTANCE_H

#include "hone_results.h"
#include "results/results.h"
#include "store/stored.h"

#include <jansson.h>

struct hone__instance {
  uint64_t mesh_idx;
  enum hone_outcome outcome;
  const char *spec, *evidence, *suspicious; /* the last: "" if it can be believed */
  const struct hone__spec_param *params;
  size_t param_count;
  const char *config;
  double build_s, run_s; /* run_s: of its first run, by the clock on the wall */
  struct hone__measured measured;
  bool is_tied;
  struct hone__results_place place;
  json_t *output, *metrics; /* or NULL */
  int64_t evaluation;
  bool is_pareto;
};

struct hone__instances {
  struct hone__results_full *full;
  const struct hone__store_run_stored *run;
  const char *stem; /* of specs that no program named */
  json_t *places;   /* {config: number of its instance}, without a mesh */
  struct hone__instance *instances;
  size_t count, capacity;
  bool is_sweep;
};

bool hone__instance_collect(void *instances, const struct hone__stored *stored);
void hone__instances_sort(struct hone__instances *instances);
/* The baseline's time becomes that of the pairs in which the best was confirmed; ties are marked.
 */
void hone__instances_settle(struct hone__instances *instances);
void hone__instances_mark(struct hone__instances *instances, const struct hone_pareto *pareto);
void hone__instances_release(struct hone__instances *instances);

/* results_rows.c: the columns and rows of all that work. Where no program reported a table, one is
 * made of what was measured. */
void hone__instances_add_rows(struct hone__instances *instances);

/* "" for NULL. */
const char *hone__instance_keep(struct hone__arena *arena, const char *text);
/* The text under a key, "" if there is none. */
const char *hone__instance_text(const json_t *object, const char *key);

#endif
