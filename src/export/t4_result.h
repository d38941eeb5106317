/* t4_result.h - one evaluation as a result of T4. */
#ifndef HONE_EXPORT_T4_RESULT_H
#define HONE_EXPORT_T4_RESULT_H

#include "base/words.h"
#include "spec/json_writer.h"
#include "store/stored.h"

struct hone__export_t4_head {      /* what the results of a run share; lent */
  const struct hone__words *names; /* of all parameters */
  const struct hone__words *objectives;
};
/* Its outcome has a word in T4. */
hone_status hone__export_t4_result(struct hone_store *store,
                                   const struct hone__export_t4_head *head,
                                   const struct hone__stored *stored,
                                   struct hone__json_writer *writer);

#endif
