/* A build is one compiler process in a folder of its own, which is gone afterwards. Before that the
 * cache is asked: a manifest, named by all that goes into the command, tells the object and the
 * files that it was made from; if those are what they were, so is the object. */
#include "backend/c/c_backend.h"

#include "backend/build_outcome.h"
#include "backend/c/compiler.h"
#include "backend/command.h"
#include "base/file.h"
#include "base/folder.h"
#include "store/cache.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OBJECT_BYTES = 1 << 29, DEFAULT_TIMEOUT_S = 60, LONGEST_OUTPUT = 16384 };
static const size_t least_memory_bytes = (size_t)2 << 30;

struct build {
  const json_t *candidate;
  const char *source; /* absolute */
  char *folder;       /* where the compiler runs */
  double timeout_s;
  struct hone_source_text text;
  char key[HONE_DIGEST_SIZE];
  char *room, *object_path, *deps_path; /* of the compiler's output */
  struct hone_answer *answer;
};

static void fail(struct build *build, enum hone_outcome outcome, const char *evidence)
{
  build->answer->outcome = outcome;
  hone__text_add(&build->answer->evidence, evidence);
}

/* ---- Commands for people ---- */

static const char *text_of(const json_t *object, const char *key)
{
  return json_string_value(json_object_get(object, key));
}

/* Whether the words mean the same elsewhere. */
static bool needs_folder(const json_t *candidate)
{
  const json_t *flags = json_object_get(candidate, "flags");

  if (json_object_get(candidate, "command")) return true;
  for (size_t i = 0; i < json_array_size(flags); i++) {
    const char *flag = json_string_value(json_array_get(flags, i));
    if (flag && (flag[0] != '-' || strchr("IiLB", flag[1])) && flag[0] != '/') return true;
  }
  return false;
}

hone_status hone__c_build_command(const json_t *setup, const json_t *candidate,
                                  struct hone_text *out_command)
{
  const char *source = text_of(candidate, "source"), *folder = text_of(setup, "folder");
  struct hone_text line = {0};
  json_t *words;

  if (!source) return hone__error(HONE_INVALID_ARGUMENT, "a candidate without a source");
  words = hone__compiler_words(candidate, source, "kernel.so", NULL);
  if (folder && needs_folder(candidate)) {
    hone__text_add(&line, "cd");
    hone__command_add(&line, folder);
    hone__text_add(&line, " &&");
  }
  hone__command_print(&line, words);
  hone__text_add(out_command, line.data);
  hone__text_release(&line);
  json_decref(words);
  return NULL;
}

/* ---- The cache ---- */

bool hone__c_deps_are_current(const json_t *deps)
{
  char digest[HONE_DIGEST_SIZE];

  for (size_t i = 0; i < json_array_size(deps); i++) {
    const char *path = json_string_value(json_array_get(json_array_get(deps, i), 0));
    const char *known = json_string_value(json_array_get(json_array_get(deps, i), 1));
    if (!path || !known || !hone__dependency_digest(path, digest) || strcmp(digest, known) != 0)
      return false;
  }
  return true;
}

/* Those of the system change with its packages only: they are for the cache, not for records. */
static json_t *own_deps(const json_t *deps)
{
  json_t *own = json_array();

  for (size_t i = 0; i < json_array_size(deps); i++) {
    json_t *pair = json_array_get(deps, i);
    const char *path = json_string_value(json_array_get(pair, 0));
    if (path && !hone__starts_with(path, "/usr/")) json_array_append(own, pair);
  }
  return own;
}

/* The answer's head from a manifest. */
static void answer_with(struct build *build, json_t *manifest, bool cached)
{
  json_t *head = build->answer->head;

  build->answer->outcome = HONE_OUTCOME_OK;
  json_object_update(head, manifest);
  json_object_set_new(head, "deps", own_deps(json_object_get(manifest, "deps")));
  json_object_set_new(head, "cached", json_boolean(cached));
}

/* What a stranger's command reads is not known. */
static bool may_be_cached(const struct build *build)
{
  return !json_object_get(build->candidate, "command") ||
         !hone__compiler_is_open(build->candidate, &build->text);
}

static json_t *find_manifest(const struct build *build)
{
  char *bytes = NULL;
  size_t size = 0;
  json_t *manifest = NULL;
  hone_status status = hone__cache_get("builds", build->key, &bytes, &size);

  if (!status) manifest = json_loadb(bytes, size, 0, NULL);
  hone_status_free(status);
  free(bytes);
  if (manifest && text_of(manifest, "object") &&
      hone__c_deps_are_current(json_object_get(manifest, "deps")))
    return manifest;
  json_decref(manifest);
  return NULL;
}

static bool take_from_cache(struct build *build)
{
  json_t *manifest = may_be_cached(build) ? find_manifest(build) : NULL;
  char *bytes = NULL;
  size_t size = 0;
  hone_status status;

  if (!manifest) return false;
  status = hone__cache_get("objects", text_of(manifest, "object"), &bytes, &size);
  if (!status) {
    hone__text_addn(&build->answer->payload, bytes, size);
    answer_with(build, manifest, true);
  }
  free(bytes);
  json_decref(manifest);
  hone_status_free(status);
  return build->answer->payload.length > 0;
}

/* Failing to keep something costs a build later on, no more. */
static void put_into_cache(const struct build *build, const json_t *manifest)
{
  const struct hone_text *object = &build->answer->payload;
  char *bytes = json_dumps(manifest, JSON_COMPACT);

  if (may_be_cached(build)) {
    hone_status_free(
        hone__cache_put("objects", text_of(manifest, "object"), object->data, object->length));
    hone_status_free(hone__cache_put("builds", build->key, bytes, strlen(bytes)));
  }
  free(bytes);
}

/* ---- A room for the compiler ---- */

static void leave_room(struct build *build)
{
  hone__folder_remove(build->room);
  free(build->room);
  free(build->object_path);
  free(build->deps_path);
}

static char *join(const char *folder, const char *name)
{
  struct hone_text text = {0};

  hone__text_addf(&text, "%s/%s", folder, name);
  return hone__text_take(&text);
}

static bool enter_room(struct build *build)
{
  hone_status status = hone__folder_make(NULL, &build->room);

  if (status) {
    fail(build,
         hone_status_code(status) == HONE_EXHAUSTED ? HONE_OUTCOME_DISK_FULL
                                                    : HONE_OUTCOME_WORKER_LOST,
         hone_status_message(status));
    hone_status_free(status);
    return false;
  }
  build->object_path = join(build->room, "kernel.so");
  build->deps_path = join(build->room, "kernel.d");
  return true;
}

/* ---- Building ---- */

/* Files that flags name are read too, without the compiler's telling. */
static void add_flag_files(const struct build *build, json_t *deps)
{
  static const char *const lists[] = {"flags", "command"};

  for (size_t k = 0; k < 2; k++) {
    const json_t *words = json_object_get(build->candidate, lists[k]);
    for (size_t i = 0; i < json_array_size(words); i++) {
      const char *word = json_string_value(json_array_get(words, i));
      struct stat info;
      char *path;
      if (!word || word[0] == '-' || word[0] == '{') continue;
      word += word[0] == '@';
      path = word[0] == '/' ? hone__strdup(word) : join(build->folder, word);
      if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
        json_array_append_new(deps, json_string(path));
      free(path);
    }
  }
}

static json_t *read_deps(const struct build *build, const char *source)
{
  json_t *paths, *pairs = json_array();
  char *text = NULL, digest[HONE_DIGEST_SIZE];
  size_t size;

  hone_status_free(hone__file_read(build->deps_path, MOST_OBJECT_BYTES, &text, &size));
  paths = hone__compiler_deps(text ? text : "", source, build->folder);
  add_flag_files(build, paths);
  for (size_t i = 0; i < json_array_size(paths); i++) {
    const char *path = json_string_value(json_array_get(paths, i));
    if (path && hone__dependency_digest(path, digest))
      json_array_append_new(pairs, json_pack("[ss]", path, digest));
  }
  json_decref(paths);
  free(text);
  return pairs;
}

static json_t *text_json(const struct hone_text *output)
{
  size_t length = output->length < LONGEST_OUTPUT ? output->length : LONGEST_OUTPUT;

  return hone__frame_text(output->data ? output->data : "", length);
}

static void take_object(struct build *build, const char *source,
                        const struct hone_child_result *result)
{
  struct hone_text *payload = &build->answer->payload;
  char *bytes = NULL, digest[HONE_DIGEST_SIZE];
  size_t size = 0;
  json_t *manifest;
  hone_status status = hone__file_read(build->object_path, MOST_OBJECT_BYTES, &bytes, &size);

  if (status || !size) {
    if (status && access(build->object_path, F_OK) == 0)
      fail(build, HONE_OUTCOME_COMPILE_ERROR, hone_status_message(status));
    else
      fail(build, HONE_OUTCOME_COMPILE_ERROR,
           result->output.length ? "the compiler wrote no object"
                                 : "the compiler said nothing, but wrote no object");
    hone_status_free(status);
    free(bytes);
    return;
  }
  hone__text_addn(payload, bytes, size);
  free(bytes);
  hone__digest(payload->data, payload->length, digest);
  manifest = json_pack("{ss so sf so sO}", "object", digest, "deps", read_deps(build, source),
                       "compile_s", result->seconds, "warnings", text_json(&result->output),
                       "command", json_object_get(build->answer->head, "command"));
  put_into_cache(build, manifest);
  answer_with(build, manifest, false);
  json_decref(manifest);
}

/* The source's name as its messages shall show it. */
static const char *short_name(const struct build *build)
{
  size_t length = strlen(build->folder);

  if (hone__starts_with(build->source, build->folder) && build->source[length] == '/')
    return build->source + length + 1;
  return build->source;
}

/* The compiler's own files go to its room: what it leaves when it is killed is removed with it. */
static void run_in_room(struct build *build, const struct hone_child_options *options,
                        struct hone_child_result *result)
{
  const char *before = getenv("TMPDIR");
  char *copy = before ? hone__strdup(before) : NULL;

  setenv("LC_ALL", "C", 1);
  setenv("TMPDIR", build->room, 1);
  hone__child_run(options, result);
  if (copy)
    setenv("TMPDIR", copy, 1);
  else
    unsetenv("TMPDIR");
  free(copy);
}

/* Enough for any compiler, too little to take the machine down. */
static size_t memory_bytes(void)
{
  size_t half = (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);

  return half > least_memory_bytes ? half : least_memory_bytes;
}

static void compile(struct build *build)
{
  const char *source = short_name(build);
  json_t *words =
      hone__compiler_words(build->candidate, source, build->object_path, build->deps_path);
  struct hone_child_options options = {.argv = hone__command_argv(words),
                                       .directory = build->folder,
                                       .timeout_s = build->timeout_s,
                                       .grace_s = 0.5,
                                       .memory_bytes = memory_bytes(),
                                       .file_bytes = MOST_OBJECT_BYTES};
  struct hone_child_result result = {0};

  if (options.argv[0]) {
    run_in_room(build, &options, &result);
    hone__build_judge(&result, options.argv[0], build->answer);
    if (result.end == HONE_CHILD_EXITED && result.code == 0)
      take_object(build, source, &result);
    else
      json_object_set_new(build->answer->head, "output", text_json(&result.output));
    if (build->answer->outcome != HONE_OUTCOME_OK)
      json_object_set_new(build->answer->head, "compile_s", json_real(result.seconds));
  } else {
    fail(build, HONE_OUTCOME_COMPILE_ERROR, "the command to build with is empty");
  }
  hone__child_result_release(&result);
  free((void *)options.argv);
  json_decref(words);
}

/* The run knows the candidate by its source: another text must not go by the same name. */
static bool is_same_source(struct build *build)
{
  const char *known = text_of(build->candidate, "source_digest");

  if (!known || strcmp(known, build->text.digest) == 0) return true;
  fail(build, HONE_OUTCOME_WORKER_LOST, "the source was changed, or differs on this host: ");
  hone__text_add(&build->answer->evidence, build->source);
  return false;
}

static bool read_source(struct build *build)
{
  hone_status status = hone__source_text_read(build->source, &build->text);
  struct hone_digester *digester;

  if (status) {
    fail(build, HONE_OUTCOME_COMPILE_ERROR, hone_status_message(status));
    hone_status_free(status);
    return false;
  }
  if (!is_same_source(build)) return false;
  digester = hone__digest_begin();
  hone__compiler_identify(build->candidate, &build->text, build->folder, true, digester);
  hone__digest_end(digester, build->key);
  return true;
}

static char *folder_of(const json_t *setup, const char *source)
{
  const char *folder = text_of(setup, "folder");
  struct stat info;
  char *copy, *parent;

  if (folder && stat(folder, &info) == 0 && S_ISDIR(info.st_mode)) return hone__strdup(folder);
  copy = hone__strdup(source);
  parent = hone__strdup(dirname(copy));
  free(copy);
  return parent;
}

static double timeout_s(const json_t *setup, const json_t *job)
{
  double own = json_number_value(json_object_get(job, "timeout_s"));

  if (own <= 0)
    own = json_number_value(json_object_get(json_object_get(setup, "build"), "timeout_s"));
  return own > 0 ? own : DEFAULT_TIMEOUT_S;
}

void hone__c_build(const json_t *setup, const json_t *job, struct hone_answer *answer)
{
  struct build build = {.candidate = json_object_get(job, "candidate"), .answer = answer};
  struct hone_text command = {0};

  if (!answer->head) answer->head = json_object();
  build.source = text_of(build.candidate, "source");
  if (!build.source) {
    fail(&build, HONE_OUTCOME_PROTOCOL, "a build without a source");
    return;
  }
  build.timeout_s = timeout_s(setup, job);
  build.folder = folder_of(setup, build.source);
  hone_status_free(hone__c_build_command(setup, build.candidate, &command));
  json_object_set_new(answer->head, "command", hone__frame_text(command.data, command.length));
  if (read_source(&build) && !take_from_cache(&build) && enter_room(&build)) compile(&build);
  leave_room(&build);
  free(build.folder);
  hone__source_text_release(&build.text);
  hone__text_release(&command);
}
