/* NVRTC is a library: it may crash, hang, or exhaust memory, so it works in a fork. The library is
 * opened before the fork, which saves 50 ms each time; opening runs no compiler code and starts no
 * threads. Neither a context nor a driver is needed.
 */
#include "backend/cuda/cuda_nvrtc.h"

#include "base/file.h"
#include "base/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  MOST_SOURCE_BYTES = 16 << 20,
  MOST_OBJECT_BYTES = 1 << 29,
  NVRTC_COMPILATION = 6,
  NVRTC_BUILTINS = 7
};
static const size_t least_memory_bytes = (size_t)2 << 30;

/* ---- In the fork ---- */

_Noreturn static void leave(const char *format, ...) HONE__PRINTF(1, 2);
_Noreturn static void leave(const char *format, ...)
{
  va_list args;

  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\n");
  fflush(stdout);
  _exit(1);
}

static void write_file(const char *path, const char *bytes, size_t size)
{
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  if (file < 0 || !hone__file_write(file, bytes, size))
    leave("cannot write '%s': %s", path, strerror(errno));
  close(file);
}

/* free(); never NULL. */
static char *print_log(const struct hone__nvrtc_library *nvrtc, nvrtc_program program)
{
  size_t size = 0;
  char *log;

  if (nvrtc->GetProgramLogSize(program, &size) != 0) size = 0;
  log = hone__alloc(size + 1);
  if (size > 1 && nvrtc->GetProgramLog(program, log) == 0)
    printf("%s%s", log, log[0] && log[strlen(log) - 1] == '\n' ? "" : "\n");
  fflush(stdout);
  return log;
}

/* Marks the assembler's last message as an error, which its format does not. */
_Noreturn static void fail(const struct hone__nvrtc_job *job, nvrtc_result result, const char *log)
{
  const char *fatal = strstr(log, "ptxas fatal");

  if (result == NVRTC_BUILTINS) _exit(HONE__NVRTC_IS_BROKEN);
  if (fatal) leave("error: %.*s", (int)strcspn(fatal, "\n"), fatal);
  if (result != NVRTC_COMPILATION || !strstr(log, "error"))
    leave("error: %s", job->nvrtc->GetErrorString(result));
  _exit(1);
}

static void write_cubin(const struct hone__nvrtc_job *job, nvrtc_program program)
{
  size_t size = 0;
  nvrtc_result result = job->nvrtc->GetCUBINSize(program, &size);
  char *cubin;

  if (result || !size)
    leave("error: no code was generated: %s",
          result ? job->nvrtc->GetErrorString(result) : "is the architecture a virtual one?");
  cubin = hone__alloc(size);
  result = job->nvrtc->GetCUBIN(program, cubin);
  if (result) leave("error: %s", job->nvrtc->GetErrorString(result));
  write_file(job->object, cubin, size);
  free(cubin);
}

static void write_name(const struct hone__nvrtc_job *job, nvrtc_program program)
{
  const char *name = NULL;

  if (job->nvrtc->GetLoweredName(program, job->entry, &name) != 0 || !name)
    leave("error: no kernel '%s' in '%s'", job->entry, job->shown_as);
  write_file(job->name, name, strlen(name));
}

static nvrtc_program create(const struct hone__nvrtc_job *job)
{
  nvrtc_program program = NULL;
  char *text = NULL;
  size_t size;
  hone_status status = hone__file_read(job->source, MOST_SOURCE_BYTES, &text, &size);
  nvrtc_result result;

  if (status) leave("error: %s", hone_status_message(status));
  result = job->nvrtc->CreateProgram(&program, text, job->shown_as, 0, NULL, NULL);
  if (!result) result = job->nvrtc->AddNameExpression(program, job->entry);
  if (result) leave("error: NVRTC: %s", job->nvrtc->GetErrorString(result));
  free(text);
  return program;
}

static void work(void *data)
{
  const struct hone__nvrtc_job *job = data;
  nvrtc_program program = create(job);
  nvrtc_result result = job->nvrtc->CompileProgram(program, (int)job->options->count,
                                                   (const char *const *)job->options->data);
  char *log = print_log(job->nvrtc, program);

  if (result) fail(job, result, log);
  free(log);
  write_cubin(job, program);
  write_name(job, program);
}

/* ---- Here ---- */

/* If there is a driver, NVRTC caches its results, and a cached result lacks the assembler's report.
 * We have our own cache. */
void hone__nvrtc_run(const struct hone__nvrtc_job *job, struct hone__child_result *out_result)
{
  struct hone__text temporary = {0};
  const char *variables[] = {"LC_ALL=C", NULL, "CUDA_CACHE_DISABLE=1", NULL};
  struct hone__nvrtc_job copy = *job;
  struct hone__child_options options = {.function = work,
                                        .data = &copy,
                                        .directory = job->directory,
                                        .timeout_s = job->timeout_s,
                                        .memory_bytes = hone__memory_half(least_memory_bytes),
                                        .file_bytes = MOST_OBJECT_BYTES,
                                        .variables = variables};

  hone__text_addf(&temporary, "TMPDIR=%s", job->folder);
  variables[1] = temporary.data;
  hone__child_run(&options, out_result);
  hone__text_release(&temporary);
}
