/* A build is a run-time compiler in a fork, or one command, in a separate folder, unless the cache
 * has its answer.
 */
#include "backend/simt/simt_compiler.h"

#include "backend/kernel/generator.h"
#include "backend/kernel/pipeline.h"
#include "build/build_includes.h"
#include "build/build_outcome.h"
#include "backend/simt/simt_object.h"
#include "backend/simt/simt_references.h"
#include "backend/simt/simt_rtc.h"
#include "wire/named.h"
#include "base/file.h"
#include "base/paths.h"

#include <stdlib.h>

enum { LONGEST_NAME = 1 << 20 };
static const char name_file[] = "name";

struct built {
  const struct hone__simt_compiler *compiler;
  struct hone__kernel_build *build;
  struct hone__text log; /* includes the reports */
};

static const struct hone__simt_compiler *compiler_of(const struct hone__kernel_build *build)
{
  return (const struct hone__simt_compiler *)build->compiler;
}

/* ---- Commands for people ---- */

/* Whether the words depend on the folder. */
static bool needs_folder(const struct hone__kernel_candidate *candidate)
{
  for (size_t i = 0; i < candidate->flags_count; i++) {
    const char *flag = candidate->flags[i];
    if (hone__starts_with(flag, "-I") && flag[2] != '/') return true;
  }
  return false;
}

void hone__simt_print_command(const struct hone__simt_compiler *compiler,
                              const struct hone__kernel_order *order,
                              struct hone__text *out_command)
{
  const struct hone__kernel_candidate *candidate = &order->candidate;
  struct hone__words words = {0};

  if (hone__generator_print(order, compiler->steps.object, out_command)) return;
  compiler->command(candidate, candidate->source, compiler->steps.object, true, &words);
  hone__kernel_print_command(&order->setup, (const char *const *)words.data,
                             needs_folder(candidate), out_command);
  hone__words_release(&words);
}

/* ---- What was built ---- */

/* The output of the run-time compiler; free(). */
static char *read_name(const struct hone__build_folder *workdir)
{
  char *path = hone__build_folder_path(workdir, name_file), *name = NULL;
  size_t size;

  hone_status_free(hone__file_read(path, LONGEST_NAME, &name, &size));
  free(path);
  return name;
}

static void miss_entry(const struct hone__kernel_build *build, const char *entry, const char *known,
                       struct hone__answer *answer)
{
  hone__build_fail(answer, HONE_OUTCOME_COMPILE_ERROR, "");
  hone__text_addf(&answer->evidence, "no kernel '%s' in '%s'; it has %s", entry, build->source,
                  known && *known ? known : "none");
}

/* The names of all entries in the code, as simt_object.h has them: free(). NULL: the answer tells
 * which one is missing. */
static char *find_names(const struct built *built, struct hone__answer *answer)
{
  const struct hone__kernel_build *build = built->build;
  struct hone__text entry = {0}, names = {0}, known = {0};
  bool is_list = strchr(build->entry, '\n'), found = true;
  const char *at = build->entry;

  for (size_t i = 0; found && hone__pipeline_next_entry(&at, &entry); i++) {
    char *name = hone__simt_entry_find(built->compiler->kernels, answer->payload.data,
                                       answer->payload.length, entry.data, i, &known);
    found = name;
    if (!found) miss_entry(build, entry.data, known.data, answer);
    if (is_list) hone__text_addf(&names, "%s%s\n", names.length ? "\n" : "", entry.data);
    hone__text_add(&names, name ? name : "");
    known.length = 0;
    free(name);
  }
  hone__text_release(&entry);
  hone__text_release(&known);
  if (found) return hone__text_take(&names);
  hone__text_release(&names);
  return NULL;
}

/* Of all kernels together. */
static void note_costs(const struct built *built, char *names, const struct hone__answer *answer)
{
  const struct hone__simt_object object = {.name = names};
  struct hone__arena arena = {0};
  struct hone__named_list costs = {.arena = &arena};
  struct hone__text entry = {0};

  for (const char *at = built->build->entry; hone__pipeline_next_entry(&at, &entry);) {
    struct hone__named_list own = {.arena = &arena};
    char *name = hone__simt_object_entry(&object, entry.data);
    built->compiler->costs(answer->payload.data, answer->payload.length, name, built->log.data,
                           &own);
    hone__pipeline_join_costs(&costs, &own);
    free(name);
  }
  hone__build_draft_costs(&built->build->draft, costs.items, costs.count);
  hone__text_release(&entry);
  hone__arena_release(&arena);
}

static void finish(void *data, const struct hone__build_folder *workdir,
                   struct hone__answer *answer)
{
  const struct built *built = data;
  const struct hone__kernel_build *build = built->build;
  bool uses_rtc = !build->is_given && hone__simt_uses_rtc(built->compiler, build->candidate);
  bool has_marks = !uses_rtc || built->compiler->needs_mark;
  char *names = uses_rtc ? read_name(workdir) : NULL;

  if (!names && has_marks) names = find_names(built, answer);
  if (names) {
    note_costs(built, names, answer);
    if (hone__generator_is_text(answer->payload.data, answer->payload.length))
      hone__text_addn(&answer->payload, "", 1); /* drivers read a text up to its NUL */
    hone__simt_object_finish(&answer->payload, names);
  } else if (!has_marks) {
    miss_entry(build, build->entry, NULL, answer);
  }
  free(names);
}

/* A missing file may be added later: such an error is not kept. */
static bool is_missing_file(const struct built *built)
{
  return built->log.data && strstr(built->log.data, built->compiler->missing_file);
}

void hone__simt_take(struct hone__kernel_build *build, const char *program,
                     struct hone__child_result *result)
{
  struct built built = {.compiler = compiler_of(build), .build = build};

  if (result->output.data) hone__text_addn(&built.log, result->output.data, result->output.length);
  if (built.compiler->strip_log) built.compiler->strip_log(&result->output);
  if (is_missing_file(&built)) build->is_cached = false;
  hone__kernel_build_end(build, program, result, finish, &built);
  hone__text_release(&built.log);
}

/* ---- Compiling ---- */

/* Not the candidate's fault: another host may work. */
static bool is_broken(const struct hone__simt_compiler *compiler,
                      const struct hone__child_result *result, struct hone__answer *answer)
{
  if (result->end != HONE__CHILD_EXITED || result->code != HONE__RTC_IS_BROKEN) return false;
  hone__build_fail(answer, HONE_OUTCOME_NOT_BUILT, "");
  hone__text_addf(&answer->evidence, "%s does not work here: ", compiler->title);
  if (result->output.length)
    hone__text_addn(&answer->evidence, result->output.data, strcspn(result->output.data, "\n"));
  else
    hone__text_add(&answer->evidence, compiler->broken);
  return true;
}

static void compile_in_fork(struct hone__kernel_build *build)
{
  const struct hone__simt_compiler *compiler = compiler_of(build);
  char *name = hone__build_folder_path(&build->workdir, name_file), *headers = NULL;
  struct hone__words options = {0};
  struct hone__text tail = {0}, words = {0};
  struct hone__child_result result = {0};
  struct hone__rtc_job job = {.title = compiler->title,
                              .options = &options,
                              .source = build->source,
                              .shown_as = hone__kernel_short_name(build->source, build->folder),
                              .dialect = hone__simt_dialect(compiler, build->source),
                              .host_headers = compiler->host_headers,
                              .entry = build->entry,
                              .object = build->workdir.object,
                              .name = name,
                              .folder = build->workdir.folder,
                              .directory = build->folder,
                              .timeout_s = build->order.timeout_s};
  hone_status status = compiler->library(&job.rtc);

  if (status) {
    hone__build_fail(build->answer, HONE_OUTCOME_NOT_BUILT, hone_status_message(status));
    hone_status_free(status);
    goto done;
  }
  if (compiler->headers) headers = compiler->headers(job.rtc->path);
  compiler->options(build->candidate, headers, &options);
  if (compiler->needs_mark) hone__simt_entry_mark(build->entry, &tail);
  job.tail = tail.data;
  hone__simt_references_add(build->source, &build->deps, compiler->prefix, &words);
  job.words = words.data;
  hone__rtc_run(&job, &result);
  if (!is_broken(compiler, &result, build->answer))
    hone__simt_take(build, compiler->title, &result);
done:
  hone__child_result_release(&result);
  hone__words_release(&options);
  hone__text_release(&tail);
  hone__text_release(&words);
  free(headers);
  free(name);
}

static bool write_wrapper(const struct hone__kernel_build *build, const char *path)
{
  struct hone__text text = {0};
  hone_status status;

  hone__simt_entry_source(build->source, build->entry, &text);
  status = hone__path_write(path, text.data, text.length);
  hone__text_release(&text);
  hone_status_free(status);
  if (status)
    hone__build_fail(build->answer, HONE_OUTCOME_DISK_FULL, "cannot write to the build folder");
  return !status;
}

static void compile_by_command(struct hone__kernel_build *build)
{
  const struct hone__simt_compiler *compiler = compiler_of(build);
  char *wrapper = hone__build_folder_path(&build->workdir, compiler->wrapper);
  struct hone__words words = {0};
  struct hone__child_result result = {0};

  compiler->command(build->candidate, wrapper, build->workdir.object, false, &words);
  if (write_wrapper(build, wrapper) &&
      hone__build_folder_run(&build->workdir, (const char *const *)words.data, build->folder,
                             build->order.timeout_s, 0, NULL, &result, build->answer))
    hone__simt_take(build, words.data[0], &result);
  hone__child_result_release(&result);
  hone__words_release(&words);
  free(wrapper);
}

void hone__simt_compile(struct hone__kernel_build *build)
{
  (hone__simt_uses_rtc(compiler_of(build), build->candidate) ? compile_in_fork
                                                             : compile_by_command)(build);
}

/* ---- The build ---- */

void hone__simt_identify_build(const struct hone__kernel_build *build,
                               struct hone__digester *digester)
{
  hone__simt_identify(compiler_of(build), build->candidate, &build->text, build->folder, true,
                      digester);
}

void hone__simt_look(struct hone__kernel_build *build)
{
  const struct hone__include_paths paths = {.source = build->source,
                                            .flags = build->candidate->flags,
                                            .includes = build->candidate->includes,
                                            .folder = build->folder};

  build->deps_are_all = build->is_cached = hone__build_includes(&paths, &build->deps);
  hone__build_deps_add_named(&build->deps, build->candidate->flags, 0, build->source, build->folder,
                             hone__dependency_digest);
}

/* With the registers of the kernel that has most: the least of all stages counts. */
static void add_stage_occupancy(const struct hone__kernel_build *build,
                                const struct hone__kernel_stage *stage,
                                struct hone__named_list *costs)
{
  struct hone__kernel_candidate one = *build->candidate;
  struct hone__named_list own = {.arena = costs->arena};
  const struct hone_value *found;

  one.launch = stage->launch;
  for (size_t i = 0; i < costs->count; i++)
    if (strcmp(costs->items[i].name, "occupancy") != 0) hone__named_add(&own, &costs->items[i], 1);
  compiler_of(build)->occupancy(build->order.setup.target, &one, &own);
  found = hone__named_find(own.items, own.count, "occupancy");
  if (!found) return;
  own = (struct hone__named_list){.arena = costs->arena};
  hone__named_set(&own, "occupancy", *found);
  hone__pipeline_join_costs(costs, &own);
}

/* It depends on the launch and the device, which the cache does not cover. */
void hone__simt_add_occupancy(struct hone__kernel_build *build)
{
  struct hone__arena arena = {0};
  struct hone__named_list costs = {.arena = &arena};
  const struct hone__wire_build_reply *reply = &build->draft.reply;

  hone__named_add(&costs, reply->costs, reply->costs_count);
  if (reply->costs && !build->candidate->stages_count)
    compiler_of(build)->occupancy(build->order.setup.target, build->candidate, &costs);
  for (size_t i = 0; reply->costs && i < build->candidate->stages_count; i++)
    if (!build->candidate->stages[i].host)
      add_stage_occupancy(build, &build->candidate->stages[i], &costs);
  hone__build_draft_costs(&build->draft, costs.items, costs.count);
  hone__arena_release(&arena);
}
