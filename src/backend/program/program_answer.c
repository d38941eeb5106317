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

static void add_table(json_t *result, const struct hone__program_entry *entry, size_t room,
                      json_t *notes)
{
  size_t left_out = entry->left_out;

  if (!entry->table) return;
  fit_table(entry->table, room, &left_out);
  if (size_of(entry->table) > room) return;
  json_object_set(result, "table", entry->table);
  if (left_out)
    json_array_append_new(
        notes, json_sprintf("a program reported too many rows: %zu are ignored", left_out));
}

static void add_words(json_t *result, const struct hone__process_record *record, size_t room)
{
  size_t used;

  used = json_object_get(result, "table") ? size_of(json_object_get(result, "table")) : 0;
  json_object_set_new(result, "stderr", fit_text(&record->errors, (room - used) / 2));
  used += size_of(json_object_get(result, "stderr"));
  json_object_set_new(result, "stdout", fit_text(&record->output, used < room ? room - used : 0));
}

/* ---- The whole ---- */

static json_t *result_of(const struct hone__process_record *record,
                         const struct hone__program_entry *entry, size_t room, json_t *notes)
{
  json_t *result = hone__process_record_result(record);

  if (isfinite(entry->time_ns)) json_object_set_new(result, "time_ns", json_real(entry->time_ns));
  if (room <= OVERHEAD) return result;
  add_table(result, entry, room - OVERHEAD, notes);
  add_words(result, record, room - OVERHEAD);
  return result;
}

void hone__program_answer(const struct hone__program_job *job, struct hone__answer *answer)
{
  const struct hone__process_job *run = &job->run;
  json_t *results = json_array(), *notes = json_array();

  for (size_t i = 0; i < run->count; i++)
    json_array_append_new(results,
                          result_of(&run->records[i], &job->entries[i], ROOM / run->count, notes));
  hone__process_job_answer(run, results, notes, answer);
  /* A program that fails has had its start, its run and its end: it would do so again. */
  if (answer->outcome == HONE__OUTCOME_CRASH)
    json_object_set_new(answer->head, "final", json_true());
}
