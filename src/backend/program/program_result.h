/* program_result.h - the time that a program reports.
 *
 * It is searched, in this order, in
 *   1. output*.csv in its folder: a column `met (ms)` (any unit), else `time (ms)`, `time_ms`,
 *      `time`
 *   2. the last line of its output that is a JSON object with one of these as a key; "times_ns":
 *      [...] are several samples
 *   3. the last line of its output, if it is a number, with a unit or without
 *
 * Files without a row are ignored. An invalid time (not a number, 0, negative, infinite) is an
 * error of the program, and so is a truncated file.
 */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_RESULT_H
#define HONE_BACKEND_PROGRAM_PROGRAM_RESULT_H

#include "backend/program/program_table.h"
#include "base/text.h"
#include "base/outcome.h"

enum { HONE__PROGRAM_LARGEST_CSV = 64 << 20 };

struct hone__program_terms {
  const char *name; /* of a row whose program gives none */
  double unit_ns;   /* of a number without a unit */
};

struct hone__program_result {
  enum hone_outcome outcome; /* OK, NO_RESULT or BAD_RESULT */
  struct hone__text evidence;
  double time_ns;
  struct hone__program_table *table; /* or NULL */
  size_t left_out;                   /* rows that are not in it */
};

/* `folder` may be NULL. */
void hone__program_result_read(const char *folder, const struct hone__text *output,
                               const struct hone__program_terms *terms,
                               struct hone__program_result *out_result);
void hone__program_result_release(struct hone__program_result *result);

/* Removes output*.csv. */
void hone__program_result_forget(const char *folder);

/* ---- Between its files ---- */

enum hone__program_reading {
  HONE__READ_NOTHING, /* there is no result; `why` may describe what there is instead */
  HONE__READ_TIMES,
  HONE__READ_WRONG /* `why` */
};

/* program_csv.c; `file` is for messages. */
enum hone__program_reading hone__program_read_csv(const char *text, size_t size, const char *file,
                                                  const struct hone__program_terms *terms,
                                                  struct hone__program_table *table,
                                                  struct hone__text *why);
/* program_output.c */
enum hone__program_reading hone__program_read_output(const struct hone__text *output,
                                                     const struct hone__program_terms *terms,
                                                     struct hone__program_table *table,
                                                     struct hone__text *why);

#endif
