/* Files first, then what was printed. Whatever is wrong ends the search: a program that wrote half
 * a file may well have printed something that looks like a time. */
#include "backend/program/program_result.h"

#include "base/file.h"
#include "base/time_bounds.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_output(const struct dirent *entry)
{
  const char *name = entry->d_name;
  size_t length = strlen(name);

  return hone__starts_with(name, "output") && length >= strlen("output.csv") &&
         strcmp(name + length - 4, ".csv") == 0;
}

/* In the order of their numbers: output_2.csv before output_10.csv. */
static size_t list_files(const char *folder, struct dirent ***out_entries)
{
  int count = folder ? scandir(folder, out_entries, is_output, versionsort) : -1;

  if (count < 0) *out_entries = NULL;
  return count < 0 ? 0 : (size_t)count;
}

static void free_files(struct dirent **entries, size_t count)
{
  for (size_t i = 0; i < count; i++)
    free(entries[i]);
  free(entries);
}

static char *path_of(const char *folder, const char *name)
{
  struct hone__text path = {0};

  hone__text_addf(&path, "%s/%s", folder, name);
  return hone__text_take(&path);
}

/* A pipe of that name would never end. */
static enum hone__program_reading read_file(const char *path, const char *name,
                                            const struct hone__program_terms *terms,
                                            struct hone__program_table *table,
                                            struct hone__text *why)
{
  enum hone__program_reading reading = HONE__READ_WRONG;
  struct stat info;
  char *text = NULL;
  size_t size;
  hone_status status;

  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    hone__text_addf(why, "%s is not a file", name);
    return HONE__READ_WRONG;
  }
  status = hone__file_read(path, HONE__PROGRAM_LARGEST_CSV, &text, &size);
  if (status)
    hone__text_add(why, hone_status_message(status));
  else
    reading = hone__program_read_csv(text, size, name, terms, table, why);
  hone_status_free(status);
  free(text);
  return reading;
}

static enum hone__program_reading read_files(const char *folder,
                                             const struct hone__program_terms *terms,
                                             struct hone__program_table *table,
                                             struct hone__text *why)
{
  struct dirent **entries;
  size_t count = list_files(folder, &entries);
  enum hone__program_reading reading = HONE__READ_NOTHING;

  for (size_t i = 0; i < count && reading != HONE__READ_WRONG; i++) {
    char *path = path_of(folder, entries[i]->d_name);
    struct hone__text own = {0};
    enum hone__program_reading next = read_file(path, entries[i]->d_name, terms, table, &own);
    if (next != HONE__READ_NOTHING) reading = next;
    if (next == HONE__READ_TIMES) hone__program_table_end_file(table);
    if (own.length && (next == HONE__READ_WRONG || !why->length)) {
      hone__text_release(why);
      hone__text_add(why, own.data);
    }
    hone__text_release(&own);
    free(path);
  }
  free_files(entries, count);
  return reading;
}

void hone__program_result_forget(const char *folder)
{
  struct dirent **entries;
  size_t count = list_files(folder, &entries);

  for (size_t i = 0; i < count; i++) {
    char *path = path_of(folder, entries[i]->d_name);
    remove(path); /* a folder too, if it is empty */
    free(path);
  }
  free_files(entries, count);
}

/* The table is the result's from now on. */
static void take(struct hone__program_table *table, struct hone__program_result *result)
{
  result->time_ns = hone__program_table_ns(table);
  result->table = hone__alloc(sizeof *result->table);
  *result->table = *table;
  *table = (struct hone__program_table){0};
  result->left_out = result->table->row_count - result->table->kept_count;
  result->outcome = HONE_OUTCOME_OK;
  hone__text_release(&result->evidence);
  if (hone__is_time(result->time_ns)) return;
  result->outcome = HONE_OUTCOME_BAD_RESULT;
  hone__text_add(&result->evidence, "the sum of its times is not a valid time");
}

void hone__program_result_read(const char *folder, const struct hone__text *output,
                               const struct hone__program_terms *terms,
                               struct hone__program_result *out_result)
{
  struct hone__program_table table = {0};
  struct hone__text *why = &out_result->evidence;
  enum hone__program_reading reading;

  *out_result = (struct hone__program_result){.outcome = HONE_OUTCOME_NO_RESULT, .time_ns = NAN};
  reading = read_files(folder, terms, &table, why);
  if (reading == HONE__READ_NOTHING)
    reading = hone__program_read_output(output, terms, &table, why);
  if (reading == HONE__READ_TIMES)
    take(&table, out_result);
  else if (reading == HONE__READ_WRONG)
    out_result->outcome = HONE_OUTCOME_BAD_RESULT;
  else if (!why->length)
    hone__text_add(why, "no output.csv, no line of JSON with a time, no number on the last line");
  hone__program_table_release(&table);
}

void hone__program_result_release(struct hone__program_result *result)
{
  if (result->table) hone__program_table_release(result->table);
  free(result->table);
  hone__text_release(&result->evidence);
  *result = (struct hone__program_result){0};
}
