/* A folder appears whole or not at all: it is written aside and renamed. One that was damaged since
 * is made again. */
#include "worker/file_tree.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/paths.h"
#include "store/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char kind[] = "files";
static const int64_t NS_A_S = 1000000000;

/* ---- Checking ---- */

/* Absolute, and nothing in it leads out of the folder. */
static bool is_plain(const char *path)
{
  size_t length = strlen(path);

  return path[0] == '/' && !strstr(path, "/../") && !strstr(path, "//") &&
         path[length - 1] != '/' && !hone__ends_with(path, "/..");
}

static hone_status check(const struct hone__wire_files *files, size_t payload_size)
{
  size_t left = payload_size;

  for (size_t i = 0; i < files->files_count; i++) {
    if (!is_plain(files->files[i].path))
      return hone__error(HONE_INVALID_ARGUMENT, "the path '%s' of a file is not absolute",
                         files->files[i].path);
    if (files->files[i].size > left)
      return hone__error(HONE_INVALID_ARGUMENT, "the files of a job do not fit its payload");
    left -= files->files[i].size;
  }
  for (size_t i = 0; i < files->roots_count; i++)
    if (!is_plain(files->roots[i]))
      return hone__error(HONE_INVALID_ARGUMENT, "the folder '%s' of a job is not absolute",
                         files->roots[i]);
  return NULL;
}

static void make_key(const struct hone__packed *head, const void *bytes, size_t size,
                     char out_key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__packed_digest_member(head, "files", digester);
  hone__packed_digest_member(head, "roots", digester);
  hone__digest_add(digester, bytes, size);
  hone__digest_end(digester, out_key);
}

/* ---- Writing ---- */

static char *join(const char *folder, const char *path)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s%s", folder, path);
  return hone__text_take(&text);
}

static hone_status make_folder(const char *folder, const char *root)
{
  struct hone__text path = {0};
  hone_status status;

  hone__text_addf(&path, "%s%s/", folder, root);
  status = hone__path_make_folders(path.data);
  hone__text_release(&path);
  return status;
}

static hone_status write_file(const char *folder, const struct hone__wire_file *file,
                              const char *bytes)
{
  const struct timespec times[] = {
      {.tv_nsec = UTIME_OMIT},
      {.tv_sec = file->time_ns / NS_A_S, .tv_nsec = file->time_ns % NS_A_S}};
  char *path = join(folder, file->path);
  hone_status status = hone__path_make_folders(path);

  if (!status) status = hone__path_write(path, bytes, file->size);
  if (!status) chmod(path, file->is_program ? 0700 : 0600);
  if (!status) utimensat(AT_FDCWD, path, times, 0);
  free(path);
  return status;
}

static hone_status write_all(const char *folder, const struct hone__wire_files *files,
                             const char *bytes)
{
  hone_status status = NULL;

  for (size_t i = 0; i < files->roots_count && !status; i++)
    status = make_folder(folder, files->roots[i]);
  for (size_t i = 0; i < files->files_count && !status; i++) {
    status = write_file(folder, &files->files[i], bytes);
    bytes += files->files[i].size;
  }
  return status;
}

static bool has_file(const char *folder, const struct hone__wire_file *file, const char *bytes)
{
  char *path = join(folder, file->path), *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, file->size, &text, &size);
  bool is_same = !status && size == file->size && memcmp(text, bytes, size) == 0;

  hone_status_free(status);
  free(text);
  free(path);
  return is_same;
}

/* Also notes the use, for those who prune the cache. */
static bool is_whole(const char *folder, const struct hone__wire_files *files, const char *bytes)
{
  for (size_t i = 0; i < files->files_count; i++) {
    if (!has_file(folder, &files->files[i], bytes)) return false;
    bytes += files->files[i].size;
  }
  return utimensat(AT_FDCWD, folder, NULL, 0) == 0;
}

/* Another worker of this host may be first. */
static hone_status make_tree(const char *parent, const char *folder,
                             const struct hone__wire_files *files, const char *bytes)
{
  char *aside;
  hone_status status = hone__folder_make(parent, &aside);

  if (status) return status;
  status = write_all(aside, files, bytes);
  if (!status && rename(aside, folder) != 0 && !is_whole(folder, files, bytes)) {
    hone__folder_remove(folder);
    if (rename(aside, folder) != 0) status = hone__path_error("write", folder);
  }
  hone__folder_remove(aside);
  free(aside);
  return status;
}

static hone_status open_tree(struct hone__runner_tree *tree, const struct hone__wire_files *files,
                             const char *bytes)
{
  const char *cache = hone__cache_folder();
  struct hone__text parent = {0}, folder = {0};
  hone_status status = NULL;

  if (!*cache)
    return hone__error(HONE_UNAVAILABLE, "no folder for the cache: set HONE_CACHE or HOME");
  hone__text_addf(&parent, "%s/%s", cache, kind);
  hone__text_addf(&folder, "%s/%s", parent.data, tree->key);
  if (!is_whole(folder.data, files, bytes)) {
    status = hone__path_make_folders(folder.data);
    if (!status) status = make_tree(parent.data, folder.data, files, bytes);
  }
  if (!status) tree->folder = hone__text_take(&folder);
  hone__text_release(&folder);
  hone__text_release(&parent);
  return status;
}

/* ---- Jobs ---- */

static hone_status enter(struct hone__runner_tree *tree, const struct hone__packed *setup,
                         const struct hone__frame *frame, const struct hone__wire_files *files,
                         struct hone__runner_tree_job *job)
{
  size_t size = hone__wire_files_size(files);
  const char *bytes = (const char *)frame->payload + (frame->payload_size - size);
  char key[HONE__DIGEST_SIZE];
  hone_status status = NULL;

  make_key(frame->head, bytes, size, key);
  if (strcmp(key, tree->key) != 0) {
    hone__runner_tree_release(tree);
    memcpy(tree->key, key, sizeof key);
    status = open_tree(tree, files, bytes);
    if (!status) tree->setup = hone__wire_files_move(files, setup, tree->folder);
    if (status) tree->key[0] = '\0';
  }
  if (status) return status;
  job->setup = tree->setup;
  job->head = hone__wire_files_move(files, frame->head, tree->folder);
  job->payload_size = frame->payload_size - size;
  return NULL;
}

hone_status hone__runner_tree_enter(struct hone__runner_tree *tree,
                                    const struct hone__packed *setup,
                                    const struct hone__frame *frame,
                                    struct hone__runner_tree_job *out_job)
{
  struct hone__arena arena = {0};
  struct hone__wire_files files = {0};
  hone_status status = hone__unpack(frame->head, &hone__wire_files_type, &arena, &files);

  *out_job = (struct hone__runner_tree_job){.setup = setup, .payload_size = frame->payload_size};
  if (!status) status = check(&files, frame->payload_size);
  if (!status && files.roots_count) status = enter(tree, setup, frame, &files, out_job);
  hone__arena_release(&arena);
  return status;
}

void hone__runner_tree_leave(const struct hone__runner_tree *tree,
                             struct hone__runner_tree_job *job, struct hone__answer *answer)
{
  if (!job->head) return;
  if (answer->head) hone__wire_files_restore(answer->head, tree->folder);
  hone__wire_files_restore_text(&answer->evidence, tree->folder);
  hone__packed_drop(job->head);
  job->head = NULL;
}

void hone__runner_tree_release(struct hone__runner_tree *tree)
{
  free(tree->folder);
  hone__packed_drop(tree->setup);
  *tree = (struct hone__runner_tree){0};
}
