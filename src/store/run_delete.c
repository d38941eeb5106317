/* Deletes runs that are no longer needed. Their evaluations, samples and logs go with them; what a
 * later run took from them stays there. */
#include "store/store_internal.h"

#include <inttypes.h>

static hone_status execute(struct hone_store *store, const char *text, int64_t run)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "i", run);
  return hone__store_execute(store, statement, NULL);
}

hone_status hone__store_evaluation_delete(struct hone_store *store, int64_t evaluation)
{
  return execute(store, "DELETE FROM evaluations WHERE id = ?", evaluation);
}

/* A number that no evaluation has says that it came from elsewhere. */
static hone_status delete_run(struct hone_store *store, int64_t run)
{
  static const char detach[] = "UPDATE evaluations SET reused_from = -1 WHERE run != ?1 AND "
                               "reused_from IN (SELECT id FROM evaluations WHERE run = ?1)";
  hone_status status = execute(store, detach, run);

  return status ? status : execute(store, "DELETE FROM runs WHERE id = ?", run);
}

/* What has a name is kept on purpose. */
static hone_status check_names(struct hone_store *store, int64_t run)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(
      store, "SELECT name FROM saved_baselines WHERE run = ? LIMIT 1", &statement);

  if (status) return status;
  hone__store_bind(statement, "i", run);
  if (!hone__store_next(store, statement, &status)) return status;
  status = hone__error(HONE_INVALID_ARGUMENT, "run %" PRId64 " is saved as the baseline '%s'", run,
                       hone__column_lent(statement, 0));
  hone__store_done(statement);
  return status;
}

hone_status hone_store_delete_runs(const char *path, const int64_t *runs, size_t count)
{
  struct hone_store *store = NULL;
  hone_status status = hone__store_open(path, false, &store);

  for (size_t i = 0; i < count && !status; i++)
    status = check_names(store, runs[i]);
  for (size_t i = 0; i < count && !status; i++)
    status = delete_run(store, runs[i]);
  hone__store_close(store);
  return status;
}
