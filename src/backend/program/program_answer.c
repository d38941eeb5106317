/* An answer must fit into the head of a frame, whatever programs print: each candidate has its
 * share of the space; its table is placed first, and texts are cut at the front.
 */
#include "backend/program/program_job.h"

#include "base/utf8.h"
#include "wire/packed_size.h"
#include "wire/run_reply.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = HONE__FRAME_LONGEST_HEAD / 4 * 3, OVERHEAD = 512 };

/* ---- The output of a program ---- */

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
  struct hone__wire_candidate_result *results;
  struct hone__packed **tables;
};

static size_t add_table(struct answer *answer, size_t index,
                        const struct hone__program_entry *entry, size_t room)
{
  size_t left_out = entry->left_out;
  struct hone__packed *table = entry->table ? fit_table(entry->table, room, &left_out) : NULL;
  char note[128];

  if (!table) return 0;
  answer->results[index].table = answer->tables[index] = table;
  snprintf(note, sizeof note, "a program reported too many rows: %zu are ignored", left_out);
  if (left_out) hone__words_add(&answer->notes, note);
  return hone__packed_size(table);
}

static void add_texts(struct answer *answer, size_t index,
                      const struct hone__process_record *record, size_t room, size_t used)
{
  struct hone__wire_candidate_result *result = &answer->results[index];

  result->stderr_text = fit_text(&answer->arena, &record->errors, (room - used) / 2);
  used += hone__packed_text_size(result->stderr_text, strlen(result->stderr_text));
  result->stdout_text = fit_text(&answer->arena, &record->output, used < room ? room - used : 0);
}

static void add_result(struct answer *answer, const struct hone__program_job *job, size_t index)
{
  const struct hone__process_record *record = &job->run.records[index];
  size_t room = ROOM / job->run.count;

  answer->results[index] = hone__process_record_result(record);
  answer->results[index].facts = job->entries[index].metrics;
  answer->results[index].facts_count = job->entries[index].metrics_count;
  if (room <= OVERHEAD) return;
  room -= OVERHEAD;
  add_texts(answer, index, record, room, add_table(answer, index, &job->entries[index], room));
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

/* A failing program had its start, its run and its end: it would fail again. A served program may
 * fail because of an earlier candidate. */
void hone__program_answer(const struct hone__program_job *job, struct hone__answer *answer)
{
  size_t count = job->run.count;
  struct answer parts = {.results = hone__alloc(count * sizeof *parts.results),
                         .tables = hone__alloc(count * sizeof *parts.tables)};

  for (size_t i = 0; i < count; i++)
    add_result(&parts, job, i);
  hone__process_job_answer(&job->run, parts.results, &parts.notes, !job->may_be_blamed_wrongly,
                           answer);
  release(&parts, count);
}
