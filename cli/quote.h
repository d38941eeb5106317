/* quote.h - values as JSON, CSV and readable text write them. */
#ifndef CLI_QUOTE_H
#define CLI_QUOTE_H

#include "output.h"

/* A JSON string. Bytes that are not UTF-8 become U+FFFD; what would disturb a terminal is escaped.
 */
void quote_json_text(struct output *output, const char *text);
/* A JSON value: text and what JSON has no word for (inf, nan, lists) as a string. */
void quote_json_value(struct output *output, struct hone_value value);
/* {"BM": 64, "USE": true}: each value with its type. */
void quote_json_params(struct output *output, const struct hone_result_param *params, size_t count);
/* The same of "BM=64,USE=True". */
void quote_json_config(struct output *output, const char *config);
/* null if it is not finite. */
void quote_json_number(struct output *output, double number);

/* A field after RFC 4180: quoted where it has to be, or where it is an empty text. */
void quote_csv_text(struct output *output, const char *text);
void quote_csv_value(struct output *output, struct hone_value value);

/* On a line of NAME=VALUE pairs: quoted as in JSON where it is empty, has spaces or
 * what would disturb a terminal. */
void quote_plain_text(struct output *output, const char *text);
void quote_plain_value(struct output *output, struct hone_value value);

/* As hone_shell_word writes it. */
void quote_shell_text(struct output *output, const char *text);

#endif
