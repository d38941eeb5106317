/* A build is one compiler process in a workdir of its own, unless the cache has its answer. */
#include "backend/c/c_backend.h"

#include "build/build_cache.h"
#include "build/build_outcome.h"
#include "build/build_folder.h"
#include "backend/c/compiler.h"
#include "backend/typed_build.h"
#include "backend/typed_words.h"
#include "backend/kernel/kernel_build.h"
#include "wire/packed_json.h"

#include <stdlib.h>

struct build {
  struct hone__kernel_order order;
  const struct hone__kernel_candidate *candidate; /* in the order */
  const struct hone__packed *job;
  char *folder; /* where the compiler runs */
  struct hone__source_text text;
  struct hone__pairs
      seen;          /* files that a command of the spec may read, as they are before it runs */
  bool seen_are_all; /* as far as the source's lines tell */
  char key[HONE__DIGEST_SIZE];
  struct hone__build_folder workdir;
  struct hone__answer *answer;
};

/* ---- Commands for people ---- */

/* Whether the words mean the same elsewhere. */
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

hone_status hone__c_build_command(const json_t *setup, const json_t *candidate,
                                  struct hone__text *out_command)
{
  return hone__kernel_build_command(setup, candidate, print_command, out_command);
}

/* ---- The cache ---- */

bool hone__c_deps_are_current(const json_t *deps)
{
  return hone__build_deps_are_current(deps, hone__dependency_digest);
}

static bool is_open(const struct build *build)
{
  return hone__compiler_is_open(build->candidate, &build->text);
}

/* Whether the files that a command of the spec reads can be known: it may tell them itself. */
static bool is_traceable(const struct build *build)
{
  return build->seen_are_all || hone__words_mention(build->candidate->command, "depfile");
}

static const char *cache_key(const struct build *build)
{
  return build->candidate->command && !is_traceable(build) ? NULL : build->key;
}

/* What it names, what the source includes, and what lies beside it. */
static void look_around(struct build *build)
{
  const struct hone__kernel_candidate *candidate = build->candidate;
  const char *source = hone__kernel_short_name(candidate->source, build->folder);
  struct hone__words words = {0};
  const char *const *list;

  hone__compiler_words(candidate, source, "{output}", "{depfile}", &words);
  list = (const char *const *)words.data; /* -I may stand in any of them */
  build->seen_are_all = hone__pairs_add_includes(&build->seen, candidate->source, list,
                                                 candidate->includes, build->folder);
  hone__pairs_add_named_files(&build->seen, list, 0, source, build->folder,
                              hone__dependency_digest);
  hone__pairs_add_siblings(&build->seen, candidate->source);
  hone__words_release(&words);
}

/* True if these are all: a compiler that fails may not have come to writing its list. */
static bool add_deps(const struct build *build, const char *source, struct hone__pairs *deps)
{
  bool listed = hone__pairs_add_listed_files(deps, build->workdir.deps, source, build->folder,
                                             hone__dependency_digest);

  if (build->candidate->command) {
    hone__pairs_add_all(deps, build->seen.data, build->seen.count);
    return listed || build->seen_are_all;
  }
  hone__pairs_add_named_files(deps, build->candidate->flags, 0, source, build->folder,
                              hone__dependency_digest);
  return listed || !is_open(build);
}

/* ---- Building ---- */

static void compile(struct build *build)
{
  const struct hone__kernel_candidate *candidate = build->candidate;
  const char *source = hone__kernel_short_name(candidate->source, build->folder);
  const struct hone__build_folder *workdir = &build->workdir;
  struct hone__words words = {0};
  struct hone__pairs deps = {0};
  struct hone__child_result result = {0};
  struct hone__build_end end = {.key = cache_key(build),
                                .result = &result,
                                .macros = {NULL, candidate->source, build->folder}};

  hone__compiler_words(candidate, source, workdir->object, workdir->deps, &words);
  end.program = words.count ? words.data[0] : "";
  if (hone__words_run(workdir, (const char *const *)words.data, build->folder,
                      build->order.timeout_s, NULL, &result, build->answer)) {
    end.deps_are_all = add_deps(build, source, &deps);
    hone__pairs_cache_end(end, &deps, candidate->defines, candidate->defines_count, workdir,
                          build->answer);
  }
  hone__pairs_release(&deps);
  hone__child_result_release(&result);
  hone__words_release(&words);
}

static bool read_source(struct build *build)
{
  struct hone__digester *digester;

  if (!hone__kernel_source_read(build->candidate, build->answer, &build->text)) return false;
  digester = hone__digest_begin();
  hone__compiler_identify(build->candidate, &build->text, build->folder, true, digester);
  hone__digest_end(digester, build->key);
  if (build->candidate->command) look_around(build);
  return true;
}

static void do_build(struct build *build)
{
  const struct hone__kernel_setup *setup = &build->order.setup;

  build->folder =
      hone__build_directory(setup->folder ? setup->folder : "", build->candidate->source);
  hone__kernel_add_command(&build->order, print_command, build->answer);
  if (read_source(build) &&
      !hone__build_cache_answer(cache_key(build), hone__dependency_digest,
                                hone__packed_json(build->job), build->answer) &&
      hone__build_folder_enter(&build->workdir, "kernel.so", build->answer))
    compile(build);
  hone__build_folder_leave(&build->workdir);
}

void hone__c_build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  struct build build = {.job = hone__json_packed(job), .answer = answer};

  build.candidate = &build.order.candidate;
  if (hone__kernel_order_read(hone__json_packed(setup), build.job, answer, &build.order))
    do_build(&build);
  hone__pairs_release(&build.seen);
  free(build.folder);
  hone__source_text_release(&build.text);
  hone__kernel_order_release(&build.order);
}
