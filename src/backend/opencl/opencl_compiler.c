/* A compiler that stays: for drivers that take long to open a device, and let one process after the
 * other in (NVIDIA's: half a second). A helper pays for that once, and compiles one program after
 * the other. It opens the device by an order of its own, which does not count as a build.
 *
 * What compilers leave in memory goes with the helper: one that has grown too large is replaced.
 */
#include "backend/opencl/opencl_compile.h"

#include "wire/message_text.h"
#include "base/text.h"
#include "wire/frame.h"
#include "proc/helper.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static const double open_timeout_s = 60;
static const size_t most_growth_bytes = (size_t)1 << 30;

/* ---- An order as JSON ---- */

static const struct {
  const char *name;
  size_t offset;
} texts[] = {
#define TEXT(name)                                                                                 \
  {                                                                                                \
#name, offsetof(struct hone__opencl_compilation, name)                                         \
  }
    TEXT(device), TEXT(prologue),  TEXT(options), TEXT(entry), TEXT(specialised),
    TEXT(folder), TEXT(directory), TEXT(object),  TEXT(costs),
#undef TEXT
};
enum { TEXTS = sizeof texts / sizeof *texts, MOST_OPENINGS = 5 };

static json_t *describe(const struct hone__opencl_compilation *job)
{
  json_t *head = json_object();

  for (size_t i = 0; i < TEXTS; i++) {
    const char *text = *(const char *const *)((const char *)job + texts[i].offset);
    if (text) json_object_set_new(head, texts[i].name, json_string(text));
  }
  if (job->target) json_object_set(head, "target", (json_t *)(uintptr_t)job->target);
  return head;
}

/* Lends what the frame has. Its payload is the source, with the zero at its end. */
static void read_order(const struct hone__frame *frame, struct hone__opencl_compilation *job)
{
  *job = (struct hone__opencl_compilation){.target = json_object_get(frame->head, "target"),
                                           .text = frame->payload};
  for (size_t i = 0; i < TEXTS; i++)
    *(const char **)((char *)job + texts[i].offset) =
        hone__message_text(frame->head, texts[i].name);
}

/* ---- In the helper ---- */

struct compiler {
  struct hone__opencl_device at;
  cl_context context;  /* NULL: not open */
  size_t opened_bytes; /* that it had in memory then */
};

/* In bytes: the address space of this process, and what of it is in memory. */
static void read_own_size(size_t *out_space, size_t *out_resident)
{
  char line[128] = "", *end = line;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? 0 : read(file, line, sizeof line - 1);

  *out_space = got > 0 ? strtoull(line, &end, 10) * page : 0;
  *out_resident = got > 0 ? strtoull(end, NULL, 10) * page : 0;
  if (file >= 0) close(file);
}

static int open_device(struct compiler *compiler, const char *device)
{
  int code = hone__opencl_open_compiler(device, &compiler->at, &compiler->context);
  size_t space;

  read_own_size(&space, &compiler->opened_bytes);
  return code;
}

static void limit_memory(const struct compiler *compiler)
{
  size_t more = hone__opencl_compiler_bytes(compiler->at.is_cpu), space, resident;
  struct rlimit limit;

  if (!more || getrlimit(RLIMIT_AS, &limit) != 0) return;
  read_own_size(&space, &resident);
  limit.rlim_cur = space + more < limit.rlim_max ? space + more : limit.rlim_max;
  setrlimit(RLIMIT_AS, &limit);
}

static int compile(const struct compiler *compiler, const struct hone__opencl_compilation *job)
{
  setenv("TMPDIR", job->folder, 1);
  if (*job->directory && chdir(job->directory) != 0) {
    printf("cannot enter folder '%s'\n", job->directory);
    return HONE__OPENCL_NO_DEVICE;
  }
  limit_memory(compiler);
  return hone__opencl_translate(job, &compiler->at, compiler->context);
}

static bool is_spent(const struct compiler *compiler)
{
  size_t space, resident;

  read_own_size(&space, &resident);
  return !compiler->context || resident > compiler->opened_bytes + most_growth_bytes;
}

/* An order without a source is to open the device. */
static json_t *obey(struct compiler *compiler, const struct hone__frame *frame)
{
  struct hone__opencl_compilation job;
  int code = 0;

  read_order(frame, &job);
  if (!compiler->context) code = open_device(compiler, job.device);
  if (!code && frame->payload_size) code = compile(compiler, &job);
  fflush(NULL);
  return json_pack("{s:i, s:b}", "code", code, "is_spent", is_spent(compiler));
}

static bool serve_one(struct compiler *compiler, int socket, const struct hone__frame *frame)
{
  struct hone__frame result = {
      .kind = HONE__FRAME_RESULT, .job = frame->job, .head = obey(compiler, frame)};
  hone_status status = hone__frame_write(socket, &result);
  bool is_heard = !status;

  hone_status_free(status);
  json_decref(result.head);
  return is_heard;
}

static void serve(void *data)
{
  const struct hone__helper_start *start = data;
  struct rlimit files = {HONE__OPENCL_MOST_BYTES, HONE__OPENCL_MOST_BYTES};
  struct hone__frame_reader reader = {0};
  struct compiler compiler = {0};
  struct hone__frame frame;

  signal(SIGPIPE, SIG_IGN);
  setenv("LC_ALL", "C", 1);
  setenv("CUDA_CACHE_DISABLE", "1", 0); /* the builder has a cache */
  setrlimit(RLIMIT_FSIZE, &files);
  for (;;) {
    hone_status status = hone__frame_read(start->socket, &reader, &frame);
    if (status || !serve_one(&compiler, start->socket, &frame)) break;
  }
  _exit(0); /* libraries have nothing to say at its end */
}

/* ---- In the builder ---- */

static struct {
  struct hone__helper *helper; /* NULL: none */
  char *device;
} kept;

void hone__opencl_compile_end(void)
{
  hone__helper_end(kept.helper);
  free(kept.device);
  kept.helper = NULL;
  kept.device = NULL;
}

/* What it said on either descriptor is one text. */
static void take_answer(struct hone__helper_answer *answer, struct hone__child_result *out_result)
{
  *out_result = answer->child;
  answer->child = (struct hone__child_result){0};
  hone__text_addn(&out_result->output, out_result->errors.data, out_result->errors.length);
  hone__text_release(&out_result->errors);
  if (!answer->has_answered) return;
  out_result->end = HONE__CHILD_EXITED;
  out_result->code = (int)json_integer_value(json_object_get(answer->head, "code"));
}

static void ask(const struct hone__opencl_compilation *job, const char *source, double timeout_s,
                struct hone__child_result *out_result)
{
  json_t *head = describe(job);
  struct hone__helper_request order = {.serve = serve,
                                       .head = head,
                                       .payload = source,
                                       .payload_size = source ? strlen(source) + 1 : 0,
                                       .timeout_s = timeout_s};
  struct hone__helper_answer answer;

  hone__helper_ask(&kept.helper, &order, &answer);
  take_answer(&answer, out_result);
  if (json_is_true(json_object_get(answer.head, "is_spent"))) hone__opencl_compile_end();
  hone__helper_answer_release(&answer);
  json_decref(head);
}

/* A driver that does not even open its device says nothing about a candidate. */
static void tell_end(const char *device, struct hone__child_result *result)
{
  struct hone__text text = {0};

  hone__child_describe(result, &text);
  hone__text_addf(&result->output, "\nthe driver cannot open device '%s': %s\n", device, text.data);
  hone__text_release(&text);
  result->end = HONE__CHILD_EXITED;
  result->code = HONE__OPENCL_NO_DEVICE;
}

/* Somebody else ended it: that says nothing about the driver. */
static bool was_killed(const struct hone__child_result *result)
{
  return result->end == HONE__CHILD_SIGNALLED &&
         (result->code == SIGKILL || result->code == SIGTERM);
}

static bool open_compiler(const struct hone__opencl_compilation *job,
                          struct hone__child_result *out_result)
{
  if (kept.device && strcmp(kept.device, job->device) != 0) hone__opencl_compile_end();
  if (kept.helper) return true;
  ask(job, NULL, open_timeout_s, out_result);
  for (int i = 1; i < MOST_OPENINGS && was_killed(out_result); i++) {
    hone__child_result_release(out_result);
    ask(job, NULL, open_timeout_s, out_result);
  }
  if (out_result->end != HONE__CHILD_EXITED) tell_end(job->device, out_result);
  if (out_result->code != 0) return false;
  free(kept.device);
  kept.device = hone__strdup(job->device);
  hone__child_result_release(out_result);
  return true;
}

void hone__opencl_compile_staying(const struct hone__opencl_compilation *job,
                                  struct hone__child_result *out_result)
{
  if (open_compiler(job, out_result)) ask(job, job->text, job->timeout_s, out_result);
}
