/* To change the tables, add a row to `migrations`: it is applied to files that are older. Rows that
 * were released never change.
 *
 * Times are UTC texts. NULL is "there is none". Samples are blobs of 64-bit floats, lowest byte
 * first. A configuration is once in a run, the baseline once for each device (`slot`); in a sweep
 * it is there as often as the mesh has it. */
#include "store/migrations.h"

#include <stddef.h>
#include <stdio.h>

static const char first_tables[] =
    "CREATE TABLE runs ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  key TEXT NOT NULL,"
    "  name TEXT, spec TEXT, problem TEXT, command TEXT, options TEXT,"
    "  environment TEXT, fingerprint TEXT, space TEXT, strategy TEXT,"
    "  seed INTEGER NOT NULL, checked INTEGER NOT NULL,"
    "  state TEXT NOT NULL,"
    "  driver_pid INTEGER, driver_start TEXT, host TEXT,"
    "  started TEXT NOT NULL, ended TEXT,"
    "  verdict TEXT, why TEXT, baseline TEXT, winner TEXT,"
    "  speedup REAL, low REAL, high REAL, confidence REAL, pairs INTEGER, restarts INTEGER,"
    "  drift REAL, wall_s REAL NOT NULL DEFAULT 0, notes TEXT);"
    "CREATE INDEX runs_by_key ON runs (key);"
    "CREATE TABLE evaluations ("
    "  id INTEGER PRIMARY KEY,"
    "  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
    "  config TEXT NOT NULL, is_baseline INTEGER NOT NULL, slot TEXT NOT NULL,"
    "  candidate_key TEXT, measure_key TEXT, object TEXT, device TEXT,"
    "  outcome TEXT NOT NULL, evidence TEXT, command TEXT, tries INTEGER NOT NULL,"
    "  compile_s REAL, cached INTEGER NOT NULL, warnings TEXT, deps TEXT,"
    "  time_ns REAL, baseline_ns REAL, cold_ns REAL, cap_ns REAL, metrics TEXT,"
    "  same_as INTEGER, reused_from INTEGER,"
    "  confirmed TEXT, confirmed_speedup REAL, confirmed_low REAL, confirmed_high REAL,"
    "  confirmed_pairs INTEGER, confirmed_restarts INTEGER,"
    "  confirmed_time_ns REAL, confirmed_baseline_ns REAL,"
    "  made TEXT NOT NULL,"
    "  UNIQUE (run, config, is_baseline, slot));"
    "CREATE INDEX evaluations_by_run ON evaluations (run);"
    "CREATE INDEX evaluations_failed ON evaluations (run) WHERE outcome NOT IN ('ok', 'slow');"
    "CREATE INDEX evaluations_by_candidate ON evaluations (candidate_key)"
    "  WHERE candidate_key IS NOT NULL;"
    "CREATE INDEX evaluations_by_measure ON evaluations (measure_key)"
    "  WHERE measure_key IS NOT NULL;"
    "CREATE TABLE samples ("
    "  id INTEGER PRIMARY KEY,"
    "  evaluation INTEGER NOT NULL REFERENCES evaluations ON DELETE CASCADE,"
    "  phase TEXT NOT NULL, restart INTEGER NOT NULL,"
    "  count INTEGER NOT NULL, times_ns BLOB NOT NULL, baseline_ns BLOB, facts TEXT);"
    "CREATE INDEX samples_by_evaluation ON samples (evaluation);"
    "CREATE TABLE log ("
    "  id INTEGER PRIMARY KEY,"
    "  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
    "  at TEXT NOT NULL, line TEXT NOT NULL);"
    "CREATE INDEX log_by_run ON log (run);";

/* What programs say, and the place of a configuration in a sweep, where `slot` is that place. */
static const char program_output[] = "ALTER TABLE evaluations ADD COLUMN output TEXT;"
                                     "ALTER TABLE evaluations ADD COLUMN mesh_idx INTEGER;";

/* Configurations of operations that were imported: where a search begins. */
static const char imported_seeds[] =
    "CREATE TABLE seeds ("
    "  id INTEGER PRIMARY KEY,"
    "  operation TEXT NOT NULL, matcher TEXT NOT NULL,"
    "  compilation_info TEXT NOT NULL, decomposition_config TEXT NOT NULL,"
    "  source TEXT, made TEXT NOT NULL,"
    "  UNIQUE (matcher, compilation_info, decomposition_config));";

/* How well devices were used. */
static const char device_use[] = "ALTER TABLE runs ADD COLUMN screening TEXT;";

/* Results that are implausibly fast, and what answers were compared with. */
static const char marks_of_doubt[] = "ALTER TABLE evaluations ADD COLUMN suspicious TEXT;"
                                     "ALTER TABLE runs ADD COLUMN answers TEXT;";

/* Runs that take no times of earlier runs, also when they are resumed. */
static const char fresh_runs[] = "ALTER TABLE runs ADD COLUMN fresh INTEGER NOT NULL DEFAULT 0;";

/* In which order the search asked: results come in any order. */
static const char order_of_asking[] = "ALTER TABLE evaluations ADD COLUMN asked INTEGER;";

/* Baselines that have two times: a field next to the note that says so. */
static const char baseline_groups[] = "ALTER TABLE runs ADD COLUMN two_groups TEXT;";

/* When the process that makes a run began with it, and what was tuned, whatever the search. */
static const char makers_and_problems[] = "ALTER TABLE runs ADD COLUMN taken TEXT;"
                                          "ALTER TABLE runs ADD COLUMN problem_key TEXT;"
                                          "CREATE INDEX runs_by_problem ON runs (problem_key);";

/* What a run was measured on, and the file that an imported one came from. */
static const char devices_of_runs[] = "ALTER TABLE runs ADD COLUMN devices TEXT;"
                                      "ALTER TABLE runs ADD COLUMN imported TEXT;";

/* Names of runs that later ones are compared with. */
static const char names_of_baselines[] = "CREATE TABLE saved_baselines ("
                                         "  name TEXT NOT NULL,"
                                         "  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
                                         "  PRIMARY KEY (name, run)) WITHOUT ROWID;";

/* A run keeps its name when stores are merged; which part of the space it searches. */
static const char parts_and_names[] =
    "ALTER TABLE runs ADD COLUMN uid TEXT;"
    "ALTER TABLE runs ADD COLUMN part TEXT;"
    "UPDATE runs SET uid = key || ' ' || started || ' ' || ifnull(host, '') || ' ' || id;"
    "CREATE UNIQUE INDEX runs_by_uid ON runs (uid);";

/* What each worker did when: jobs from their start to their end, and when workers came and went. A
 * key begins with its run, so that rows of a run lie together and need no other index. Times are
 * microseconds of work: what passed between a run and its continuation does not count. */
static const char jobs_of_workers[] =
    "CREATE TABLE workers ("
    "  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, number INTEGER NOT NULL,"
    "  role TEXT NOT NULL, name TEXT NOT NULL, host TEXT,"
    "  PRIMARY KEY (run, number), UNIQUE (run, role, name)) WITHOUT ROWID;"
    "CREATE TABLE jobs ("
    "  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, number INTEGER NOT NULL,"
    "  worker INTEGER NOT NULL, phase TEXT NOT NULL,"
    "  began_us INTEGER NOT NULL, took_us INTEGER NOT NULL,"
    "  outcome TEXT, requeued INTEGER NOT NULL, candidate INTEGER,"
    "  PRIMARY KEY (run, number)) WITHOUT ROWID;";

static const char *const migrations[] = {
    first_tables,        /* 1 */
    program_output,      /* 2 */
    imported_seeds,      /* 3 */
    device_use,          /* 4 */
    marks_of_doubt,      /* 5 */
    fresh_runs,          /* 6 */
    order_of_asking,     /* 7 */
    baseline_groups,     /* 8 */
    makers_and_problems, /* 9 */
    devices_of_runs,     /* 10 */
    names_of_baselines,  /* 11 */
    parts_and_names,     /* 12 */
    jobs_of_workers,     /* 13 */
};

enum { LATEST = sizeof migrations / sizeof *migrations };

int hone__migrations_latest(void)
{
  return LATEST;
}

static int version_of(sqlite3 *database, int *out_version)
{
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(database, "PRAGMA user_version", -1, &statement, NULL);

  if (code == SQLITE_OK) code = sqlite3_step(statement);
  if (code == SQLITE_ROW) *out_version = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return code == SQLITE_ROW ? SQLITE_OK : code;
}

static int apply_from(sqlite3 *database, int version)
{
  char marks[96];
  int code = SQLITE_OK;

  for (; code == SQLITE_OK && version < LATEST; version++)
    code = sqlite3_exec(database, migrations[version], NULL, NULL, NULL);
  if (code != SQLITE_OK) return code;
  snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d",
           HONE__STORE_APPLICATION, LATEST);
  return sqlite3_exec(database, marks, NULL, NULL, NULL);
}

int hone__migrations_apply(sqlite3 *database)
{
  int version = 0;
  int code = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);

  if (code != SQLITE_OK) return code;
  code = version_of(database, &version); /* another process may have been here first */
  if (code == SQLITE_OK && version < LATEST) code = apply_from(database, version);
  if (code == SQLITE_OK) code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  return code;
}
