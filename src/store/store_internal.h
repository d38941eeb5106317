/* store_internal.h - what the files of the store share: statements, transactions, failures.
 *
 * A statement is named by its text, a static array: it is compiled once and kept. The form of a
 * call:
 *   hone__store_statement(store, text, &statement), hone__store_bind(statement, "ti", ...),
 *   then hone__store_execute(), or hone__store_next() until it says false.
 */
#ifndef HONE_STORE_STORE_INTERNAL_H
#define HONE_STORE_STORE_INTERNAL_H

#include "base/memory.h"
#include "store/store.h"
#include "store/stored.h"

#include <sqlite3.h>
#include <sys/stat.h>

struct hone_store {
  sqlite3 *database;
  char *path; /* as it was given: for messages */
  bool read_only;
  dev_t device; /* of the file when it was opened for writing */
  ino_t inode;  /* 0: not known */
  off_t size;   /* when it was seen last */
  mode_t mode;
  int64_t run; /* that was begun last; 0: none */
  char *lost;  /* why nothing can be written any more; NULL: it can */
  struct hone__statement {
    const char *text;
    sqlite3_stmt *statement;
  } * statements;
  size_t statement_count, statement_capacity;
};

enum { HONE__STORE_BUSY_MS = 10000 }; /* how long a call waits for other processes */

/* The last error of SQLite as a status: of writing or of reading. */
hone_status hone__store_failure(struct hone_store *store, bool writing);
hone_status hone__store_damaged(const char *path, const char *why);

/* ---- A store that goes away (store_lost.c) ---- */
/* Which file it is. */
void hone__store_remember(struct hone_store *store);
/* After a commit: fails if the path is no longer that file, once all is rescued. */
hone_status hone__store_watch(struct hone_store *store);
/* The same after a failure of the disk; NULL: no run is being made. */
hone_status hone__store_lose(struct hone_store *store, const char *why);
/* The failure that a store is lost with; NULL: it is not. */
hone_status hone__store_lost(const struct hone_store *store);

hone_status hone__store_statement(struct hone_store *store, const char *text,
                                  sqlite3_stmt **out_statement);
/* One letter for each value: t text or NULL, i int64_t, r double (NaN is NULL), b bytes and
 * size_t. They are lent until the statement is done. */
void hone__store_bind(sqlite3_stmt *statement, const char *letters, ...);
/* Runs a statement that changes something; *out_id (may be NULL) is what it returns. */
hone_status hone__store_execute(struct hone_store *store, sqlite3_stmt *statement, int64_t *out_id);
/* The next row; false: there is none, or `*status` says why. Then the statement is done. */
bool hone__store_next(struct hone_store *store, sqlite3_stmt *statement, hone_status *status);
/* Enough rows were seen. */
void hone__store_done(sqlite3_stmt *statement);

hone_status hone__store_begin(struct hone_store *store);
/* Commits, or undoes all where `status` is a failure, which it passes on. */
hone_status hone__store_end(struct hone_store *store, hone_status status);

/* Columns: NULL is NULL, NaN or 0; texts are copies in the arena. What is lent lives until the next
 * step. */
const char *hone__column_lent(sqlite3_stmt *statement, int column);
const void *hone__column_blob(sqlite3_stmt *statement, int column);
const char *hone__column_text(sqlite3_stmt *statement, int column, struct hone__arena *arena);
double hone__column_real(sqlite3_stmt *statement, int column);

/* ---- Columns with the name of a state and of a verdict ---- */

/* IO: this hone does not know it. A running one whose driver is gone is interrupted. */
struct hone__driver_columns {
  int state, pid, start, host;
};
hone_status hone__column_state(struct hone_store *store, sqlite3_stmt *row,
                               const struct hone__driver_columns *columns,
                               enum hone_run_state *out_state);
hone_status hone__column_verdict(struct hone_store *store, sqlite3_stmt *row, int column,
                                 enum hone_verdict *out_verdict);

#endif
