/* A folder that the user wants to inspect afterwards, or one of the bench's own. The object is
 * written only if it is not already there, because the next candidate often differs only in its
 * arguments.
 */
#include "backend/program/program_bench.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { MOST_REMEMBERED = 10000 };

static char *join(const char *folder, const char *name, const char *suffix)
{
  struct hone__text path = {0};

  hone__text_addf(&path, "%s/%s%s", folder, name, suffix);
  return hone__text_take(&path);
}

/* ---- The folder ---- */

static bool can_run(const char *folder)
{
  struct statvfs info;

  return folder && *folder == '/' && access(folder, W_OK) == 0 && statvfs(folder, &info) == 0 &&
         !(info.f_flag & ST_NOEXEC);
}

/* Memory and /tmp are often mounted so that nothing can be run from there. */
static const char *runnable_parent(const struct hone__program_bench *bench)
{
  const char *choices[] = {hone__folder_given(), "/tmp", "/var/tmp", bench->directory};

  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (can_run(choices[i])) return choices[i];
  return NULL;
}

static hone_status open_own(struct hone__program_bench *bench, struct hone__program_place *place,
                            size_t slot)
{
  hone_status status = NULL;
  char name[32];

  if (!bench->root) status = hone__folder_make(runnable_parent(bench), &bench->root);
  if (status) return status;
  snprintf(name, sizeof name, "%zu", slot);
  place->path = join(bench->root, name, "");
  place->shown = hone__strdup(place->path);
  if (mkdir(place->path, 0700) == 0 || errno == EEXIST) return NULL;
  return hone__path_error("make the folder", place->path);
}

static hone_status open_given(struct hone__program_bench *bench, struct hone__program_place *place,
                              const char *folder)
{
  char *all;
  hone_status status;

  place->path = *folder == '/' ? hone__strdup(folder) : join(bench->directory, folder, "");
  place->shown = hone__strdup(folder);
  all = join(place->path, "", "");
  status = hone__path_make_folders(all);
  free(all);
  return status;
}

/* ---- The object ---- */

static hone_status cannot_write(const char *path)
{
  bool is_full = errno == ENOSPC || errno == EDQUOT;
  hone_status status = hone__path_error("write", path), full;

  if (!is_full) return status;
  full = hone__error(HONE_EXHAUSTED, "%s", hone_status_message(status));
  hone_status_free(status);
  return full;
}

/* Aside and renamed: a program that still runs cannot be written over, and a library that is still
 * loaded must not change. */
static hone_status write_object(const char *path, const void *bytes, size_t size)
{
  struct hone__text aside = {0};
  hone_status status = NULL;
  int file;

  hone__text_addf(&aside, "%s.new", path);
  unlink(aside.data);
  file = open(aside.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  if (file < 0 || !hone__file_write(file, bytes, size) || fchmod(file, 0755) != 0)
    status = cannot_write(aside.data);
  if (file >= 0) close(file);
  if (!status && rename(aside.data, path) != 0) status = cannot_write(path);
  if (status) unlink(aside.data);
  hone__text_release(&aside);
  return status;
}

static bool is_written(const struct hone__program_bench *bench, const char *path,
                       const char *digest, size_t size)
{
  struct stat info;
  const char *known = hone__pairs_find(&bench->written, path);

  return known && strcmp(known, digest) == 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
         (size_t)info.st_size == size;
}

static void remember(struct hone__program_bench *bench, const char *path, const char *digest)
{
  if (bench->written.count >= MOST_REMEMBERED) hone__pairs_release(&bench->written);
  hone__pairs_set(&bench->written, path, digest);
}

/* "gemm_dtype-float32", and ".so" of a library; nothing in it may lead elsewhere. */
static char *object_name(const struct hone__program_entrant *entrant)
{
  const char *name = entrant->candidate->name;
  char *path = join("", *name ? name : "program", entrant->is_library ? ".so" : "");

  for (char *at = path; *at; at++)
    if (*at == '/') *at = '_';
  path[0] = '/';
  return path;
}

/* Instances that differ in their arguments alone use the binary of the first of them. */
static bool share_object(const struct hone__program_bench *bench,
                         struct hone__program_entrant *entrant)
{
  struct hone__program_place *place = &entrant->place;
  const char *path = hone__pairs_find(&bench->shared, place->digest);
  const char *shown = hone__pairs_find(&bench->named, place->digest);

  if (!path || !shown || !is_written(bench, path, place->digest, entrant->object_size))
    return false;
  place->binary = hone__strdup(shown);
  return true;
}

static void offer_object(struct hone__program_bench *bench, const struct hone__program_place *place,
                         const char *path)
{
  if (bench->shared.count >= MOST_REMEMBERED) {
    hone__pairs_release(&bench->shared);
    hone__pairs_release(&bench->named);
  }
  hone__pairs_set(&bench->shared, place->digest, path);
  hone__pairs_set(&bench->named, place->digest, place->binary);
}

static hone_status put_object(struct hone__program_bench *bench,
                              struct hone__program_entrant *entrant, bool is_own)
{
  struct hone__program_place *place = &entrant->place;
  char *name, *path;
  hone_status status = NULL;

  hone__digest(entrant->object, entrant->object_size, place->digest);
  if (!is_own && share_object(bench, entrant)) return NULL;
  name = object_name(entrant);
  path = join(place->path, name + 1, "");
  if (!is_written(bench, path, place->digest, entrant->object_size)) {
    if (is_own) hone__folder_empty(place->path); /* files of the former candidate */
    status = write_object(path, entrant->object, entrant->object_size);
    if (!status) remember(bench, path, place->digest);
  }
  place->binary = join(place->shown, name + 1, "");
  if (!status && !is_own) offer_object(bench, place, path);
  free(path);
  free(name);
  return status;
}

/* ---- Both ---- */

hone_status hone__program_place_open(struct hone__program_bench *bench,
                                     struct hone__program_entrant *entrant, size_t slot)
{
  struct hone__program_place *place = &entrant->place;
  const char *folder = entrant->candidate->folder;
  bool is_own = !folder || !*folder || (*folder != '/' && !bench->directory);
  hone_status status = is_own ? open_own(bench, place, slot) : open_given(bench, place, folder);

  if (status) return status;
  place->csv = join(place->shown, "output.csv", "");
  if (entrant->object_size) return put_object(bench, entrant, is_own);
  place->binary = hone__strdup(entrant->candidate->source);
  return NULL;
}

void hone__program_place_release(struct hone__program_place *place)
{
  free(place->path);
  free(place->shown);
  free(place->binary);
  free(place->csv);
  *place = (struct hone__program_place){0};
}
