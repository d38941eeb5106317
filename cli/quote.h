/* quote.h - values in the notation of JSON, CSV and readable text. */
#ifndef CLI_QUOTE_H
#define CLI_QUOTE_H

#include "hone_results.h"
#include "output.h"

/* A JSON string, or null for NULL. Bytes that are not UTF-8 become U+FFFD; characters unsafe for a
 * terminal are escaped.
 */
void quote_json_text(struct output *output, const char *text);
/* A JSON value: text and values that JSON lacks (inf, nan, lists) become strings. */
void quote_json_value(struct output *output, struct hone_value value);
/* {"BM": 64, "USE": true}: each value with its type. */
void quote_json_params(struct output *output, const struct hone_params *params);
/* The same for "BM=64,USE=True". */
void quote_json_config(struct output *output, const char *config);
/* null if it is not finite. */
void quote_json_number(struct output *output, double number);

/* A field as in RFC 4180: quoted if necessary, or if it is an empty text. */
void quote_csv_text(struct output *output, const char *text);
void quote_csv_value(struct output *output, struct hone_value value);

/* In a line of NAME=VALUE pairs: quoted as in JSON if it is empty, or has spaces or unsafe
 * characters. */
void quote_plain_text(struct output *output, const char *text);
void quote_plain_value(struct output *output, struct hone_value value);

/* In the format of hone_shell_word. */
void quote_shell_text(struct output *output, const char *text);

#endif
