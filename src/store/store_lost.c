/* A store that was deleted, replaced or truncated while it is in use. SQLite does not notice: it
 * continues with a file that no other process sees. So the path is looked at after every commit;
 * when it is another file, what the open connection still has is written to a new store next to it,
 * and from then on every write fails with the same message.
 *
 * The file is never opened by itself here: closing a descriptor would release SQLite's locks. */
#include "store/store_internal.h"

#include "base/folder.h"
#include "base/text.h"
#include "store/store_header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NAMES_TRIED = 100 };

/* ---- What happened ---- */

void hone__store_remember(struct hone_store *store)
{
  struct stat state;

  if (stat(sqlite3_db_filename(store->database, "main"), &state) != 0) return;
  store->device = state.st_dev;
  store->inode = state.st_ino;
  store->size = state.st_size;
  store->mode = state.st_mode & 0777;
}

/* A file that became smaller may have been vacuumed: then its header has the right size. */
static bool is_truncated(struct hone_store *store)
{
  unsigned char header[HONE__STORE_HEADER_SIZE];
  sqlite3_file *file = NULL;
  sqlite3_int64 size = 0;

  if (sqlite3_file_control(store->database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK)
    return false;
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) return false;
  if (file->pMethods->xRead(file, header, sizeof header, 0) != SQLITE_OK) return true;
  return hone__store_header_is_short(header, size);
}

/* NULL: it is still there. */
static const char *what_happened(struct hone_store *store)
{
  struct stat state;

  if (!store->inode) return NULL;
  if (stat(sqlite3_db_filename(store->database, "main"), &state) != 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ESTALE) return "was deleted or moved";
    return errno == EIO ? "can no longer be read" : NULL;
  }
  if (state.st_ino != store->inode || state.st_dev != store->device)
    return "was replaced by another file";
  if (state.st_size < store->size && is_truncated(store)) return "was truncated";
  store->size = state.st_size;
  return NULL;
}

/* ---- Rescue ---- */

static bool execute(sqlite3 *database, const char *text)
{
  return sqlite3_exec(database, text, NULL, NULL, NULL) == SQLITE_OK;
}

/* A file that was not there before, with the permissions of the store; the text is its name then.
 */
static bool make_file(const struct hone_store *store, struct hone__text *name, const char *folder,
                      const char *leaf)
{
  int file = -1;

  for (int i = 1; file < 0 && i <= NAMES_TRIED; i++) {
    name->length = 0;
    hone__text_addf(name, "%s%s%s.rescued-%lld", folder, *folder ? "/" : "", leaf,
                    (long long)store->run);
    if (i > 1) hone__text_addf(name, "-%d", i);
    hone__text_add(name, ".db");
    file = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno != EEXIST) return false;
  }
  if (file < 0) return false;
  (void)fchmod(file, store->mode);
  close(file);
  return true;
}

/* Beside the store; if its folder no longer exists, where temporary files go. */
static bool make_rescue_file(const struct hone_store *store, struct hone__text *name)
{
  const char *slash = strrchr(store->path, '/'), *given = hone__folder_given();

  return make_file(store, name, "", store->path) ||
         make_file(store, name, given ? given : "/tmp", slash ? slash + 1 : store->path);
}

static bool is_sound(sqlite3 *database)
{
  sqlite3_stmt *statement = NULL;
  bool good = false;

  if (sqlite3_prepare_v2(database, "PRAGMA quick_check(1)", -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    good = strcmp((const char *)sqlite3_column_text(statement, 0), "ok") == 0;
  sqlite3_finalize(statement);
  return good;
}

/* No process makes its run any longer. */
static bool close_runs(sqlite3 *database)
{
  char text[160];

  snprintf(text, sizeof text,
           "UPDATE runs SET state = 'interrupted', driver_pid = NULL, driver_start = NULL "
           "WHERE state = 'running' AND driver_pid = %lld",
           (long long)getpid());
  return execute(database, text);
}

/* All of it, page by page. Pages that a truncated file has no more are zeros. */
static bool copy_pages(struct hone_store *store, const char *name)
{
  sqlite3 *copy = NULL;
  sqlite3_backup *backup = NULL;
  bool good = sqlite3_open_v2(name, &copy, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;

  if (good) backup = sqlite3_backup_init(copy, "main", store->database, "main");
  good = backup && sqlite3_backup_step(backup, -1) == SQLITE_DONE;
  sqlite3_backup_finish(backup);
  good = good && is_sound(copy) && close_runs(copy);
  sqlite3_close(copy);
  return good;
}

static bool copy_with(sqlite3 *database, const char *text, int64_t id)
{
  sqlite3_stmt *statement = NULL;
  bool good = sqlite3_prepare_v2(database, text, -1, &statement, NULL) == SQLITE_OK &&
              sqlite3_bind_int64(statement, 1, id) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_DONE;

  sqlite3_finalize(statement);
  return good;
}

/* One by one, the newest first, as far as they can be read: their pages are in memory or in the
 * "-wal" file, those of older ones may be gone. */
static void copy_evaluations(sqlite3 *database, int64_t run)
{
  static const char ids[] = "SELECT id FROM main.evaluations WHERE run = ? ORDER BY id DESC";
  static const char evaluation[] =
      "INSERT INTO rescue.evaluations SELECT * FROM main.evaluations WHERE id = ?";
  static const char samples[] =
      "INSERT INTO rescue.samples SELECT * FROM main.samples WHERE evaluation = ?";
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2(database, ids, -1, &statement, NULL) == SQLITE_OK)
    sqlite3_bind_int64(statement, 1, run);
  while (statement && sqlite3_step(statement) == SQLITE_ROW) {
    int64_t id = sqlite3_column_int64(statement, 0);
    if (!copy_with(database, evaluation, id)) break;
    copy_with(database, samples, id);
  }
  sqlite3_finalize(statement);
}

/* The run that is being made. */
static bool copy_tables(sqlite3 *database, int64_t run)
{
  static const char runs[] = "INSERT INTO rescue.runs SELECT * FROM main.runs WHERE id = ?";
  static const char log[] = "INSERT INTO rescue.log SELECT * FROM main.log WHERE run = ?";

  if (!copy_with(database, runs, run)) return false;
  copy_evaluations(database, run);
  copy_with(database, log, run);
  return true;
}

static bool copy_rows(struct hone_store *store, const char *name)
{
  struct hone_store *copy = NULL;
  char *attach = sqlite3_mprintf("ATTACH %Q AS rescue", name);
  bool good = false;

  if (truncate(name, 0) == 0) hone_status_free(hone__store_open(name, false, &copy));
  if (copy) {
    good = execute(store->database, attach) && copy_tables(store->database, store->run);
    execute(store->database, "DETACH rescue");
    good = good && close_runs(copy->database);
  }
  hone__store_close(copy);
  sqlite3_free(attach);
  return good;
}

/* The name of the new store; NULL: there is none. */
static char *rescue(struct hone_store *store)
{
  struct hone__text name = {0};

  if (!sqlite3_get_autocommit(store->database)) execute(store->database, "ROLLBACK");
  if (!make_rescue_file(store, &name)) goto failed;
  if (copy_pages(store, name.data) || copy_rows(store, name.data)) return hone__text_take(&name);
  unlink(name.data);
failed:
  hone__text_release(&name);
  return NULL;
}

/* ---- The interface ---- */

hone_status hone__store_lost(const struct hone_store *store)
{
  return store->lost ? hone__error(HONE_IO, "%s", store->lost) : NULL;
}

bool hone__store_is_lost(const struct hone_store *store)
{
  return store && store->lost;
}

static void describe(struct hone_store *store, const char *what, const char *rescued)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "the store '%s' %s during run %lld: ", store->path, what,
                  (long long)store->run);
  if (rescued)
    hone__text_addf(
        &text,
        "its contents are saved in '%s'; 'hone show --store' shows them; to continue, move the "
        "file to the old name or give it with --store, and run the same command",
        rescued);
  else
    hone__text_add(&text, "the measurements could not be saved");
  store->lost = hone__text_take(&text);
}

hone_status hone__store_watch(struct hone_store *store)
{
  const char *what = store->lost ? NULL : what_happened(store);
  char *rescued;

  if (what && store->run) {
    rescued = rescue(store);
    describe(store, what, rescued);
    free(rescued);
  }
  return hone__store_lost(store);
}

hone_status hone__store_lose(struct hone_store *store, const char *why)
{
  hone_status status = hone__store_watch(store); /* that it was deleted is more informative */
  struct hone__text what = {0};
  char *rescued;

  if (status || !store->run) return status;
  hone__text_addf(&what, "can no longer be written (%s)", why);
  rescued = rescue(store);
  describe(store, what.data, rescued);
  free(rescued);
  hone__text_release(&what);
  return hone__store_lost(store);
}
