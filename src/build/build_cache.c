/* The cache of builds. A failed write only costs a build later. */
#include "build/build_cache.h"

#include "build/build_outcome.h"
#include "base/utf8.h"
#include "store/cache.h"

#include <math.h>
#include <stdlib.h>

enum { LONGEST_WARNINGS = 16384, LONGEST_OUTPUT = 65536 };

/* ---- The manifest ---- */

struct manifest {
  const char *object;            /* digest; NULL: it failed */
  bool failed;                   /* the failure would be repeated */
  struct hone__name_value *deps; /* all files it was made from; NULL: not known */
  double compile_s;
  const char *warnings; /* of an object */
  const char *output;   /* of a failure, below too */
  const char *evidence;
  const char *unapplied; /* the entry of a tuning spec that had no effect */
  const char *command;
  struct hone__named *costs; /* of an object; or NULL */
  const char *class_name;    /* of a failure; NULL: the compiler's error */
  size_t deps_count, costs_count;
};

static const struct hone__field fields[] = {
    HONE__TEXT(struct manifest, object, HONE__OPTIONAL),
    HONE__BOOL(struct manifest, failed, HONE__OPTIONAL),
    HONE__PAIRS(struct manifest, deps, HONE__OPTIONAL),
    HONE__REAL(struct manifest, compile_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__TEXT(struct manifest, warnings, HONE__OPTIONAL),
    HONE__TEXT(struct manifest, output, HONE__OPTIONAL),
    HONE__TEXT(struct manifest, evidence, HONE__OPTIONAL),
    HONE__TEXT(struct manifest, unapplied, HONE__OPTIONAL),
    HONE__TEXT(struct manifest, command, HONE__OPTIONAL),
    HONE__NAMED(struct manifest, costs, HONE__OPTIONAL),
    HONE__TEXT_AS(struct manifest, "class", class_name, HONE__OPTIONAL),
};
static const struct hone__record_type manifest_type =
    HONE__RECORD_TYPE("manifest of a build", struct manifest, fields);

static void reply_with_deps(const struct manifest *manifest, struct hone__build_draft *draft)
{
  struct hone__pairs own = {0};

  if (!manifest->deps) return;
  hone__build_deps_add_own(&own, manifest->deps, manifest->deps_count);
  hone__build_draft_deps(draft, own.data, own.count);
  hone__pairs_release(&own);
}

/* Costs already found are kept if the manifest has none. */
static void reply_with(const struct manifest *manifest, bool is_cached,
                       struct hone__build_draft *draft)
{
  struct hone__wire_build_reply *reply = &draft->reply;

  reply->object = manifest->object;
  reply->compile_s = manifest->compile_s;
  reply->warnings = manifest->warnings;
  reply->output = manifest->output;
  reply->cached = is_cached;
  hone__build_draft_command(draft, manifest->command);
  hone__build_draft_unapplied(draft, manifest->unapplied);
  reply_with_deps(manifest, draft);
  hone__build_draft_costs(draft, manifest->costs, manifest->costs_count);
}

/* ---- Out of it ---- */

/* The draft owns what the manifest points to. */
static bool read_manifest(const char *key, struct hone__build_draft *draft,
                          struct manifest *out_manifest)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__cache_get("builds", key, &bytes, &size);

  if (!status) draft->packed = hone__packed_parse(bytes, size);
  free(bytes);
  if (!status) status = hone__unpack(draft->packed, &manifest_type, &draft->arena, out_manifest);
  hone_status_free(status);
  return !status;
}

/* "anew": the user wants to see the compiler fail. */
static bool find_manifest(const char *key, hone__build_file_digest *digest,
                          const struct hone__wire_build_job *job, struct hone__build_draft *draft,
                          struct manifest *out_manifest)
{
  if (!read_manifest(key, draft, out_manifest)) return false;
  return ((out_manifest->object && *out_manifest->object) ||
          (out_manifest->failed && !job->anew)) &&
         hone__build_deps_are_current(out_manifest->deps, out_manifest->deps_count, digest);
}

static bool take_object(const struct manifest *manifest, struct hone__build_draft *draft,
                        struct hone__answer *answer)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__cache_get("objects", manifest->object, &bytes, &size);

  if (!status) hone__text_addn(&answer->payload, bytes, size);
  free(bytes);
  hone_status_free(status);
  if (!answer->payload.length) return false;
  answer->outcome = HONE_OUTCOME_OK;
  reply_with(manifest, true, draft);
  return true;
}

static bool take_failure(const struct manifest *manifest, struct hone__build_draft *draft,
                         struct hone__answer *answer)
{
  answer->outcome = HONE_OUTCOME_COMPILE_ERROR;
  if (manifest->class_name) hone__outcome_parse(manifest->class_name, &answer->outcome);
  if (manifest->evidence) hone__text_add(&answer->evidence, manifest->evidence);
  reply_with(manifest, true, draft);
  return true;
}

bool hone__build_cache_answer(const char *key, hone__build_file_digest *digest,
                              const struct hone__wire_build_job *job,
                              struct hone__build_draft *draft, struct hone__answer *answer)
{
  struct manifest manifest;
  bool found = key && find_manifest(key, digest, job, draft, &manifest) &&
               (manifest.failed ? take_failure : take_object)(&manifest, draft, answer);

  if (found || !job->cached_only) return found;
  hone__build_fail(answer, HONE_OUTCOME_COMPILE_ERROR, "not in the cache");
  return true;
}

/* ---- Into it ---- */

static const char *keep_text(struct hone__arena *arena, const struct hone__text *text,
                             size_t longest)
{
  struct hone__text clean = {0};
  const char *kept;

  hone__utf8_clean(text->data, text->length < longest ? text->length : longest, &clean);
  kept = hone__arena_strdup(arena, clean.data ? clean.data : "");
  hone__text_release(&clean);
  return kept;
}

static void put(const char *key, const struct manifest *manifest)
{
  struct hone__text text = {0};

  hone__record_print(&manifest_type, manifest, &text);
  hone_status_free(hone__cache_put("builds", key, text.data, text.length));
  hone__text_release(&text);
}

/* An empty list means that no other file was read. */
static void add_deps(struct manifest *manifest, const struct hone__pairs *deps)
{
  static struct hone__name_value none;

  manifest->deps = deps->count ? deps->data : &none;
  manifest->deps_count = deps->count;
}

static void keep_object(const struct hone__build_end *end, struct hone__answer *answer)
{
  const struct hone__text *object = &answer->payload;
  struct hone__build_draft *draft = end->draft;
  struct hone__arena *arena = &draft->arena;
  struct manifest manifest = {.compile_s = end->result->seconds,
                              .warnings = keep_text(arena, &end->result->output, LONGEST_WARNINGS),
                              .command = draft->reply.command,
                              .costs = draft->reply.costs,
                              .costs_count = draft->reply.costs_count};
  char digest[HONE__DIGEST_SIZE];

  hone__digest(object->data, object->length, digest);
  manifest.object = hone__arena_strdup(arena, digest);
  add_deps(&manifest, end->deps);
  if (end->key) {
    hone_status_free(hone__cache_put("objects", digest, object->data, object->length));
    put(end->key, &manifest);
  }
  answer->outcome = HONE_OUTCOME_OK;
  reply_with(&manifest, false, draft);
}

static void keep_failure(const struct hone__build_end *end, struct hone__answer *answer)
{
  bool is_refused = answer->outcome == HONE_OUTCOME_NOT_APPLIED;
  struct hone__build_draft *draft = end->draft;
  struct hone__arena *arena = &draft->arena;
  struct manifest manifest = {.failed = true,
                              .compile_s = end->result->seconds,
                              .output = keep_text(arena, &end->result->output, LONGEST_OUTPUT),
                              .evidence = keep_text(arena, &answer->evidence, LONGEST_OUTPUT),
                              .unapplied = draft->reply.unapplied,
                              .command = draft->reply.command};

  if (end->deps_are_all) add_deps(&manifest, end->deps);
  if (is_refused) manifest.class_name = hone_outcome_name(answer->outcome);
  if (end->key && end->deps_are_all &&
      (is_refused || hone__build_fails_for_good(end->result, answer)))
    put(end->key, &manifest);
  reply_with(&manifest, false, draft);
}

/* False: the answer has the reason, and no object any more. */
static bool is_wanted(const struct hone__build_end *end, const struct hone__build_folder *folder,
                      struct hone__answer *answer)
{
  answer->outcome = HONE_OUTCOME_OK;
  if (end->inspect) end->inspect(end->data, folder, answer);
  if (answer->outcome == HONE_OUTCOME_OK) return true;
  hone__text_release(&answer->payload);
  return false;
}

void hone__build_cache_end(const struct hone__build_end *end,
                           const struct hone__build_folder *folder, struct hone__answer *answer)
{
  bool ended_well = end->result->end == HONE__CHILD_EXITED && end->result->code == 0;

  hone__build_judge(end->result, end->program, answer);
  if (answer->outcome == HONE_OUTCOME_COMPILE_ERROR && end->macros.defines && !ended_well)
    hone__macro_collision_explain(&end->macros, end->result->output.data, &answer->evidence);
  if (ended_well && hone__build_folder_take(folder, end->program, end->result, answer) &&
      is_wanted(end, folder, answer))
    keep_object(end, answer);
  else
    keep_failure(end, answer);
}
