/* show_results.h - results of runs and CSV files as text: the output of kprofile, and plots. */
#ifndef CLI_SHOW_RESULTS_H
#define CLI_SHOW_RESULTS_H

#include "hone_results.h"
#include "options.h"
#include "output.h"

enum show_format { SHOW_TEXT, SHOW_JSON, SHOW_CSV, SHOW_YAML };

struct result_views { /* the requested views */
  bool best, ratio, correlation;
  uint64_t head, tail;     /* 0: none */
  const char *top, *query; /* or NULL */
  const char *metric;      /* NULL: the time */
  struct word_list pivots;
  int plot; /* enum plot_kind; -1: none */
};

struct results_view {
  struct output *output;
  const struct result_views *views;
  struct hone_results **results;
  size_t count;
  int format; /* enum show_format */
};

/* True if any of them is requested. */
bool result_views_given(const struct result_views *views);
/* Reports impossible requests and combinations; false after a message. */
bool result_views_check(const struct result_views *views, int format);

/* One file or run: the name of a file; or a number, or "last". */
bool result_word_is_file(const char *word);
/* Reads "12" or "last", which is 0; false after a message. */
bool result_word_is_run(const char *word, int64_t *out_run);
/* Each is a file or a run; false after a message. */
bool result_words_check(const struct word_list *words);
/* Loads each of the words; opens `store` if one is a run. */
hone_status results_load_words(const struct word_list *words, const char *store,
                               struct hone_results **out_results);
/* Loads the samples of those that are runs. */
hone_status results_load_samples(const char *store, struct hone_results **results, size_t count);
void results_free_all(struct hone_results **results, size_t count);

/* The name of the column with the number `metric`; else `metric` itself, which may be NULL. False
 * after a message. */
bool result_metric_read(const struct hone_results *results, const char *metric,
                        const char **out_metric);

hone_status results_view_print(struct results_view *view);

/* ---- Its parts ---- */

/* One of the results, its rows sorted by the metric. */
struct profile {
  struct output *output;
  const struct result_views *views;
  const struct hone_results *results;
  size_t column;
  bool maximise;
  size_t *order; /* rows with a number, the best first */
  size_t count;
  struct hone_result_names *names;
  size_t name_count;
};
hone_status profile_open(struct profile *profile, const struct results_view *view, size_t i);
void profile_close(struct profile *profile);

/* Prints the lines of kprofile, and the requested tables. */
void profile_print(const struct profile *profile);
void profile_print_best(const struct profile *profile);
/* The share of "0.05" or "5%"; false after a message. */
bool top_read(const char *text, double *out_share);

hone_status correlation_print(struct output *output, const struct hone_results *const *results,
                              size_t count, int format);

/* A number with 3 digits after the point, or as many as it takes to see one. */
struct number_text {
  char text[32];
};
const char *number_format(struct number_text *text, double number);

#endif
