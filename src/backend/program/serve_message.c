/* Tables of the fields, and the checks that a table cannot make. */
#include "backend/program/serve_message.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define PARAM struct hone__serve_param
static const struct hone__field param_fields[] = {
    HONE__TEXT(PARAM, name, HONE__NEEDED),
    HONE__TEXT(PARAM, type, HONE__NEEDED),
};
const struct hone__record_type hone__serve_param_type =
    HONE__RECORD_TYPE("parameter", PARAM, param_fields);

#define HELLO struct hone__serve_hello
static const struct hone__field hello_fields[] = {
    HONE__TEXT(HELLO, type, HONE__NEEDED),
    HONE__INT(HELLO, id, HONE__SENT, 0, 0x1p63),
    HONE__INT(HELLO, version, HONE__NEEDED, 0, 0x1p63),
    HONE__TEXT(HELLO, role, HONE__NEEDED),
    HONE__TEXT(HELLO, device, HONE__NULLABLE),
    HONE__TEXT(HELLO, gpu, HONE__NULLABLE),
    HONE__TEXT(HELLO, spec, HONE__NEEDED),
    HONE__NAMED(HELLO, problem, HONE__SENT),
    HONE__RECORDS(HELLO, params, HONE__SENT, &hone__serve_param_type),
    HONE__INT(HELLO, seed, HONE__SENT, -0x1p63, 0x1p63),
    HONE__BOOL(HELLO, check, HONE__SENT),
    HONE__REAL(HELLO, timeout_s, HONE__OPTIONAL, 0, INFINITY),
};
static const struct hone__record_type hello_type = HONE__RECORD_TYPE("hello", HELLO, hello_fields);

#define REQUEST struct hone__serve_request
static const struct hone__field request_fields[] = {
    HONE__TEXT(REQUEST, type, HONE__NEEDED),
    HONE__INT(REQUEST, id, HONE__SENT, 0, 0x1p63),
    HONE__TEXT(REQUEST, key, HONE__NEEDED),
    HONE__NAMED(REQUEST, config, HONE__SENT),
    HONE__NAMED(REQUEST, problem, HONE__SENT),
    HONE__NAMED(REQUEST, derived, HONE__SENT),
    HONE__TEXT(REQUEST, object, HONE__NULLABLE),
    HONE__SIZE(REQUEST, samples, HONE__OPTIONAL),
    HONE__REAL(REQUEST, timeout_s, HONE__OPTIONAL, 0, INFINITY),
};
static const struct hone__record_type request_type =
    HONE__RECORD_TYPE("request", REQUEST, request_fields);

static void print_line(const struct hone__record_type *type, const void *record,
                       struct hone__text *line)
{
  hone__record_print(type, record, line);
  hone__text_add(line, "\n");
}

void hone__serve_print_hello(const struct hone__serve_hello *hello, struct hone__text *line)
{
  print_line(&hello_type, hello, line);
}

void hone__serve_print_request(const struct hone__serve_request *request, struct hone__text *line)
{
  print_line(&request_type, request, line);
}

/* ---- Answers ---- */

struct line_head {
  const char *type;
  struct hone_value id;
};
#define HEAD struct line_head
static const struct hone__field head_fields[] = {
    HONE__TEXT(HEAD, type, HONE__OPTIONAL),
    HONE__VALUE(HEAD, id, HONE__OPTIONAL),
};
static const struct hone__record_type head_type = HONE__RECORD_TYPE("answer", HEAD, head_fields);

#define WELCOME struct hone__serve_welcome
static const struct hone__field welcome_fields[] = {
    HONE__INT(WELCOME, version, HONE__NEEDED, 0, 0x1p63),
    HONE__TEXT(WELCOME, name, HONE__OPTIONAL),
    HONE__VALUE(WELCOME, build, HONE__OPTIONAL),
    HONE__VALUE(WELCOME, check, HONE__OPTIONAL),
    HONE__REAL(WELCOME, heartbeat_s, HONE__OPTIONAL, 0, 86400),
};
static const struct hone__record_type welcome_type =
    HONE__RECORD_TYPE("answer to 'hello'", WELCOME, welcome_fields);

#define ANSWER struct hone__serve_answer
static const struct hone__field answer_fields[] = {
    HONE__TEXT_AS(ANSWER, "outcome", outcome_name, HONE__OPTIONAL),
    HONE__TEXT(ANSWER, text, HONE__OPTIONAL),
    HONE__REALS(ANSWER, samples_ns, HONE__OPTIONAL),
    HONE__NAMED(ANSWER, metrics, HONE__OPTIONAL),
    HONE__NAMED(ANSWER, built, HONE__OPTIONAL),
};
static const struct hone__record_type answer_type =
    HONE__RECORD_TYPE("answer", ANSWER, answer_fields);

static void explain_json(const char *line, size_t length, struct hone__text *why)
{
  struct hone__text text = {0};
  struct hone__packed *packed;
  hone_status status;

  hone__text_addn(&text, line, length);
  status = hone__packed_parse_first(text.data, &packed);
  hone__text_addf(why, "is not valid JSON%s%s", status ? ": " : "",
                  status ? hone_status_message(status) : ", or has text after its end");
  hone__packed_drop(packed);
  hone_status_free(status);
  hone__text_release(&text);
}

static enum hone__serve_line judge_head(const struct hone__packed *packed, int64_t id,
                                        struct hone__text *why)
{
  struct hone__arena arena = {0};
  struct line_head head = {0};
  hone_status status = hone__unpack(packed, &head_type, &arena, &head);
  bool is_alive = !status && head.type && strcmp(head.type, "alive") == 0;

  if (status)
    hone__text_addf(why, "is not a valid answer: %s", hone_status_message(status));
  else if (!is_alive && head.id.type != HONE_INT)
    hone__text_addf(why, "has no \"id\": every answer repeats the id of its request, here %lld",
                    (long long)id);
  else if (!is_alive && head.id.integer != id)
    hone__text_addf(why, "answers request %lld, but request %lld is asked",
                    (long long)head.id.integer, (long long)id);
  hone_status_free(status);
  hone__arena_release(&arena);
  if (why->length) return HONE__SERVE_INVALID;
  return is_alive ? HONE__SERVE_ALIVE : HONE__SERVE_ANSWER;
}

enum hone__serve_line hone__serve_read(const char *line, size_t length, int64_t id,
                                       struct hone__packed **out_answer, struct hone__text *why)
{
  struct hone__packed *packed = hone__packed_parse(line, length);
  enum hone__serve_line kind = HONE__SERVE_INVALID;

  *out_answer = NULL;
  if (packed)
    kind = judge_head(packed, id, why);
  else
    explain_json(line, length, why);
  if (kind == HONE__SERVE_ANSWER)
    *out_answer = packed;
  else
    hone__packed_drop(packed);
  return kind;
}

static hone_status check_flag(struct hone_value value, const char *name)
{
  if (value.type == HONE_NONE || value.type == HONE_BOOL) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT, "answer to 'hello': '%s' is neither true nor false",
                     name);
}

hone_status hone__serve_read_welcome(const struct hone__packed *packed, struct hone__arena *arena,
                                     struct hone__serve_welcome *out_welcome)
{
  hone_status status = hone__unpack(packed, &welcome_type, arena, out_welcome);

  if (!status) status = check_flag(out_welcome->build, "build");
  if (!status) status = check_flag(out_welcome->check, "check");
  if (!status && out_welcome->version != HONE__SERVE_VERSION)
    status = hone__error(HONE_INVALID_ARGUMENT,
                         "it speaks version %lld of the protocol, and Hone %s speaks version %d",
                         (long long)out_welcome->version, hone_version(), HONE__SERVE_VERSION);
  return status;
}

/* The others are for Hone to decide: a program cannot know that a worker was lost. */
static bool may_answer(enum hone_outcome outcome)
{
  return outcome == HONE_OUTCOME_OK || (hone__outcome_blame(outcome) == HONE__BLAME_CANDIDATE &&
                                        outcome != HONE_OUTCOME_PROTOCOL);
}

static hone_status unknown_outcome(const char *name)
{
  struct hone__text known = {0};
  hone_status status;

  for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
    if (may_answer((enum hone_outcome)i))
      hone__text_addf(&known, "%s%s", known.length ? ", " : "",
                      hone_outcome_name((enum hone_outcome)i));
  status = hone__error(HONE_INVALID_ARGUMENT,
                       "answer: 'outcome' is '%.80s', which a program cannot answer: use one of %s",
                       name, known.data);
  hone__text_release(&known);
  return status;
}

hone_status hone__serve_read_answer(const struct hone__packed *packed, struct hone__arena *arena,
                                    struct hone__serve_answer *out_answer)
{
  hone_status status = hone__unpack(packed, &answer_type, arena, out_answer);
  enum hone_outcome outcome = HONE_OUTCOME_OK;

  if (status) return status;
  if (out_answer->outcome_name &&
      (!hone__outcome_parse(out_answer->outcome_name, &outcome) || !may_answer(outcome)))
    return unknown_outcome(out_answer->outcome_name);
  out_answer->outcome = outcome;
  return NULL;
}

/* ---- For a program that is served by Hone itself ---- */

enum hone__serve_kind hone__serve_read_request(const struct hone__packed *packed,
                                               struct hone__arena *arena,
                                               struct hone__serve_hello *out_hello,
                                               struct hone__serve_request *out_request)
{
  struct line_head head = {0};
  hone_status status = hone__unpack(packed, &head_type, arena, &head);
  const char *type = !status && head.type ? head.type : "bye";
  enum hone__serve_kind kind = HONE__SERVE_IS_BYE;

  if (strcmp(type, "hello") == 0) {
    status = hone__unpack(packed, &hello_type, arena, out_hello);
    if (!status) kind = HONE__SERVE_IS_HELLO;
  } else if (strcmp(type, "bye") != 0) {
    status = hone__unpack(packed, &request_type, arena, out_request);
    if (!status) kind = HONE__SERVE_IS_REQUEST;
  }
  hone_status_free(status);
  return kind;
}

static void print_answer(const struct hone__record_type *type, const void *record, int64_t id,
                         struct hone__text *line)
{
  struct line_head head = {.id = {HONE_INT, {.integer = id}}};
  struct hone__packed *packed = hone__pack(&head_type, &head);

  hone__packed_add(packed, type, record);
  hone__packed_print(packed, line);
  hone__text_add(line, "\n");
  hone__packed_drop(packed);
}

void hone__serve_print_welcome(const struct hone__serve_welcome *welcome, int64_t id,
                               struct hone__text *line)
{
  print_answer(&welcome_type, welcome, id, line);
}

void hone__serve_print_answer(const struct hone__serve_answer *answer, int64_t id,
                              struct hone__text *line)
{
  print_answer(&answer_type, answer, id, line);
}
