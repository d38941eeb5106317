/* A plug-in as a served program: requests become calls. This process may crash or hang with the
 * plug-in; the runner that started it treats it as any other served program.
 *
 * The plug-in shares descriptors with this process, so requests and answers use private ones, and
 * what it prints goes to standard error.
 */
#include "backend/program/serve_message.h"
#include "base/allocators.h"
#include "base/file.h"
#include "base/text.h"

#include "hone_machine.h"
#include "hone_plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PRIVATE_FILES = 200, FAILED = 1 };

typedef int describe_call(const struct hone_plugin_start *, struct hone_plugin_description *);
typedef int plugin_call(const struct hone_plugin_request *, struct hone_plugin_reply *);

struct server {
  int input, output;
  describe_call *describe;
  plugin_call *build, *run;
};

/* ---- Loading ---- */

static int move_away(int file)
{
  int moved = fcntl(file, F_DUPFD_CLOEXEC, PRIVATE_FILES);

  return moved < 0 ? file : moved;
}

static void take_files(struct server *server)
{
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

  server->input = move_away(0);
  server->output = move_away(1);
  if (null >= 0) dup2(null, 0);
  dup2(2, 1);
  setvbuf(stdout, NULL, _IOLBF, 0); /* so that output before a crash is not lost */
}

static void *find(void *library, const char *name)
{
  return dlsym(library, name);
}

/* ISO C has no cast from an object to a function. */
static bool load(struct server *server, const char *path)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *symbols[3];

  if (!library) {
    fprintf(stderr, "cannot load the plug-in: %s\n", dlerror());
    return false;
  }
  symbols[0] = find(library, "hone_plugin_describe");
  symbols[1] = find(library, "hone_plugin_build");
  symbols[2] = find(library, "hone_plugin_run");
  memcpy(&server->describe, &symbols[0], sizeof symbols[0]);
  memcpy(&server->build, &symbols[1], sizeof symbols[1]);
  memcpy(&server->run, &symbols[2], sizeof symbols[2]);
  if (symbols[0] && symbols[2]) return true;
  fprintf(stderr, "'%s' is not a plug-in: it has no function '%s', see hone_plugin.h\n", path,
          symbols[0] ? "hone_plugin_run" : "hone_plugin_describe");
  return false;
}

/* ---- Values ---- */

static struct hone_plugin_value plain_value(const struct hone__named *named)
{
  struct hone_plugin_value value = {.name = named->name, .type = HONE_PLUGIN_TEXT, .text = ""};

  switch (named->value.type) {
  case HONE_BOOL: value.type = HONE_PLUGIN_BOOL; break;
  case HONE_INT: value.type = HONE_PLUGIN_INT; break;
  case HONE_FLOAT: value.type = HONE_PLUGIN_FLOAT; break;
  default: break;
  }
  if (value.type == HONE_PLUGIN_BOOL || value.type == HONE_PLUGIN_INT)
    value.integer = named->value.integer;
  if (value.type == HONE_PLUGIN_FLOAT) value.real = named->value.real;
  if (named->value.type == HONE_TEXT) value.text = named->value.text;
  return value;
}

static struct hone_plugin_value *plain_values(struct hone__arena *arena,
                                              const struct hone__named *named, size_t count)
{
  struct hone_plugin_value *values = hone__arena_alloc(arena, (count + 1) * sizeof *values);

  for (size_t i = 0; i < count; i++)
    values[i] = plain_value(&named[i]);
  return values;
}

/* ---- Answers ---- */

static void send(const struct server *server, struct hone__text *line)
{
  if (!hone__file_write(server->output, line->data, line->length)) exit(FAILED);
  hone__text_release(line);
}

static void fail(const char *function, int code)
{
  fflush(NULL);
  fprintf(stderr, "%s returned %d\n", function, code);
  exit(FAILED);
}

static void describe(const struct server *server, const struct hone__serve_hello *hello,
                     struct hone__arena *arena)
{
  struct hone_plugin_start start = {.size = sizeof start,
                                    .role = hello->role,
                                    .device = hello->device,
                                    .gpu = hello->gpu,
                                    .spec = hello->spec,
                                    .seed = hello->seed,
                                    .problem =
                                        plain_values(arena, hello->problem, hello->problem_count),
                                    .problem_count = hello->problem_count};
  struct hone_plugin_description description = {.size = sizeof description};
  struct hone__text line = {0};
  int code = server->describe(&start, &description);

  if (code) fail("hone_plugin_describe", code);
  if (description.version != HONE_PLUGIN_VERSION) {
    fprintf(stderr, "the plug-in has version %u of hone_plugin.h, and this Hone has version %d\n",
            description.version, HONE_PLUGIN_VERSION);
    exit(FAILED);
  }
  description.name[sizeof description.name - 1] = 0;
  hone__serve_print_welcome(
      &(struct hone__serve_welcome){.version = HONE__SERVE_VERSION,
                                    .name = description.name,
                                    .build = {HONE_BOOL, {.integer = server->build != NULL}},
                                    .check = {HONE_BOOL, {.integer = description.checks}},
                                    .heartbeat_s = description.heartbeat_s},
      hello->id, &line);
  send(server, &line);
}

static struct hone__named *list_metrics(struct hone__arena *arena, struct hone_plugin_reply *reply)
{
  struct hone__named *named;

  if (reply->metric_count > HONE_PLUGIN_MOST_METRICS)
    reply->metric_count = HONE_PLUGIN_MOST_METRICS;
  named = hone__arena_alloc(arena, (reply->metric_count + 1) * sizeof *named);
  for (size_t i = 0; i < reply->metric_count; i++) {
    reply->metrics[i].name[sizeof reply->metrics[i].name - 1] = 0;
    named[i] = (struct hone__named){reply->metrics[i].name,
                                    {HONE_FLOAT, {.real = reply->metrics[i].value}}};
  }
  return named;
}

static void answer(const struct server *server, const struct hone__serve_request *request,
                   struct hone__arena *arena, struct hone_plugin_reply *reply)
{
  struct hone__text line = {0};
  struct hone__serve_answer message = {0};

  reply->outcome[sizeof reply->outcome - 1] = reply->text[sizeof reply->text - 1] = 0;
  if (reply->sample_count > request->samples) reply->sample_count = request->samples;
  message.outcome_name = *reply->outcome ? reply->outcome : "ok";
  message.text = *reply->text ? reply->text : NULL;
  message.samples_ns = reply->samples_ns;
  message.samples_ns_count = reply->sample_count;
  message.metrics = list_metrics(arena, reply);
  message.metrics_count = reply->metric_count;
  if (strcmp(request->type, "build") == 0) { /* its metrics are those of what was built */
    message.built = message.metrics;
    message.built_count = message.metrics_count;
    message.metrics = NULL;
    message.metrics_count = 0;
  }
  hone__serve_print_answer(&message, request->id, &line);
  send(server, &line);
}

static void call(const struct server *server, const struct hone__serve_request *request,
                 struct hone__arena *arena)
{
  bool is_build = strcmp(request->type, "build") == 0;
  struct hone_plugin_request plain = {
      .size = sizeof plain,
      .key = request->key,
      .config = plain_values(arena, request->config, request->config_count),
      .problem = plain_values(arena, request->problem, request->problem_count),
      .derived = plain_values(arena, request->derived, request->derived_count),
      .config_count = request->config_count,
      .problem_count = request->problem_count,
      .derived_count = request->derived_count,
      .object = request->object,
      .samples = request->samples,
      .timeout_s = request->timeout_s > 0 ? request->timeout_s : 0};
  struct hone_plugin_reply *reply = hone__arena_alloc(arena, sizeof *reply);
  plugin_call *function = is_build ? server->build : server->run;
  int code;

  memset(reply, 0, sizeof *reply);
  reply->size = sizeof *reply;
  reply->samples_ns = hone__arena_alloc(arena, (request->samples + 1) * sizeof *reply->samples_ns);
  code = function ? function(&plain, reply) : 0;
  fflush(NULL);
  if (code) fail(is_build ? "hone_plugin_build" : "hone_plugin_run", code);
  answer(server, request, arena, reply);
}

/* ---- Requests ---- */

/* False: it was the last one. */
static bool serve_line(const struct server *server, const char *line, size_t length)
{
  struct hone__packed *packed = hone__packed_parse(line, length);
  struct hone__arena arena = {0};
  struct hone__serve_hello hello;
  struct hone__serve_request request;
  enum hone__serve_kind kind = hone__serve_read_request(packed, &arena, &hello, &request);

  if (kind == HONE__SERVE_IS_HELLO) describe(server, &hello, &arena);
  if (kind == HONE__SERVE_IS_REQUEST && request.samples <= HONE__SERVE_MOST_SAMPLES)
    call(server, &request, &arena);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
  return kind != HONE__SERVE_IS_BYE;
}

int hone_plugin_main(const char *path)
{
  struct server server = {0};
  FILE *requests;
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;

  hone__allocators_install();
  take_files(&server);
  if (!load(&server, path)) return FAILED;
  requests = fdopen(server.input, "re");
  if (!requests) return FAILED;
  while ((length = getline(&line, &capacity, requests)) > 0)
    if (!serve_line(&server, line, (size_t)length)) break;
  free(line);
  fclose(requests);
  return 0;
}
