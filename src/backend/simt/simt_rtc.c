/* The compiler is a library: it may crash, hang, or exhaust memory, so it works in a fork. The
 * library is opened before the fork, which saves 50 ms each time; opening runs no compiler code and
 * starts no threads. Neither a context nor a driver is needed.
 */
#include "backend/simt/simt_rtc.h"

#include "backend/kernel/pipeline.h"
#include "backend/simt/simt_host_code.h"
#include "backend/simt/simt_own_headers.h"
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
  RTC_COMPILATION = 6,
  RTC_BUILTINS = 7,
  MOST_HEADERS = 256,
  MOST_PASSES = 4
};
static const char verbose[] = "--ptxas-options=-v";
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
static char *read_log(const struct hone__rtc_library *rtc, rtc_program program)
{
  size_t size = 0;
  char *log;

  if (rtc->GetProgramLogSize(program, &size) != 0) size = 0;
  log = hone__alloc(size + 1);
  if (size < 2 || rtc->GetProgramLog(program, log) != 0) *log = 0;
  return log;
}

static void print_log(const char *log)
{
  if (*log) printf("%s%s", log, log[strlen(log) - 1] == '\n' ? "" : "\n");
  fflush(stdout);
}

/* Marks the assembler's last message as an error, which its format does not. */
_Noreturn static void fail(const struct hone__rtc_job *job, rtc_result result, const char *log)
{
  const char *fatal = strstr(log, "ptxas fatal");

  if (result == RTC_BUILTINS) _exit(HONE__RTC_IS_BROKEN);
  if (fatal) leave("error: %.*s", (int)strcspn(fatal, "\n"), fatal);
  if (result != RTC_COMPILATION || !strstr(log, "error"))
    leave("error: %s", job->rtc->GetErrorString(result));
  _exit(1);
}

static void write_code(const struct hone__rtc_job *job, rtc_program program)
{
  size_t size = 0;
  rtc_result result = job->rtc->GetCodeSize(program, &size);
  char *code;

  if (result || !size)
    leave("error: no code was generated: %s",
          result ? job->rtc->GetErrorString(result) : "is the architecture a virtual one?");
  code = hone__alloc(size);
  result = job->rtc->GetCode(program, code);
  if (result) leave("error: %s", job->rtc->GetErrorString(result));
  write_file(job->object, code, size);
  free(code);
}

/* hiprtc knows only entries that are written as a demangler would write them: the mark helps. */
static void write_name(const struct hone__rtc_job *job, rtc_program program)
{
  struct hone__text entry = {0}, names = {0};
  bool is_list = strchr(job->entry, '\n');

  for (const char *at = job->entry; hone__pipeline_next_entry(&at, &entry);) {
    const char *name = NULL;
    if (job->rtc->GetLoweredName(program, entry.data, &name) != 0 || !name) {
      if (job->tail) goto done;
      leave("error: no kernel '%s' in '%s'", entry.data, job->shown_as);
    }
    if (is_list) hone__text_addf(&names, "%s%s\n", names.length ? "\n" : "", entry.data);
    hone__text_add(&names, name);
  }
  write_file(job->name, names.data, names.length);
done:
  hone__text_release(&entry);
  hone__text_release(&names);
}

static rtc_result add_entries(const struct hone__rtc_job *job, rtc_program program)
{
  struct hone__text entry = {0};
  rtc_result result = 0;

  for (const char *at = job->entry; !result && hone__pipeline_next_entry(&at, &entry);)
    result = job->rtc->AddNameExpression(program, entry.data);
  hone__text_release(&entry);
  return result;
}

/* "-DNAME=VALUE": the compilers put headers of their own before a source, which such a macro would
 * change as well, so that it is defined in the source. */
static bool is_macro(const char *option)
{
  return strncmp(option, "-D", 2) == 0 && strchr(option, '=');
}

static const char *const cuda_headers[] = {"cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", NULL};

/* Of a toolkit, for kernels: the same whatever the source defines. */
static bool is_for_kernels(const char *name)
{
  static const char *const beginnings[] = {"cub/",  "cuda/",   "cooperative_groups",
                                           "mma.h", "curand_", "cuda_pipeline"};

  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (hone__starts_with(name, beginnings[i])) return true;
  return false;
}

/* The word behind "#", and what follows it. */
static const char *directive_of(const char *line, const char *word)
{
  line += strspn(line, " \t");
  if (*line != '#') return NULL;
  line += 1 + strspn(line + 1, " \t");
  if (!hone__starts_with(line, word)) return NULL;
  return line + strlen(word) + strspn(line + strlen(word), " \t");
}

/* Those in front of the source's own definitions and conditions, which may be meant for them. */
static void add_kernel_headers(const char *text, struct hone__text *source)
{
  for (const char *line = text; line; line = strchr(line, '\n')) {
    const char *name;
    line += *line == '\n';
    if (directive_of(line, "define") || directive_of(line, "if") || directive_of(line, "undef"))
      return;
    name = directive_of(line, "include");
    if (!name || *name != '<' || !is_for_kernels(name + 1)) continue;
    hone__text_addf(source, "#if __has_include(%.*s>)\n", (int)strcspn(name, ">\n"), name);
    hone__text_addf(source, "#include %.*s>\n#endif\n", (int)strcspn(name, ">\n"), name);
  }
}

/* CUDA's large headers have arguments named N and M: those that the source includes come before its
 * macros. They are included once. */
static void add_headers(const char *text, const struct hone__simt_own_headers *own,
                        struct hone__text *source)
{
  for (int i = 0; cuda_headers[i]; i++)
    if (hone__simt_own_headers_name(own, cuda_headers[i]))
      hone__text_addf(source, "#if __has_include(<%s>)\n#include <%s>\n#endif\n", cuda_headers[i],
                      cuda_headers[i]);
  add_kernel_headers(text, source);
}

static void add_macros(const struct hone__rtc_job *job, struct hone__text *source)
{
  for (size_t i = 0; i < job->options->count; i++) {
    const char *option = job->options->data[i], *value = strchr(option, '=');
    if (is_macro(option))
      hone__text_addf(source, "#define %.*s %s\n", (int)(value - option - 2), option + 2,
                      value + 1);
  }
}

static rtc_result compile(const struct hone__rtc_job *job, rtc_program program, bool is_verbose)
{
  const char **options = hone__alloc((job->options->count + 1) * sizeof *options);
  rtc_result result;
  int count = 0;

  for (size_t i = 0; i < job->options->count; i++)
    if (!is_macro(job->options->data[i]) &&
        (is_verbose || strcmp(job->options->data[i], verbose) != 0))
      options[count++] = job->options->data[i];
  result = job->rtc->CompileProgram(program, count, options);
  free(options);
  return result;
}

/* free() */
static char *read_source(const struct hone__rtc_job *job)
{
  char *text = NULL;
  size_t size;
  hone_status status = hone__file_read(job->source, MOST_SOURCE_BYTES, &text, &size);

  if (status) leave("error: %s", hone_status_message(status));
  hone__simt_host_code_drop(text);
  return text;
}

/* The source with what its dialect puts before it. */
static void add_source(const struct hone__rtc_job *job, const char *text,
                       const struct hone__simt_own_headers *own, struct hone__text *out_source)
{
  if (job->dialect) hone__text_add(out_source, job->dialect->words);
  if (job->words) hone__text_add(out_source, job->words);
  add_headers(text, own, out_source);
  add_macros(job, out_source);
  if (out_source->length && !strpbrk(job->shown_as, "\"\\"))
    hone__text_addf(out_source, "#line 1 \"%s\"\n", job->shown_as);
  hone__text_add(out_source, text);
  if (job->tail) hone__text_add(out_source, job->tail);
}

/* ---- Headers ---- */

struct headers {
  const char *names[MOST_HEADERS], *texts[MOST_HEADERS];
  int count;
};

static void add_header(struct headers *headers, const char *name, const char *text)
{
  if (headers->count == MOST_HEADERS) return;
  headers->names[headers->count] = name;
  headers->texts[headers->count++] = text;
}

static bool has_header(const struct hone__rtc_job *job, const char *name)
{
  struct hone__text path = {0};
  bool found = false;

  for (size_t i = 0; i < job->options->count && !found; i++) {
    if (strncmp(job->options->data[i], "-I", 2) != 0) continue;
    path.length = 0;
    hone__text_addf(&path, "%s/%s", job->options->data[i] + 2, name);
    found = access(path.data, R_OK) == 0;
  }
  hone__text_release(&path);
  return found;
}

/* Those of the toolkit, which kernels rarely need where it is not installed. */
static bool is_of_cuda(const char *name)
{
  for (int i = 0; cuda_headers[i]; i++)
    if (strcmp(cuda_headers[i], name) == 0) return true;
  return false;
}

static void list_headers(const struct hone__rtc_job *job, struct headers *headers)
{
  const struct hone__rtc_dialect *dialect = job->dialect;

  for (int i = 0; dialect && i < HONE__RTC_MOST_HEADERS && dialect->headers[i]; i++)
    add_header(headers, dialect->headers[i], dialect->texts[i]);
  if (!job->host_headers) return;
  if (has_header(job, "stdlib.h")) return; /* of another package, for the same compiler */
  for (const struct hone__rtc_header *header = job->host_headers; header->name; header++)
    if (!is_of_cuda(header->name) || !has_header(job, header->name))
      add_header(headers, header->name, header->text);
}

static void list_own_headers(const struct hone__simt_own_headers *own, struct headers *headers)
{
  for (size_t i = 0; i < own->count; i++)
    if (own->list[i].text) add_header(headers, own->list[i].name, own->list[i].text);
}

static rtc_program create(const struct hone__rtc_job *job, const char *text,
                          const struct hone__simt_own_headers *own)
{
  rtc_program program = NULL;
  struct hone__text source = {0};
  struct headers headers = {0};
  rtc_result result;

  add_source(job, text, own, &source);
  list_own_headers(own, &headers);
  list_headers(job, &headers);
  result = job->rtc->CreateProgram(&program, source.data ? source.data : "", job->shown_as,
                                   headers.count, headers.count ? headers.texts : NULL,
                                   headers.count ? headers.names : NULL);
  if (!result) result = add_entries(job, program);
  if (result) leave("error: %s: %s", job->title, job->rtc->GetErrorString(result));
  hone__text_release(&source);
  return program;
}

/* The source is in order, and has no such kernel. */
static bool is_about_entry(const char *log)
{
  return strstr(log, "nv_name_map") != NULL;
}

/* Without the code of the host that has errors; what depended on it may have some, too. NULL: there
 * is none, or other errors remain, and the first log is more informative. */
static rtc_program compile_without(const struct hone__rtc_job *job, char *text,
                                   struct hone__simt_own_headers *own, char **log)
{
  char *last = hone__strdup(*log);
  rtc_program program = NULL;
  rtc_result result = RTC_COMPILATION;

  for (int pass = 0; pass < MOST_PASSES && result; pass++) {
    bool has_dropped = hone__simt_host_code_drop_at(text, last, job->shown_as);
    has_dropped |= hone__simt_own_headers_drop_at(own, last, job->directory);
    if (!has_dropped) break;
    program = create(job, text, own);
    result = compile(job, program, true);
    free(last);
    last = read_log(job->rtc, program);
  }
  if (!result || is_about_entry(last)) free(*log), *log = hone__strdup(last);
  free(last);
  return result ? NULL : program;
}

/* NVRTC 13 prints what ptxas measured, but not why it failed, if it is asked for the former. */
static char *explain(const struct hone__rtc_job *job, const char *text,
                     const struct hone__simt_own_headers *own, char *log)
{
  rtc_program program;

  if (strstr(log, "error")) return log;
  program = create(job, text, own);
  if (!compile(job, program, false)) return log;
  free(log);
  return read_log(job->rtc, program);
}

static void work(void *data)
{
  const struct hone__rtc_job *job = data;
  struct hone__simt_own_headers own = {0};
  char *text = read_source(job), *log;
  rtc_program program;
  rtc_result result;

  if (job->host_headers) hone__simt_own_headers_find(&own, job->source, job->options);
  program = create(job, text, &own);
  result = compile(job, program, true);
  log = read_log(job->rtc, program);
  if (result == RTC_COMPILATION) {
    rtc_program second;
    log = explain(job, text, &own, log);
    second = compile_without(job, text, &own, &log);
    if (second) program = second, result = 0;
  }
  print_log(log);
  if (result) fail(job, result, log);
  free(log);
  free(text);
  hone__simt_own_headers_release(&own);
  write_code(job, program);
  write_name(job, program);
}

/* ---- Here ---- */

/* If there is a driver, NVRTC caches its results, and a cached result lacks the assembler's report.
 * We have our own cache. A compiler needs no device, and opening one takes 0.1 s. */
void hone__rtc_run(const struct hone__rtc_job *job, struct hone__child_result *out_result)
{
  struct hone__text temporary = {0};
  const char *variables[] = {"LC_ALL=C", NULL, "CUDA_CACHE_DISABLE=1", "CUDA_VISIBLE_DEVICES=-1",
                             NULL};
  struct hone__rtc_job copy = *job;
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
