/* evaluation_list.h - all that a run has evaluated, each configuration once, in the order of
 * evaluation; in a sweep as often as the mesh has it. */
#ifndef HONE_EXPORT_EVALUATION_LIST_H
#define HONE_EXPORT_EVALUATION_LIST_H

#include "base/words.h"
#include "results/measured.h"
#include "spec/params.h"
#include "store/stored.h"

struct hone__listed_evaluation { /* texts lie in the arena */
  struct hone__stored stored;
  const struct hone__spec_param *params;
  size_t param_count;
  struct hone__measured measured; /* NaN if it failed */
  bool is_tied;                   /* with the winner */
};
struct hone__export_evaluation_list { /* { 0 } */
  struct hone__arena arena;
  struct hone__store_run_stored run;
  struct hone__listed_evaluation *items;
  size_t count, capacity;
  struct hone__words names;   /* of parameters */
  struct hone__words metrics; /* of numbers that programs or formulas gave */
};
hone_status hone__export_evaluation_list_load(struct hone_store *store, int64_t run,
                                              struct hone__export_evaluation_list *out_list);
void hone__export_evaluation_list_release(struct hone__export_evaluation_list *list);

/* As Python prints it; NULL: the configuration does not have it. */
const char *hone__listed_value(const struct hone__listed_evaluation *item, const char *name);
/* NaN: it has none of this name. */
double hone__listed_metric(const struct hone__listed_evaluation *item, const char *name);

#endif
