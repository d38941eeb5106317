/* What SQLite's codes mean for a person: the store, the reason, and what to do. Its own sentences
 * speak of "the database", and lack the reason of some failures. */
#include "store/store_internal.h"

#include "base/text.h"
#include "store/lock_holder.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

hone_status hone__store_damaged(const char *path, const char *why)
{
  return hone__error(HONE_IO,
                     "the store '%s' is damaged: %s; it was not changed: move it away, or recover "
                     "its data with `sqlite3 '%s' .recover | sqlite3 new.db`",
                     path, why, path);
}

static hone_status locked(const struct hone_store *store)
{
  char holder[64] = "another process";
  long long pid = hone__lock_holder(sqlite3_db_filename(store->database, "main"));

  if (pid) snprintf(holder, sizeof holder, "pid %lld", pid);
  return hone__error(HONE_UNAVAILABLE,
                     "the store '%s' has been locked by %s for %d seconds; try again later, or "
                     "give another file with --store or HONE_STORE",
                     store->path, holder, HONE__STORE_BUSY_MS / 1000);
}

/* SQLITE_OK means that the failure was not SQLite's, or that it is forgotten. */
static const char *reason_of(int code, const char *own)
{
  static const struct {
    int code;
    const char *reason;
  } reasons[] = {
      {SQLITE_OK, "unknown reason"},
      {SQLITE_FULL, "the disk is full"},
      {SQLITE_READONLY, "the file, its folder or its file system is read-only"},
      {SQLITE_CANTOPEN, "a file next to it cannot be created or opened"},
      {SQLITE_IOERR, "input/output error"},
      {SQLITE_PERM, "permission denied"},
      {SQLITE_NOMEM, "out of memory"},
  };

  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (reasons[i].code == (code & 0xff)) return reasons[i].reason;
  return own;
}

/* With the operating system's error, if there is one. */
static char *full_reason(const struct hone_store *store, int code)
{
  struct hone__text text = {0};
  const char *system;
  int error = sqlite3_system_errno(store->database);

  hone__text_add(&text, reason_of(code, sqlite3_errmsg(store->database)));
  if ((code & 0xff) != SQLITE_IOERR && (code & 0xff) != SQLITE_CANTOPEN) error = 0;
  if (error) {
    system = strerror(error);
    hone__text_addf(&text, ": %c%s", tolower((unsigned char)*system), system + 1);
  }
  return hone__text_take(&text);
}

/* What was acknowledged may be out of reach. Where only room is missing the file is as it was. */
static bool is_lost(const struct hone_store *store, int code)
{
  static const int codes[] = {SQLITE_READONLY_DBMOVED, SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ,
                              SQLITE_IOERR_FSTAT, SQLITE_CORRUPT};
  static const int errors[] = {EIO, ESTALE, ENXIO, ENODEV, ENOTCONN};
  int error = sqlite3_system_errno(store->database);

  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    if (code == codes[i]) return true;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if ((code & 0xff) == SQLITE_IOERR && error == errors[i]) return true;
  return false;
}

static hone_status describe(struct hone_store *store, bool writing, int code, const char *why)
{
  switch (code & 0xff) {
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB: return hone__store_damaged(store->path, sqlite3_errmsg(store->database));
  case SQLITE_BUSY:
  case SQLITE_LOCKED: return locked(store);
  default: break;
  }
  if (!writing) return hone__error(HONE_IO, "cannot read the store '%s': %s", store->path, why);
  return hone__error(HONE_IO, "cannot write to the store '%s': %s; committed data is not lost",
                     store->path, why);
}

hone_status hone__store_failure(struct hone_store *store, bool writing)
{
  int code = sqlite3_extended_errcode(store->database);
  char *why = full_reason(store, code);
  hone_status status = NULL;

  if (writing && is_lost(store, code)) status = hone__store_lose(store, why);
  if (!status) status = describe(store, writing, code, why);
  free(why);
  return status;
}
