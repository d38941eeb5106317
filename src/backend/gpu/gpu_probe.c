/* One child for one question, and one above it that knows how that ended and ends all that it left;
 * its answer comes as JSON through shared memory, not through a pipe: what device libraries print
 * to standard output is none of it. The parent looks at the memory once the child is gone, so that
 * nobody can change it meanwhile. */
#include "backend/gpu/gpu_probe.h"

#include "base/memory.h"
#include "base/text.h"
#include "proc/child.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ANSWER_BYTES = 1 << 20, MOST_DRIVERS = 8 };
static const double probe_timeout_s = 20, more_s = 10; /* for sweeping up */

struct answer { /* shared with the child */
  bool is_whole;
  int code; /* of its status */
  size_t size;
  char text[ANSWER_BYTES]; /* JSON, or the message of the status */
};

/* ---- In the children ---- */

struct question {
  const char *what;
  hone_status (*ask)(json_t *answers);
  double timeout_s;
  struct answer *answer;
};

static void put(struct answer *answer, enum hone_code code, const char *text)
{
  size_t size = strlen(text);

  if (size > ANSWER_BYTES) {
    code = HONE_EXHAUSTED;
    text = "too many devices";
    size = strlen(text);
  }
  memcpy(answer->text, text, size);
  answer->size = size;
  answer->code = (int)code;
  answer->is_whole = true;
}

static void work(void *data)
{
  const struct question *question = data;
  json_t *found = json_array();
  hone_status status = question->ask(found);
  char *text = status ? NULL : json_dumps(found, JSON_COMPACT);

  if (status)
    put(question->answer, hone_status_code(status), hone_status_message(status));
  else if (text)
    put(question->answer, HONE_OK, text);
}

static hone_status tell_end(const char *what, const struct hone__child_result *result)
{
  struct hone__text text = {0}, line = {0};
  hone_status status;

  hone__child_describe(result, &text);
  hone__last_line(&result->output, &line);
  status = hone__error(HONE_UNAVAILABLE, "%s did not answer: %s%s%s", what, text.data,
                       line.length ? "; its last output: " : "", line.length ? line.data : "");
  hone__text_release(&text);
  hone__text_release(&line);
  return status;
}

/* A library that hangs, or crashes, after it answered has answered. */
static void oversee(void *data)
{
  struct question *question = data;
  struct hone__child_options options = {
      .function = work, .data = question, .timeout_s = question->timeout_s};
  struct hone__child_result result;
  hone_status status;

  hone__child_run(&options, &result);
  if (question->answer->is_whole) return;
  status = tell_end(question->what, &result);
  put(question->answer, hone_status_code(status), hone_status_message(status));
}

/* ---- In the parent ---- */

/* Objects, and nothing else. */
static bool is_sound(const json_t *answers)
{
  if (!json_is_array(answers)) return false;
  for (size_t i = 0; i < json_array_size(answers); i++)
    if (!json_is_object(json_array_get(answers, i))) return false;
  return true;
}

static hone_status read_answer(const char *what, const struct answer *answer, json_t **out_answers)
{
  size_t size = answer->size < ANSWER_BYTES ? answer->size : ANSWER_BYTES;

  if (answer->code != HONE_OK)
    return hone__error((enum hone_code)answer->code, "%.*s", (int)size, answer->text);
  *out_answers = json_loadb(answer->text, size, 0, NULL);
  if (is_sound(*out_answers)) return NULL;
  json_decref(*out_answers);
  *out_answers = NULL;
  return hone__error(HONE_UNAVAILABLE, "%s gave an invalid reply", what);
}

hone_status hone__gpu_ask(const char *what, hone_status (*ask)(json_t *answers), double timeout_s,
                          json_t **out_answers)
{
  struct answer *answer =
      mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  struct question question = {what, ask, timeout_s, answer};
  struct hone__child_options options = {.function = oversee,
                                        .data = &question,
                                        .timeout_s = timeout_s + more_s,
                                        .spares_others = true};
  struct hone__child_result result;
  hone_status status;

  *out_answers = NULL;
  if (answer == MAP_FAILED)
    return hone__error(HONE_UNAVAILABLE, "%s cannot be queried: out of memory", what);
  hone__child_run(&options, &result);
  status = answer->is_whole ? read_answer(what, answer, out_answers) : tell_end(what, &result);
  hone__child_result_release(&result);
  munmap(answer, sizeof *answer);
  return status;
}

/* ---- What is remembered ---- */

static struct memory {
  const struct hone__gpu_driver *driver;
  json_t *devices; /* NULL: it failed */
  enum hone_code code;
  char *message;
} memories[MOST_DRIVERS];
static pthread_mutex_t memory_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Devices that nobody can name are of no use. */
static hone_status check_names(const struct hone__gpu_driver *driver, const json_t *devices)
{
  for (size_t i = 0; i < json_array_size(devices); i++)
    if (!json_is_string(json_object_get(json_array_get(devices, i), "device")))
      return hone__error(HONE_UNAVAILABLE, "%s lists a device without a name", driver->name);
  return NULL;
}

static void probe(const struct hone__gpu_driver *driver, struct memory *memory)
{
  struct hone__text what = {0};
  hone_status status;

  hone__text_addf(&what, "the library of %s devices", driver->name);
  status = hone__gpu_ask(what.data, driver->list, probe_timeout_s, &memory->devices);
  if (!status) status = check_names(driver, memory->devices);
  memory->driver = driver;
  memory->code = hone_status_code(status);
  if (status) {
    memory->message = hone__strdup(hone_status_message(status));
    json_decref(memory->devices);
    memory->devices = NULL;
  }
  hone_status_free(status);
  hone__text_release(&what);
}

static struct memory *recall(const struct hone__gpu_driver *driver)
{
  struct memory *memory = memories;

  while (memory < memories + MOST_DRIVERS && memory->driver && memory->driver != driver)
    memory++;
  if (memory == memories + MOST_DRIVERS) HONE__BUG("more kinds of device libraries than expected");
  if (!memory->driver) probe(driver, memory);
  return memory;
}

hone_status hone__gpu_probe(const struct hone__gpu_driver *driver, json_t **out_devices)
{
  const struct memory *memory;
  hone_status status = NULL;

  *out_devices = NULL;
  pthread_mutex_lock(&memory_mutex);
  memory = recall(driver);
  if (memory->devices)
    *out_devices = json_deep_copy(memory->devices);
  else
    status = hone__error(memory->code, "%s", memory->message);
  pthread_mutex_unlock(&memory_mutex);
  return status;
}

hone_status hone__gpu_probe_into(const struct hone__gpu_driver *driver, json_t *devices)
{
  json_t *found;
  hone_status status = hone__gpu_probe(driver, &found);

  if (!status) json_array_extend(devices, found);
  json_decref(found);
  return status;
}
