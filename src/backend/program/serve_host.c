#include "backend/program/serve_host.h"

#include "backend/program/program_bench.h"
#include "hone_machine.h"
#include "base/words.h"

#include <math.h>
#include <stdlib.h>

enum { LONGEST_QUOTE = 200, MOST_STARTS = 5 };
static const double grace_s = 2;
static const double bye_s = 0.5; /* a worker has little more time to end */

/* ---- Lines ---- */

struct reading {
  int64_t id;
  struct hone__packed *answer;
  struct hone__text wrong; /* "'LINE' is not valid JSON: ..." */
};

static void quote_line(const char *line, size_t length, struct hone__text *text)
{
  hone__text_add(text, "the line '");
  for (size_t i = 0; i < length && i < LONGEST_QUOTE; i++)
    hone__text_addn(text, line[i] >= ' ' && line[i] < 127 ? &line[i] : "?", 1);
  hone__text_add(text, length > LONGEST_QUOTE ? "...' " : "' ");
}

static enum hone__served_line take_line(void *data, const char *line, size_t length)
{
  struct reading *reading = data;
  struct hone__text why = {0};
  enum hone__serve_line kind = hone__serve_read(line, length, reading->id, &reading->answer, &why);

  if (kind == HONE__SERVE_INVALID) {
    quote_line(line, length, &reading->wrong);
    hone__text_add(&reading->wrong, why.data);
  }
  hone__text_release(&why);
  if (kind == HONE__SERVE_INVALID) return HONE__SERVED_WRONG;
  return kind == HONE__SERVE_ALIVE ? HONE__SERVED_SIGN : HONE__SERVED_ANSWER;
}

/* ---- What came instead of an answer ---- */

/* A line with text in front of its JSON is not a message. */
static void add_advice(const struct hone__text *output, struct hone__text *text)
{
  if (output->length && strstr(output->data, "\"id\""))
    hone__text_add(text, " (an answer begins with '{' at the start of a line)");
}

static void describe_end(const struct hone__child_result *child, const char *type, double timeout_s,
                         struct hone__text *text)
{
  if (child->end == HONE__CHILD_TIMED_OUT) {
    hone__text_addf(text, "no answer to '%s' within %.3g s", type, timeout_s);
  } else {
    hone__child_describe(child, text);
    if (child->end != HONE__CHILD_NOT_STARTED)
      hone__text_addf(text, " before it answered '%s'", type);
  }
  hone__program_add_last_output(&child->output, &child->errors, text);
  if (child->end == HONE__CHILD_TIMED_OUT) add_advice(&child->output, text);
}

static void describe(const struct hone__served_answer *news, const struct reading *reading,
                     const struct hone__served_request *request, const char *type,
                     struct hone__text *text)
{
  switch (news->news) {
  case HONE__SERVED_REFUSED:
    hone__text_addf(text, "invalid answer to '%s': %s", type, reading->wrong.data);
    break;
  case HONE__SERVED_LINE_LONG:
    hone__text_addf(text, "invalid answer to '%s': its line is longer than %d bytes", type,
                    HONE__LONGEST_MESSAGE);
    break;
  case HONE__SERVED_CLOSED:
    hone__text_addf(text, "it closed its standard output before it answered '%s'", type);
    hone__program_add_last_output(&news->child.output, &news->child.errors, text);
    break;
  case HONE__SERVED_WAS_SILENT:
    hone__text_addf(text,
                    "no output for %.3g s before it answered '%s', though it promised a sign "
                    "of life in that time (\"heartbeat_s\")",
                    request->silence_s, type);
    hone__program_add_last_output(&news->child.output, &news->child.errors, text);
    break;
  default: describe_end(&news->child, type, request->timeout_s, text);
  }
}

static enum hone_outcome class_of(const struct hone__served_answer *news, const char *type)
{
  enum hone_outcome outcome = HONE_OUTCOME_PROTOCOL;
  bool is_build = strcmp(type, "build") == 0;

  if (news->news == HONE__SERVED_WAS_SILENT) outcome = HONE_OUTCOME_HANG;
  if (news->news == HONE__SERVED_ENDED) outcome = hone__program_class_of_end(&news->child);
  if (news->news == HONE__SERVED_ENDED && news->child.end == HONE__CHILD_EXITED)
    outcome = HONE_OUTCOME_CRASH; /* it was started long ago, whatever its status */
  if (!is_build) return outcome;
  if (outcome == HONE_OUTCOME_HANG) return HONE_OUTCOME_COMPILE_TIMEOUT;
  if (outcome == HONE_OUTCOME_CRASH) return HONE_OUTCOME_COMPILE_CRASH;
  return outcome == HONE_OUTCOME_OOM_HOST ? HONE_OUTCOME_COMPILE_OOM : outcome;
}

/* ---- Start ---- */

void hone__serve_hello_line(const struct hone__serve_place *place, struct hone__text *line)
{
  const struct hone__program_setup *setup = place->setup;
  const struct hone__program_serve *serve = setup->serve;

  hone__serve_print_hello(
      &(struct hone__serve_hello){.type = "hello",
                                  .version = HONE__SERVE_VERSION,
                                  .role = place->role,
                                  .device = place->device,
                                  .gpu = place->gpu,
                                  .spec = setup->spec_name ? setup->spec_name : "",
                                  .problem = serve->problem,
                                  .problem_count = serve->problem_count,
                                  .params = serve->params,
                                  .params_count = serve->params_count,
                                  .seed = setup->seed,
                                  .check = setup->check->enabled,
                                  .timeout_s = serve->start_timeout_s},
      line);
}

/* {hone} is this program on this host: it serves plug-ins. */
static void fill_command(const struct hone__program_serve *serve, struct hone__words *words)
{
  for (size_t i = 0; i < serve->command_count; i++) {
    char *own = strcmp(serve->command[i], "{hone}") == 0 ? hone_own_program() : NULL;
    hone__words_add(words, own ? own : serve->command[i]);
    free(own);
  }
}

static int start_process(struct hone__serve_host *host, const struct hone__serve_place *place)
{
  const char *variables[] = {place->variable, NULL};
  struct hone__child_options options = {.directory = place->directory, .variables = variables};
  struct hone__words words = {0};
  int error;

  fill_command(place->setup->serve, &words);
  options.argv = hone__words_list(&words);
  host->process = hone__served_start(&options, &error);
  host->start++;
  host->answered = 0;
  hone__words_release(&words);
  return error;
}

static hone_status take_welcome(struct hone__serve_host *host, const struct hone__packed *packed)
{
  struct hone__arena arena = {0};
  struct hone__serve_welcome welcome = {0};
  hone_status status = hone__serve_read_welcome(packed, &arena, &welcome);

  host->builds = welcome.build.type != HONE_BOOL || welcome.build.integer;
  host->checks = welcome.check.type != HONE_BOOL || welcome.check.integer;
  host->heartbeat_s = welcome.heartbeat_s > 0 ? welcome.heartbeat_s : 0;
  hone__arena_release(&arena);
  return status;
}

/* `*out_killed`: by another process, which is no evidence about the program. */
static hone_status send_hello(struct hone__serve_host *host, const struct hone__serve_place *place,
                              bool *out_killed)
{
  struct hone__text line = {0}, why = {0};
  struct reading reading = {0};
  struct hone__served_request request = {.take = take_line,
                                         .data = &reading,
                                         .timeout_s = place->setup->serve->start_timeout_s,
                                         .grace_s = grace_s};
  struct hone__served_answer news;
  hone_status status = NULL;

  hone__serve_hello_line(place, &line);
  request.line = line.data;
  request.length = line.length;
  hone__served_ask(&host->process, &request, &news);
  *out_killed = news.news == HONE__SERVED_ENDED &&
                hone__program_class_of_end(&news.child) == HONE_OUTCOME_KILLED;
  if (news.news != HONE__SERVED_ANSWERED) {
    describe(&news, &reading, &request, "hello", &why);
    status = hone__error(HONE_UNAVAILABLE, "%s", why.data);
  } else {
    status = take_welcome(host, reading.answer);
  }
  hone__packed_drop(reading.answer);
  hone__text_release(&reading.wrong);
  hone__served_answer_release(&news);
  hone__text_release(&line);
  hone__text_release(&why);
  return status;
}

static hone_status try_start(struct hone__serve_host *host, const struct hone__serve_place *place,
                             bool *out_killed)
{
  hone_status status;
  int error;

  *out_killed = false;
  hone__served_end(host->process, NULL, 0);
  error = start_process(host, place);
  status = error ? hone__error(HONE_UNAVAILABLE, "cannot be started: %s", strerror(error))
                 : send_hello(host, place, out_killed);
  if (!status) return NULL;
  hone__served_end(host->process, NULL, 0);
  host->process = NULL;
  return status;
}

hone_status hone__serve_start(struct hone__serve_host *host, const struct hone__serve_place *place)
{
  const struct hone__program_serve *serve = place->setup->serve;
  hone_status status = NULL;
  bool was_killed = true;

  if (!serve->command_count)
    return hone__error(HONE_INVALID_ARGUMENT, "a served program without a command");
  if (hone__served_is_alive(host->process)) return NULL;
  for (int i = 0; i < MOST_STARTS && was_killed; i++) {
    hone_status_free(status);
    status = try_start(host, place, &was_killed);
    if (!status) return NULL;
  }
  return hone__annotate(status, "the served program '%s'",
                        serve->command[serve->command_count - 1]);
}

/* ---- A request ---- */

static void take_texts(struct hone__serve_reply *reply, struct hone__child_result *child)
{
  reply->output = child->output;
  reply->errors = child->errors;
  child->output = child->errors = (struct hone__text){0};
}

static void take_answer(struct hone__serve_host *host, struct hone__serve_reply *reply,
                        const char *type)
{
  hone_status status = hone__serve_read_answer(reply->packed, &reply->arena, &reply->answer);

  reply->has_answered = !status;
  reply->outcome = status ? HONE_OUTCOME_PROTOCOL : reply->answer.outcome;
  if (status)
    hone__text_addf(&reply->evidence, "invalid answer to '%s': %s", type,
                    hone_status_message(status));
  else if (reply->answer.text && reply->outcome != HONE_OUTCOME_OK)
    hone__text_add(&reply->evidence, reply->answer.text);
  else if (reply->outcome != HONE_OUTCOME_OK)
    hone__text_addf(&reply->evidence, "the program answered '%s'",
                    hone_outcome_name(reply->outcome));
  hone_status_free(status);
  if (reply->outcome != HONE_OUTCOME_PROTOCOL && reply->outcome != HONE_OUTCOME_DEVICE_FAULT)
    return;
  hone__served_end(host->process, NULL, 0); /* others must not suffer from its state */
  host->process = NULL;
}

static void lose(struct hone__serve_reply *reply, const struct hone__served_answer *news,
                 const struct reading *reading, const struct hone__served_request *request,
                 const char *type)
{
  reply->outcome = class_of(news, type);
  describe(news, reading, request, type, &reply->evidence);
}

void hone__serve_ask(struct hone__serve_host *host, struct hone__serve_request *request,
                     double timeout_s, struct hone__serve_reply *out_reply)
{
  struct hone__text line = {0};
  struct reading reading = {.id = ++host->last_id};
  struct hone__served_request asked = {.take = take_line,
                                       .data = &reading,
                                       .timeout_s = timeout_s,
                                       .silence_s = host->heartbeat_s,
                                       .grace_s = grace_s};
  struct hone__served_answer news;

  *out_reply = (struct hone__serve_reply){.was_used = host->answered > 0};
  request->id = reading.id;
  request->timeout_s = timeout_s > 0 ? timeout_s : NAN;
  hone__serve_print_request(request, &line);
  asked.line = line.data;
  asked.length = line.length;
  hone__served_ask(&host->process, &asked, &news);
  host->answered++;
  out_reply->seconds = news.child.seconds;
  if (news.news != HONE__SERVED_ANSWERED) lose(out_reply, &news, &reading, &asked, request->type);
  take_texts(out_reply, &news.child);
  out_reply->packed = reading.answer;
  if (news.news == HONE__SERVED_ANSWERED) take_answer(host, out_reply, request->type);
  hone__text_release(&reading.wrong);
  hone__served_answer_release(&news);
  hone__text_release(&line);
}

void hone__serve_reply_release(struct hone__serve_reply *reply)
{
  hone__text_release(&reply->evidence);
  hone__text_release(&reply->output);
  hone__text_release(&reply->errors);
  hone__packed_drop(reply->packed);
  hone__arena_release(&reply->arena);
  *reply = (struct hone__serve_reply){0};
}

void hone__serve_end(struct hone__serve_host *host)
{
  hone__served_end(host->process, HONE__SERVE_BYE, bye_s);
  *host = (struct hone__serve_host){.start = host->start, .last_id = host->last_id};
}
