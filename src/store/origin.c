/* An evaluation that has another's times names that one, which may have another's in its turn. */
#include "store/origin.h"

#include "store/store_internal.h"

#include <math.h>

enum { MOST_STEPS = 16 }; /* a damaged store may lead in a circle */

struct step {
  double compile_s;
  int64_t same_as, reused_from;
};

static int64_t next_of(const struct step *step)
{
  return step->same_as ? step->same_as : step->reused_from;
}

/* False: it is not there any more, or `*status` says why. */
static bool read_step(struct hone_store *store, int64_t evaluation, struct step *out_step,
                      hone_status *status)
{
  static const char text[] = "SELECT compile_s, same_as, reused_from FROM evaluations WHERE id = ?";
  sqlite3_stmt *statement;
  bool found;

  *status = hone__store_statement(store, text, &statement);
  if (*status) return false;
  hone__store_bind(statement, "i", evaluation);
  found = hone__store_next(store, statement, status);
  if (!found) return false;
  *out_step = (struct step){.compile_s = hone__column_real(statement, 0),
                            .same_as = sqlite3_column_int64(statement, 1),
                            .reused_from = sqlite3_column_int64(statement, 2)};
  hone__store_done(statement);
  return true;
}

hone_status hone__store_origin(struct hone_store *store, const struct hone__evaluation *evaluation,
                               struct hone__origin *out_origin)
{
  struct step step = {.compile_s = evaluation->compile_s,
                      .same_as = evaluation->same_as,
                      .reused_from = evaluation->reused_from};
  hone_status status = NULL;

  *out_origin = (struct hone__origin){.evaluation = evaluation->id, .compile_s = step.compile_s};
  for (int i = 0; i < MOST_STEPS && next_of(&step); i++) {
    int64_t next = next_of(&step);
    if (!read_step(store, next, &step, &status)) break;
    out_origin->evaluation = next;
    if (isnan(out_origin->compile_s)) out_origin->compile_s = step.compile_s;
  }
  return status;
}
