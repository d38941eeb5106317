/* serve_message.h - the lines that Hone and a served program exchange; hone-serve(7) documents
 * them.
 *
 * Each line is one JSON object. A request has `type` and `id`; its answer repeats the `id`. Fields
 * that are not known are ignored.
 */
#ifndef HONE_BACKEND_PROGRAM_SERVE_MESSAGE_H
#define HONE_BACKEND_PROGRAM_SERVE_MESSAGE_H

#include "base/outcome.h"
#include "wire/record.h"

enum { HONE__SERVE_VERSION = 1, HONE__SERVE_MOST_SAMPLES = 1 << 16 };

#define HONE__SERVE_BYE "{\"type\":\"bye\"}\n"

/* ---- From Hone ---- */

struct hone__serve_param {
  const char *name, *type; /* "int", "float", "bool", "text" or "mixed" */
};

extern const struct hone__record_type hone__serve_param_type;

struct hone__serve_hello {
  const char *type; /* "hello" */
  int64_t id;
  int64_t version;
  const char *role;   /* "builder" or "measurer" */
  const char *device; /* "program:gpu1"; NULL: a builder has none */
  const char *gpu;    /* "1"; NULL: none */
  const char *spec;
  struct hone__named *problem; /* sizes */
  struct hone__serve_param *params;
  int64_t seed;
  bool check; /* false: no answer will be checked */
  double timeout_s;
  size_t problem_count, params_count;
};

struct hone__serve_request {
  const char *type; /* "build", "check" or "measure" */
  int64_t id;
  const char *key; /* equal for requests that can use the same build */
  struct hone__named *config, *problem, *derived;
  const char *object; /* the file to make, or the one that was made; NULL: none */
  size_t samples;     /* of "measure" */
  double timeout_s;   /* NaN: none */
  size_t config_count, problem_count, derived_count;
};

/* With the end of the line. */
void hone__serve_print_hello(const struct hone__serve_hello *hello, struct hone__text *line);
void hone__serve_print_request(const struct hone__serve_request *request, struct hone__text *line);

enum hone__serve_kind { HONE__SERVE_IS_HELLO, HONE__SERVE_IS_REQUEST, HONE__SERVE_IS_BYE };

/* For a program that is served by Hone itself. A message of another type, or one that cannot be
 * read, is taken for the last one. What it points to lives in the arena and in `packed`. */
enum hone__serve_kind hone__serve_read_request(const struct hone__packed *packed,
                                               struct hone__arena *arena,
                                               struct hone__serve_hello *out_hello,
                                               struct hone__serve_request *out_request);

/* ---- From the program ---- */

struct hone__serve_welcome { /* the answer to "hello" */
  int64_t version;
  const char *name;
  struct hone_value build, check; /* whether it has these steps; none: it does */
  double heartbeat_s;             /* the longest it is silent during a request; NaN: no promise */
};

struct hone__serve_answer {
  const char *outcome_name; /* NULL: ok */
  enum hone_outcome outcome;
  const char *text;            /* why it failed; NULL: none */
  double *samples_ns;          /* of "measure" */
  struct hone__named *metrics; /* of "measure" */
  struct hone__named *built;   /* of "build": registers, bytes ... */
  size_t samples_ns_count, metrics_count, built_count;
};

/* Again for one that is served by Hone itself. */
void hone__serve_print_welcome(const struct hone__serve_welcome *welcome, int64_t id,
                               struct hone__text *line);
void hone__serve_print_answer(const struct hone__serve_answer *answer, int64_t id,
                              struct hone__text *line);

enum hone__serve_line {
  HONE__SERVE_ALIVE,
  HONE__SERVE_ANSWER,
  HONE__SERVE_INVALID /* `why` */
};

/* Reads a line that begins with '{'. An answer is dropped by the caller. */
enum hone__serve_line hone__serve_read(const char *line, size_t length, int64_t id,
                                       struct hone__packed **out_answer, struct hone__text *why);
/* INVALID_ARGUMENT names the wrong field; what they point to lives in arena and `packed`. */
hone_status hone__serve_read_welcome(const struct hone__packed *packed, struct hone__arena *arena,
                                     struct hone__serve_welcome *out_welcome);
hone_status hone__serve_read_answer(const struct hone__packed *packed, struct hone__arena *arena,
                                    struct hone__serve_answer *out_answer);

#endif
