/* A build is one compiler process in a separate folder, and one linker process if that is faster,
 * unless the cache has its answer. */
#include "backend/c/c_backend.h"

#include "backend/c/compiler.h"
#include "backend/c/c_link.h"
#include "backend/c/c_linker.h"
#include "backend/c/c_object.h"
#include "backend/kernel/generator.h"
#include "backend/kernel/pipeline.h"
#include "backend/source_file.h"
#include "source/source_functions.h"
#include "base/file.h"
#include "base/replace.h"
#include "build/build_outcome.h"
#include "build/toolchain.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_LINKED_BYTES = 1 << 26 };

/* ---- Commands for people ---- */

/* Whether the words depend on the folder. */
static bool needs_folder(const struct hone__kernel_candidate *candidate)
{
  for (size_t i = 0; i < candidate->flags_count; i++) {
    const char *flag = candidate->flags[i];
    if ((flag[0] != '-' || strchr("IiLB", flag[1])) && flag[0] != '/') return true;
  }
  return false;
}

/* A header alone would be compiled to a header for faster builds: an empty source includes it. */
static void add_words(const struct hone__kernel_candidate *candidate, struct hone__words *out_words)
{
  bool is_header = hone__backend_source_file_is_header(candidate->source);
  const char *const header[] = {"-include", candidate->source, "-x", candidate->language, NULL};
  const char *source = is_header ? "/dev/null" : candidate->source;
  struct hone__words words = {0};

  hone__compiler_words(candidate, source, "kernel.so", NULL, NULL, &words);
  for (size_t i = 0; i < words.count; i++) {
    if (is_header && strcmp(words.data[i], source) == 0) hone__words_add_all(out_words, header);
    hone__words_add(out_words, words.data[i]);
  }
  hone__words_release(&words);
}

static void print_command(const struct hone__kernel_order *order, struct hone__text *out_command)
{
  const struct hone__kernel_candidate *candidate = &order->candidate;
  struct hone__words words = {0};

  if (hone__generator_print(order, "kernel.so", out_command)) return;
  add_words(candidate, &words);
  hone__kernel_print_command(&order->setup, (const char *const *)words.data,
                             needs_folder(candidate), out_command);
  hone__words_release(&words);
}

hone_status hone__c_build_command(const struct hone__packed *setup,
                                  const struct hone__packed *candidate,
                                  struct hone__text *out_command)
{
  return hone__kernel_build_command(setup, candidate, print_command, out_command);
}

/* ---- The cache ---- */

bool hone__c_deps_are_current(const struct hone__pairs *deps)
{
  return hone__build_deps_are_current(deps->data, deps->count, hone__dependency_digest);
}

static bool is_open(const struct hone__kernel_build *build)
{
  return hone__compiler_is_open(build->candidate, &build->text);
}

static void identify(const struct hone__kernel_build *build, struct hone__digester *digester)
{
  hone__compiler_identify(build->candidate, &build->text, build->folder, true, digester);
}

/* A compiler lists the files that it read. */
static void look(struct hone__kernel_build *build)
{
  build->is_cached = build->deps_are_all = true;
}

/* A failed compiler may not have written its list. */
static void add_deps(struct hone__kernel_build *build, const char *source)
{
  bool listed = hone__build_deps_add_listed(&build->deps, build->workdir.deps, source,
                                            build->folder, hone__dependency_digest);

  hone__build_deps_add_named(&build->deps, build->candidate->flags, 0, source, build->folder,
                             hone__dependency_digest);
  build->deps_are_all = build->deps_are_all && (listed || !is_open(build));
}

/* What a command of the spec wrote. */
static const char *recognise(const struct hone__kernel_candidate *candidate, const char *bytes,
                             size_t size)
{
  unsigned machine, type;

  if (hone__generator_is_elf(bytes, size, &machine, &type)) return type == ET_REL ? ".o" : NULL;
  if (!hone__generator_is_text(bytes, size)) return NULL;
  return strcmp(candidate->language, "c++") == 0 ? ".cpp" : ".c";
}

/* ---- Building ---- */

/* The source itself, or one that includes it: a header, or one with an entry that only a
 * compiler finds; free(). NULL: it cannot be written, and the answer has the reason. */
static char *source_to_compile(struct hone__kernel_build *build)
{
  const char *own = hone__kernel_short_name(build->candidate->source, build->folder);
  const char *whole = build->text.text.data;
  struct hone__c_entry entry = {.source = build->candidate->source,
                                .entries = build->entry,
                                .is_c = strcmp(build->candidate->language, "c") == 0,
                                .hides_main = whole && hone__code_functions_has_main(whole)};
  struct hone__text text = {0};
  char *path;
  hone_status status;

  if (hone__c_entry_is_plain(build->entry) &&
      !hone__backend_source_file_is_header(build->candidate->source))
    return hone__strdup(own);
  path = hone__build_folder_path(&build->workdir, hone__c_entry_file(entry.is_c));
  hone__c_entry_source(&entry, &text);
  status = hone__file_put(path, text.data, text.length);
  hone__text_release(&text);
  if (!status) return path;
  hone__build_fail(build->answer, HONE_OUTCOME_DISK_FULL, hone_status_message(status));
  hone_status_free(status);
  free(path);
  return NULL;
}

static bool run(const struct hone__kernel_build *build, const struct hone__words *words,
                struct hone__child_result *out_result)
{
  return hone__build_folder_run(&build->workdir, (const char *const *)words->data, build->folder,
                                build->order.timeout_s, 0, NULL, out_result, build->answer);
}

static bool object_is_alone(const char *path)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, MOST_LINKED_BYTES, &bytes, &size);
  bool is_alone = !status && hone__c_link_is_alone(bytes, size);

  hone_status_free(status);
  free(bytes);
  return is_alone;
}

/* The build ends as the linker does, with the warnings and the times of both. */
static void add_linking(struct hone__child_result *result, const struct hone__child_result *linking)
{
  result->end = linking->end;
  result->code = linking->code;
  result->seconds += linking->seconds;
  result->cpu_seconds += linking->cpu_seconds;
  if (linking->peak_bytes > result->peak_bytes) result->peak_bytes = linking->peak_bytes;
  if (linking->output.length)
    hone__text_addn(&result->output, linking->output.data, linking->output.length);
  result->output_cut |= linking->output_cut;
}

static bool ask(const void *data, const struct hone__words *command, struct hone__text *out_text)
{
  const struct hone__kernel_build *build = data;
  struct hone__child_result result = {0};
  bool is_answered = run(build, command, &result) && result.end == HONE__CHILD_EXITED &&
                     result.code == 0 && !result.output_cut;

  if (is_answered) hone__text_addn(out_text, result.output.data, result.output.length);
  hone__child_result_release(&result);
  return is_answered;
}

/* A script that is called gcc may do more than start a compiler. */
static bool is_script(const struct hone__kernel_build *build, const char *compiler)
{
  char *path = hone__toolchain_find(compiler, build->folder), head[2] = "";
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  bool is = file >= 0 && read(file, head, sizeof head) == sizeof head && memcmp(head, "#!", 2) == 0;

  if (file >= 0) close(file);
  free(path);
  return is;
}

/* Links by the linker itself. False: the compiler has to link, and may explain why it cannot. */
static bool link_directly(const struct hone__kernel_build *build,
                          const struct hone__words *compiler, const char *object,
                          struct hone__child_result *out_result)
{
  struct hone__words words = {0};
  bool is_linked =
      !is_script(build, compiler->data[0]) &&
      hone__c_linker_words(compiler, object, build->workdir.object, ask, build, &words) &&
      run(build, &words, out_result) && out_result->end == HONE__CHILD_EXITED &&
      out_result->code == 0;

  if (!is_linked) hone__child_result_release(out_result);
  if (!is_linked) *out_result = (struct hone__child_result){0};
  hone__words_release(&words);
  return is_linked;
}

static bool link_object(const struct hone__kernel_build *build, const char *object,
                        struct hone__child_result *result)
{
  bool is_alone = object_is_alone(object), ran;
  struct hone__child_result linking = {0};
  struct hone__words words = {0};

  hone__compiler_link_words(build->candidate, object, build->workdir.object, is_alone, &words);
  ran =
      (is_alone && link_directly(build, &words, object, &linking)) || run(build, &words, &linking);
  if (ran) add_linking(result, &linking);
  hone__child_result_release(&linking);
  hone__words_release(&words);
  return ran;
}

/* The words are those of the compiler. */
static bool compile_and_link(const struct hone__kernel_build *build, const char *source,
                             const char *level, struct hone__words *words,
                             struct hone__child_result *out_result)
{
  char *object = hone__build_folder_path(&build->workdir, "kernel.o");
  bool ran;

  hone__compiler_compile_words(build->candidate, source, object, build->workdir.deps, level, words);
  ran = run(build, words, out_result);
  if (ran && out_result->end == HONE__CHILD_EXITED && out_result->code == 0)
    ran = link_object(build, object, out_result);
  free(object);
  return ran;
}

static bool compile_at_once(const struct hone__kernel_build *build, const char *source,
                            const char *level, struct hone__words *words,
                            struct hone__child_result *out_result)
{
  hone__compiler_words(build->candidate, source, build->workdir.object, build->workdir.deps, level,
                       words);
  return run(build, words, out_result);
}

static void compile(struct hone__kernel_build *build)
{
  const char *level = build->has_generated ? "-O3" : NULL;
  struct hone__words words = {0};
  struct hone__child_result result = {0};
  char *source = source_to_compile(build);

  if (!source) return;
  if (hone__c_link_is_apart(build->candidate) && !hone__ends_with(source, ".o")
          ? compile_and_link(build, source, level, &words, &result)
          : compile_at_once(build, source, level, &words, &result)) {
    add_deps(build, source);
    hone__kernel_build_end(build, words.count ? words.data[0] : "", &result, NULL, NULL);
  }
  hone__child_result_release(&result);
  hone__words_release(&words);
  free(source);
}

void hone__c_build(const struct hone__packed *setup, const struct hone__packed *job,
                   struct hone__answer *answer)
{
  static const struct hone__kernel_compiler compiler = {.object = "kernel.so",
                                                        .print = print_command,
                                                        .identify = identify,
                                                        .look = look,
                                                        .compile = compile,
                                                        .recognise = recognise,
                                                        .takes_code = true};

  hone__kernel_build(&compiler, setup, job, answer);
}
