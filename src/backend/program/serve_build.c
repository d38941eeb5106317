/* A builder keeps its instance of the program. One that has no 'build' is ended at once: it would
 * only hold memory.
 */
#include "backend/program/serve_build.h"

#include "backend/program/serve_host.h"
#include "base/digest.h"
#include "build/build_folder.h"
#include "build/build_outcome.h"

#include <stdlib.h>
#include <sys/stat.h>

static struct {
  struct hone__serve_host host;
  bool has_no_build; /* the program reports so */
} builder;

void hone__serve_end_builder(void)
{
  hone__serve_end(&builder.host);
  builder.has_no_build = false;
}

/* False: the answer has the reason. */
static bool start(const struct hone__program_setup *setup, struct hone__answer *answer)
{
  struct stat info;
  bool is_here = stat(setup->directory, &info) == 0 && S_ISDIR(info.st_mode);
  struct hone__serve_place place = {
      .setup = setup, .role = "builder", .directory = is_here ? setup->directory : NULL};
  hone_status status = hone__serve_start(&builder.host, &place);

  if (status)
    hone__build_fail(answer, HONE_OUTCOME_LAUNCH_FAILURE, hone_status_message(status));
  else if (!builder.host.builds) {
    hone__serve_end_builder();
    builder.has_no_build = true;
  }
  hone_status_free(status);
  return answer->outcome != HONE_OUTCOME_LAUNCH_FAILURE;
}

static void keep_text(struct hone__build_draft *draft, const struct hone__serve_reply *reply)
{
  struct hone__text all = {0};
  const char *text;

  if (reply->answer.text) hone__text_addf(&all, "%s\n", reply->answer.text);
  if (reply->output.length) hone__text_addn(&all, reply->output.data, reply->output.length);
  if (reply->errors.length) hone__text_addn(&all, reply->errors.data, reply->errors.length);
  text = all.length ? hone__arena_strdup(&draft->arena, all.data) : NULL;
  if (reply->outcome == HONE_OUTCOME_OK)
    draft->reply.warnings = text;
  else
    draft->reply.output = text;
  hone__text_release(&all);
}

/* True: nothing was written. */
static bool take_object(const struct hone__build_folder *folder, struct hone__build_draft *draft,
                        struct hone__answer *answer)
{
  char digest[HONE__DIGEST_SIZE];
  struct stat info;

  answer->outcome = HONE_OUTCOME_OK;
  if (stat(folder->object, &info) != 0) return true;
  if (!hone__build_folder_take(folder, "the program", &(struct hone__child_result){0}, answer))
    return false;
  hone__digest(answer->payload.data, answer->payload.length, digest);
  draft->reply.object = hone__arena_strdup(&draft->arena, digest);
  return false;
}

static bool ask(const struct hone__program_setup *setup,
                const struct hone__program_candidate *candidate,
                const struct hone__build_folder *folder, struct hone__build_draft *draft,
                struct hone__answer *answer)
{
  struct hone__serve_request request = {.type = "build",
                                        .key = candidate->build_key ? candidate->build_key : "",
                                        .config = candidate->config,
                                        .config_count = candidate->config_count,
                                        .problem = setup->serve->problem,
                                        .problem_count = setup->serve->problem_count,
                                        .derived = candidate->derived,
                                        .derived_count = candidate->derived_count,
                                        .object = folder->object};
  struct hone__serve_reply reply;
  bool is_empty = false;

  hone__serve_ask(&builder.host, &request, setup->serve->build_timeout_s, &reply);
  draft->reply.compile_s = reply.seconds;
  keep_text(draft, &reply);
  if (reply.has_answered)
    hone__build_draft_costs(draft, reply.answer.built, reply.answer.built_count);
  if (reply.outcome == HONE_OUTCOME_OK)
    is_empty = take_object(folder, draft, answer);
  else
    hone__build_fail(answer, reply.outcome, reply.evidence.data);
  hone__serve_reply_release(&reply);
  return is_empty;
}

bool hone__serve_build(const struct hone__program_setup *setup,
                       const struct hone__program_candidate *candidate,
                       struct hone__build_draft *draft, struct hone__answer *answer)
{
  struct hone__build_folder folder = {0};
  bool is_empty = false;

  if (!setup->serve->has_builders || builder.has_no_build) return true;
  if (!start(setup, answer)) return false;
  if (builder.has_no_build) return true;
  if (hone__build_folder_enter(&folder, "object", answer))
    is_empty = ask(setup, candidate, &folder, draft, answer);
  hone__build_folder_leave(&folder);
  return is_empty;
}
