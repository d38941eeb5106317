/* Statements of the store: compiled once, kept, bound by letters. After every commit the file is
 * looked at: see store_lost.c. */
#include "store/store_internal.h"

#include <math.h>

/* ---- Statements ---- */

hone_status hone__store_statement(struct hone_store *store, const char *text,
                                  sqlite3_stmt **out_statement)
{
  struct hone__statement *kept;

  *out_statement = NULL;
  for (size_t i = 0; i < store->statement_count; i++) {
    kept = &store->statements[i];
    if (kept->text != text || sqlite3_stmt_busy(kept->statement)) continue;
    *out_statement = kept->statement;
    return NULL;
  }
  if (sqlite3_prepare_v3(store->database, text, -1, SQLITE_PREPARE_PERSISTENT, out_statement,
                         NULL) != SQLITE_OK)
    return hone__store_failure(store, false);
  HONE__GROW(store->statements, store->statement_count, store->statement_capacity);
  store->statements[store->statement_count++] =
      (struct hone__statement){.text = text, .statement = *out_statement};
  return NULL;
}

/* A value that could not be bound would be stored as NULL. */
static void check_memory(int code)
{
  if (code == SQLITE_NOMEM) hone__out_of_memory();
}

void hone__store_bind(sqlite3_stmt *statement, const char *letters, ...)
{
  va_list values;
  const void *bytes;
  int code = SQLITE_OK;

  va_start(values, letters);
  for (int i = 1; letters[i - 1]; i++) {
    switch (letters[i - 1]) {
    case 't': code = sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, NULL); break;
    case 'i': code = sqlite3_bind_int64(statement, i, va_arg(values, int64_t)); break;
    case 'r': code = sqlite3_bind_double(statement, i, va_arg(values, double)); break;
    case 'b':
      bytes = va_arg(values, const void *);
      code = sqlite3_bind_blob64(statement, i, bytes, va_arg(values, size_t), NULL);
      break;
    default: HONE__BUG("a letter of a binding");
    }
    check_memory(code);
  }
  va_end(values);
}

void hone__store_done(sqlite3_stmt *statement)
{
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

hone_status hone__store_execute(struct hone_store *store, sqlite3_stmt *statement, int64_t *out_id)
{
  hone_status status = hone__store_lost(store);
  int code;

  if (status) return status;
  code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    if (out_id) *out_id = sqlite3_column_int64(statement, 0);
    code = sqlite3_step(statement);
  }
  if (code != SQLITE_DONE) status = hone__store_failure(store, true);
  hone__store_done(statement);
  if (!status && !sqlite3_stmt_readonly(statement) && sqlite3_get_autocommit(store->database))
    status = hone__store_watch(store);
  return status;
}

bool hone__store_next(struct hone_store *store, sqlite3_stmt *statement, hone_status *status)
{
  int code = sqlite3_step(statement);

  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) *status = hone__store_failure(store, false);
  hone__store_done(statement);
  return false;
}

/* ---- Transactions ---- */

static const char begin_sql[] = "BEGIN IMMEDIATE";
static const char commit_sql[] = "COMMIT";
static const char rollback_sql[] = "ROLLBACK";

static hone_status execute_text(struct hone_store *store, const char *text)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  return status ? status : hone__store_execute(store, statement, NULL);
}

hone_status hone__store_begin(struct hone_store *store)
{
  return execute_text(store, begin_sql);
}

hone_status hone__store_end(struct hone_store *store, hone_status status)
{
  if (!status) status = execute_text(store, commit_sql);
  if (!status) status = hone__store_watch(store);
  if (status && !sqlite3_get_autocommit(store->database))
    hone_status_free(execute_text(store, rollback_sql));
  return status;
}

/* ---- Columns ---- */

/* Where it is NULL for lack of memory, the connection says so. */
const char *hone__column_lent(sqlite3_stmt *statement, int column)
{
  const char *text = (const char *)sqlite3_column_text(statement, column);

  if (!text) check_memory(sqlite3_errcode(sqlite3_db_handle(statement)));
  return text;
}

const void *hone__column_blob(sqlite3_stmt *statement, int column)
{
  const void *bytes = sqlite3_column_blob(statement, column);

  if (!bytes) check_memory(sqlite3_errcode(sqlite3_db_handle(statement)));
  return bytes;
}

const char *hone__column_text(sqlite3_stmt *statement, int column, struct hone__arena *arena)
{
  const char *text = hone__column_lent(statement, column);

  return text ? hone__arena_strdup(arena, text) : NULL;
}

double hone__column_real(sqlite3_stmt *statement, int column)
{
  if (sqlite3_column_type(statement, column) == SQLITE_NULL) return NAN;
  return sqlite3_column_double(statement, column);
}
