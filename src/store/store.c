/* Opening a store. A writer makes the file, brings it to the latest version and chooses how it is
 * journalled; a reader changes nothing, but where the file is older or a crash left work to do, it
 * lets a writer see to that first. */
#include "store/store_internal.h"

#include "base/allocators.h"
#include "base/text.h"
#include "store/migrations.h"
#include "base/paths.h"
#include "store/store_check.h"
#include "store/store_header.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

const char *hone__store_path(const char *path)
{
  const char *kept = NULL;
  char *found;

  if (path) return hone__path_keep(path);
  found = hone__path_of_user("HONE_STORE", "XDG_DATA_HOME", ".local/share", "hone/hone.db");
  if (found) kept = hone__path_keep(found);
  free(found);
  return kept;
}

/* ---- The connection ---- */

/* SQLite's special names (":memory:", "file:...") are relative: a store's are not. */
static char *absolute(const char *path)
{
  char *here = *path == '/' ? NULL : hone__getcwd();
  struct hone__text text = {0};

  if (here) hone__text_addf(&text, "%s/", here);
  hone__text_add(&text, path);
  free(here);
  return hone__text_take(&text);
}

/* "file:///a%20b?immutable=1": SQLite then looks for no other file next to it. */
static char *immutable_uri(const char *path)
{
  struct hone__text uri = {0};

  hone__text_add(&uri, "file://");
  for (const char *p = path; *p; p++) {
    bool plain =
        strchr("/._-", *p) || (*p >= '0' && *p <= '9') || ((*p | 32) >= 'a' && (*p | 32) <= 'z');
    hone__text_addf(&uri, plain ? "%c" : "%%%02X", (unsigned char)*p);
  }
  hone__text_add(&uri, "?immutable=1");
  return hone__text_take(&uri);
}

static void disconnect(struct hone_store *store)
{
  for (size_t i = 0; i < store->statement_count; i++)
    sqlite3_finalize(store->statements[i].statement);
  store->statement_count = 0;
  sqlite3_close(store->database);
  store->database = NULL;
}

static hone_status connect_to(struct hone_store *store, int flags, bool immutable)
{
  char *path = absolute(store->path);
  char *uri = immutable ? immutable_uri(path) : NULL;
  int code;

  if (immutable) flags |= SQLITE_OPEN_URI;
  code = sqlite3_open_v2(uri ? uri : path, &store->database, flags, NULL);
  free(uri);
  free(path);
  if (code != SQLITE_OK) {
    errno = sqlite3_system_errno(store->database);
    return errno ? hone__path_error("open the store", store->path)
                 : hone__store_failure(store, false);
  }
  sqlite3_busy_timeout(store->database, HONE__STORE_BUSY_MS);
  return NULL;
}

static hone_status ask_number(struct hone_store *store, const char *text, int64_t *out_number)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (!status && hone__store_next(store, statement, &status)) {
    *out_number = sqlite3_column_int64(statement, 0);
    hone__store_done(statement);
  }
  return status;
}

static hone_status check_version(struct hone_store *store, bool *out_outdated)
{
  int64_t version = 0;
  hone_status status = ask_number(store, "PRAGMA user_version", &version);

  *out_outdated = !status && version < hone__migrations_latest();
  if (!status && version > hone__migrations_latest())
    status = hone__store_newer(store->path, (long)version);
  return status;
}

static hone_status check_tables(struct hone_store *store)
{
  static const char tables[] = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
                               "name IN ('runs', 'evaluations', 'samples', 'log')";
  int64_t count = 0;
  hone_status status = ask_number(store, tables, &count);

  if (!status && count != 4) status = hone__store_damaged(store->path, "tables are missing");
  return status;
}

/* ---- Writing ---- */

/* WAL needs memory that all processes share; locks of these file systems are weak besides. */
static bool is_far(const char *path)
{
  static const uint32_t far_magics[] = {
      0x6969,     /* NFS */
      0x0bd00bd0, /* Lustre */
      0xff534d42, /* CIFS */
      0xfe534d42, /* SMB 2 */
      0x517b,     /* SMB */
      0x65735546, /* FUSE */
      0x00c36400, /* Ceph */
      0x47504653, /* GPFS */
      0x19830326, /* BeeGFS */
      0x5346414f, /* AFS */
      0x01021997, /* 9p */
      0x7461636f, /* OCFS2 */
  };
  struct statfs info;

  if (statfs(path, &info) != 0) return false;
  for (size_t i = 0; i < sizeof far_magics / sizeof *far_magics; i++) {
    if ((uint32_t)info.f_type == far_magics[i]) return true;
  }
  return false;
}

/* Another process that uses the file just now keeps it as it is: then it stays so. Checkpoints wait
 * for the disk: few large ones, of 16 MiB. */
static hone_status choose_journal(struct hone_store *store)
{
  static const char settings[] = "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
                                 "PRAGMA wal_autocheckpoint = 4096";
  const char *mode =
      is_far(store->path) ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL";
  int code = sqlite3_exec(store->database, mode, NULL, NULL, NULL);

  if (code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED)
    return hone__store_failure(store, true);
  if (sqlite3_exec(store->database, settings, NULL, NULL, NULL) != SQLITE_OK)
    return hone__store_failure(store, true);
  return NULL;
}

static hone_status open_writer(struct hone_store *store)
{
  bool has_wal = hone__store_has_beside(store->path, "-wal"), outdated = false;
  hone_status status = hone__path_make_folders(store->path);

  if (status) return hone__annotate(status, "the store '%s'", store->path);
  status = hone__store_check_writable(store->path);
  if (!status) status = connect_to(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false);
  if (status) return status;
  /* What a crash left is moved into the file only once that is known to be sound. */
  sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_wal, NULL);
  status = check_version(store, &outdated);
  if (!status) status = hone__store_check_sound(store);
  if (status) return status;
  sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
  if (outdated && hone__migrations_apply(store->database) != SQLITE_OK)
    return hone__store_failure(store, true);
  status = check_tables(store);
  if (!status) status = choose_journal(store);
  if (!status) hone__store_remember(store);
  return status;
}

/* ---- Reading ---- */

static hone_status try_reader(struct hone_store *store, bool immutable, bool *out_outdated)
{
  hone_status status;

  disconnect(store);
  *out_outdated = false;
  status = connect_to(store, SQLITE_OPEN_READONLY, immutable);
  if (!status) status = check_version(store, out_outdated);
  if (!status && *out_outdated)
    status = hone__error(HONE_IO, "the store '%s' is of an older version", store->path);
  return status ? status : check_tables(store);
}

static bool is_settled(hone_status status)
{
  return !status || hone_status_code(status) == HONE_UNAVAILABLE;
}

static hone_status open_reader(struct hone_store *store)
{
  struct hone_store *writer = NULL;
  bool outdated;
  hone_status status = try_reader(store, false, &outdated), writing, again;

  if (is_settled(status)) return status;
  writing = hone__store_open(store->path, false, &writer);
  hone__store_close(writer);
  if (writing && outdated) { /* the reason for which it stays old */
    hone_status_free(status);
    return hone__annotate(writing, "a store of an older version");
  }
  if (!writing || !hone__store_has_beside(store->path, "-wal")) {
    again = try_reader(store, writing != NULL, &outdated);
    hone_status_free(again ? again : status);
    if (!again) status = NULL;
  }
  hone_status_free(writing);
  return status;
}

/* ---- The interface ---- */

hone_status hone__store_open(const char *path, bool read_only, struct hone_store **out_store)
{
  const char *file = hone__store_path(path);
  struct hone_store *store = NULL;
  hone_status status;
  bool is_new;

  hone__allocators_install();
  *out_store = NULL;
  if (!file)
    return hone__error(
        HONE_UNAVAILABLE,
        "no file for the store: HOME is not set; give a file with --store or HONE_STORE");
  if (!*file) return hone__error(HONE_INVALID_ARGUMENT, "the store's file name is empty");
  status = hone__store_header_check(file, &is_new);
  if (status) return status;
  if (is_new && read_only)
    return hone__error(HONE_NOT_FOUND, "no store '%s': `hone tune` creates it", file);
  store = hone__alloc(sizeof *store);
  *store = (struct hone_store){.path = hone__strdup(file), .read_only = read_only};
  status = read_only ? open_reader(store) : open_writer(store);
  if (!status)
    *out_store = store;
  else
    hone__store_close(store);
  return status;
}

void hone__store_close(struct hone_store *store)
{
  if (!store) return;
  disconnect(store);
  free(store->statements);
  free(store->lost);
  free(store->path);
  free(store);
}

hone_status hone__store_sync(struct hone_store *store)
{
  int code =
      sqlite3_wal_checkpoint_v2(store->database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);

  /* Busy: another process is doing the same. */
  if (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED) return NULL;
  return hone__store_failure(store, true);
}

hone_status hone_store_open(const char *path, struct hone_store **out_store)
{
  return hone__store_open(path, true, out_store);
}

void hone_store_free(struct hone_store *store)
{
  hone__store_close(store);
}

const char *hone_store_file(const struct hone_store *store)
{
  return store->path;
}
