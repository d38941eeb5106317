/* Objects travel into the child as files in memory, kept open across the fork; the report is shared
 * memory that stays with the bench, because making it anew costs a page fault for every page. */
#include "backend/kernel/trial.h"

#include "backend/kernel/sampler.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/status.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_KEPT_BYTES = 256 << 20 };

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif

/* Where files in memory are not executable unless one asks (Linux 6.3), ask. */
static int make_file(void)
{
  int file = memfd_create("hone object", MFD_CLOEXEC | MFD_EXEC);

  return file < 0 && errno == EINVAL ? memfd_create("hone object", MFD_CLOEXEC) : file;
}

static bool write_all(int file, const char *bytes, size_t size)
{
  while (size) {
    ssize_t written = write(file, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= (size_t)written;
  }
  return true;
}

/* Whether a word of the object's, such as _Z5sgemmPKfS0_Pf, is what C++ makes of this name. */
static bool has_mangled(const char *object, size_t size, const char *name)
{
  const char *at = object, *end = object + size, *begin;
  struct hone_text part = {0};
  bool found = false;

  hone__text_addf(&part, "%zu%s", strlen(name), name);
  while (!found && (at = memmem(at, (size_t)(end - at), part.data, part.length))) {
    for (begin = at; begin > object && begin[-1] && at - begin < 256;)
      begin--;
    found = at - begin >= 2 && begin[0] == '_' && begin[1] == 'Z';
    at += part.length;
  }
  hone__text_release(&part);
  return found;
}

hone_status hone__trial_add(struct hone_trial *trial, const json_t *candidate, const void *object,
                            size_t object_size)
{
  struct hone_trial_candidate *added;
  const char *entry = json_string_value(json_object_get(candidate, "entry"));

  if (!entry) return hone__error(HONE_INVALID_SPEC, "a candidate has no entry");
  HONE__GROW(trial->candidates, trial->count, trial->capacity);
  added = &trial->candidates[trial->count++];
  *added = (struct hone_trial_candidate){
      .entry = entry, .object = make_file(), .is_mangled = has_mangled(object, object_size, entry)};
  if (added->object < 0 || !write_all(added->object, object, object_size))
    return hone__error(HONE_EXHAUSTED, "cannot keep an object of %zu bytes in memory: %s",
                       object_size, strerror(errno));
  return hone__call_prepare(&added->call, &trial->bench->buffers,
                            json_object_get(candidate, "values"));
}

static size_t round_to_page(size_t size)
{
  return (size + 4095) / 4096 * 4096;
}

/* The bench's memory if that is large enough and nobody has it, else new memory. */
static bool share_memory(struct hone_trial *trial, size_t bytes)
{
  struct hone_bench *bench = trial->bench;
  void *shared;

  if (bytes <= bench->shared_bytes) {
    trial->shared = bench->shared;
    trial->shared_bytes = bench->shared_bytes;
    bench->shared = NULL;
    bench->shared_bytes = 0;
    return true;
  }
  shared =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shared == MAP_FAILED) return false;
  trial->shared = shared;
  trial->shared_bytes = bytes;
  return true;
}

static void give_back_memory(struct hone_trial *trial)
{
  struct hone_bench *bench = trial->bench;

  if (!trial->shared) return;
  if (trial->shared_bytes > MOST_KEPT_BYTES || trial->shared_bytes <= bench->shared_bytes) {
    munmap(trial->shared, trial->shared_bytes);
    return;
  }
  if (bench->shared) munmap(bench->shared, bench->shared_bytes);
  bench->shared = trial->shared;
  bench->shared_bytes = trial->shared_bytes;
}

static hone_status make_report(struct hone_trial *trial)
{
  const struct hone_trial_plan *plan = &trial->plan;
  size_t head = sizeof *trial->report + trial->count * sizeof *trial->report->records;
  size_t per = plan->mode == HONE_TRIAL_ROWS ? plan->rows : plan->samples;
  size_t times, snapshots;

  if (__builtin_mul_overflow(per, trial->count, &trial->time_count) ||
      trial->time_count > SIZE_MAX / 64)
    return hone__error(HONE_EXHAUSTED, "a job asks for %zu samples", per);
  times = round_to_page(head + trial->time_count * sizeof *trial->times);
  snapshots = plan->check ? 2 * trial->count * trial->bench->buffers.snapshot_bytes : 0;
  if (!share_memory(trial, times + snapshots))
    return hone__error(HONE_EXHAUSTED, "cannot share %zu bytes with a child: %s", times + snapshots,
                       strerror(errno));
  memset(trial->shared, 0, head);
  trial->report = (struct hone_trial_report *)(void *)trial->shared;
  trial->times = (double *)(void *)(trial->shared + head);
  trial->snapshots = trial->shared + times;
  return NULL;
}

static void run_child(struct hone_trial *trial)
{
  int *keep = hone__alloc((trial->count + 1) * sizeof *keep);
  struct hone_child_options options = {.function = hone__sampler_run,
                                       .data = trial,
                                       .timeout_s = trial->plan.timeout_s,
                                       .memory_bytes = trial->bench->memory_bytes,
                                       .keep = keep};

  for (size_t i = 0; i < trial->count; i++)
    keep[i] = trial->candidates[i].object;
  keep[trial->count] = -1;
  hone__child_run(&options, &trial->end);
  trial->ended = hone__clock();
  free(keep);
}

hone_status hone__trial_run(struct hone_trial *trial)
{
  hone_status status = make_report(trial);

  if (status) return status;
  trial->order = hone__alloc((trial->count + 1) * sizeof *trial->order);
  run_child(trial);
  return NULL;
}

uint64_t hone__trial_checksum(const struct hone_trial *trial)
{
  const char *begin = (const char *)trial->report + offsetof(struct hone_trial_report, active);
  const char *end = (const char *)(trial->times + trial->time_count);

  return hone__checksum(trial->count, begin, (size_t)(end - begin));
}

/* What a candidate scribbled into the report before its end has a checksum, too. */
static bool is_plausible(const struct hone_trial *trial)
{
  const struct hone_trial_plan *plan = &trial->plan;
  size_t most = plan->mode == HONE_TRIAL_ROWS ? plan->rows : plan->samples;

  for (size_t i = 0; i < trial->count; i++) {
    const struct hone_record *record = &trial->report->records[i];
    if (record->samples > most || (unsigned)record->fault > HONE_TRIAL_CAPPED) return false;
    if (record->fault == HONE_TRIAL_CAPPED && !record->samples) return false;
  }
  return trial->report->rows <= plan->rows;
}

bool hone__trial_complete(const struct hone_trial *trial)
{
  return trial->end.end == HONE_CHILD_EXITED && trial->end.code == 0 &&
         trial->report->stage == HONE_TRIAL_ENDED &&
         trial->report->checksum == hone__trial_checksum(trial) && is_plausible(trial);
}

void hone__trial_release(struct hone_trial *trial)
{
  struct hone_bench *bench = trial->bench;

  for (size_t i = 0; i < trial->count; i++) {
    hone__call_release(&trial->candidates[i].call);
    if (trial->candidates[i].object >= 0) close(trial->candidates[i].object);
  }
  give_back_memory(trial);
  hone__child_result_release(&trial->end);
  free(trial->candidates);
  free(trial->order);
  *trial = (struct hone_trial){.bench = bench};
}
