/* hone_results.h - what runs have found: reports, rows, comparisons, exports and pages.
 *
 * A report is one run: its verdict, its winner, what failed. Results are the rows of a run or of a
 * CSV file, with every column that programs reported. In rising order of power: read a report; read
 * rows; look at them, compare them; write them into files, sources and pages.
 *
 *   struct hone_store *store = NULL;
 *   struct hone_report *report = NULL;
 *
 *   status = hone_store_open(NULL, &store);
 *   if (!status) status = hone_report_load(store, 0, &report);
 *   if (!status && hone_report_verdict(report) == HONE_VERDICT_IMPROVED) {
 *     const struct hone_params *params = hone_report_winner_params(report);
 *     printf("%.2fx, from %.2fx to %.2fx\n", hone_report_speedup(report), hone_report_low(report),
 *            hone_report_high(report));
 *     for (size_t i = 0; i < hone_params_count(params); i++)
 *       printf("%s is %s\n", hone_params_name(params, i), hone_params_text(params, i));
 *   }
 *   hone_report_free(report);
 *   hone_store_free(store);
 *
 * In C++ some functions have the name of a struct: write `const struct hone_report_row *`, or auto.
 *
 * Handles of rows, points and the like are lent by what they are taken from, until that is freed;
 * where there are not that many the handle is NULL. Texts are "" and numbers NaN where there is
 * nothing.
 */
#ifndef HONE_RESULTS_H
#define HONE_RESULTS_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Parameters: a configuration, value by value ----------------------------------------------
 */

struct hone_params; /* opaque */

/* Those of a configuration "BM=64,BN='a,b'", as reports have it; to be given to hone_params_free.
 */
HONE_API struct hone_params *hone_params_parse(const char *config);
/* Not for those that a report or a row lends. */
HONE_API void hone_params_free(struct hone_params *params);

HONE_API size_t hone_params_count(const struct hone_params *params);
/* Without `$`; NULL: there are not that many. */
HONE_API const char *hone_params_name(const struct hone_params *params, size_t i);
/* With its type: None, a truth value, an integer, a float, else a text, which is lent. */
HONE_API struct hone_value hone_params_value(const struct hone_params *params, size_t i);
/* As Python's str() has it; NULL: there are not that many. */
HONE_API const char *hone_params_text(const struct hone_params *params, size_t i);
HONE_API bool hone_params_is_runtime(const struct hone_params *params, size_t i); /* `$name` */
/* The value of this name; false: there is none. */
HONE_API bool hone_params_find(const struct hone_params *params, const char *name,
                               struct hone_value *out_value);

/* ---- Report: one run ---------------------------------------------------------------------------
 *
 * As `hone tune` prints it at its end and `hone show RUN` later.
 */

struct hone_report; /* opaque */

/* `run` 0: the newest. NOT_FOUND if there is none. */
HONE_API hone_status hone_report_load(struct hone_store *store, int64_t run,
                                      struct hone_report **out_report);
HONE_API void hone_report_free(struct hone_report *report);
/* The report as JSON, with every evaluation and its raw samples; hone_free(). */
HONE_API hone_status hone_report_json(struct hone_store *store, int64_t run, char **out_json);

HONE_API enum hone_verdict hone_report_verdict(const struct hone_report *report);
HONE_API const char *hone_report_sentence(const struct hone_report *report); /* for a person */
/* Configurations, "BM=64,BN=32", and the same value by value. The winner is proved to be faster if
 * the verdict is IMPROVED; else it is the best of those that were confirmed. Without one the text
 * is "" and the count of the parameters 0. */
HONE_API const char *hone_report_winner(const struct hone_report *report);
HONE_API const struct hone_params *hone_report_winner_params(const struct hone_report *report);
HONE_API const char *hone_report_baseline(const struct hone_report *report);
HONE_API const struct hone_params *hone_report_baseline_params(const struct hone_report *report);
/* Of the winner over the baseline: the speedup, and the interval that holds it with this
 * confidence. */
HONE_API double hone_report_speedup(const struct hone_report *report);
HONE_API double hone_report_low(const struct hone_report *report);
HONE_API double hone_report_high(const struct hone_report *report);
HONE_API double hone_report_confidence(const struct hone_report *report);
/* It was tuned, and nothing is proved: no verdict, or INCONCLUSIVE. */
HONE_API bool hone_report_is_unconfirmed(const struct hone_report *report);

/* Which run it is, and of what. */
HONE_API int64_t hone_report_run(const struct hone_report *report);
HONE_API enum hone_run_state hone_report_state(const struct hone_report *report);
HONE_API bool hone_report_is_sweep(const struct hone_report *report); /* a run of hone_sweep */
HONE_API const char *hone_report_name(const struct hone_report *report);
HONE_API const char *hone_report_problem(const struct hone_report *report);
HONE_API const char *hone_report_spec(const struct hone_report *report);    /* its file */
HONE_API const char *hone_report_command(const struct hone_report *report); /* that made it */
HONE_API const char *hone_report_started(const struct hone_report *report);
HONE_API const char *hone_report_strategy(const struct hone_report *report);
HONE_API uint64_t hone_report_seed(const struct hone_report *report);
/* How many legal configurations there are, "52920"; "": not known. */
HONE_API const char *hone_report_space(const struct hone_report *report);
/* Which part of all of them: "2/3" is the second of three; "": all. */
HONE_API const char *hone_report_part(const struct hone_report *report);
HONE_API const char *hone_report_environment(const struct hone_report *report);
HONE_API const char *hone_report_fingerprint(const struct hone_report *report);
/* Devices of several kinds have a run each: the kind of this one's, "NVIDIA H200 (cuda:0)"; "":
 * there was only one. */
HONE_API const char *hone_report_kind(const struct hone_report *report);
/* How fast the winners of the other runs are on this run's devices. */
struct hone_report_elsewhere; /* opaque */
HONE_API size_t hone_report_elsewhere_count(const struct hone_report *report);
HONE_API const struct hone_report_elsewhere *hone_report_elsewhere(const struct hone_report *report,
                                                                   size_t i);
HONE_API int64_t hone_report_elsewhere_run(const struct hone_report_elsewhere *elsewhere);
HONE_API const char *hone_report_elsewhere_config(const struct hone_report_elsewhere *elsewhere);
/* "ok", or why it does not work here. */
HONE_API const char *hone_report_elsewhere_outcome(const struct hone_report_elsewhere *elsewhere);
/* Over this run's baseline; NaN: it does not work here. */
HONE_API double hone_report_elsewhere_speedup(const struct hone_report_elsewhere *elsewhere);
HONE_API double hone_report_wall_s(const struct hone_report *report);
/* By which share the baseline's time has changed during the run. */
HONE_API double hone_report_drift(const struct hone_report *report);

/* What answers were compared with. id, name */
#define HONE_ANSWERS(X)                                                                            \
  X(UNKNOWN, "") /* older runs say only that they were compared */                                 \
  X(REFERENCE, "reference")                                                                        \
  X(BASELINE, "baseline")                                                                          \
  X(COMMAND, "command")   /* of the spec */                                                        \
  X(PROGRAM, "program")   /* by the served program itself */                                       \
  X(RECORDED, "recorded") /* not compared: it is a recording */                                    \
  X(NONE, "none")                                                                                  \
  X(FUNCTION, "function") /* in C, of the spec */

enum hone_answers {
#define HONE__ANSWERS_PUBLIC(id, name) HONE_ANSWERS_##id,
  HONE_ANSWERS(HONE__ANSWERS_PUBLIC)
#undef HONE__ANSWERS_PUBLIC
};
HONE_API const char *hone_answers_name(enum hone_answers answers); /* "reference" */
HONE_API enum hone_answers hone_report_answers(const struct hone_report *report);
/* For a person: "compared with the reference". */
HONE_API const char *hone_report_answers_text(const struct hone_report *report);

/* Counts of evaluations: all; what became of them; and of those, which were not measured here, run
 * the object of another one, were compiled, had been built before. */
HONE_API uint64_t hone_report_evaluation_count(const struct hone_report *report);
HONE_API uint64_t hone_report_ok_count(const struct hone_report *report);
HONE_API uint64_t hone_report_slow_count(const struct hone_report *report);
HONE_API uint64_t hone_report_failed_count(const struct hone_report *report);
HONE_API uint64_t hone_report_reused_count(const struct hone_report *report);
HONE_API uint64_t hone_report_same_object_count(const struct hone_report *report);
HONE_API uint64_t hone_report_compiled_count(const struct hone_report *report);
HONE_API uint64_t hone_report_cached_count(const struct hone_report *report);

HONE_API size_t hone_report_note_count(const struct hone_report *report);
HONE_API const char *hone_report_note(const struct hone_report *report, size_t note);
/* "2026-11-15 10:00:00 text" */
HONE_API size_t hone_report_log_count(const struct hone_report *report);
HONE_API const char *hone_report_log(const struct hone_report *report, size_t line);

/* ---- Report: its rows -------------------------------------------------------------------------
 */

struct hone_report_row; /* a candidate that works; lent by the report */

/* The baseline first, on each device, then the best first. */
HONE_API size_t hone_report_row_count(const struct hone_report *report);
HONE_API const struct hone_report_row *hone_report_row(const struct hone_report *report,
                                                       size_t row);
/* The row of the winner, and of the baseline on the first device; NULL: there is none. */
HONE_API const struct hone_report_row *hone_report_winner_row(const struct hone_report *report);
HONE_API const struct hone_report_row *hone_report_baseline_row(const struct hone_report *report);

HONE_API const char *hone_report_row_config(const struct hone_report_row *row);
HONE_API bool hone_report_row_is_baseline(const struct hone_report_row *row);
HONE_API bool hone_report_row_is_winner(const struct hone_report_row *row);
HONE_API bool hone_report_row_is_confirmed(const struct hone_report_row *row);
/* Its confirmed interval reaches that of the proved winner: which is faster is not known. */
HONE_API bool hone_report_row_is_tied(const struct hone_report_row *row);
HONE_API enum hone_outcome hone_report_row_outcome(const struct hone_report_row *row);
HONE_API const char *hone_report_row_device(const struct hone_report_row *row);
HONE_API enum hone_verdict hone_report_row_verdict(const struct hone_report_row *row);
/* Of confirmation samples alone if it is confirmed; else of screening. */
HONE_API double hone_report_row_time_ns(const struct hone_report_row *row);
/* The shortest and the longest sample of what is confirmed, and of the baseline; else NaN. */
HONE_API double hone_report_row_least_ns(const struct hone_report_row *row);
HONE_API double hone_report_row_greatest_ns(const struct hone_report_row *row);
/* Over the baseline, with its interval if it is confirmed; and that of screening. */
HONE_API double hone_report_row_speedup(const struct hone_report_row *row);
HONE_API double hone_report_row_low(const struct hone_report_row *row);
HONE_API double hone_report_row_high(const struct hone_report_row *row);
HONE_API double hone_report_row_screen_speedup(const struct hone_report_row *row);
HONE_API uint64_t hone_report_row_pairs(const struct hone_report_row *row);
HONE_API uint64_t hone_report_row_restarts(const struct hone_report_row *row);
HONE_API uint64_t hone_report_row_samples(const struct hone_report_row *row);
HONE_API double hone_report_row_compile_s(const struct hone_report_row *row);
/* That reproduces it: hone run ... */
HONE_API const char *hone_report_row_command(const struct hone_report_row *row);
/* Why its time is implausible; "": it is not. */
HONE_API const char *hone_report_row_suspicious(const struct hone_report_row *row);
/* Of a pipeline: its stages, and the share of the time that each takes, from 0 to 1. */
HONE_API size_t hone_report_row_stage_count(const struct hone_report_row *row);
HONE_API const char *hone_report_row_stage_name(const struct hone_report_row *row, size_t stage);
HONE_API double hone_report_row_stage_share(const struct hone_report_row *row, size_t stage);

/* Metrics of the spec: their names, and a row's values as texts. */
HONE_API size_t hone_report_metric_count(const struct hone_report *report);
HONE_API const char *hone_report_metric_name(const struct hone_report *report, size_t metric);
HONE_API const char *hone_report_row_metric(const struct hone_report_row *row, size_t metric);

/* ---- Report: its failures ---------------------------------------------------------------------
 */

struct hone_report_failure; /* a kind of failure with an example; lent by the report */

/* Most frequent first. */
HONE_API size_t hone_report_failure_count(const struct hone_report *report);
HONE_API const struct hone_report_failure *hone_report_failure(const struct hone_report *report,
                                                               size_t failure);

HONE_API enum hone_outcome hone_report_failure_outcome(const struct hone_report_failure *failure);
HONE_API const char *hone_report_failure_text(const struct hone_report_failure *failure);
/* How many failed so. */
HONE_API uint64_t hone_report_failure_candidates(const struct hone_report_failure *failure);
/* The example. */
HONE_API const char *hone_report_failure_config(const struct hone_report_failure *failure);
HONE_API const char *hone_report_failure_evidence(const struct hone_report_failure *failure);
HONE_API const char *hone_report_failure_command(const struct hone_report_failure *failure);

/* ---- Report: its Pareto set --------------------------------------------------------------------
 *
 * Of a run with several objectives: the configurations that no other one beats, being nowhere worse
 * and somewhere better. Times are those of screening, which have noise, and of finalists those that
 * were confirmed.
 */

struct hone_pareto;       /* lent by the report */
struct hone_pareto_point; /* likewise */

/* NULL: there was one objective. */
HONE_API const struct hone_pareto *hone_report_pareto(const struct hone_report *report);

/* id, name */
#define HONE_UNITS(X)                                                                              \
  X(NONE, "")                                                                                      \
  X(NS, "ns")                                                                                      \
  X(J, "J")

enum hone_unit {
#define HONE__UNIT_ENUM(id, name) HONE_UNIT_##id,
  HONE_UNITS(HONE__UNIT_ENUM)
#undef HONE__UNIT_ENUM
};
HONE_API const char *hone_unit_name(enum hone_unit unit); /* "ns" */

/* 2 at least: those that have numbers. */
enum { HONE_PARETO_OBJECTIVES = 3 }; /* at most */
HONE_API size_t hone_pareto_objective_count(const struct hone_pareto *pareto);
/* "time", "energy", or of a metric. */
HONE_API const char *hone_pareto_objective_name(const struct hone_pareto *pareto, size_t objective);
HONE_API enum hone_unit hone_pareto_objective_unit(const struct hone_pareto *pareto,
                                                   size_t objective);
HONE_API bool hone_pareto_objective_is_maximised(const struct hone_pareto *pareto,
                                                 size_t objective);

/* All that work: members first, the best by the first objective before all. */
HONE_API size_t hone_pareto_point_count(const struct hone_pareto *pareto);
HONE_API size_t hone_pareto_member_count(const struct hone_pareto *pareto);
HONE_API const struct hone_pareto_point *hone_pareto_point(const struct hone_pareto *pareto,
                                                           size_t point);

HONE_API const char *hone_pareto_point_config(const struct hone_pareto_point *point);
HONE_API const char *hone_pareto_point_command(const struct hone_pareto_point *point);
HONE_API int64_t hone_pareto_point_id(const struct hone_pareto_point *point); /* of evaluation */
HONE_API bool hone_pareto_point_is_member(const struct hone_pareto_point *point);
HONE_API bool hone_pareto_point_is_baseline(const struct hone_pareto_point *point);
HONE_API bool hone_pareto_point_is_confirmed(const struct hone_pareto_point *point);
/* As measured; and the ratio to the baseline's. */
HONE_API double hone_pareto_point_value(const struct hone_pareto_point *point, size_t objective);
HONE_API double hone_pareto_point_ratio(const struct hone_pareto_point *point, size_t objective);

/* ---- Results: rows that programs reported, of a run or of a CSV file ---------------------------
 */

struct hone_results; /* opaque */

/* `run` 0: the newest. Also of a run of hone_tune. */
HONE_API hone_status hone_results_load(struct hone_store *store, int64_t run,
                                       struct hone_results **out_results);
/* A CSV file of a sweep, of kbench, or of a program itself; "-": standard input. INVALID_SPEC says
 * where it is wrong: "a.csv:3: ...". */
HONE_API hone_status hone_results_read(const char *path, struct hone_results **out_results);
HONE_API void hone_results_free(struct hone_results *results);
/* Reads the samples of all rows of a run, from which a comparison judges changes. */
HONE_API hone_status hone_results_load_samples(struct hone_store *store,
                                               struct hone_results *results);

/* "run 12", or the file's name; the run, 0: a file. */
HONE_API const char *hone_results_origin(const struct hone_results *results);
HONE_API int64_t hone_results_run(const struct hone_results *results);
HONE_API enum hone_run_state hone_results_state(const struct hone_results *results);
/* Of a run; "" of a file: the spec's name; the program's file, absolute; sizes and shape,
 * "M=1 N=3"; "time", "maximise GB/s, energy"; "c", "cuda:0, cuda:1"; "AMD EPYC 9554, 64 CPUs"; the
 * sizes, and what the spec says of building and running, as YAML. */
HONE_API const char *hone_results_name(const struct hone_results *results);
HONE_API const char *hone_results_file(const struct hone_results *results);
HONE_API const char *hone_results_problem(const struct hone_results *results);
HONE_API const char *hone_results_objective(const struct hone_results *results);
HONE_API const char *hone_results_devices(const struct hone_results *results);
HONE_API const char *hone_results_machine(const struct hone_results *results);
HONE_API const char *hone_results_settings(const struct hone_results *results);
/* Instances, those of them that work, and of these the ones that were cut off as slow. */
HONE_API uint64_t hone_results_instance_count(const struct hone_results *results);
HONE_API uint64_t hone_results_valid_count(const struct hone_results *results);
HONE_API uint64_t hone_results_slow_count(const struct hone_results *results);
HONE_API double hone_results_build_s(const struct hone_results *results);
HONE_API double hone_results_run_s(const struct hone_results *results);
HONE_API double hone_results_wall_s(const struct hone_results *results);
/* The run has several objectives: rows say whether they are of its Pareto set. */
HONE_API bool hone_results_has_pareto(const struct hone_results *results);

HONE_API size_t hone_results_column_count(const struct hone_results *results);
HONE_API const char *hone_results_column(const struct hone_results *results, size_t column);
/* More is better: as the spec says of what it is tuned for; of others all but times, energy and
 * power. */
HONE_API bool hone_results_column_is_maximised(const struct hone_results *results, size_t column);
/* Columns of the first row's instance: `spec` and `kbench_filter` follow these in CSV, then the
 * others. */
HONE_API size_t hone_results_lead_count(const struct hone_results *results);
/* "met (ms)", "met (s)" ..., SIZE_MAX: none; and its unit, 1e-3 for ms. */
HONE_API size_t hone_results_time_column(const struct hone_results *results);
HONE_API double hone_results_time_unit_s(const struct hone_results *results);
/* The metric that a run was tuned for, else the time; SIZE_MAX: neither. */
HONE_API size_t hone_results_aim_column(const struct hone_results *results);
/* The column of this name, or whose name begins so (letters' case aside); NULL: the metric that the
 * run was tuned for, else the time. NOT_FOUND lists what there is. */
HONE_API hone_status hone_results_find_column(const struct hone_results *results,
                                              const char *metric, size_t *out_column,
                                              bool *out_maximise);

/* ---- Results: rows, builds, failures ----------------------------------------------------------
 */

struct hone_result_row; /* lent by the results */

/* In mesh order. */
HONE_API size_t hone_results_row_count(const struct hone_results *results);
HONE_API const struct hone_result_row *hone_results_row(const struct hone_results *results,
                                                        size_t row);

/* The number of its instance, which several rows may share; and what it is: "mesh_idx"; "row", the
 * row's number from 0, of a file that has no such column. */
HONE_API uint64_t hone_result_row_index(const struct hone_result_row *row);
HONE_API const char *hone_results_index_name(const struct hone_results *results);
HONE_API const char *
hone_result_row_spec(const struct hone_result_row *row); /* "stem/BM=64/$x=0" */
HONE_API const struct hone_params *hone_result_row_params(const struct hone_result_row *row);
/* The value of a parameter, or of the `input_id` that its spec ends with; NULL: it has none of this
 * name. */
HONE_API const char *hone_result_row_value(const struct hone_result_row *row, const char *name);
/* A cell: as it is in CSV, without quotes; and as a number, NaN: it is a text. */
HONE_API const char *hone_result_row_text(const struct hone_result_row *row, size_t column);
HONE_API double hone_result_row_number(const struct hone_result_row *row, size_t column);
HONE_API bool hone_result_row_is_pareto(const struct hone_result_row *row);

/* How far a row can be relied on. id, name */
#define HONE_BASES(X)                                                                              \
  X(MEASURED, "measured")   /* once: of a sweep or of a file */                                    \
  X(CONFIRMED, "confirmed") /* in pairs with the baseline */                                       \
  X(SCREENING, "screening") /* a few samples */                                                    \
  X(SLOW, "slow")           /* cut off, since others are faster */

enum hone_basis {
#define HONE__BASIS_ENUM(id, name) HONE_BASIS_##id,
  HONE_BASES(HONE__BASIS_ENUM)
#undef HONE__BASIS_ENUM
};
HONE_API const char *hone_basis_name(enum hone_basis basis); /* "screening" */
HONE_API enum hone_basis hone_result_row_basis(const struct hone_result_row *row);
/* What the run recommends: its winner, or the baseline if no candidate is faster; and those whose
 * confirmed intervals reach the winner's. */
HONE_API bool hone_result_row_is_best(const struct hone_result_row *row);
HONE_API bool hone_result_row_is_tied(const struct hone_result_row *row);
HONE_API bool hone_result_row_is_baseline(const struct hone_result_row *row);
/* Over the baseline, with its interval if it is confirmed; NaN: not known. */
HONE_API double hone_result_row_speedup(const struct hone_result_row *row);
HONE_API double hone_result_row_low(const struct hone_result_row *row);
HONE_API double hone_result_row_high(const struct hone_result_row *row);
/* Why its time is implausible; "": it is not. */
HONE_API const char *hone_result_row_suspicious(const struct hone_result_row *row);

struct hone_result_build; /* of an instance; lent by the results */

HONE_API size_t hone_results_build_count(const struct hone_results *results);
HONE_API const struct hone_result_build *hone_results_build(const struct hone_results *results,
                                                            size_t build);
HONE_API uint64_t hone_result_build_index(const struct hone_result_build *build);
HONE_API const char *hone_result_build_spec(const struct hone_result_build *build);
/* 0: it shares the build of another, or needs none. */
HONE_API double hone_result_build_seconds(const struct hone_result_build *build);

struct hone_result_failure; /* of an instance; lent by the results */

/* In mesh order. */
HONE_API size_t hone_results_failure_count(const struct hone_results *results);
HONE_API const struct hone_result_failure *hone_results_failure(const struct hone_results *results,
                                                                size_t failure);
HONE_API uint64_t hone_result_failure_index(const struct hone_result_failure *failure);
HONE_API const char *hone_result_failure_spec(const struct hone_result_failure *failure);
HONE_API const struct hone_params *
hone_result_failure_params(const struct hone_result_failure *failure);
HONE_API enum hone_failure_type hone_result_failure_type(const struct hone_result_failure *failure);
HONE_API enum hone_outcome hone_result_failure_outcome(const struct hone_result_failure *failure);
/* One line or more, for a person; and what its program wrote. */
HONE_API const char *hone_result_failure_evidence(const struct hone_result_failure *failure);
HONE_API const char *hone_result_failure_stdout(const struct hone_result_failure *failure);
HONE_API const char *hone_result_failure_stderr(const struct hone_result_failure *failure);

/* ---- Looking at results -----------------------------------------------------------------------
 */

/* Numbers of the rows that have a number there, the best first; rows without a time above 0 are
 * left out, whatever the column. By what a run was tuned for, the row that it recommends comes
 * first, then what is confirmed, what was screened and what was cut off. hone_free(). */
HONE_API size_t hone_results_order(const struct hone_results *results, size_t column, bool maximise,
                                   size_t **out_rows);
/* Drops the rows for which an expression over their parameters ("M > 64 and K < 1024") does not
 * hold, or that lack one of its parameters. INVALID_ARGUMENT: nothing is dropped. */
HONE_API hone_status hone_results_keep(struct hone_results *results, const char *expression);

/* The parameters of all rows, in the order in which they first appear. */
struct hone_result_names; /* opaque; its texts are lent by the results */
HONE_API struct hone_result_names *hone_results_names(const struct hone_results *const *results,
                                                      size_t count);
HONE_API void hone_result_names_free(struct hone_result_names *names);
HONE_API size_t hone_result_names_count(const struct hone_result_names *names);
HONE_API const char *hone_result_names_name(const struct hone_result_names *names, size_t i);
/* That every row has; NULL: it varies, or some rows lack it. */
HONE_API const char *hone_result_names_value(const struct hone_result_names *names, size_t i);

/* The rows close to the best: those below the smallest number plus `share` of the largest, or above
 * the largest less `share` of it where more is better; and what most of them have in common. */
struct hone_top; /* opaque; its texts are lent by the results */
HONE_API hone_status hone_results_top(const struct hone_results *results, const char *metric,
                                      double share, struct hone_top **out_top);
HONE_API void hone_top_free(struct hone_top *top);
/* Numbers of rows, the best first; SIZE_MAX: there are not that many. */
HONE_API size_t hone_top_row_count(const struct hone_top *top);
HONE_API size_t hone_top_row(const struct hone_top *top, size_t i);
/* Each parameter with its most frequent value among these rows; how many of them have the i-th. */
HONE_API const struct hone_params *hone_top_params(const struct hone_top *top);
HONE_API uint64_t hone_top_frequency(const struct hone_top *top, size_t i);

/* Kendall's rank correlation (tau-b) between all columns and parameters that are numbers. The time
 * is the first, in the unit of the first results. */
struct hone_correlation; /* opaque; its texts are lent by the results */
HONE_API hone_status hone_results_correlate(const struct hone_results *const *results, size_t count,
                                            struct hone_correlation **out_correlation);
HONE_API void hone_correlation_free(struct hone_correlation *correlation);
HONE_API size_t hone_correlation_count(const struct hone_correlation *correlation);
HONE_API const char *hone_correlation_name(const struct hone_correlation *correlation, size_t i);
/* NaN where one of the two never changes. */
HONE_API double hone_correlation_value(const struct hone_correlation *correlation, size_t i,
                                       size_t j);

/* ---- Comparing results ------------------------------------------------------------------------
 */

/* What two results must share before their numbers say anything about each other. id, name */
#define HONE_SUBJECTS(X)                                                                           \
  X(KERNEL, "kernel")                                                                              \
  X(PROBLEM, "problem")                                                                            \
  X(OBJECTIVE, "objective")                                                                        \
  X(DEVICE, "device")                                                                              \
  X(MACHINE, "machine")

enum hone_subject {
#define HONE__SUBJECT_ENUM(id, name) HONE_SUBJECT_##id,
  HONE_SUBJECTS(HONE__SUBJECT_ENUM)
#undef HONE__SUBJECT_ENUM
};
HONE_API const char *hone_subject_name(enum hone_subject subject); /* "problem" */

/* Why the numbers of two results cannot be compared: PROBLEM, "n=1000", "n=2000". What is not known
 * of one of them is not a difference. */
struct hone_differences; /* opaque; its texts are lent by the results */
HONE_API struct hone_differences *hone_results_differences(const struct hone_results *first,
                                                           const struct hone_results *second);
HONE_API void hone_differences_free(struct hone_differences *differences);
HONE_API size_t hone_differences_count(const struct hone_differences *differences);
HONE_API enum hone_subject hone_differences_subject(const struct hone_differences *differences,
                                                    size_t i);
HONE_API const char *hone_differences_first(const struct hone_differences *differences, size_t i);
HONE_API const char *hone_differences_second(const struct hone_differences *differences, size_t i);

/* By what rows are partners: their spec, or the column `name`. */
enum hone_match { HONE_MATCH_SPEC, HONE_MATCH_NAME };

struct hone_compare_options {
  size_t size;        /* set by hone_compare_options_init */
  const char *metric; /* NULL: what the first was tuned for if all have it, else the time */
  enum hone_match match;
  double threshold; /* ratios this close to 1 are equal; default 0.05 */
  double margin;    /* a change that is proved to be smaller is SAME; default 0.02 */
};
/* The defaults for a struct of `size` bytes; likewise below. */
HONE_API void hone_compare_options_fill(struct hone_compare_options *options, size_t size);
static inline void hone_compare_options_init(struct hone_compare_options *options)
{
  hone_compare_options_fill(options, sizeof *options);
}

/* What the samples of two rows prove, with 95 % confidence. id, name */
#define HONE_CHANGES(X)                                                                            \
  X(NONE, "") /* there are no samples */                                                           \
  X(FASTER, "FASTER")                                                                              \
  X(SLOWER, "SLOWER")                                                                              \
  X(SAME, "SAME") /* within the margin */                                                          \
  X(INCONCLUSIVE, "INCONCLUSIVE")

enum hone_change {
#define HONE__CHANGE_ENUM(id, name) HONE_CHANGE_##id,
  HONE_CHANGES(HONE__CHANGE_ENUM)
#undef HONE__CHANGE_ENUM
      HONE_CHANGE_COUNT
};
HONE_API const char *hone_change_name(enum hone_change change); /* "FASTER" */

/* Several results side by side, the first being the baseline. Times are converted to its unit. Of
 * rows with the same key the first is the partner of the first, and so on. NOT_FOUND: a metric is
 * not there; INVALID_ARGUMENT: its units cannot be converted. The results must outlive the
 * comparison. */
struct hone_comparison; /* opaque */
HONE_API hone_status hone_results_compare(const struct hone_results *const *results, size_t count,
                                          const struct hone_compare_options *options,
                                          struct hone_comparison **out_comparison);
HONE_API void hone_comparison_free(struct hone_comparison *comparison);

/* The column of the first results. */
HONE_API const char *hone_comparison_metric(const struct hone_comparison *comparison);
HONE_API bool hone_comparison_is_maximised(const struct hone_comparison *comparison);
HONE_API bool hone_comparison_is_time(const struct hone_comparison *comparison);

/* Each of the results against the first; of the first itself counts are 0 and ratios NaN. */
struct hone_compared; /* lent by the comparison */
HONE_API size_t hone_comparison_count(const struct hone_comparison *comparison);
HONE_API const struct hone_compared *hone_comparison_at(const struct hone_comparison *comparison,
                                                        size_t result);
/* Its best row, NULL: it has no number at all. */
HONE_API const struct hone_result_row *hone_compared_best(const struct hone_compared *compared);
HONE_API double hone_compared_best_value(const struct hone_compared *compared);
/* What the samples of both bests prove, which may be of different configurations; the ratio and its
 * interval are NaN where there are too few. */
HONE_API enum hone_change hone_compared_best_change(const struct hone_compared *compared);
HONE_API double hone_compared_best_ratio(const struct hone_compared *compared);
HONE_API double hone_compared_best_low(const struct hone_compared *compared);
HONE_API double hone_compared_best_high(const struct hone_compared *compared);
/* Geometric, over all pairs of rows; and of the row that lost most. */
HONE_API double hone_compared_mean_ratio(const struct hone_compared *compared);
HONE_API double hone_compared_worst_ratio(const struct hone_compared *compared);
/* By samples: the pairs that have enough of them for an interval, their geometric mean with its
 * interval, and how many pairs changed so; NaN and 0 without samples. */
HONE_API uint64_t hone_compared_bounded(const struct hone_compared *compared);
HONE_API double hone_compared_mean_bounded(const struct hone_compared *compared);
HONE_API double hone_compared_mean_low(const struct hone_compared *compared);
HONE_API double hone_compared_mean_high(const struct hone_compared *compared);
HONE_API uint64_t hone_compared_changes(const struct hone_compared *compared,
                                        enum hone_change change);
/* Pairs; and rows that only the first have, and only these. */
HONE_API uint64_t hone_compared_better(const struct hone_compared *compared);
HONE_API uint64_t hone_compared_worse(const struct hone_compared *compared);
HONE_API uint64_t hone_compared_equal(const struct hone_compared *compared);
HONE_API uint64_t hone_compared_missing(const struct hone_compared *compared);
HONE_API uint64_t hone_compared_extra(const struct hone_compared *compared);

/* Partners, in the order of the first results, then what only later ones have. */
struct hone_compared_row; /* lent by the comparison */
HONE_API size_t hone_comparison_row_count(const struct hone_comparison *comparison);
HONE_API const struct hone_compared_row *
hone_comparison_row(const struct hone_comparison *comparison, size_t row);
HONE_API const char *hone_compared_row_key(const struct hone_compared_row *row);
/* Of one of the results: the row, NULL: it has none; its value; the ratio to that of the first. */
HONE_API const struct hone_result_row *hone_compared_row_row(const struct hone_compared_row *row,
                                                             size_t result);
HONE_API double hone_compared_row_value(const struct hone_compared_row *row, size_t result);
HONE_API double hone_compared_row_ratio(const struct hone_compared_row *row, size_t result);
/* By the samples of both, if they were loaded, with the interval of the ratio. */
HONE_API enum hone_change hone_compared_row_change(const struct hone_compared_row *row,
                                                   size_t result);
HONE_API double hone_compared_row_low(const struct hone_compared_row *row, size_t result);
HONE_API double hone_compared_row_high(const struct hone_compared_row *row, size_t result);

/* ---- Files of results -------------------------------------------------------------------------
 */

enum hone_results_format {
  HONE_RESULTS_CSV,       /* kbench's: quoted texts, mesh order, spec and kbench_filter */
  HONE_RESULTS_TEXT,      /* kbench's .txt */
  HONE_RESULTS_FAILURES,  /* kbench's .failures.json */
  HONE_RESULTS_TUNE,      /* tune.py --tune: best first, and the best one's parameters */
  HONE_RESULTS_TABLE,     /* tune.py without --tune: the table in mesh order */
  HONE_RESULTS_PLAIN_CSV, /* tune.py without --tune, its output file: the programs' columns alone */
  HONE_RESULTS_JSON
};
/* As text; hone_free(). */
HONE_API hone_status hone_results_print(const struct hone_results *results,
                                        enum hone_results_format format, char **out_text);
/* One row of each of several results as one YAML file that hone and kbench load: parameters that
 * are equal in all are in `common`. `rows`: their numbers; NULL, or SIZE_MAX there: the best by
 * `metric`, as in hone_results_find_column. hone_free(). */
HONE_API hone_status hone_results_best_yaml(const struct hone_results *const *results, size_t count,
                                            const size_t *rows, const char *metric,
                                            char **out_text);
/* The same with the parameters of hone_results_top, which need not be a row; hone_free(). */
HONE_API hone_status hone_results_top_yaml(const struct hone_results *const *results, size_t count,
                                           const char *metric, double share, char **out_text);

/* ---- Export: tuned values in a region of a source file ----------------------------------------
 */

struct hone_export_options {
  size_t size; /* set by hone_export_options_init */
  /* Entries: the mappings of `params` in a YAML file, or else a row of each of several results */
  const char *manifest; /* "-": standard input */
  const struct hone_results *const *results;
  size_t result_count;
  const size_t *rows;          /* which row of each; NULL, or SIZE_MAX there: the best */
  const char *metric;          /* the best by this, as in hone_results_find_column */
  const char *snippet;         /* file: the text for an entry, with [@NAME] where its values go */
  const char *const *variants; /* "NAME=FILE": the text for entries whose `_template` is NAME */
  size_t variant_count;
  const char *target;                    /* file: lines between the markers' lines are replaced */
  const char *begin_marker, *end_marker; /* default "hone:begin" and "hone:end" */
  const char *source_label;              /* in comments; NULL: what the entries come from */
  const char *comment; /* what a comment begins with; "": none; NULL: as in the target's language */
  const char *separator; /* after each entry; NULL: a comma in Mojo and Python, else nothing */
  unsigned indent;       /* number of spaces before each line; default 8 */
  bool check;            /* write nothing */
};
HONE_API void hone_export_options_fill(struct hone_export_options *options, size_t size);
static inline void hone_export_options_init(struct hone_export_options *options)
{
  hone_export_options_fill(options, sizeof *options);
}

/* The target is written aside and renamed, with its permissions, and only if it differs; its line
 * ends stay. */
struct hone_export_result; /* opaque */
HONE_API hone_status hone_export(const struct hone_export_options *options,
                                 struct hone_export_result **out_result);
HONE_API void hone_export_result_free(struct hone_export_result *result);
/* The target differed, and was written unless `check`. */
HONE_API bool hone_export_result_is_stale(const struct hone_export_result *result);
HONE_API size_t hone_export_result_entry_count(const struct hone_export_result *result);
HONE_API const char *hone_export_result_diff(const struct hone_export_result *result); /* unified */

/* ---- Matrix: the best of each run on the others ------------------------------------------------
 *
 * Of runs of one kernel: a table for each problem that was tuned on devices of several kinds, and
 * one for each kernel with several problems. The best of a run is its winner, or else its baseline.
 */

enum hone_matrix_subject { HONE_MATRIX_KINDS, HONE_MATRIX_PROBLEMS };

struct hone_matrix; /* opaque; the reports must outlive it */
/* Reports may be NULL, and those of sweeps, which are left out. */
HONE_API struct hone_matrix *hone_matrix_make(const struct hone_report *const *reports,
                                              size_t count);
HONE_API void hone_matrix_free(struct hone_matrix *matrix);
/* Without those that have only the diagonal. */
HONE_API size_t hone_matrix_table_count(const struct hone_matrix *matrix);
HONE_API enum hone_matrix_subject hone_matrix_subject(const struct hone_matrix *matrix,
                                                      size_t table);
/* What its runs share: "K=512", "NVIDIA H200 (cuda:0)"; or "". */
HONE_API const char *hone_matrix_about(const struct hone_matrix *matrix, size_t table);
/* It has as many bests as places: each is of a run. */
HONE_API size_t hone_matrix_size(const struct hone_matrix *matrix, size_t table);
HONE_API const char *hone_matrix_place(const struct hone_matrix *matrix, size_t table, size_t i);
HONE_API int64_t hone_matrix_run(const struct hone_matrix *matrix, size_t table, size_t i);
HONE_API const char *hone_matrix_config(const struct hone_matrix *matrix, size_t table, size_t i);
/* Of one run's best at the place of another, over the baseline there. `*out_note` (may be NULL):
 * "screen": it was not confirmed; where there is no number (NaN), its outcome, such as "crash", or
 * "" if it was not measured there. */
HONE_API double hone_matrix_speedup(const struct hone_matrix *matrix, size_t table, size_t best,
                                    size_t place, const char **out_note);

/* ---- Page: results as a picture, and as a page for a browser ----------------------------------
 */

struct hone_page_options {
  size_t size;                               /* set by hone_page_options_init */
  const struct hone_results *const *results; /* the first is the baseline of ratios */
  const struct hone_report *const *reports;  /* of those that are runs, else NULL; may be NULL */
  const char *const *labels;                 /* one each; NULL, or NULL there: the origin */
  size_t count;
  const char *title;        /* NULL: the name of the spec */
  const char *metric;       /* as in hone_results_find_column */
  enum hone_match match;    /* by what rows of several results are partners */
  bool compare;             /* show ratios to the first results */
  unsigned precision;       /* digits after the point; default 2 */
  int64_t groups_per_chart; /* 0: as many as can be read, the best if there are more; -1: all */
  bool is_live;             /* its script asks hone_live_serve for news */
  double margin; /* as in hone_compare_options, where samples were loaded; 0: its default */
};
HONE_API void hone_page_options_fill(struct hone_page_options *options, size_t size);
static inline void hone_page_options_init(struct hone_page_options *options)
{
  hone_page_options_fill(options, sizeof *options);
}

/* HTML that needs nothing else: no network, no other file. hone_free(). */
HONE_API hone_status hone_results_page(const struct hone_page_options *options, char **out_html);
/* The names of the pictures of a page, one a line; hone_free(). `page` is a text of
 * hone_results_page, or what a browser made of it: its script draws most of them. */
HONE_API char *hone_page_pictures(const char *page);
/* One of them as an SVG file by itself, for white paper; hone_free(). NOT_FOUND: it has none of
 * this name. */
HONE_API hone_status hone_page_picture(const char *page, const char *name, char **out_svg);
/* Its chart alone, as SVG; hone_free(). */
HONE_API hone_status hone_results_chart(const struct hone_page_options *options, char **out_svg);

/* ---- Live page: a run in a browser while it goes on -------------------------------------------
 */

struct hone_live_options {
  size_t size;       /* set by hone_live_options_init */
  int64_t run;       /* 0: the newest, also when another one begins */
  const char *store; /* as in hone_store_open; it may be made later */
  /* "127.0.0.1:8080", "[::1]:0", "8080"; port 0: any that is free; default "127.0.0.1:0". Elsewhere
   * than on loopback, the page's address holds a random token, and nothing else is answered. */
  const char *address;
  void (*ready)(void *data, const char *url); /* once it listens; may be NULL */
  bool (*goes_on)(void *data);                /* asked a few times a second; NULL: for ever */
  void *data;
};
HONE_API void hone_live_options_fill(struct hone_live_options *options, size_t size);
static inline void hone_live_options_init(struct hone_live_options *options)
{
  hone_live_options_fill(options, sizeof *options);
}

/* Serves the page of a run by HTTP, and tells browsers by server-sent events when there is more. It
 * only reads, and returns when `goes_on` returns false. IO: it cannot listen there. */
HONE_API hone_status hone_live_serve(const struct hone_live_options *options);

/* ---- Lookup: the proved best of the past ---- */

struct hone_found; /* opaque: what a lookup found */
/* The proved best configuration of a kernel (the spec's name) for exactly this problem ("M=256
 * N=512", in any order; NULL: "") on this device ("c", "cuda:0", as hone_device_id; NULL: any):
 * that of the newest finished run with the verdict IMPROVED, or NO IMPROVEMENT, which gives the
 * baseline. Inconclusive runs are passed over.
 * NOT_FOUND says what is missing. */
HONE_API hone_status hone_store_lookup(struct hone_store *store, const char *kernel,
                                       const char *problem, const char *device,
                                       struct hone_found **out_found);
HONE_API void hone_found_free(struct hone_found *found);
HONE_API int64_t hone_found_run(const struct hone_found *found);
HONE_API enum hone_verdict hone_found_verdict(const struct hone_found *found);
/* Over the baseline, with its interval (may be NULL); 1, NaN and NaN where the baseline is best. */
HONE_API double hone_found_speedup(const struct hone_found *found, double *out_low,
                                   double *out_high);
HONE_API const char *hone_found_device(const struct hone_found *found); /* or NULL */
HONE_API const char *hone_found_config(const struct hone_found *found); /* "BM=64,BN=32" */
/* Its parameters. A text that reads as a number is a number here: hone_space_parse of the
 * configuration has the exact types. */
HONE_API size_t hone_found_param_count(const struct hone_found *found);
HONE_API const char *hone_found_param_name(const struct hone_found *found, size_t param);
HONE_API struct hone_value hone_found_param(const struct hone_found *found, size_t param);
HONE_API bool hone_found_value(const struct hone_found *found, const char *name,
                               struct hone_value *out_value);

#ifdef __cplusplus
}
#endif

#endif
