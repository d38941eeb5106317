/* An answer must fit into the head of a frame, whatever programs say: each candidate has its share
 * of the room, of which the table takes what it needs first, and of texts the end stays. */
#include "backend/program/program_job.h"

#include <math.h>

enum { ROOM = HONE__FRAME_LONGEST_HEAD / 4 * 3, OVERHEAD = 512 };

static size_t size_of(const json_t *value)
{
  return json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
}

/* ---- What a program said ---- */

static json_t *fit_text(const struct hone__text *text, size_t room)
{
  for (size_t skip = 0;; skip += (text->length - skip) / 2 + 1) {
    json_t *value = hone__json_string(text->data + skip, text->length - skip);
    if (size_of(value) <= room || skip >= text->length) return value;
    json_decref(value);
  }
}

/* A half at a time: few tables are that long. */
static void fit_table(json_t *table, size_t room, size_t *left_out)
{
  json_t *rows = json_object_get(table, "rows");

  while (json_array_size(rows) && size_of(table) > room) {
    size_t count = json_array_size(rows);
    for (; json_array_size(rows) > count / 2; ++*left_out)
      json_array_remove(rows, json_array_size(rows) - 1);
  }
}

static void add_table(json_t *result, const struct hone__program_record *record, size_t room,
                      json_t *notes)
{
  size_t left_out = record->left_out;

  if (!record->table) return;
  fit_table(record->table, room, &left_out);
  if (size_of(record->table) > room) return;
  json_object_set(result, "table", record->table);
  if (left_out)
    json_array_append_new(
        notes,
        json_sprintf("a program reported more rows than can be kept: %zu are left out", left_out));
}

static void add_words(json_t *result, const struct hone__program_record *record, size_t room,
                      json_t *notes)
{
  size_t used;

  add_table(result, record, room, notes);
  used = json_object_get(result, "table") ? size_of(json_object_get(result, "table")) : 0;
  json_object_set_new(result, "stderr", fit_text(&record->errors, (room - used) / 2));
  used += size_of(json_object_get(result, "stderr"));
  json_object_set_new(result, "stdout", fit_text(&record->output, used < room ? room - used : 0));
}

/* ---- The whole ---- */

static json_t *result_of(const struct hone__program_record *record, size_t room, json_t *notes)
{
  json_t *result =
      json_pack("{s:s, s:o, s:f, s:i, s:I}", "class", hone__outcome_name(record->outcome),
                "evidence", hone__json_string(record->evidence.data, record->evidence.length),
                "cold_ns", record->cold_ns, "repeats", 1, "samples", (json_int_t)record->samples);

  if (isfinite(record->time_ns)) json_object_set_new(result, "time_ns", json_real(record->time_ns));
  if (room > OVERHEAD) add_words(result, record, room - OVERHEAD, notes);
  return result;
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

void hone__program_answer(const struct hone__program_job *job, struct hone__answer *answer)
{
  const struct hone__program_record *worst = worst_of(job);
  json_t *results = json_array(), *notes = json_array();

  for (size_t i = 0; i < job->count; i++)
    json_array_append_new(results, result_of(&job->records[i], ROOM / job->count, notes));
  answer->outcome = worst->outcome;
  if (worst->evidence.length) hone__text_add(&answer->evidence, worst->evidence.data);
  /* A program's start and end are full of switches: they say nothing of its measuring. */
  answer->head = json_pack("{s:o, s:I, s:f, s:i, s:i, s:o}", "results", results, "rows",
                           (json_int_t)job->rows_done, "cpu_ns", job->cpu_ns, "forced_switches", 0,
                           "cpu", -1, "notes", notes);
  /* A program that fails has had its start, its run and its end: it would do so again. */
  if (worst->outcome == HONE__OUTCOME_CRASH)
    json_object_set_new(answer->head, "final", json_true());
  if (job->time_count)
    hone__text_addn(&answer->payload, (const char *)job->times,
                    job->time_count * sizeof *job->times);
}
