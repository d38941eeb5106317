/* The rows of another store become rows of this one, in one transaction. Two maps say which number
 * each run and each evaluation of the other store has here; what refers to them is renumbered.
 * Columns are listed by the tables themselves, so that later ones are copied too. */
#include "store/store_internal.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs that are not here, or have gone on since they were copied, are copied. */
static const char map_runs[] =
    "CREATE TEMP TABLE merged_runs (old INTEGER PRIMARY KEY, new INTEGER, copied, is_new);"
    "CREATE TEMP TABLE merged_evaluations (old INTEGER PRIMARY KEY, new INTEGER);"
    "CREATE TEMP TABLE replaced (old INTEGER PRIMARY KEY, run, config, is_baseline, slot);"
    "CREATE TEMP TABLE kept_names (name, run);"
    "INSERT INTO merged_runs SELECT theirs.id, ours.id, ours.id IS NULL"
    "    OR (SELECT count(*) FROM other.evaluations WHERE run = theirs.id)"
    "     > (SELECT count(*) FROM main.evaluations WHERE run = ours.id)"
    "    OR ifnull(theirs.ended, '') > ifnull(ours.ended, ''), ours.id IS NULL"
    "  FROM other.runs AS theirs LEFT JOIN main.runs AS ours ON ours.uid = theirs.uid;"
    "INSERT INTO replaced SELECT id, run, config, is_baseline, slot FROM main.evaluations"
    "  WHERE run IN (SELECT new FROM merged_runs WHERE copied AND NOT is_new);"
    "INSERT INTO kept_names SELECT name, run FROM main.saved_baselines"
    "  WHERE run IN (SELECT new FROM merged_runs WHERE copied AND NOT is_new);"
    "DELETE FROM main.runs WHERE id IN (SELECT new FROM merged_runs WHERE copied AND NOT is_new);"
    "UPDATE merged_runs SET new = numbered.new FROM"
    "  (SELECT old, row_number() OVER (ORDER BY old) +"
    "     ifnull((SELECT seq FROM main.sqlite_sequence WHERE name = 'runs'), 0) AS new"
    "   FROM merged_runs WHERE is_new) AS numbered"
    "  WHERE numbered.old = merged_runs.old;";

static const char map_evaluations[] =
    "INSERT INTO merged_evaluations SELECT id, row_number() OVER (ORDER BY id) +"
    "    ifnull((SELECT max(id) FROM main.evaluations), 0)"
    "  FROM other.evaluations WHERE run IN (SELECT old FROM merged_runs WHERE copied);"
    "INSERT INTO merged_evaluations SELECT theirs.id, ours.id"
    "  FROM merged_runs JOIN other.evaluations AS theirs ON theirs.run = merged_runs.old"
    "  JOIN main.evaluations AS ours ON ours.run = merged_runs.new AND ours.config = theirs.config"
    "    AND ours.is_baseline = theirs.is_baseline AND ours.slot = theirs.slot"
    "  WHERE NOT merged_runs.copied;";

/* The best of other kinds of devices are named by the numbers of their runs. */
static const char renumber[] =
    "UPDATE main.evaluations SET reused_from = (SELECT now.id FROM replaced"
    "    JOIN main.evaluations AS now ON now.run = replaced.run AND now.config = replaced.config"
    "      AND now.is_baseline = replaced.is_baseline AND now.slot = replaced.slot"
    "    WHERE replaced.old = evaluations.reused_from)"
    "  WHERE reused_from IN (SELECT old FROM replaced)"
    "    AND run NOT IN (SELECT new FROM merged_runs WHERE copied);"
    "UPDATE main.runs SET devices = json_set(devices, '$.elsewhere',"
    "    (SELECT json_group_array(json_set(value, '$.run', ifnull((SELECT new FROM merged_runs"
    "       WHERE old = json_extract(value, '$.run')), 0)))"
    "     FROM json_each(devices, '$.elsewhere')))"
    "  WHERE id IN (SELECT new FROM merged_runs WHERE copied) AND json_valid(devices)"
    "    AND json_type(devices, '$.elsewhere') = 'array';";

/* A name that has a run of this kernel and problem here stays with it. */
static const char copy_names[] =
    "INSERT INTO main.saved_baselines SELECT name, run FROM kept_names;"
    "INSERT OR IGNORE INTO main.saved_baselines SELECT theirs.name, own.id"
    "  FROM other.saved_baselines AS theirs JOIN merged_runs ON merged_runs.old = theirs.run"
    "  JOIN main.runs AS own ON own.id = merged_runs.new"
    "  WHERE NOT EXISTS (SELECT 1 FROM main.saved_baselines AS ours"
    "    JOIN main.runs AS named ON named.id = ours.run WHERE ours.name = theirs.name"
    "      AND named.name IS own.name AND named.problem IS own.problem);";

static const char forget_maps[] = "DROP TABLE merged_runs; DROP TABLE merged_evaluations;"
                                  "DROP TABLE replaced; DROP TABLE kept_names;";

/* ---- Copying ---- */

struct copied_table {
  const char *name;
  const char *own;    /* columns that are not copied as they are */
  const char *values; /* what they are here */
  const char *rows;   /* which of the other's rows, called `theirs`, and in which order */
  bool skips_known;   /* rows that are here already are left out */
};
static const struct copied_table runs_table = {
    .name = "runs",
    .own = "id",
    .values = "merged_runs.new",
    .rows =
        "JOIN merged_runs ON merged_runs.old = theirs.id WHERE copied ORDER BY merged_runs.new"};
static const struct copied_table evaluations_table = {
    .name = "evaluations",
    .own = "id, run, same_as, reused_from",
    .values = "here.new, merged_runs.new, (SELECT new FROM merged_evaluations WHERE old = "
              "theirs.same_as), "
              "(SELECT new FROM merged_evaluations WHERE old = theirs.reused_from)",
    .rows =
        "JOIN merged_runs ON merged_runs.old = theirs.run "
        "JOIN merged_evaluations AS here ON here.old = theirs.id WHERE copied ORDER BY here.new"};
static const struct copied_table samples_table = {
    .name = "samples",
    .own = "id, evaluation",
    .values = "NULL, here.new",
    .rows = "JOIN merged_evaluations AS here ON here.old = theirs.evaluation "
            "JOIN other.evaluations AS owner ON owner.id = theirs.evaluation "
            "JOIN merged_runs ON merged_runs.old = owner.run WHERE copied ORDER BY theirs.id"};
static const struct copied_table log_table = {
    .name = "log",
    .own = "id, run",
    .values = "NULL, merged_runs.new",
    .rows = "JOIN merged_runs ON merged_runs.old = theirs.run WHERE copied ORDER BY theirs.id"};
static const struct copied_table workers_table = {
    .name = "workers",
    .own = "run",
    .values = "merged_runs.new",
    .rows = "JOIN merged_runs ON merged_runs.old = theirs.run WHERE copied"};
static const struct copied_table jobs_table = {
    .name = "jobs",
    .own = "run",
    .values = "merged_runs.new",
    .rows = "JOIN merged_runs ON merged_runs.old = theirs.run WHERE copied"};
static const struct copied_table seeds_table = {.name = "seeds",
                                                .own = "id",
                                                .values = "NULL",
                                                .rows = "ORDER BY theirs.id",
                                                .skips_known = true};

static hone_status execute(struct hone_store *store, const char *text)
{
  int code = sqlite3_exec(store->database, text, NULL, NULL, NULL);

  return code == SQLITE_OK ? NULL : hone__store_failure(store, true);
}

/* Names of the columns that are copied as they are, each after a comma and `prefix`. */
static hone_status add_columns(struct hone_store *store, const struct copied_table *table,
                               const char *prefix, struct hone__text *text)
{
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(store->database,
                                "SELECT name FROM pragma_table_info(?1) WHERE "
                                "instr(', ' || ?2 || ',', ', ' || name || ',') = 0 ORDER BY cid",
                                -1, &statement, NULL);

  if (code == SQLITE_OK) hone__store_bind(statement, "tt", table->name, table->own);
  while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    hone__text_addf(text, ", %s%s", prefix, (const char *)sqlite3_column_text(statement, 0));
    code = SQLITE_OK;
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? NULL : hone__store_failure(store, false);
}

static hone_status copy(struct hone_store *store, const struct copied_table *table)
{
  struct hone__text text = {0};
  hone_status status;

  hone__text_addf(&text, "INSERT %sINTO main.%s (%s", table->skips_known ? "OR IGNORE " : "",
                  table->name, table->own);
  status = add_columns(store, table, "", &text);
  hone__text_addf(&text, ") SELECT %s", table->values);
  if (!status) status = add_columns(store, table, "theirs.", &text);
  hone__text_addf(&text, " FROM other.%s AS theirs %s", table->name, table->rows);
  if (!status) status = execute(store, text.data);
  hone__text_release(&text);
  return status;
}

static hone_status count(struct hone_store *store, struct hone__store_merged *out_merged)
{
  static const char text[] = "SELECT ifnull(sum(is_new), 0), ifnull(sum(copied AND NOT is_new), 0),"
                             " ifnull(sum(NOT copied), 0) FROM temp.merged_runs";
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(store->database, text, -1, &statement, NULL);

  if (code == SQLITE_OK) code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    *out_merged =
        (struct hone__store_merged){.added = (uint64_t)sqlite3_column_int64(statement, 0),
                                    .grown = (uint64_t)sqlite3_column_int64(statement, 1),
                                    .known = (uint64_t)sqlite3_column_int64(statement, 2)};
  sqlite3_finalize(statement);
  return code == SQLITE_ROW ? NULL : hone__store_failure(store, false);
}

static hone_status copy_all(struct hone_store *store, struct hone__store_merged *out_merged)
{
  hone_status status = execute(store, map_runs);

  if (!status) status = count(store, out_merged);
  if (!status) status = copy(store, &runs_table);
  if (!status) status = execute(store, map_evaluations);
  if (!status) status = copy(store, &evaluations_table);
  if (!status) status = copy(store, &samples_table);
  if (!status) status = copy(store, &log_table);
  if (!status) status = copy(store, &workers_table);
  if (!status) status = copy(store, &jobs_table);
  if (!status) status = copy(store, &seeds_table);
  if (!status) status = execute(store, renumber);
  if (!status) status = execute(store, copy_names);
  return status ? status : execute(store, forget_maps);
}

/* ---- The other store ---- */

/* It is sound, and has the tables of this version. */
static hone_status check_other(const char *path)
{
  struct hone_store *other = NULL;
  hone_status status = hone__store_open(path, true, &other);

  hone__store_close(other);
  return status;
}

static bool is_same_file(const struct hone_store *store, const char *path)
{
  struct stat here, there;

  return stat(store->path, &here) == 0 && stat(path, &there) == 0 && here.st_dev == there.st_dev &&
         here.st_ino == there.st_ino;
}

static hone_status attach(struct hone_store *store, const char *path)
{
  char *absolute = realpath(path, NULL); /* SQLite's special names are relative */
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(store->database, "ATTACH ?1 AS other", -1, &statement, NULL);

  if (code == SQLITE_OK) hone__store_bind(statement, "t", absolute ? absolute : path);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  sqlite3_finalize(statement);
  free(absolute);
  return code == SQLITE_DONE ? NULL : hone__store_failure(store, false);
}

hone_status hone__store_merge(struct hone_store *store, const char *from,
                              struct hone__store_merged *out_merged)
{
  hone_status status = check_other(from);

  *out_merged = (struct hone__store_merged){0};
  if (status || is_same_file(store, from)) return status;
  status = attach(store, from);
  if (status) return hone__annotate(status, "cannot merge the store '%s'", from);
  status = hone__store_begin(store);
  if (!status) status = hone__store_end(store, copy_all(store, out_merged));
  sqlite3_exec(store->database, "DETACH other", NULL, NULL, NULL);
  return status ? hone__annotate(status, "cannot merge the store '%s'", from) : NULL;
}

hone_status hone_store_merge(const char *into, const char *from, uint64_t *out_added,
                             uint64_t *out_known)
{
  struct hone__store_merged merged = {0};
  struct hone_store *store = NULL;
  hone_status status = hone__store_open(into, false, &store);

  if (!status) status = hone__store_merge(store, from, &merged);
  if (!status) status = hone__store_sync(store);
  hone__store_close(store);
  *out_added = merged.added + merged.grown;
  *out_known = merged.known;
  return status;
}

bool hone_store_is_store(const char *path)
{
  static const char magic[16] = "SQLite format 3";
  char begin[sizeof magic] = {0};
  FILE *file = fopen(path, "re");
  bool found = file && fread(begin, sizeof begin, 1, file) == 1;

  if (file) fclose(file);
  return found && memcmp(begin, magic, sizeof magic) == 0;
}
