/* Which format a file has is told by its outermost members. Their places are found first, so that
 * they may be in any order; then the measurements are read one by one. */
#include "base/file.h"
#include "replay/recording_draft.h"
#include "replay/recording_text.h"

#include <stdlib.h>

static const struct hone__recording_format *const formats[] = {&hone__format_kernel_tuner,
                                                               &hone__format_t4, &hone__format_ktt};

enum { MOST_MEMBERS = 1000 };

struct loading {
  struct hone__recording *recording;
  struct hone__replay_json_text text;
  struct hone__replay_json_members members;
  const struct hone__recording_format *format;
  const struct hone__replay_json_span *span; /* of the measurements */
  struct hone__draft draft;
  struct hone__recording_head head;
  hone_status problem; /* found while members were searched for */
  bool gzip_cut;
  bool cut_within; /* one more measurement was begun */
  size_t left_out; /* recorded as invalid, and not in T1's space */
};

/* ---- Members ---- */

static const struct hone__replay_json_span *
find_member(const struct hone__replay_json_members *members, const char *key)
{
  for (size_t i = members->count; i-- > 0;)
    if (hone__replay_json_key_is(&members->spans[i], key)) return &members->spans[i];
  return NULL;
}

hone_status hone__replay_json_member(const struct hone__replay_json_text *text,
                                     const struct hone__replay_json_members *members,
                                     const char *key, json_t **out_json)
{
  const struct hone__replay_json_span *span = find_member(members, key);

  *out_json = NULL;
  return span ? hone__replay_json_read(text, span, out_json) : NULL;
}

/* What is wrong with the step at which the members ended, or NULL. */
static hone_status bad_end(const struct loading *l, enum hone__replay_json_step step, size_t at)
{
  if (step == HONE__JSON_ELEMENT)
    return hone__replay_json_error(&l->text, at, "more than %d members", MOST_MEMBERS);
  if (step == HONE__JSON_BAD)
    return hone__replay_json_error(&l->text, at, "invalid JSON: expected a member or '}' here");
  if (step == HONE__JSON_END && at < l->text.size)
    return hone__replay_json_error(&l->text, at, "unexpected text after the end of the recording");
  return NULL;
}

/* Something that is wrong within the measurements may first show after them: it is reported after
 * they are read, because an error in them is more informative. */
static hone_status find_members(struct loading *l)
{
  struct hone__replay_json_members *members = &l->members;
  struct hone__replay_json_walk walk;
  struct hone__replay_json_span span;
  enum hone__replay_json_step step = HONE__JSON_ELEMENT;
  size_t capacity = 0;

  if (!hone__replay_json_enter(&l->text, 0, '{', &walk))
    return hone__replay_json_error(&l->text, walk.at - 1,
                                   "not a recording: expected '{' at its start");
  while (step == HONE__JSON_ELEMENT && members->count < MOST_MEMBERS) {
    step = hone__replay_json_next(&walk, &span);
    if (step != HONE__JSON_ELEMENT && !(step == HONE__JSON_CUT && span.end)) break;
    HONE__GROW(members->spans, members->count, capacity);
    members->spans[members->count++] = span;
  }
  members->cut = step == HONE__JSON_CUT;
  l->problem = bad_end(l, step, walk.at);
  return NULL;
}

static hone_status take_problem(struct loading *l)
{
  hone_status status = l->problem;

  l->problem = NULL;
  return status;
}

static hone_status find_format(struct loading *l)
{
  struct hone__replay_json_walk walk;

  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    l->span = find_member(&l->members, formats[i]->key);
    if (!l->span) continue;
    l->format = formats[i];
    l->recording->format = l->format->id;
    if (hone__replay_json_enter(&l->text, l->span->begin, l->format->bracket, &walk)) return NULL;
    return hone__replay_json_error(&l->text, l->span->begin, "'%s' must begin with '%c' here",
                                   l->format->key, l->format->bracket);
  }
  if (l->problem) return take_problem(l);
  if (l->members.cut || l->gzip_cut)
    return hone__error(HONE_INVALID_SPEC, "'%s' is truncated before its first configuration",
                       l->text.path);
  if (find_member(&l->members, "ConfigurationSpace"))
    return hone__error(HONE_INVALID_SPEC,
                       "'%s' is a T1 file: it describes a space and has no measurements; give a "
                       "file with measurements, such as T4, and this file with '--space'",
                       l->text.path);
  return hone__error(HONE_INVALID_SPEC,
                     "'%s' has no known recording format: it is not a cache file of Kernel Tuner "
                     "('cache'), a T4 file ('results') or a KTT result file ('Results')",
                     l->text.path);
}

/* ---- Measurements ---- */

/* What the tuner found illegal may be in its results, and is not part of the space. */
static hone_status check_last(struct loading *l)
{
  struct hone__draft *draft = &l->draft;
  size_t last = draft->count - 1;
  const uint32_t *row = draft->rows + last * draft->param_count;

  if (draft->at[last].outcome != HONE_OUTCOME_INVALID) return hone__draft_check(draft, row);
  if (hone__draft_allows(draft, row)) return NULL;
  draft->count--;
  l->left_out++;
  return NULL;
}

static hone_status read_element(struct loading *l, const struct hone__replay_json_span *span)
{
  json_t *json;
  hone_status status = hone__replay_json_read(&l->text, span, &json), placed;

  if (status) return status;
  status = l->format->element(&l->draft, &l->head, span, json);
  json_decref(json);
  if (!status && l->draft.described) status = check_last(l);
  if (hone_status_code(status) != HONE_INVALID_SPEC) return status;
  placed = hone__replay_json_error(&l->text, span->begin, "%s", hone_status_message(status));
  hone_status_free(status);
  return placed;
}

static hone_status read_elements(struct loading *l)
{
  struct hone__replay_json_walk walk;
  struct hone__replay_json_span span;
  enum hone__replay_json_step step;
  hone_status status = NULL;

  hone__replay_json_enter(&l->text, l->span->begin, l->format->bracket, &walk);
  while ((step = hone__replay_json_next(&walk, &span)) == HONE__JSON_ELEMENT && !status)
    status = read_element(l, &span);
  if (status) return status;
  if (step == HONE__JSON_BAD)
    return hone__replay_json_error(
        &l->text, walk.at, "invalid JSON: expected a configuration or the end of the list here");
  l->cut_within = step == HONE__JSON_CUT && (walk.at < l->text.size || span.key);
  return step == HONE__JSON_CUT ? hone__replay_json_check_cut(&l->text, &span) : NULL;
}

/* ---- Its names ---- */

/* Without folder and suffixes. */
static const char *stem(struct hone__arena *arena, const char *path)
{
  static const char *const suffixes[] = {".gz", ".json"};
  const char *slash = strrchr(path, '/');
  char *name = hone__arena_strdup(arena, slash ? slash + 1 : path);

  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    size_t length = strlen(name), tail = strlen(suffixes[i]);
    if (length > tail && strcmp(name + length - tail, suffixes[i]) == 0) name[length - tail] = 0;
  }
  return name;
}

static void set_name(struct loading *l)
{
  struct hone__recording *r = l->recording;
  const char *own = stem(&r->arena, r->path);

  r->name = own;
  r->kernel = l->head.kernel;
  r->device = l->head.device;
  if (l->head.kernel && l->head.device)
    r->name = hone__arena_printf(&r->arena, "%s on %s", l->head.kernel, l->head.device);
  else if (l->head.kernel)
    r->name = hone__arena_printf(&r->arena, "%s (%s)", l->head.kernel, own);
}

/* Kernel Tuner leaves its caches without the last brackets: this is not reported. */
static void set_remark(struct loading *l)
{
  struct hone__recording *r = l->recording;
  struct hone__text text = {0};

  if (l->cut_within || l->gzip_cut)
    hone__text_addf(&text, "the %s is truncated after %zu complete configuration%s",
                    l->gzip_cut ? "gzip" : "file", l->draft.count, l->draft.count == 1 ? "" : "s");
  if (l->cut_within) hone__text_add(&text, "; the incomplete one is ignored");
  if (l->draft.repeated)
    hone__text_addf(&text, "%s%zu duplicate configuration%s ignored: the first of each counts",
                    text.length ? "; " : "", l->draft.repeated,
                    l->draft.repeated == 1 ? " is" : "s are");
  if (l->left_out)
    hone__text_addf(
        &text, "%s%zu configuration%s recorded as invalid %s ignored: '%s' does not have %s",
        text.length ? "; " : "", l->left_out, l->left_out == 1 ? " that was" : "s that were",
        l->left_out == 1 ? "is" : "are", l->draft.described_by, l->left_out == 1 ? "it" : "them");
  if (l->head.space_count &&
      strtod(l->head.space_count, NULL) > (double)(r->count + l->draft.repeated))
    hone__text_addf(
        &text,
        "%sonly %zu of the space's %s configurations were measured: searches are limited to these",
        text.length ? "; " : "", r->count, l->head.space_count);
  if (text.length) r->remark = hone__arena_strdup(&r->arena, text.data);
  hone__text_release(&text);
}

/* ---- Loading ---- */

static hone_status read_file(struct loading *l, const char *space_path)
{
  hone_status status = find_members(l);

  l->draft.arena = &l->recording->arena;
  if (!status) status = find_format(l);
  if (!status && space_path) status = hone__draft_describe(&l->draft, space_path);
  if (!status) status = l->format->head(&l->draft, &l->text, &l->members, &l->head);
  if (!status) status = read_elements(l);
  if (!status) status = take_problem(l);
  if (!status && l->draft.count == 0)
    status = hone__error(HONE_INVALID_SPEC, "'%s' has no %sconfiguration", l->text.path,
                         l->cut_within || l->gzip_cut ? "complete " : "");
  return status;
}

static hone_status load(struct loading *l, const char *space_path)
{
  hone_status status = read_file(l, space_path);

  if (status) return status;
  set_name(l);
  status = hone__draft_finish(&l->draft, l->recording);
  set_remark(l);
  return status;
}

hone_status hone__recording_parse(const char *path, char *bytes, size_t size,
                                  const char *space_path, struct hone__recording **out_recording)
{
  struct loading l = {0};
  hone_status status =
      hone__recording_text_take(path, bytes, size, &l.text.text, &l.text.size, &l.gzip_cut);

  *out_recording = NULL;
  if (status) return status;
  l.recording = hone__alloc(sizeof *l.recording);
  l.recording->path = l.text.path = hone__arena_strdup(&l.recording->arena, path);
  status = load(&l, space_path);
  hone_status_free(l.problem);
  hone__draft_release(&l.draft);
  free(l.members.spans);
  free(l.text.text);
  if (status)
    hone__recording_free(l.recording);
  else
    *out_recording = l.recording;
  return status;
}

hone_status hone__recording_load(const char *path, const char *space_path,
                                 struct hone__recording **out_recording)
{
  char *bytes;
  size_t size;
  hone_status status = hone__file_read(path, HONE__LARGEST_RECORDING, &bytes, &size);

  *out_recording = NULL;
  return status ? status : hone__recording_parse(path, bytes, size, space_path, out_recording);
}

void hone__recording_free(struct hone__recording *recording)
{
  if (!recording) return;
  hone_space_free(recording->space);
  hone_spec_free(recording->spec);
  hone__arena_release(&recording->arena);
  free(recording);
}
