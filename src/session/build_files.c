#include "session/build_files.h"

#include "backend/backend.h"
#include "base/file.h"
#include "session/session.h"
#include "wire/carried_files.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_BYTES = 64 << 20, MOST_SETS = 8 };

/* The files of candidates that have the same sources and words. */
struct hone__session_files {
  struct hone__session_files *next;
  char key[HONE__DIGEST_SIZE];
  struct hone__wire_files files; /* in the arena */
  struct hone__text bytes;
  struct hone__arena arena;
};

/* ---- Reading ---- */

static hone_status add_file(struct hone__session_files *set, const char *path)
{
  struct hone__wire_file *file = &set->files.files[set->files.files_count++];
  struct stat info = {0};
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, MOST_BYTES - set->bytes.length, &bytes, &size);

  if (status)
    return hone__annotate(status,
                          "the files of a build that are sent to hosts may have at most %d MiB",
                          MOST_BYTES >> 20);
  stat(path, &info);
  *file = (struct hone__wire_file){.path = hone__arena_strdup(&set->arena, path),
                                   .size = size,
                                   .time_ns = info.st_mtim.tv_sec * INT64_C(1000000000) +
                                              info.st_mtim.tv_nsec,
                                   .is_program = (info.st_mode & S_IXUSR) != 0};
  hone__text_addn(&set->bytes, bytes, size);
  free(bytes);
  return NULL;
}

static bool is_within(const char *path, const char *folder)
{
  size_t length = strlen(folder);

  return strncmp(path, folder, length) == 0 && (!path[length] || path[length] == '/');
}

/* Keeps the shortest: a folder within another one is not listed. */
static void add_root(struct hone__wire_files *files, struct hone__arena *arena, const char *folder)
{
  size_t kept = 0;

  if (!strcmp(folder, "/") || !*folder) return;
  for (size_t i = 0; i < files->roots_count; i++)
    if (is_within(folder, files->roots[i])) return;
  for (size_t i = 0; i < files->roots_count; i++)
    if (!is_within(files->roots[i], folder)) files->roots[kept++] = files->roots[i];
  files->roots[kept++] = hone__arena_strdup(arena, folder);
  files->roots_count = kept;
}

static void find_roots(struct hone__session_files *set, const char *folder)
{
  struct hone__wire_files *files = &set->files;

  files->roots = hone__arena_alloc(&set->arena, (files->files_count + 2) * sizeof *files->roots);
  if (folder && *folder == '/') add_root(files, &set->arena, folder);
  for (size_t i = 0; i < files->files_count; i++) {
    const char *path = files->files[i].path;
    add_root(files, &set->arena,
             hone__arena_strndup(&set->arena, path, (size_t)(strrchr(path, '/') - path)));
  }
}

static hone_status read_set(struct hone__session_files *set,
                            const struct hone__candidate *candidate)
{
  const struct hone__session *session = candidate->session;
  const struct hone__backend *backend = session->problem.task.backend;
  struct hone__pairs paths = {0};
  hone_status status = NULL;

  if (backend->driver.build_files)
    status = backend->driver.build_files(session->problem.setup.head, candidate->packed, &paths);
  set->files.files = hone__arena_alloc(&set->arena, (paths.count + 1) * sizeof *set->files.files);
  for (size_t i = 0; i < paths.count && !status; i++)
    status = add_file(set, paths.data[i].name);
  if (!status) find_roots(set, session->problem.task.folder);
  hone__pairs_release(&paths);
  return status;
}

/* ---- Keeping ---- */

/* The members by which backends name what a build reads. */
static void make_key(const struct hone__candidate *candidate, char out_key[HONE__DIGEST_SIZE])
{
  static const char *const members[] = {"source", "flags", "includes", "command", "build"};
  struct hone__digester *digester = hone__digest_begin();

  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    hone__packed_digest_member(candidate->packed, members[i], digester);
  hone__digest_end(digester, out_key);
}

static void free_set(struct hone__session_files *set)
{
  hone__arena_release(&set->arena);
  hone__text_release(&set->bytes);
  free(set);
}

static void drop_oldest(struct hone__session *session)
{
  struct hone__session_files **at = &session->workers.file_sets;

  for (size_t i = 0; i < MOST_SETS && *at; i++)
    at = &(*at)->next;
  if (*at) free_set(*at);
  *at = NULL;
}

/* NULL: the run has failed. */
static const struct hone__session_files *find_set(const struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  struct hone__session_files *set = session->workers.file_sets;
  char key[HONE__DIGEST_SIZE];
  hone_status status;

  make_key(candidate, key);
  while (set && strcmp(set->key, key) != 0)
    set = set->next;
  if (set) return set;
  set = hone__alloc(sizeof *set);
  *set = (struct hone__session_files){.next = session->workers.file_sets};
  memcpy(set->key, key, sizeof key);
  status = read_set(set, candidate);
  if (!status) session->workers.file_sets = set;
  if (!status) drop_oldest(session);
  if (!status) return set;
  free_set(set);
  hone__control_fail(&session->control, hone__annotate(status, "hosts cannot build this"));
  return NULL;
}

void hone__session_drop_files(struct hone__session *session)
{
  struct hone__session_files *next;

  for (struct hone__session_files *set = session->workers.file_sets; set; set = next) {
    next = set->next;
    free_set(set);
  }
  session->workers.file_sets = NULL;
}

/* ---- Jobs ---- */

static void add_bytes(struct hone__job *job, const struct hone__text *bytes)
{
  char *whole = hone__alloc(job->payload_size + bytes->length + 1);

  if (job->payload_size) memcpy(whole, job->payload, job->payload_size);
  if (bytes->length) memcpy(whole + job->payload_size, bytes->data, bytes->length);
  free(job->payload);
  job->payload = whole;
  job->payload_size += bytes->length;
}

static void add_parts(struct hone__job *job, const struct hone__wire_files *files)
{
  size_t *sizes = hone__alloc((job->part_count + files->files_count + 1) * sizeof *sizes);

  for (size_t i = 0; i < job->part_count; i++)
    sizes[i] = job->part_sizes[i];
  for (size_t i = 0; i < files->files_count; i++)
    sizes[job->part_count + i] = files->files[i].size;
  free(job->part_sizes);
  job->part_sizes = sizes;
  job->part_count += files->files_count;
}

static void carry(const struct hone__session_files *set, struct hone__job *job)
{
  if (!set) return;
  hone__packed_add(job->head, &hone__wire_files_type, &set->files);
  add_bytes(job, &set->bytes);
  add_parts(job, &set->files);
}

void hone__session_carry_build(const struct hone__candidate *candidate, struct hone__job *job)
{
  if (candidate->session->settings.options->host_builder_count) carry(find_set(candidate), job);
}

/* Candidates of a job differ in their arguments: the files of the first are those of all. */
void hone__session_carry_run(const struct hone__candidate *candidate, struct hone__job *job)
{
  const struct hone__session *session = candidate->session;

  bool is_served = session->problem.head.start_s > 0; /* it was started by the setup */

  if (session->settings.options->worker_count && !candidate->size && !is_served)
    carry(find_set(candidate), job);
}
