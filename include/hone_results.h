/* hone_results.h - what runs have found: reports, rows, comparisons, exports and pages. */
#ifndef HONE_RESULTS_H
#define HONE_RESULTS_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a run with several objectives: the configurations that no other one beats, being nowhere worse
 * and somewhere better. Times are those of screening, which have noise, and of finalists those that
 * were confirmed. */
enum { HONE_PARETO_OBJECTIVES = 3 }; /* at most */
struct hone_pareto {
  struct hone_pareto_objective {
    const char *name; /* "time", "energy", or of a metric */
    const char *unit; /* of values: "ns", "J", else "" */
    bool maximise;
  } * objectives;
  size_t objective_count; /* 2 at least: those that have numbers */
  struct hone_pareto_point {
    const char *config;
    const char *command; /* that reproduces it */
    int64_t id;          /* of its evaluation */
    bool is_member, is_baseline, confirmed;
    double values[HONE_PARETO_OBJECTIVES]; /* as measured; NaN: none */
    double ratios[HONE_PARETO_OBJECTIVES]; /* to the baseline's; NaN: none */
  } * points; /* all that work: members first, the best by the first objective before all */
  size_t point_count, member_count;
};

/* One run in full, as `hone tune` prints it at its end and `hone show RUN` later. Texts are "" and
 * numbers NaN where there is nothing. */
struct hone_report {
  int64_t run;
  enum hone_run_state state;
  enum hone_verdict verdict;
  bool is_sweep; /* it is a run of hone_sweep */
  const char *name, *problem, *spec;
  const char *sentence; /* the verdict for a person */
  /* Configurations. The winner is proved to be faster if the verdict is IMPROVED; else it is the
   * best of those that were confirmed. */
  const char *baseline, *winner;
  double speedup, low, high; /* of the winner over the baseline */
  const char *command, *environment, *fingerprint, *space, *strategy, *started;
  uint64_t seed;
  bool checked;
  bool unconfirmed;         /* it was tuned, and nothing is proved: no verdict, or INCONCLUSIVE */
  const char *answers;      /* compared with: reference, baseline, command; recorded, none; "" */
  const char *answers_text; /* the same for a person: "compared with the reference"; "" */
  double wall_s, drift, confidence;
  struct hone_report_row {
    const char *config;
    bool is_baseline, is_winner, confirmed;
    enum hone_outcome outcome;
    const char *device;
    enum hone_verdict verdict; /* of itself */
    double time_ns;            /* confirmed: of confirmation samples alone; else of screening */
    double speedup, low, high; /* over the baseline; low and high of confirmation only */
    double screen_speedup;
    uint64_t pairs, restarts, samples;
    double compile_s;
    const char *command;        /* that reproduces it: hone run ... */
    const char *suspicious;     /* why its time is implausible; "": it is not */
    const char **metric_values; /* as texts, one for each of metric_names */
  } * rows;                     /* baseline first, then the best first; working candidates only */
  size_t row_count;
  const char **metric_names;
  size_t metric_count;
  struct hone_report_failure {
    enum hone_outcome outcome;
    const char *text; /* what it means */
    uint64_t count;
    const char *config, *evidence, *command; /* of one example */
  } * failures;                              /* most frequent first */
  size_t failure_count;
  uint64_t evaluations, ok, slow, failed, reused, same_object, compiled, cached;
  const char **notes;
  size_t note_count;
  const char **log; /* "2026-11-15 10:00:00 text" */
  size_t log_count;
  const struct hone_pareto *pareto; /* NULL: there was one objective */
};
/* `run` 0: the newest. NOT_FOUND if there is none. */
HONE_API hone_status hone_report_load(struct hone_store *store, int64_t run,
                                      struct hone_report **out_report);
HONE_API void hone_report_free(struct hone_report *report);
/* The report as JSON, with every evaluation and its raw samples; free(). */
HONE_API hone_status hone_report_json(struct hone_store *store, int64_t run, char **out_json);

/* ---- Results: rows that programs reported, of a run or of a CSV file --------------------------
 */

struct hone_result_cell {
  const char *text; /* as it is in CSV, without quotes; "": there is none */
  double number;    /* NaN: it is a text */
};
struct hone_result_param { /* a parameter with its value */
  const char *name;        /* without `$` */
  const char *value;       /* as Python's str() has it */
  bool is_runtime;         /* written `$name` */
};
/* The value with its type: None, a truth value, an integer, a float, else a text, which is lent. */
HONE_API struct hone_value hone_result_param_value(const struct hone_result_param *param);
/* The parameters of a configuration "BM=64,BN='a,b'"; free() the array, which holds its texts. */
HONE_API size_t hone_config_params(const char *config, struct hone_result_param **out_params);

struct hone_results {
  const char *origin;    /* "run 12", or the file's name */
  int64_t run;           /* 0: a file */
  const char *name;      /* of the spec; "" of a file */
  const char *file;      /* of the program, absolute; "" if it is not known */
  const char *problem;   /* sizes and shape: "M=1 N=3"; "" without */
  const char *objective; /* "time", "maximise GB/s, energy"; "" of a file */
  const char *devices;   /* "c", "cuda:0, cuda:1"; "" of a file */
  const char *machine;   /* "AMD EPYC 9554, 64 CPUs"; "" of a file */
  const char *settings;  /* YAML: the sizes, and what the spec says of building and running; "" */
  const char **columns;
  size_t column_count;
  size_t lead_count;    /* columns of the first row's instance: `spec` and `kbench_filter` follow
                           these in CSV, then the others */
  size_t time_column;   /* "met (ms)", "met (s)" ...; SIZE_MAX: none */
  double time_unit_s;   /* of that column: 1e-3 for ms */
  size_t aim_column;    /* the metric that a run was tuned for, else the time; SIZE_MAX: neither */
  const bool *maximise; /* one a column: more is better */
  struct hone_result_row {
    uint64_t mesh_idx; /* of its instance; several rows may share it; see index_name */
    const char *spec;  /* "stem/BM=64/$x=0" */
    const struct hone_result_param *params;
    size_t param_count;
    const struct hone_result_cell *cells; /* one a column */
    bool is_pareto;                       /* of the Pareto set */
    const char *suspicious;               /* why its time is implausible; "": it is not */
  } * rows;                               /* in mesh order */
  size_t row_count;
  struct hone_result_build { /* every instance */
    uint64_t mesh_idx;
    const char *spec;
    double seconds; /* 0: it shares the build of another, or needs none */
  } * builds;
  size_t build_count;
  struct hone_result_failure {
    uint64_t mesh_idx;
    const char *spec;
    const struct hone_result_param *params;
    size_t param_count;
    enum hone_failure_type type;
    enum hone_outcome outcome;
    const char *evidence; /* one line or more, for a person */
    const char *stdout_text, *stderr_text;
  } * failures; /* in mesh order */
  size_t failure_count;
  uint64_t total, valid; /* instances */
  double build_s, run_s, wall_s;
  enum hone_run_state state;
  bool has_pareto;        /* the run has several objectives: rows say whether they are of its set */
  const char *index_name; /* what the rows' mesh_idx is: "mesh_idx"; "row", the row's number from 0,
                             of a file that has no such column */
};
/* `run` 0: the newest. Also of a run of hone_tune. */
HONE_API hone_status hone_results_load(struct hone_store *store, int64_t run,
                                       struct hone_results **out_results);
/* A CSV file of a sweep, of kbench, or of a program itself; "-": standard input. INVALID_SPEC says
 * where it is wrong: "a.csv:3: ...". */
HONE_API hone_status hone_results_read(const char *path, struct hone_results **out_results);
HONE_API void hone_results_free(struct hone_results *results);

enum hone_results_format {
  HONE_RESULTS_CSV,       /* kbench's: quoted texts, mesh order, spec and kbench_filter */
  HONE_RESULTS_TEXT,      /* kbench's .txt */
  HONE_RESULTS_FAILURES,  /* kbench's .failures.json */
  HONE_RESULTS_TUNE,      /* tune.py --tune: best first, and the best one's parameters */
  HONE_RESULTS_TABLE,     /* tune.py without --tune: the table in mesh order */
  HONE_RESULTS_PLAIN_CSV, /* tune.py without --tune, its output file: the programs' columns alone */
  HONE_RESULTS_JSON
};
/* As text; free(). */
HONE_API hone_status hone_results_print(const struct hone_results *results,
                                        enum hone_results_format format, char **out_text);
/* The best row of each of several results as one YAML file that hone and kbench load: parameters
 * that are equal in all are in `common`. `metric` as in hone_results_column. free(). */
HONE_API hone_status hone_results_best_yaml(const struct hone_results *const *results, size_t count,
                                            const char *metric, char **out_text);
/* The column of this name, or whose name begins so (letters' case aside); NULL: the metric that the
 * run was tuned for, else the time. NOT_FOUND lists what there is. *out_maximise: more is better,
 * as the spec says of what it is tuned for; of others all but times, energy and power. */
HONE_API hone_status hone_results_column(const struct hone_results *results, const char *metric,
                                         size_t *out_column, bool *out_maximise);
/* Numbers of the rows that have a number there, the best first; rows without a time above 0 are
 * left out, whatever the column. free(). */
HONE_API size_t hone_results_order(const struct hone_results *results, size_t column, bool maximise,
                                   size_t **out_rows);
/* The value of a parameter in a row, or of the `input_id` that its spec ends with; NULL if it has
 * none of this name. */
HONE_API const char *hone_result_value(const struct hone_result_row *row, const char *name);

/* ---- Looking at results ---------------------------------------------------------------------- */

/* The parameters of all rows, in the order in which they first appear. Free the array; its texts
 * are lent by the results. */
struct hone_result_name {
  const char *name;
  const char *value; /* that every row has; NULL: it varies, or some rows lack it */
};
HONE_API size_t hone_results_names(const struct hone_results *const *results, size_t count,
                                   struct hone_result_name **out_names);
/* Which rows an expression over their parameters holds for ("M > 64 and K < 1024"): true or false
 * for each; free(). A row that lacks one of the parameters is none of them. */
HONE_API hone_status hone_results_select(const struct hone_results *results, const char *expression,
                                         bool **out_selected);

/* The rows close to the best: those below the smallest number plus `share` of the largest, or above
 * the largest less `share` of it where more is better; and what most of them have in common. */
struct hone_top {
  size_t *rows; /* the best first */
  size_t row_count;
  struct hone_result_param *params; /* each with its most frequent value among these rows */
  uint64_t *counts;                 /* how many of them have it */
  size_t param_count;
};
HONE_API hone_status hone_results_top(const struct hone_results *results, const char *metric,
                                      double share, struct hone_top **out_top);
HONE_API void hone_top_free(struct hone_top *top);

/* Kendall's rank correlation (tau-b) between all columns and parameters that are numbers. The time
 * is the first, in the unit of the first results. */
struct hone_correlation {
  const char **names; /* lent by the results */
  size_t count;
  double *values; /* count * count; NaN where one of the two never changes */
};
HONE_API hone_status hone_results_correlate(const struct hone_results *const *results, size_t count,
                                            struct hone_correlation **out_correlation);
HONE_API void hone_correlation_free(struct hone_correlation *correlation);

enum hone_match { HONE_MATCH_SPEC, HONE_MATCH_NAME };

struct hone_compare_options {
  const char *metric;    /* NULL: what the first was tuned for if all have it, else the time */
  enum hone_match match; /* by what rows are partners: their spec, or the column `name` */
  double threshold;      /* ratios this close to 1 are equal; default 0.05 */
};
HONE_API void hone_compare_options_init(struct hone_compare_options *options);

/* Why the numbers of two results cannot be compared: "problem", "n=1000", "n=2000". What is not
 * known of one of them is not a difference. Free the array; its texts are lent by the results. */
struct hone_subject_difference {
  const char *what; /* kernel, problem, objective, device, machine */
  const char *first, *second;
};
HONE_API size_t hone_results_differences(const struct hone_results *first,
                                         const struct hone_results *second,
                                         struct hone_subject_difference **out_differences);

/* Several results side by side, the first being the baseline. Times are converted to its unit. Of
 * rows with the same key the first is the partner of the first, and so on. */
struct hone_comparison {
  const char *metric; /* the column of the first results */
  bool maximise;
  bool is_time;
  size_t count; /* results */
  struct hone_compared {
    const struct hone_result_row *best; /* NULL: it has no number at all */
    double best_value;
    /* against the first results; all 0 and NaN for these themselves */
    double mean_ratio;             /* geometric, over all pairs of rows; NaN: there is none */
    double worst_ratio;            /* of the row that lost most */
    uint64_t better, worse, equal; /* pairs */
    uint64_t missing, extra;       /* rows that only the first have, and only these */
  } * results;
  struct hone_compared_row {
    const char *key;
    const struct hone_result_row **rows; /* one for each of the results; NULL: it has none */
    double *values;                      /* likewise; NaN */
    double *ratios;                      /* of the value to that of the first results; NaN */
  } * rows; /* in the order of the first results, then what only later ones have */
  size_t row_count;
};
/* NOT_FOUND: a metric is not there; INVALID_ARGUMENT: its units cannot be converted. The results
 * must outlive the comparison. */
HONE_API hone_status hone_results_compare(const struct hone_results *const *results, size_t count,
                                          const struct hone_compare_options *options,
                                          struct hone_comparison **out_comparison);
HONE_API void hone_comparison_free(struct hone_comparison *comparison);

/* ---- Export: tuned values in a region of a source file ----------------------------------------
 */

struct hone_export_options {
  /* Entries: the mappings of `params` in a YAML file, or else a row of each of several results */
  const char *manifest; /* "-": standard input */
  const struct hone_results *const *results;
  size_t result_count;
  const size_t *rows;          /* which row of each; NULL, or SIZE_MAX there: the best */
  const char *metric;          /* the best by this, as in hone_results_column */
  const char *snippet;         /* file: the text for an entry, with [@NAME] where its values go */
  const char *const *variants; /* "NAME=FILE": the text for entries whose `_template` is NAME */
  size_t variant_count;
  const char *target;                    /* file: lines between the markers' lines are replaced */
  const char *begin_marker, *end_marker; /* default "hone:begin" and "hone:end" */
  const char *source_label;              /* in comments; NULL: what the entries come from */
  const char *comment; /* what a comment begins with; "": none; NULL: as in the target's language */
  const char *separator; /* behind each entry; NULL: a comma in Mojo and Python, else nothing */
  unsigned indent;       /* number of spaces before each line; default 8 */
  bool check;            /* write nothing */
};
HONE_API void hone_export_options_init(struct hone_export_options *options);

struct hone_export_result {
  bool is_stale; /* the target differed, and was written unless `check` */
  size_t entry_count;
  char *diff; /* unified; "" */
};
/* The target is written aside and renamed, with its permissions, and only if it differs; its line
 * ends stay. */
HONE_API hone_status hone_export(const struct hone_export_options *options,
                                 struct hone_export_result *out_result);
HONE_API void hone_export_result_release(struct hone_export_result *result);

/* ---- Page: results as a picture, and as a page for a browser -----------------------------------
 */

struct hone_page_options {
  const struct hone_results *const *results; /* the first is the baseline of ratios */
  const struct hone_report *const *reports;  /* of those that are runs, else NULL; may be NULL */
  const char *const *labels;                 /* one each; NULL, or NULL there: the origin */
  size_t count;
  const char *title;        /* NULL: the name of the spec */
  const char *metric;       /* as in hone_results_column */
  enum hone_match match;    /* by what rows of several results are partners */
  bool compare;             /* show ratios to the first results */
  unsigned precision;       /* digits behind the point; default 2 */
  int64_t groups_per_chart; /* 0: as many as can be read, the best if there are more; -1: all */
};
HONE_API void hone_page_options_init(struct hone_page_options *options);

/* HTML that needs nothing else: no network, no other file. free(). */
HONE_API hone_status hone_results_page(const struct hone_page_options *options, char **out_html);
/* Its chart alone, as SVG; free(). */
HONE_API hone_status hone_results_chart(const struct hone_page_options *options, char **out_svg);

#ifdef __cplusplus
}
#endif

#endif
