/* A persistent compiler, for drivers that take long to open a device, and let in one process at a
 * time (NVIDIA's: half a second). A helper pays for that once, and compiles one program after the
 * other. It opens the device by a separate order, which does not count as a build.
 *
 * Memory that compilers leak is freed with the helper: one that has grown too large is replaced.
 */
#include "backend/opencl/opencl_compile.h"

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

/* ---- Orders and answers ---- */

enum { MOST_OPENINGS = 5 };

/* The source comes as payload, with the zero at its end; what has no value is not sent. */
static const struct hone__field order_fields[] = {
    HONE__TEXT(struct hone__opencl_compilation, device, HONE__OPTIONAL),
    HONE__TEXT(struct hone__opencl_compilation, prologue, HONE__OPTIONAL),
    HONE__TEXT(struct hone__opencl_compilation, options, HONE__OPTIONAL),
    HONE__TEXT(struct hone__opencl_compilation, entry, HONE__OPTIONAL),
    HONE__TEXT(struct hone__opencl_compilation, specialised, HONE__OPTIONAL),
    HONE__TEXT(struct hone__opencl_compilation, folder, HONE__OPTIONAL),
    HONE__TEXT(struct hone__opencl_compilation, directory, HONE__OPTIONAL),
    HONE__TEXT(struct hone__opencl_compilation, object, HONE__OPTIONAL),
    HONE__TEXT(struct hone__opencl_compilation, costs, HONE__OPTIONAL),
    HONE__RECORD(struct hone__opencl_compilation, target, HONE__OPTIONAL,
                 &hone__wire_device_facts_type),
};
static const struct hone__record_type order_type =
    HONE__RECORD_TYPE("order", struct hone__opencl_compilation, order_fields);

struct compiled {
  int64_t code;  /* an exit status */
  bool is_spent; /* the helper must be replaced */
};
static const struct hone__field compiled_fields[] = {
    HONE__INT(struct compiled, code, HONE__NEEDED, -0x1p31, 0x1p31),
    HONE__BOOL(struct compiled, is_spent, HONE__SENT),
};
static const struct hone__record_type compiled_type =
    HONE__RECORD_TYPE("answer", struct compiled, compiled_fields);

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

/* A missing text is empty. */
static void fill_texts(struct hone__opencl_compilation *job)
{
  for (size_t i = 0; i < order_type.field_count; i++) {
    const char **text = (const char **)((char *)job + order_fields[i].offset);
    if (order_fields[i].kind == HONE__FIELD_TEXT && !*text) *text = "";
  }
}

/* An order without a source opens the device. */
static struct hone__packed *carry_out(struct compiler *compiler, const struct hone__frame *frame)
{
  struct hone__arena arena = {0};
  struct hone__opencl_compilation job;
  struct compiled answer = {0};
  hone_status status = hone__unpack(frame->head, &order_type, &arena, &job);

  job.text = frame->payload;
  job.text_size = frame->payload_size ? frame->payload_size - 1 : 0;
  fill_texts(&job);
  if (status) {
    printf("%s\n", hone_status_message(status));
    answer.code = HONE__OPENCL_NO_DEVICE;
  }
  if (!status && !compiler->context) answer.code = open_device(compiler, job.device);
  if (!answer.code && frame->payload_size) answer.code = compile(compiler, &job);
  fflush(NULL);
  answer.is_spent = is_spent(compiler);
  hone_status_free(status);
  hone__arena_release(&arena);
  return hone__pack(&compiled_type, &answer);
}

static bool serve_one(struct compiler *compiler, int socket, const struct hone__frame *frame)
{
  struct hone__packed *answer = carry_out(compiler, frame);
  struct hone__frame result = {.kind = HONE__FRAME_RESULT, .job = frame->job, .head = answer};
  hone_status status = hone__frame_write(socket, &result);
  bool is_sent = !status;

  hone_status_free(status);
  hone__packed_drop(answer);
  return is_sent;
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
  _exit(0); /* exit handlers of libraries are skipped */
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

/* Merges the output of both descriptors. True: the helper has to be replaced. */
static bool take_answer(struct hone__helper_answer *answer, struct hone__child_result *out_result)
{
  struct hone__arena arena = {0};
  struct compiled compiled = {.code = HONE__OPENCL_NO_DEVICE};
  hone_status status;

  *out_result = answer->child;
  answer->child = (struct hone__child_result){0};
  hone__text_addn(&out_result->output, out_result->errors.data, out_result->errors.length);
  hone__text_release(&out_result->errors);
  if (!answer->has_answered) return false;
  status = hone__unpack(answer->head, &compiled_type, &arena, &compiled);
  if (status) compiled = (struct compiled){.code = HONE__OPENCL_NO_DEVICE, .is_spent = true};
  out_result->end = HONE__CHILD_EXITED;
  out_result->code = (int)compiled.code;
  hone_status_free(status);
  hone__arena_release(&arena);
  return compiled.is_spent;
}

static void send_job(const struct hone__opencl_compilation *job, const char *source,
                     double timeout_s, struct hone__child_result *out_result)
{
  struct hone__packed *packed = hone__pack(&order_type, job);
  struct hone__helper_request order = {.serve = serve,
                                       .head = packed,
                                       .payload = source,
                                       .payload_size = source ? job->text_size + 1 : 0,
                                       .timeout_s = timeout_s};
  struct hone__helper_answer answer;

  hone__helper_ask(&kept.helper, &order, &answer);
  if (take_answer(&answer, out_result)) hone__opencl_compile_end();
  hone__helper_answer_release(&answer);
  hone__packed_drop(packed);
}

/* A driver that does not even open its device is no evidence about a candidate. */
static void describe_end(const char *device, struct hone__child_result *result)
{
  struct hone__text text = {0};

  hone__child_describe(result, &text);
  hone__text_addf(&result->output, "\nthe driver cannot open device '%s': %s\n", device, text.data);
  hone__text_release(&text);
  result->end = HONE__CHILD_EXITED;
  result->code = HONE__OPENCL_NO_DEVICE;
}

/* Another process killed it: that is no evidence about the driver. */
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
  send_job(job, NULL, open_timeout_s, out_result);
  for (int i = 1; i < MOST_OPENINGS && was_killed(out_result); i++) {
    hone__child_result_release(out_result);
    send_job(job, NULL, open_timeout_s, out_result);
  }
  if (out_result->end != HONE__CHILD_EXITED) describe_end(job->device, out_result);
  if (out_result->code != 0) return false;
  free(kept.device);
  kept.device = hone__strdup(job->device);
  hone__child_result_release(out_result);
  return true;
}

void hone__opencl_compile_persistent(const struct hone__opencl_compilation *job,
                                     struct hone__child_result *out_result)
{
  if (open_compiler(job, out_result)) send_job(job, job->text, job->timeout_s, out_result);
}
