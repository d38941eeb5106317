/* Loads, calls, answers. The library shares everything with this process, so persistent state uses
 * descriptors that a library has no reason to touch, and standard streams are restored before each
 * call.
 */
#include "backend/program/library_helper.h"

#include "backend/program/library_order.h"
#include "base/memory.h"
#include "proc/child_start.h"
#include "wire/frame.h"
#include "proc/helper.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

enum { PRIVATE_FILES = 200 };
static const char entry_name[] = "benchmark_entry";
static const char argument[] = "KBENCH_ARG_";

struct helper {
  int socket, output, errors; /* the last two: what 1 and 2 are meant to be */
  void *library;
  char *key; /* of the one that is loaded */
};

/* ---- Before a call ---- */

static void restore_output(const struct helper *helper)
{
  dup2(helper->output, 1);
  dup2(helper->errors, 2);
}

/* Those of the call before; the list changes with every one that goes. */
static void forget_arguments(void)
{
  for (size_t i = 0; environ && environ[i];) {
    char *name;
    if (strncmp(environ[i], argument, strlen(argument)) != 0) {
      i++;
      continue;
    }
    name = hone__strndup(environ[i], strcspn(environ[i], "="));
    if (!name || unsetenv(name) != 0) i++;
    free(name);
  }
}

/* ---- Loading ---- */

static void unload(struct helper *helper)
{
  if (helper->library) dlclose(helper->library);
  free(helper->key);
  helper->library = NULL;
  helper->key = NULL;
}

static bool load(struct helper *helper, const struct hone__library_order *order)
{
  if (helper->key && strcmp(helper->key, order->key) == 0) return true;
  unload(helper);
  helper->library = dlopen(order->path, RTLD_NOW | RTLD_LOCAL);
  if (helper->library) helper->key = hone__strdup(order->key);
  return helper->library != NULL;
}

/* ---- A call ---- */

static struct hone__packed *reply_with(int64_t value, const char *refusal)
{
  struct hone__library_reply reply = {.value = value, .refusal = refusal};

  return hone__pack(&hone__library_reply_type, &reply);
}

static struct hone__packed *refuse(void)
{
  const char *why = dlerror();

  return reply_with(0, why ? why : "no library was named");
}

static struct hone__packed *call_entry(struct helper *helper)
{
  int32_t (*entry)(void), value;
  void *symbol = dlsym(helper->library, entry_name);

  if (!symbol) return refuse();
  memcpy(&entry, &symbol, sizeof symbol); /* ISO C has no cast for it */
  value = entry();
  return reply_with(value, NULL);
}

static struct hone__packed *do_order(struct helper *helper, const struct hone__library_order *order)
{
  struct hone__packed *reply;

  restore_output(helper);
  forget_arguments();
  if (order->variables) hone__child_take_variables(order->variables);
  if (order->directory && chdir(order->directory) != 0)
    return reply_with(0, "its working directory no longer exists");
  reply = load(helper, order) ? call_entry(helper) : refuse();
  fflush(NULL);
  return reply;
}

static struct hone__packed *do_call(struct helper *helper, const struct hone__packed *call)
{
  struct hone__arena arena = {0};
  struct hone__library_order order;
  hone_status status = hone__unpack(call, &hone__library_order_type, &arena, &order);
  struct hone__packed *reply =
      status ? reply_with(0, hone_status_message(status)) : do_order(helper, &order);

  hone_status_free(status);
  hone__arena_release(&arena);
  return reply;
}

static void answer_call(struct helper *helper, const struct hone__frame *call)
{
  struct hone__packed *reply = do_call(helper, call->head);
  struct hone__frame frame = {.kind = HONE__FRAME_RESULT, .job = call->job, .head = reply};
  hone_status status = hone__frame_write(helper->socket, &frame);

  hone__packed_drop(reply);
  if (!status) return;
  restore_output(helper);
  fprintf(stderr, "the library closed descriptors that it did not open\n");
  _exit(1);
}

static int move_away(int file)
{
  int moved = fcntl(file, F_DUPFD_CLOEXEC, PRIVATE_FILES);

  return moved < 0 ? file : moved;
}

void hone__library_serve(void *data)
{
  int given = ((struct hone__helper_start *)data)->socket;
  struct helper helper = {
      .socket = move_away(given), .output = move_away(1), .errors = move_away(2)};
  struct hone__frame_reader reader = {0};
  struct hone__frame frame;
  hone_status status = NULL;

  if (helper.socket != given) close(given);
  setvbuf(stdout, NULL, _IOLBF, 0); /* so that output before a crash is not lost */
  while (!status) {
    status = hone__frame_read(helper.socket, &reader, &frame);
    if (!status) answer_call(&helper, &frame);
  }
  hone_status_free(status);
  unload(&helper);
  hone__frame_reader_release(&reader);
}
