/* space_command.h - shared by the parts of `hone space`.
 *
 * space.c reads the options, loads the spec, solves the spaces and picks an action from a table;
 * space_summary.c prints the summary, space_specs.c writes tuning specs, space_answers.c has all
 * other answers.
 */
#ifndef CLI_SPACE_COMMAND_H
#define CLI_SPACE_COMMAND_H

#include "command.h"
#include "problems.h"
#include "rows.h"
#include "source.h"

struct space_settings {
  struct common common;
  const struct option *action; /* the one that was given, or NULL */
  bool count, list, stats, show_spec, adjacent, unique;
  uint64_t at, sample, seed;
  const char *index_of, *neighbours, *explain, *write_specs;
  struct source source;
  const char *device;
  int solver, format;
  size_t memory_bytes;
};

/* One question about one space. */
struct question {
  const struct space_settings *settings;
  const struct hone_spec *spec;
  const struct problems *problems;
  char *device, *device_gap; /* as in hone_space_options */
  size_t problem;            /* which of the chosen problems */
  const struct hone_space *space;
  struct output *output;
  struct output *seen; /* the summary of the previous problem; for summaries */
};

typedef enum exit_code answer_function(struct question *question);

answer_function answer_summary, answer_count, answer_list, answer_at, answer_index_of,
    answer_sample, answer_neighbours, answer_explain, answer_stats, answer_write_specs;

/* Reports on standard error why there is no legal configuration. */
void report_conflict(const struct question *question);

#endif
