/* What is looked at before a store is written to: whether it may be written, with the operating
 * system's reason, and whether it is sound. Nothing is changed by that. */
#include "store/store_check.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHECKED_WHOLE = 64 << 20 }; /* a larger one would be read for seconds */

/* ---- May it be written? ---- */

static char *folder_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  struct hone__text folder = {0};

  if (!slash) return hone__strdup(".");
  hone__text_addn(&folder, path, slash == path ? 1 : (size_t)(slash - path));
  return hone__text_take(&folder);
}

static hone_status cannot_write(const char *path, const char *folder)
{
  const char *why = strerror(errno);

  return hone__error(
      HONE_IO,
      "cannot write to the store '%s': %s%s%s%c%s; give another file with --store or HONE_STORE",
      path, folder ? "the folder '" : "", folder ? folder : "",
      folder ? "' cannot be written: " : "", tolower((unsigned char)*why), why + 1);
}

hone_status hone__store_check_writable(const char *path)
{
  char *folder = folder_of(path);
  hone_status status = NULL;

  if (access(path, W_OK) != 0 && errno != ENOENT)
    status = cannot_write(path, NULL);
  else if (access(folder, W_OK | X_OK) != 0) /* for the files next to it */
    status = cannot_write(path, folder);
  free(folder);
  return status;
}

/* ---- Is it sound? ---- */

/* The first defect that is found, without SQLite's headline; NULL: it cannot be told, or there is
 * none. The caller frees it. */
static char *first_defect(sqlite3_stmt *statement)
{
  const char *text = (const char *)sqlite3_column_text(statement, 0);
  const char *line = text ? strrchr(text, '\n') : NULL;

  if (!text || strcmp(text, "ok") == 0) return NULL;
  return hone__strdup(line && line[1] ? line + 1 : text);
}

static hone_status check_with(struct hone_store *store, const char *pragma)
{
  sqlite3_stmt *statement = NULL;
  hone_status status = NULL;
  char *defect = NULL;

  if (sqlite3_prepare_v2(store->database, pragma, -1, &statement, NULL) != SQLITE_OK) {
    status = hone__store_failure(store, false);
  } else if (sqlite3_step(statement) == SQLITE_ROW) {
    defect = first_defect(statement);
    if (defect) status = hone__store_damaged(store->path, defect);
  } else {
    status = hone__store_failure(store, false);
  }
  sqlite3_finalize(statement);
  free(defect);
  return status;
}

hone_status hone__store_check_sound(struct hone_store *store)
{
  struct stat state;

  if (stat(store->path, &state) == 0 && state.st_size > CHECKED_WHOLE)
    return check_with(store, "PRAGMA quick_check('runs')");
  return check_with(store, "PRAGMA quick_check(1)");
}
