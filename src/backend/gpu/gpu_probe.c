/* One child for each question, and a parent child that records how it ended and ends its
 * descendants. The answer is text in shared memory, not in a pipe, because device libraries print
 * to standard output. The parent reads the memory after the child is gone, so that it cannot change
 * meanwhile.
 */
#include "backend/gpu/gpu_probe.h"

#include "backend/gpu/gpu_keepalive.h"
#include "base/memory.h"
#include "base/text.h"
#include "proc/child.h"
#include "proc/child_tree.h"

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
  char text[ANSWER_BYTES]; /* or the message of the status */
};

/* ---- In the children ---- */

struct question {
  const char *what;
  hone__gpu_question *ask;
  const void *data;
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
  struct hone__text text = {0};
  hone_status status = question->ask(question->data, &text);

  if (status)
    put(question->answer, hone_status_code(status), hone_status_message(status));
  else
    put(question->answer, HONE_OK, text.data ? text.data : "");
}

static hone_status end_status(const char *what, const struct hone__child_result *result)
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

/* A library that hangs or crashes after its answer has answered. */
static void supervise(void *data)
{
  struct question *question = data;
  struct hone__child_options options = {
      .function = work, .data = question, .timeout_s = question->timeout_s};
  struct hone__child_result result;
  hone_status status;

  hone__tree_adopt(); /* in this process nothing but the question is started */
  hone__child_run(&options, &result);
  if (question->answer->is_whole) return;
  status = end_status(question->what, &result);
  put(question->answer, hone_status_code(status), hone_status_message(status));
}

/* ---- In the parent ---- */

static hone_status read_answer(const struct answer *answer, struct hone__text *out_text)
{
  size_t size = answer->size < ANSWER_BYTES ? answer->size : ANSWER_BYTES;

  if (answer->code != HONE_OK)
    return hone__error((enum hone_code)answer->code, "%.*s", (int)size, answer->text);
  hone__text_addn(out_text, answer->text, size);
  return NULL;
}

hone_status hone__gpu_query(const char *what, hone__gpu_question *ask, const void *data,
                            double timeout_s, struct hone__text *out_text)
{
  struct answer *answer =
      mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  struct question question = {what, ask, data, timeout_s, answer};
  struct hone__child_options options = {.function = supervise,
                                        .data = &question,
                                        .timeout_s = timeout_s + more_s,
                                        .spares_others = true};
  struct hone__child_result result;
  hone_status status;

  if (answer == MAP_FAILED)
    return hone__error(HONE_UNAVAILABLE, "%s cannot be queried: out of memory", what);
  hone__child_run(&options, &result);
  status = answer->is_whole ? read_answer(answer, out_text) : end_status(what, &result);
  hone__child_result_release(&result);
  munmap(answer, sizeof *answer);
  return status;
}

/* ---- What is remembered ---- */

static struct memory {
  const struct hone__gpu_driver *driver;
  struct hone__packed *devices; /* struct hone__wire_device_list; NULL: it failed */
  enum hone_code code;
  char *message;
} memories[MOST_DRIVERS];
static pthread_mutex_t memory_mutex = PTHREAD_MUTEX_INITIALIZER;

static hone_status list(const void *data, struct hone__text *out_text)
{
  const struct hone__gpu_driver *driver = data;
  struct hone__wire_device_list devices = {0};
  hone_status status = driver->list(&devices);
  struct hone__packed *packed;

  if (status) return status;
  packed = hone__pack(&hone__wire_device_list_type, &devices);
  hone__packed_print(packed, out_text);
  hone__packed_drop(packed);
  hone__wire_device_list_release(&devices);
  return NULL;
}

/* Devices without a name cannot be used. */
static hone_status check_names(const struct hone__gpu_driver *driver,
                               const struct hone__wire_device_list *list)
{
  for (size_t i = 0; i < list->devices_count; i++)
    if (!list->devices[i].device)
      return hone__error(HONE_UNAVAILABLE, "%s lists a device without a name", driver->name);
  return NULL;
}

/* On failure the list has the message. */
static hone_status unpack(struct hone__packed *packed, struct hone__wire_device_list *out_list)
{
  struct hone__arena arena = {0};
  hone_status status = hone__unpack(packed, &hone__wire_device_list_type, &arena, out_list);

  if (status) *out_list = (struct hone__wire_device_list){0};
  out_list->arena = arena;
  out_list->packed = hone__packed_hold(packed);
  return status;
}

static hone_status take_list(const struct hone__gpu_driver *driver, const char *what,
                             const struct hone__text *text, struct hone__packed **out_devices)
{
  struct hone__wire_device_list list = {0};
  hone_status status;

  *out_devices = hone__packed_parse(text->data ? text->data : "", text->length);
  if (!*out_devices) return hone__error(HONE_UNAVAILABLE, "%s gave an invalid reply", what);
  status = unpack(*out_devices, &list);
  if (!status) {
    status = check_names(driver, &list);
  } else {
    hone_status wrong = status;
    status = hone__error(HONE_UNAVAILABLE, "%s gave an invalid reply: %s", what,
                         hone_status_message(wrong));
    hone_status_free(wrong);
  }
  hone__wire_device_list_release(&list);
  return status;
}

static void probe(const struct hone__gpu_driver *driver, bool is_here, struct memory *memory)
{
  struct hone__text what = {0}, text = {0};
  hone_status status;

  hone__text_addf(&what, "the library of %s devices", driver->name);
  status = is_here ? list(driver, &text)
                   : hone__gpu_query(what.data, list, driver, probe_timeout_s, &text);
  if (!status && driver->sleeps && !is_here) hone__gpu_keep_alive(driver);
  if (!status) status = take_list(driver, what.data, &text, &memory->devices);
  memory->driver = driver;
  memory->code = hone_status_code(status);
  if (status) {
    memory->message = hone__strdup(hone_status_message(status));
    hone__packed_drop(memory->devices);
    memory->devices = NULL;
  }
  hone_status_free(status);
  hone__text_release(&what);
  hone__text_release(&text);
}

static struct memory *recall(const struct hone__gpu_driver *driver, bool is_here)
{
  struct memory *memory = memories;

  while (memory < memories + MOST_DRIVERS && memory->driver && memory->driver != driver)
    memory++;
  if (memory == memories + MOST_DRIVERS) HONE__BUG("more kinds of device libraries than expected");
  if (!memory->driver) probe(driver, is_here, memory);
  return memory;
}

hone_status hone__gpu_probe(const struct hone__gpu_driver *driver,
                            struct hone__wire_device_list *out_list)
{
  const struct memory *memory;
  hone_status status;

  *out_list = (struct hone__wire_device_list){0};
  pthread_mutex_lock(&memory_mutex);
  memory = recall(driver, false);
  if (memory->devices)
    status = unpack(memory->devices, out_list);
  else
    status = hone__error(memory->code, "%s", memory->message);
  pthread_mutex_unlock(&memory_mutex);
  return status;
}

void hone__gpu_probe_here(const struct hone__gpu_driver *driver)
{
  pthread_mutex_lock(&memory_mutex);
  recall(driver, true);
  pthread_mutex_unlock(&memory_mutex);
}
