/* knob_writer.h - one entry of the YAML list `alternatives:`, written part by part.
 *
 *   struct hone__knob_writer writer = {0};
 *   hone__knobs_begin(&writer, "TileAndFuse");              the first parameter, pipeline, as well
 *   hone__knobs_values(&writer, "wg_0", values, count);     or _param, _range, _divisors
 *   hone__knobs_constraint(&writer, "%d %% wg_0 == 0", 1024);
 *   hone__knobs_text(&writer, "compilation_info", text);    may hold ${expression}
 *   hone__knobs_order(&writer, "not pow2(red_2)");
 *   hone__knobs_end(&writer, yaml);                         appended; the writer is empty again
 */
#ifndef HONE_IREE_KNOBS_KNOB_WRITER_H
#define HONE_IREE_KNOBS_KNOB_WRITER_H

#include "base/text.h"

#include <stdint.h>

struct hone__knob_writer { /* { 0 } is an empty one */
  struct hone__text head, params, constraints, texts, order;
};

/* `name` is also the only value of the parameter `pipeline`: a word without quotes in it. */
void hone__knobs_begin(struct hone__knob_writer *writer, const char *name);
/* `values`: YAML, printf-style: "[1, 2, fast]", "range(1, 33)". */
void hone__knobs_param(struct hone__knob_writer *writer, const char *name, const char *values, ...)
    __attribute__((format(printf, 3, 4)));
void hone__knobs_values(struct hone__knob_writer *writer, const char *name, const int64_t *values,
                        size_t count);
/* All numbers from `low` to `high`; none if high < low, and then the alternative is empty. */
void hone__knobs_range(struct hone__knob_writer *writer, const char *name, int64_t low,
                       int64_t high);
/* Those divisors of `number` that are multiples of `step` and at most `high`. */
void hone__knobs_divisors(struct hone__knob_writer *writer, const char *name, int64_t number,
                          int64_t step, int64_t high);
void hone__knobs_constraint(struct hone__knob_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A key of --order heuristic; earlier ones weigh more, small values come first. */
void hone__knobs_order(struct hone__knob_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `text` is used unchanged, except ${...}. */
void hone__knobs_text(struct hone__knob_writer *writer, const char *key, const char *text);
void hone__knobs_end(struct hone__knob_writer *writer, struct hone__text *yaml);
/* Drops the current entry. */
void hone__knobs_drop(struct hone__knob_writer *writer);

/* A string as a YAML scalar in single quotes. */
void hone__knobs_quote(struct hone__text *text, const char *string);

/* ---- Lists given by the user: "2,3", "true,none", "[0, 2]" ---- */

struct hone__knob_options {
  char *words[16]; /* without blanks and brackets, each once; owned */
  size_t count;
};
/* `list` NULL or empty: `fallback` is read instead. False: an empty word, or too many. */
bool hone__knob_options_read(const char *list, const char *fallback,
                             struct hone__knob_options *out_options);
void hone__knob_options_release(struct hone__knob_options *options);
/* One value: it is a constant, otherwise a parameter of this name. */
bool hone__knob_options_vary(const struct hone__knob_options *options);
/* As a parameter; words are taken as YAML has them (true, 2, Transpose). */
void hone__knobs_options(struct hone__knob_writer *writer, const char *name,
                         const struct hone__knob_options *options);

#endif
