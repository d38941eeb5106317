/* The header of SQLite's format, see https://sqlite.org/fileformat.html#the_database_header. A new
 * store gets its mark in its first transaction, before it becomes WAL: so the mark is never in
 * the "-wal" file alone. */
#include "store/store_header.h"

#include "base/text.h"
#include "store/migrations.h"
#include "base/paths.h"
#include "store/store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  AT_PAGE_SIZE = 16,
  AT_CHANGES = 24,
  AT_PAGES = 28,
  AT_VERSION = 60,
  AT_APPLICATION = 68,
  AT_PAGES_VALID_FOR = 92
};
static const char magic[16] = "SQLite format 3";

struct header {
  unsigned char bytes[HONE__STORE_HEADER_SIZE];
  ssize_t size;
  off_t file_size;
};

static uint32_t number_at(const unsigned char *header, size_t at)
{
  const unsigned char *p = header + at;

  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static hone_status refuse(const char *path, const char *why)
{
  return hone__error(HONE_INVALID_ARGUMENT,
                     "cannot use '%s' as a store: %s; it was not changed: give another file with "
                     "--store or HONE_STORE",
                     path, why);
}

hone_status hone__store_newer(const char *path, long version)
{
  return hone__error(
      HONE_UNAVAILABLE,
      "the store '%s' was written by a newer version of hone: it has version %ld, hone %s supports "
      "up to %d; update hone, or give another file with --store or HONE_STORE",
      path, version, hone_version(), hone__migrations_latest());
}

static hone_status read_header(const char *path, struct header *header)
{
  hone_status status = NULL;
  struct stat state;
  int fd;

  *header = (struct header){.size = 0};
  if (stat(path, &state) != 0)
    return errno == ENOENT ? NULL : hone__path_error("open the store", path);
  if (S_ISDIR(state.st_mode)) return refuse(path, "it is a folder");
  if (!S_ISREG(state.st_mode)) return refuse(path, "it is not a regular file");
  fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return hone__path_error("open the store", path);
  header->file_size = state.st_size;
  header->size = read(fd, header->bytes, HONE__STORE_HEADER_SIZE);
  if (header->size < 0) status = hone__path_error("read the store", path);
  close(fd);
  return status;
}

bool hone__store_has_beside(const char *path, const char *suffix)
{
  struct hone__text beside = {0};
  struct stat state;
  bool found;

  hone__text_addf(&beside, "%s%s", path, suffix);
  found = stat(beside.data, &state) == 0 && state.st_size > 0;
  hone__text_release(&beside);
  return found;
}

/* The header counts pages, unless the last writer was a program that does not. */
bool hone__store_header_is_short(const unsigned char *header, int64_t file_size)
{
  uint32_t page = number_at(header, AT_PAGE_SIZE) >> 16;

  if (page == 1) page = 65536;
  if (number_at(header, AT_CHANGES) != number_at(header, AT_PAGES_VALID_FOR)) return false;
  return (uint64_t)file_size < (uint64_t)page * number_at(header, AT_PAGES);
}

/* What a "-wal" or "-journal" file holds may make up for what is missing. */
static bool is_cut_short(const char *path, const struct header *header)
{
  if (!hone__store_header_is_short(header->bytes, header->file_size)) return false;
  return !hone__store_has_beside(path, "-wal") && !hone__store_has_beside(path, "-journal");
}

hone_status hone__store_header_check(const char *path, bool *out_is_new)
{
  struct header header;
  hone_status status = read_header(path, &header);

  *out_is_new = header.size == 0;
  if (status || header.size == 0) return status;
  if (memcmp(header.bytes, magic, sizeof magic) != 0)
    return refuse(path, "it is not an SQLite file");
  if (header.size < HONE__STORE_HEADER_SIZE) return hone__store_damaged(path, "it is truncated");
  if (number_at(header.bytes, AT_APPLICATION) != HONE__STORE_APPLICATION)
    return refuse(path, "it is an SQLite file of another program");
  if (number_at(header.bytes, AT_VERSION) > (uint32_t)hone__migrations_latest())
    return hone__store_newer(path, (long)number_at(header.bytes, AT_VERSION));
  if (is_cut_short(path, &header)) return hone__store_damaged(path, "it is truncated");
  return NULL;
}
