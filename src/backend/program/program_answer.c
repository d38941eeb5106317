/* An answer must fit into the head of a frame, whatever programs say: each candidate has its share
 * of the room, of which the table takes what it needs first, and of texts the end stays. */
#include "backend/program/program_job.h"

#include "base/utf8.h"
#include "wire/packed_json.h"
#include "wire/packed_size.h"
#include "wire/run_reply.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM = HONE__FRAME_LONGEST_HEAD / 4 * 3, OVERHEAD = 512 };

/* ---- What a program said ---- */

/* Its end, as far as it fits. */
static char *fit_text(struct hone__arena *arena, const struct hone__text *text, size_t room)
{
  struct hone__text clean = {0};
  size_t skip = 0;
  char *fitted;

  while (skip < text->length &&
         hone__packed_text_size(text->data + skip, text->length - skip) > room)
    skip += (text->length - skip) / 2 + 1;
  if (skip < text->length) hone__utf8_clean(text->data + skip, text->length - skip, &clean);
  fitted = hone__arena_strdup(arena, clean.data ? clean.data : "");
  hone__text_release(&clean);
  return fitted;
}

/* A half at a time: few tables are that long. NULL: not even its columns fit. */
static struct hone__packed *fit_table(const struct hone__program_table *table, size_t room,
                                      size_t *left_out)
{
  struct hone__table view = hone__program_table_view(table);
  struct hone__packed *packed = hone__table_pack(&view);

  while (view.rows_count && hone__packed_size(packed) > room) {
    size_t kept = view.rows_count / 2;
    *left_out += view.rows_count - kept;
    view.rows_count = kept;
    hone__packed_drop(packed);
    packed = hone__table_pack(&view);
  }
  if (hone__packed_size(packed) <= room) return packed;
  hone__packed_drop(packed);
  return NULL;
}

/* ---- The whole ---- */

struct answer {
  struct hone__arena arena; /* of texts */
  struct hone__words notes;
  struct hone__run_result *results;
  struct hone__packed **tables;
};

static size_t add_table(struct answer *answer, size_t index,
                        const struct hone__program_record *record, size_t room)
{
  size_t left_out = record->left_out;
  struct hone__packed *table = record->table ? fit_table(record->table, room, &left_out) : NULL;
  char note[128];

  if (!table) return 0;
  answer->results[index].table = answer->tables[index] = table;
  snprintf(note, sizeof note, "a program reported more rows than can be kept: %zu are left out",
           left_out);
  if (left_out) hone__words_add(&answer->notes, note);
  return hone__packed_size(table);
}

static void add_words(struct answer *answer, size_t index,
                      const struct hone__program_record *record, size_t room)
{
  struct hone__run_result *result = &answer->results[index];
  size_t used = add_table(answer, index, record, room);

  result->stderr_text = fit_text(&answer->arena, &record->errors, (room - used) / 2);
  used += hone__packed_text_size(result->stderr_text, strlen(result->stderr_text));
  result->stdout_text = fit_text(&answer->arena, &record->output, used < room ? room - used : 0);
}

static void add_result(struct answer *answer, size_t index,
                       const struct hone__program_record *record, size_t room)
{
  answer->results[index] =
      (struct hone__run_result){.outcome = (int)record->outcome,
                                .evidence = record->evidence.data ? record->evidence.data : "",
                                .cold_ns = record->cold_ns,
                                .repeats = 1,
                                .samples = record->samples};
  if (room > OVERHEAD) add_words(answer, index, record, room - OVERHEAD);
}

static void release(struct answer *answer, size_t count)
{
  for (size_t i = 0; i < count; i++)
    hone__packed_drop(answer->tables[i]);
  free(answer->tables);
  free(answer->results);
  hone__words_release(&answer->notes);
  hone__arena_release(&answer->arena);
}

/* The first that failed, else the first that is slow. */
static const struct hone__program_record *worst_of(const struct hone__program_job *job)
{
  const struct hone__program_record *worst = job->records;

  for (size_t i = job->count; i-- > 0;)
    if (job->records[i].outcome == HONE__OUTCOME_SLOW) worst = &job->records[i];
  for (size_t i = job->count; i-- > 0;)
    if (!hone__outcome_works(job->records[i].outcome)) worst = &job->records[i];
  return worst;
}

static struct hone__packed *pack(const struct hone__program_job *job, enum hone__outcome outcome)
{
  struct answer answer = {.results = hone__alloc(job->count * sizeof *answer.results),
                          .tables = hone__alloc(job->count * sizeof *answer.tables)};
  struct hone__run_reply reply;
  struct hone__packed *packed;

  for (size_t i = 0; i < job->count; i++)
    add_result(&answer, i, &job->records[i], ROOM / job->count);
  /* A program's start and end are full of switches: they say nothing of its measuring. One that
   * fails has had its start, its run and its end: it would do so again. */
  reply = (struct hone__run_reply){.results = answer.results,
                                   .results_count = job->count,
                                   .rows = job->rows_done,
                                   .cpu_ns = job->cpu_ns,
                                   .cpu = -1,
                                   .notes = (const char **)answer.notes.data,
                                   .notes_count = answer.notes.count,
                                   .final = outcome == HONE__OUTCOME_CRASH};
  packed = hone__pack(&hone__run_reply_type, &reply);
  release(&answer, job->count);
  return packed;
}

void hone__program_answer(const struct hone__program_job *job, struct hone__answer *answer)
{
  const struct hone__program_record *worst = worst_of(job);

  answer->outcome = worst->outcome;
  if (worst->evidence.length) hone__text_add(&answer->evidence, worst->evidence.data);
  answer->head = hone__packed_json(pack(job, worst->outcome));
  if (job->time_count)
    hone__text_addn(&answer->payload, (const char *)job->times,
                    job->time_count * sizeof *job->times);
}
