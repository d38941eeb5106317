/* Imported configurations, in the store. */
#include "store/store_internal.h"

hone_status hone__store_seed_put(struct hone_store *store, const struct hone__store_seed *seed)
{
  static const char text[] = "INSERT INTO seeds (operation, matcher, compilation_info, "
                             "decomposition_config, source, made) "
                             "VALUES (?, ?, ?, ?, ?, datetime('now')) "
                             "ON CONFLICT (matcher, compilation_info, decomposition_config) "
                             "DO UPDATE SET source = excluded.source, made = excluded.made";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "ttttt", seed->operation, seed->matcher, seed->compilation_info,
                   seed->decomposition_config, seed->source);
  return hone__store_execute(store, statement, NULL);
}

static bool read_seed(sqlite3_stmt *row, hone__store_seed_visit *visit, void *data)
{
  struct hone__arena arena = {0};
  struct hone__store_seed seed = {.operation = hone__column_text(row, 0, &arena),
                                  .matcher = hone__column_text(row, 1, &arena),
                                  .compilation_info = hone__column_text(row, 2, &arena),
                                  .decomposition_config = hone__column_text(row, 3, &arena),
                                  .source = hone__column_text(row, 4, &arena)};
  bool goes_on = visit(data, &seed);

  hone__arena_release(&arena);
  return goes_on;
}

hone_status hone__store_seeds(struct hone_store *store, hone__store_seed_visit *visit, void *data)
{
  static const char text[] = "SELECT operation, matcher, compilation_info, decomposition_config, "
                             "source FROM seeds ORDER BY made DESC, id";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  while (hone__store_next(store, statement, &status))
    if (!read_seed(statement, visit, data)) {
      hone__store_done(statement);
      return NULL;
    }
  return status;
}
