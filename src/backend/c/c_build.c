/* A build is one compiler process in a separate folder, unless the cache has its answer. */
#include "backend/c/c_backend.h"

#include "backend/c/compiler.h"
#include "backend/c/c_object.h"
#include "backend/kernel/generator.h"
#include "backend/kernel/pipeline.h"
#include "base/replace.h"
#include "build/build_outcome.h"

#include <elf.h>
#include <stdlib.h>

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

static void print_command(const struct hone__kernel_order *order, struct hone__text *out_command)
{
  const struct hone__kernel_candidate *candidate = &order->candidate;
  struct hone__words words = {0};

  if (hone__generator_print(order, "kernel.so", out_command)) return;
  hone__compiler_words(candidate, candidate->source, "kernel.so", NULL, NULL, &words);
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

/* The source itself, or one that includes it if an entry needs C++ to be found; free(). NULL: it
 * cannot be written, and the answer has the reason. */
static char *source_to_compile(struct hone__kernel_build *build)
{
  const char *own = hone__kernel_short_name(build->candidate->source, build->folder);
  struct hone__text text = {0};
  char *path;
  hone_status status;

  if (hone__c_entry_is_plain(build->entry)) return hone__strdup(own);
  path = hone__build_folder_path(&build->workdir, "entry.cpp");
  hone__c_entry_source(build->candidate->source, build->entry, false, &text);
  status = hone__file_put(path, text.data, text.length);
  hone__text_release(&text);
  if (!status) return path;
  hone__build_fail(build->answer, HONE_OUTCOME_DISK_FULL, hone_status_message(status));
  hone_status_free(status);
  free(path);
  return NULL;
}

static void compile(struct hone__kernel_build *build)
{
  const struct hone__kernel_candidate *candidate = build->candidate;
  const struct hone__build_folder *workdir = &build->workdir;
  struct hone__words words = {0};
  struct hone__child_result result = {0};
  char *source = source_to_compile(build);

  if (!source) return;
  hone__compiler_words(candidate, source, workdir->object, workdir->deps,
                       build->has_generated ? "-O3" : NULL, &words);
  if (hone__build_folder_run(workdir, (const char *const *)words.data, build->folder,
                             build->order.timeout_s, NULL, &result, build->answer)) {
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
