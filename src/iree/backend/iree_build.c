/* A build is one process of iree-compile in a separate folder, unless the cache has its answer. The
 * result is inspected before it is run: a configuration without effect is not a candidate, and IREE
 * itself does not report it.
 */
#include "iree/backend/iree_backend.h"

#include "build/build_cache.h"
#include "build/build_outcome.h"
#include "iree/backend/iree_costs.h"
#include "iree/backend/iree_model.h"
#include "base/file.h"
#include "base/folder.h"
#include "iree/dispatch/dispatch.h"
#include "iree/tuning_spec/older_words.h"
#include "iree/toolset/toolset.h"
#include "iree/tuning_spec/tuning_spec.h"
#include "base/paths.h"
#include "wire/build_job.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DISPATCH_BYTES = 1 << 28 };

struct build {
  const struct hone__iree_setup *setup;
  const struct hone__iree_candidate *candidate;
  struct hone__iree_toolset tools;
  struct hone__build_folder workdir;
  struct hone__build_draft draft; /* of the reply */
  struct hone__answer *answer;
};

/* ---- The workdir ---- */

static hone_status write_in_workdir(const struct build *build, const char *name, const char *text,
                                    size_t size)
{
  char *path = hone__build_folder_path(&build->workdir, name);
  hone_status status = hone__path_write(path, text, size);

  free(path);
  return status;
}

/* The dispatch as read by the driver: another text must not have the same key. */
static hone_status read_dispatch(const struct build *build, char **out_text, size_t *out_size)
{
  const char *path = build->setup->dispatch;
  char digest[HONE__DIGEST_SIZE];
  hone_status status;

  if (!path || !*path)
    return hone__error(HONE_NOT_FOUND,
                       "this spec names no dispatch to build: it only describes a space");
  status = hone__file_read(path, MOST_DISPATCH_BYTES, out_text, out_size);
  if (status) return status;
  hone__digest(*out_text, *out_size, digest);
  if (strcmp(digest, build->candidate->dispatch_digest) == 0) return NULL;
  free(*out_text);
  return hone__error(HONE_INVALID_ARGUMENT,
                     "'%s' is not the dispatch that is tuned: its text has changed", path);
}

static const char *text_or_empty(const char *text)
{
  return text ? text : "";
}

static hone_status write_spec(const struct build *build)
{
  const struct hone__iree_subject *subject = build->setup->iree;
  const struct hone__iree_candidate *candidate = build->candidate;
  struct hone__iree_tuning_entry entry = {.name = text_or_empty(subject->matcher_name),
                                          .matcher = text_or_empty(subject->matcher),
                                          .compilation_info =
                                              text_or_empty(candidate->compilation_info),
                                          .decomposition_config = candidate->decomposition_config};
  struct hone__text text = {0};
  hone_status status = NULL;

  if (!hone__iree_has_spec(candidate)) return NULL;
  if (subject->is_model)
    status = hone__iree_model_spec(candidate, &text);
  else
    hone__iree_tuning_spec_print(&entry, 1, &text);
  if (hone__iree_wants_older(&build->tools)) hone__iree_spell_older(&text);
  if (!status)
    status = write_in_workdir(build, "spec.mlir", text.data ? text.data : "", text.length);
  hone__text_release(&text);
  return status;
}

/* Something is missing here that another host may have. */
static void cannot_build(const struct build *build, hone_status status)
{
  hone__build_fail(build->answer, HONE_OUTCOME_NOT_BUILT, hone_status_message(status));
  hone_status_free(status);
}

static bool fill_folder(struct build *build)
{
  char *text = NULL;
  size_t size = 0;
  hone_status status;

  if (!hone__build_folder_enter(&build->workdir, "module.vmfb", build->answer)) return false;
  status = read_dispatch(build, &text, &size);
  if (status) {
    cannot_build(build, status);
    return false;
  }
  status = write_in_workdir(build, "dispatch.mlir", text, size);
  if (!status) status = write_spec(build);
  if (status) hone__build_fail_with(build->answer, status);
  free(text);
  return !status;
}

/* ---- Was it applied? ---- */

/* The compiler writes one file for the only executable of a dispatch. */
static char *find_configured(const struct hone__build_folder *workdir)
{
  char *folder = hone__build_folder_path(workdir, "configured");
  DIR *dir = opendir(folder);
  const struct dirent *entry;
  struct hone__text path = {0};

  while (dir && (entry = readdir(dir)) != NULL) {
    size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".mlir") != 0) continue;
    hone__text_addf(&path, "%s/%s", folder, entry->d_name);
    break;
  }
  if (dir) closedir(dir);
  free(folder);
  return path.data ? hone__text_take(&path) : NULL;
}

static void prove(const struct build *build, const struct hone__build_folder *workdir,
                  struct hone__answer *answer)
{
  struct hone__mlir configured = {0};
  struct hone__text why = {0}, info = {0};
  char *path = find_configured(workdir);
  hone_status status =
      path ? hone__mlir_read(&configured, path)
           : hone__error(HONE_NOT_FOUND, "the compiler did not report which configuration it used");
  bool applied;

  hone__text_add(&info, text_or_empty(build->candidate->compilation_info));
  if (hone__iree_wants_older(&build->tools)) hone__iree_spell_older(&info);
  applied =
      !status && hone__iree_is_applied(&configured, info.data,
                                       text_or_empty(build->candidate->decomposition_config), &why);
  hone__text_release(&info);
  if (!applied) {
    answer->outcome = HONE_OUTCOME_NOT_APPLIED;
    hone__text_add(&answer->evidence, status ? hone_status_message(status) : "");
    hone__text_add(&answer->evidence, why.data ? why.data : "");
  }
  hone_status_free(status);
  hone__mlir_release(&configured);
  hone__text_release(&why);
  free(path);
}

/* ---- What was built ---- */

static void inspect(void *data, const struct hone__build_folder *workdir,
                    struct hone__answer *answer)
{
  struct build *build = data;
  char *folder = hone__build_folder_path(workdir, "made");
  struct hone__iree_costs costs = {0};

  hone__iree_costs_read(folder, &costs);
  hone__iree_costs_of_module(answer->payload.data, answer->payload.length, &costs);
  hone__build_draft_costs(&build->draft, costs.items, costs.count);
  if (build->setup->iree->is_model)
    hone__iree_model_prove(build->candidate, workdir, &build->draft, answer);
  else if (hone__iree_has_spec(build->candidate))
    prove(build, workdir, answer);
  free(folder);
}

/* A process that LLVM aborts prints the reason before. */
static void add_last_output(const struct hone__child_result *result, struct hone__answer *answer)
{
  const char *words = result->output.data ? strstr(result->output.data, "LLVM ERROR") : NULL;

  if (answer->outcome != HONE_OUTCOME_COMPILE_CRASH || !words) return;
  hone__text_add(&answer->evidence, ": ");
  hone__text_addn(&answer->evidence, words, strcspn(words, "\n"));
}

/* False: the answer has the reason. */
static bool run_compiler(struct build *build, struct hone__words *words, double timeout_s,
                         struct hone__child_result *out_result)
{
  const struct hone__build_folder *workdir = &build->workdir;

  if (!hone__build_folder_run(workdir, hone__words_list(words), workdir->folder, timeout_s,
                              hone__iree_idle_s, NULL, out_result, build->answer))
    return false;
  if (!out_result->was_idle) return true;
  if (timeout_s > 0) timeout_s = fmax(timeout_s - out_result->seconds, 1);
  hone__child_result_release(out_result);
  hone__words_add(words, HONE__IREE_ONE_THREAD);
  return hone__build_folder_run(workdir, hone__words_list(words), workdir->folder, timeout_s,
                                hone__iree_idle_s, NULL, out_result, build->answer);
}

static void compile(struct build *build, double timeout_s)
{
  const struct hone__pairs no_deps = {0};
  struct hone__words words = {0};
  struct hone__child_result result = {0};
  struct hone__build_end end = {.key = build->candidate->build_key,
                                .deps = &no_deps,
                                .deps_are_all = true,
                                .program = "iree-compile",
                                .result = &result,
                                .draft = &build->draft,
                                .inspect = inspect,
                                .data = build};

  hone__words_add(&words, build->tools.paths[HONE__IREE_COMPILE]);
  hone__iree_build_words(build->setup, build->candidate, "module.vmfb", &words);
  if (run_compiler(build, &words, timeout_s, &result)) {
    hone__build_cache_end(&end, &build->workdir, build->answer);
    add_last_output(&result, build->answer);
  }
  hone__child_result_release(&result);
  hone__words_release(&words);
}

/* ---- The job ---- */

/* Its objects would have the key of another compiler. */
static hone_status check_identity(const struct build *build)
{
  const char *wanted = build->candidate->identity,
             *own = build->tools.identity ? build->tools.identity : "";

  if (!*wanted || strcmp(wanted, own) == 0) return NULL;
  return hone__error(HONE_UNAVAILABLE,
                     "iree-compile '%s' is not the version that this dispatch was prepared with: "
                     "%s here, %s there",
                     build->tools.paths[HONE__IREE_COMPILE], own, wanted);
}

static void build_object(struct build *build, double timeout_s)
{
  hone_status status;

  hone__iree_toolset_find(build->setup->iree_dir, &build->tools);
  status = hone__iree_need(&build->tools, HONE__IREE_COMPILE);
  if (!status) status = check_identity(build);
  if (status)
    cannot_build(build, status);
  else if (fill_folder(build))
    compile(build, timeout_s);
  hone__build_folder_leave(&build->workdir);
  hone__iree_toolset_release(&build->tools);
}

/* If the text of the dispatch itself is refused, no configuration is at fault. */
static void add_doubt(const struct build *build)
{
  struct hone__answer *answer = build->answer;
  const char *identity = build->candidate->identity;

  if (answer->outcome != HONE_OUTCOME_COMPILE_ERROR || hone__iree_has_spec(build->candidate) ||
      !answer->evidence.data || !hone__starts_with(answer->evidence.data, "dispatch.mlir:"))
    return;
  hone__text_addf(&answer->evidence, "; was it dumped by another version of IREE than %.*s?",
                  (int)strcspn(identity, " ,"), identity);
}

/* A build depends on no file: its key covers all inputs. */
static bool no_digest(const char *path, char out_digest[HONE__DIGEST_SIZE])
{
  (void)path;
  (void)out_digest;
  return false;
}

static bool has_key(const struct build *build)
{
  return strlen(build->candidate->build_key) == HONE__DIGEST_SIZE - 1;
}

/* "configured/configured_module_x.mlir:8:6: error: why": places in the compiler's own dumps are
 * meaningless to the user. */
static void drop_place(struct hone__text *evidence)
{
  const char *error = evidence->data ? strstr(evidence->data, "error: ") : NULL;
  size_t dropped = error ? (size_t)(error - evidence->data) : 0;

  if (!dropped || strncmp(evidence->data, "configured/", 11) != 0) return;
  evidence->length -= dropped;
  memmove(evidence->data, error, evidence->length + 1);
}

static void add_command(struct build *build)
{
  struct hone__text command = {0};

  hone__iree_build_command(build->setup, build->candidate, &command);
  hone__build_draft_command(&build->draft, command.data);
  hone__text_release(&command);
}

static void build_candidate(struct build *build, const struct hone__wire_build_job *job)
{
  struct hone__answer *answer = build->answer;

  if (!has_key(build)) {
    hone__build_fail(answer, HONE_OUTCOME_PROTOCOL, "a build without a key");
    return;
  }
  hone__build_draft_begin(&build->draft);
  add_command(build);
  if (!hone__build_cache_answer(build->candidate->build_key, no_digest, job, &build->draft, answer))
    build_object(build, hone__build_timeout_s(job->timeout_s, build->setup->build->timeout_s));
  hone__build_draft_end(&build->draft, answer);
  add_doubt(build);
  drop_place(&answer->evidence);
}

void hone__iree_build(const struct hone__packed *setup_message,
                      const struct hone__packed *job_message, struct hone__answer *answer)
{
  struct hone__arena arena = {0};
  struct hone__iree_setup setup;
  struct hone__iree_candidate candidate;
  struct hone__wire_build_job job;
  struct build build = {.setup = &setup, .candidate = &candidate, .answer = answer};
  hone_status status = hone__unpack(setup_message, &hone__iree_setup_type, &arena, &setup);

  if (!status) status = hone__unpack(job_message, &hone__wire_build_job_type, &arena, &job);
  if (!status) status = hone__unpack(job.candidate, &hone__iree_candidate_type, &arena, &candidate);
  if (status)
    hone__build_fail(answer, HONE_OUTCOME_PROTOCOL, hone_status_message(status));
  else
    build_candidate(&build, &job);
  hone_status_free(status);
  hone__arena_release(&arena);
}
