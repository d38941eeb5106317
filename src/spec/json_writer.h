/* json_writer.h - JSON as text, indented by two as Python's json.dump does it.
 *
 * jansson would write 0.1 as 0.10000000000000001. A key of NULL is for elements of lists.
 */
#ifndef HONE_SPEC_JSON_WRITER_H
#define HONE_SPEC_JSON_WRITER_H

#include "base/text.h"
#include "hone.h"
#include "spec/params.h"

struct hone__json_writer { /* { 0 } */
  struct hone__text text;
  size_t depth;
  bool has_item; /* something is in the innermost list or object already */
  size_t flat;   /* what is deeper stays on one line; 0: nothing does */
};
void hone__json_open(struct hone__json_writer *writer, const char *key, char bracket);
void hone__json_close(struct hone__json_writer *writer, char bracket);
/* Bytes that are not UTF-8 become U+FFFD. */
void hone__json_text(struct hone__json_writer *writer, const char *key, const char *value);
void hone__json_integer(struct hone__json_writer *writer, const char *key, uint64_t value);
void hone__json_real(struct hone__json_writer *writer, const char *key, double value); /* or null */
void hone__json_bool(struct hone__json_writer *writer, const char *key, bool value);
void hone__json_null(struct hone__json_writer *writer, const char *key);
/* null where there is none, or an empty one. */
void hone__json_text_or_null(struct hone__json_writer *writer, const char *key, const char *value);
/* A number, bool or null as such, all else as text. */
void hone__json_value(struct hone__json_writer *writer, const char *key, struct hone_value value);
/* What is JSON already. */
void hone__json_raw(struct hone__json_writer *writer, const char *key, const char *json);
/* With that many digits at most, which is quicker. */
void hone__json_digits(struct hone__json_writer *writer, const char *key, double value, int digits);
/* As Python has the value: a number, true, null, or else a text. */
void hone__json_word(struct hone__json_writer *writer, const char *key, const char *word);
/* A cell of results: a text, or a number as it is written. */
void hone__json_cell(struct hone__json_writer *writer, const char *key, const char *text,
                     double number);
/* {"BM": 64, "$x": 0} */
void hone__json_params(struct hone__json_writer *writer, const char *key,
                       const struct hone__spec_param *params, size_t count);

#endif
