/* A build is one compiler process in a separate folder, unless the cache has its answer. */
#include "backend/c/c_backend.h"

#include "backend/c/compiler.h"
#include "backend/command_template.h"
#include "backend/kernel/kernel_build.h"
#include "build/build_includes.h"

/* ---- Commands for people ---- */

/* Whether the words depend on the folder. */
static bool needs_folder(const struct hone__kernel_candidate *candidate)
{
  if (candidate->command) return true;
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

  hone__compiler_words(candidate, candidate->source, "kernel.so", NULL, &words);
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

/* Adds the files that a command of the spec may read, before it runs: those it names, those the
 * source includes, and those next to it. deps_are_all: as far as the source's lines show. */
static void look_around(struct hone__kernel_build *build)
{
  const struct hone__kernel_candidate *candidate = build->candidate;
  const char *source = hone__kernel_short_name(candidate->source, build->folder);
  struct hone__include_paths paths = {
      .source = candidate->source, .includes = candidate->includes, .folder = build->folder};
  struct hone__words words = {0};
  const char *const *list;

  hone__compiler_words(candidate, source, "{output}", "{depfile}", &words);
  list = hone__words_list(&words);
  paths.flags = list; /* -I may stand in any of them */
  build->deps_are_all = hone__build_includes(&paths, &build->deps);
  hone__build_deps_add_named(&build->deps, list, 0, source, build->folder, hone__dependency_digest);
  hone__build_deps_add_siblings(&build->deps, candidate->source);
  hone__words_release(&words);
}

/* A compiler lists the files it read; a command of the spec may do so. */
static void look(struct hone__kernel_build *build)
{
  const char **command = build->candidate->command;

  if (command) look_around(build);
  build->is_cached = !command || build->deps_are_all || hone__command_mentions(command, "depfile");
}

/* A failed compiler may not have written its list. */
static void add_deps(struct hone__kernel_build *build, const char *source)
{
  struct hone__pairs seen = build->deps;
  bool listed;

  build->deps = (struct hone__pairs){0};
  listed = hone__build_deps_add_listed(&build->deps, build->workdir.deps, source, build->folder,
                                       hone__dependency_digest);
  if (build->candidate->command) {
    hone__pairs_add_all(&build->deps, seen.data, seen.count);
    build->deps_are_all = listed || build->deps_are_all;
  } else {
    hone__build_deps_add_named(&build->deps, build->candidate->flags, 0, source, build->folder,
                               hone__dependency_digest);
    build->deps_are_all = listed || !is_open(build);
  }
  hone__pairs_release(&seen);
}

/* ---- Building ---- */

static void compile(struct hone__kernel_build *build)
{
  const struct hone__kernel_candidate *candidate = build->candidate;
  const char *source = hone__kernel_short_name(candidate->source, build->folder);
  const struct hone__build_folder *workdir = &build->workdir;
  struct hone__words words = {0};
  struct hone__child_result result = {0};

  hone__compiler_words(candidate, source, workdir->object, workdir->deps, &words);
  if (hone__build_folder_run(workdir, (const char *const *)words.data, build->folder,
                             build->order.timeout_s, NULL, &result, build->answer)) {
    add_deps(build, source);
    hone__kernel_build_end(build, words.count ? words.data[0] : "", &result, NULL, NULL);
  }
  hone__child_result_release(&result);
  hone__words_release(&words);
}

void hone__c_build(const struct hone__packed *setup, const struct hone__packed *job,
                   struct hone__answer *answer)
{
  static const struct hone__kernel_compiler compiler = {.object = "kernel.so",
                                                        .print = print_command,
                                                        .identify = identify,
                                                        .look = look,
                                                        .compile = compile};

  hone__kernel_build(&compiler, setup, job, answer);
}
