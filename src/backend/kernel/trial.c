/* The report is memory shared by the runner and the process. The bench keeps it, because new memory
 * costs a page fault per page. It is a file, so that it can be passed to an existing process.
 */
#include "backend/kernel/trial.h"

#include "backend/kernel/engine.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_KEPT_BYTES = 256 << 20, ALIGNMENT = 4096 };

bool hone__kernel_record_fail(struct hone__kernel_record *record, enum hone_outcome outcome,
                              const char *format, ...)
{
  va_list args;

  record->fault = HONE__TRIAL_FAILED;
  record->outcome = outcome;
  va_start(args, format);
  vsnprintf(record->message, sizeof record->message, format, args);
  va_end(args);
  return false;
}

hone_status hone__trial_add(struct hone__trial *trial, const struct hone__packed *candidate,
                            const void *object, size_t object_size)
{
  struct hone__trial_candidate *added;
  hone_status status;

  HONE__GROW(trial->candidates, trial->count, trial->capacity);
  added = &trial->candidates[trial->count++];
  *added = (struct hone__trial_candidate){
      .packed = candidate, .object = object, .object_size = object_size};
  status = hone__unpack(candidate, &hone__kernel_candidate_type, &added->arena, &added->candidate);
  if (!status)
    status = hone__pipeline_read(&added->candidate, trial->bench->buffers.count, &added->arena,
                                 &added->pipeline);
  if (status) return status;
  return trial->engine->add ? trial->engine->add(trial, added) : NULL;
}

/* ---- Memory ---- */

void hone__trial_memory_release(struct hone__trial_memory *memory)
{
  if (!memory->bytes) return;
  munmap(memory->bytes, memory->size);
  close(memory->file);
  *memory = (struct hone__trial_memory){0};
}

bool hone__trial_memory_make(struct hone__trial_memory *memory, size_t size)
{
  static uint64_t made;
  int file = memfd_create("hone report", MFD_CLOEXEC);
  void *bytes = MAP_FAILED;

  if (file >= 0 && ftruncate(file, (off_t)size) == 0)
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (bytes == MAP_FAILED) {
    if (file >= 0) close(file);
    return false;
  }
  *memory =
      (struct hone__trial_memory){.bytes = bytes, .size = size, .file = file, .number = ++made};
  return true;
}

/* The bench's memory if it is large enough and free, memory that the lender does not need, or else
 * new memory. */
static bool take_memory(struct hone__trial *trial, size_t size)
{
  struct hone__bench *bench = trial->bench;
  const struct hone__trial_memory *lent = trial->lender ? &trial->lender->memory : NULL;

  if (lent && lent->offset + trial->lender->used + size <= lent->size) {
    trial->memory = *lent;
    trial->memory.offset += trial->lender->used;
    return true;
  }
  trial->lender = NULL;
  if (size > bench->memory.size) return hone__trial_memory_make(&trial->memory, size);
  trial->memory = bench->memory;
  bench->memory = (struct hone__trial_memory){0};
  return true;
}

/* Kept, but for the pages of an unusually large one. */
static void give_back_memory(struct hone__trial *trial)
{
  struct hone__bench *bench = trial->bench;
  struct hone__trial_memory *memory = &trial->memory;

  if (!memory->bytes || trial->lender) return;
  if (memory->size <= bench->memory.size) {
    hone__trial_memory_release(memory);
    return;
  }
  if (trial->used > MOST_KEPT_BYTES)
    fallocate(memory->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, MOST_KEPT_BYTES,
              (off_t)(memory->size - MOST_KEPT_BYTES));
  hone__trial_memory_release(&bench->memory);
  bench->memory = *memory;
}

static size_t round_up(size_t size)
{
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t hone__trial_lay_out(struct hone__trial *trial, unsigned char *base)
{
  size_t head = sizeof *trial->report + trial->count * sizeof *trial->report->records;
  size_t times = round_up(head + trial->time_count * sizeof *trial->times);
  size_t snapshots =
      trial->plan.check ? HONE__SNAPSHOTS * trial->count * trial->bench->buffers.snapshot_bytes : 0;

  if (base) {
    trial->report = (struct hone__trial_report *)(void *)base;
    trial->times = (double *)(void *)(base + head);
    trial->snapshots = base + times;
  }
  return times + snapshots;
}

static hone_status make_report(struct hone__trial *trial)
{
  const struct hone__trial_plan *plan = &trial->plan;
  size_t per = plan->mode == HONE__TRIAL_ROWS ? plan->rows : plan->samples;
  size_t size;

  if (__builtin_mul_overflow(per, trial->count, &trial->time_count) ||
      trial->time_count > SIZE_MAX / 64)
    return hone__error(HONE_EXHAUSTED, "a job asks for %zu samples", per);
  size = hone__trial_lay_out(trial, NULL);
  if (!take_memory(trial, size))
    return hone__error(HONE_EXHAUSTED, "cannot share %zu bytes with the process of a candidate: %s",
                       size, strerror(errno));
  trial->used = hone__trial_lay_out(trial, trial->memory.bytes + trial->memory.offset);
  memset(trial->report, 0, sizeof *trial->report + trial->count * sizeof *trial->report->records);
  return NULL;
}

uint32_t hone__trial_first_like(const struct hone__trial *trial, size_t candidate, size_t content)
{
  uint32_t like = hone__trial_record(trial, candidate)->first_like[content];

  return trial->engine->recognise && (like <= candidate || like == HONE__TRIAL_KNOWN) ? like : 0;
}

const unsigned char *hone__trial_first(const struct hone__trial *trial, size_t candidate,
                                       size_t content)
{
  uint32_t like = hone__trial_first_like(trial, candidate, content);

  if (like == HONE__TRIAL_KNOWN) return NULL;
  return hone__trial_snapshot(trial, like ? like - 1 : candidate, content);
}

hone_status hone__trial_run(struct hone__trial *trial)
{
  hone_status status = make_report(trial);

  if (status) return status;
  trial->order = hone__alloc((trial->count + 1) * sizeof *trial->order);
  trial->engine->execute(trial);
  trial->ended = hone__clock();
  return NULL;
}

uint64_t hone__trial_checksum(const struct hone__trial *trial)
{
  const char *begin = (const char *)trial->report + offsetof(struct hone__trial_report, active);
  const char *end = (const char *)(trial->times + trial->time_count);

  return hone__checksum(trial->count, begin, (size_t)(end - begin));
}

static bool are_numbers(const double *values, size_t count, bool may_lack)
{
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i]) && !(may_lack && isnan(values[i]))) return false;
  return true;
}

static bool are_times(const struct hone__trial *trial)
{
  size_t each = trial->plan.samples;

  if (trial->plan.mode == HONE__TRIAL_ROWS)
    return are_numbers(trial->times, trial->report->rows * trial->count, true);
  for (size_t i = 0; i < trial->count; i++)
    if (!are_numbers(trial->times + i * each, trial->report->records[i].samples, false))
      return false;
  return true;
}

/* Data that a candidate wrote into the report may have a valid checksum too. */
static bool is_plausible(const struct hone__trial *trial)
{
  const struct hone__trial_plan *plan = &trial->plan;
  size_t most = plan->mode == HONE__TRIAL_ROWS ? plan->rows : plan->samples;

  for (size_t i = 0; i < trial->count; i++) {
    const struct hone__kernel_record *record = &trial->report->records[i];
    if (record->samples > most || (unsigned)record->fault > HONE__TRIAL_FAILED ||
        (unsigned)record->outcome >= HONE_OUTCOME_COUNT || !isfinite(record->cold_ns) ||
        !isfinite(record->whole_ns) || !isfinite(record->sample_ns) ||
        !are_numbers(record->stage_ns, HONE__PIPELINE_MOST_NAMES, false) ||
        record->last_content >= HONE__CONTENTS ||
        record->unwritten_arg > trial->bench->buffers.count ||
        !memchr(record->message, '\0', sizeof record->message))
      return false;
    if (record->fault == HONE__TRIAL_CAPPED && !record->samples) return false;
  }
  return trial->report->rows <= plan->rows && are_times(trial) && isfinite(trial->report->cpu_ns) &&
         memchr(trial->report->remarks, '\0', sizeof trial->report->remarks);
}

bool hone__trial_complete(const struct hone__trial *trial)
{
  return trial->end.end == HONE__CHILD_EXITED && trial->end.code == 0 &&
         trial->report->stage == HONE__TRIAL_ENDED &&
         trial->report->checksum == hone__trial_checksum(trial) && is_plausible(trial);
}

void hone__trial_release(struct hone__trial *trial)
{
  struct hone__bench *bench = trial->bench;

  for (size_t i = 0; trial->engine->forget && i < trial->count; i++)
    if (trial->candidates[i].own) trial->engine->forget(&trial->candidates[i]);
  give_back_memory(trial);
  hone__child_result_release(&trial->end);
  for (size_t i = 0; i < trial->count; i++)
    hone__arena_release(&trial->candidates[i].arena);
  free(trial->candidates);
  free(trial->order);
  *trial = (struct hone__trial){.bench = bench, .engine = trial->engine};
}
