/* The output of a candidate, in the store's format, and its decoding. */
#include "session/kept_output.h"

#include "session/session.h"
#include "wire/named.h"

#include <stdlib.h>

/* ---- Which configuration it is of ---- */

struct own {
  const char *spec;
  struct hone__name_value *params; /* [["BM", "64"], ["$x", "0"]] */
  struct hone__named *texts;       /* values used in the spec's texts: {"compilation_info": ...} */
  size_t params_count, texts_count;
};
static const struct hone__field own_fields[] = {
    HONE__TEXT(struct own, spec, HONE__NEEDED),
    HONE__PAIRS(struct own, params, HONE__SENT),
    HONE__NAMED(struct own, texts, HONE__OPTIONAL),
};
static const struct hone__record_type own_type =
    HONE__RECORD_TYPE("output", struct own, own_fields);

static const char *spec_of(const struct hone__candidate *candidate, struct hone__arena *arena)
{
  const struct hone_space *space = candidate->session->problem.task.space;
  size_t length = hone_space_print_spec(space, candidate->row, NULL, 0);
  char *text = hone__arena_alloc(arena, length + 1);

  hone_space_print_spec(space, candidate->row, text, length + 1);
  return text;
}

static const char *value_of(struct hone_value value, struct hone__arena *arena)
{
  struct hone__text text = {0};
  const char *kept;

  hone__value_print(value, &text);
  kept = hone__arena_strdup(arena, text.data ? text.data : "");
  hone__text_release(&text);
  return kept;
}

static void add_params(const struct hone__candidate *candidate, struct hone__arena *arena,
                       struct own *own)
{
  const struct hone_space *space = candidate->session->problem.task.space;
  const uint32_t *row = candidate->row;
  size_t count = hone_space_param_count(space, row[0]);

  own->params = hone__arena_alloc(arena, (count + 1) * sizeof *own->params);
  own->params_count = count;
  for (size_t i = 0; i < count; i++) {
    const char *mark = hone_space_param_is_runtime(space, row[0], i) ? "$" : "";
    own->params[i] = (struct hone__name_value){
        hone__arena_printf(arena, "%s%s", mark, hone_space_param_name(space, row[0], i)),
        value_of(hone_space_value(space, row[0], i, row[1 + i]), arena)};
  }
}

static void add_texts(const struct hone__candidate *candidate, struct hone__arena *arena,
                      struct own *own)
{
  const struct hone_space *space = candidate->session->problem.task.space;
  struct hone__named_list texts = {.arena = arena};

  for (size_t i = 0; i < hone_space_text_count(space); i++) {
    size_t length = hone_space_print_text(space, candidate->row, i, NULL, 0);
    char *text;
    if (length == HONE_NO_TEXT || length == 0) continue;
    text = hone__alloc(length + 1);
    hone_space_print_text(space, candidate->row, i, text, length + 1);
    hone__named_text(&texts, hone_space_text_name(space, i), text);
    free(text);
  }
  own->texts = texts.items;
  own->texts_count = texts.count;
}

static void set_own(const struct hone__candidate *candidate, struct hone__packed *output)
{
  struct hone__arena arena = {0};
  struct own own = {.spec = spec_of(candidate, &arena)};

  add_params(candidate, &arena, &own);
  add_texts(candidate, &arena, &own);
  hone__packed_remove(output, "texts");
  hone__packed_add(output, &own_type, &own);
  hone__arena_release(&arena);
}

/* ---- Output ---- */

static const struct hone__field output_fields[] = {
    HONE__TEXT_AS(struct hone__kept_output, "stdout", stdout_text, HONE__OPTIONAL),
    HONE__TEXT_AS(struct hone__kept_output, "stderr", stderr_text, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kept_output, build_output, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kept_output, unapplied, HONE__OPTIONAL),
    HONE__NAMED(struct hone__kept_output, costs, HONE__OPTIONAL),
    HONE__RECORDS(struct hone__kept_output, stages, HONE__OPTIONAL, &hone__wire_stage_share_type),
};
static const struct hone__record_type output_type =
    HONE__RECORD_TYPE("output", struct hone__kept_output, output_fields);

static void keep(struct hone__candidate *candidate, struct hone__packed *output)
{
  struct hone__text text = {0};

  hone__packed_print(output, &text);
  candidate->evaluation.output = hone__arena_strdup(&candidate->texts, text.data);
  hone__text_release(&text);
  hone__packed_drop(output);
}

void hone__candidate_copy_output(struct hone__candidate *candidate, const char *from)
{
  struct hone__packed *output = from ? hone__packed_parse(from, strlen(from)) : NULL;

  if (!output) output = hone__packed_new();
  set_own(candidate, output);
  keep(candidate, output);
}

/* NULL if it is empty. */
static const char *text_of(const char *text)
{
  return text && *text ? text : NULL;
}

void hone__candidate_output(struct hone__candidate *candidate,
                            const struct hone__wire_candidate_result *run,
                            const struct hone__wire_build_reply *build)
{
  struct hone__packed *output = hone__packed_new();
  struct hone__kept_output kept = {.stdout_text = run ? text_of(run->stdout_text) : NULL,
                                   .stderr_text = run ? text_of(run->stderr_text) : NULL,
                                   .build_output = build ? text_of(build->output) : NULL,
                                   .unapplied = build ? build->unapplied : NULL,
                                   .stages = run ? run->stages : NULL,
                                   .stages_count = run ? run->stages_count : 0,
                                   .costs = candidate->costs,
                                   .costs_count = candidate->cost_count};

  set_own(candidate, output);
  if (run) hone__packed_merge(output, run->table);
  hone__packed_add(output, &output_type, &kept);
  keep(candidate, output);
}

/* ---- Reading it ---- */

void hone__kept_output_read(const char *text, struct hone__kept_output *out_output)
{
  struct hone__packed *packed = text ? hone__packed_parse(text, strlen(text)) : NULL;
  struct hone__arena arena = {0};

  *out_output = (struct hone__kept_output){0};
  if (packed) hone_status_free(hone__unpack(packed, &output_type, &arena, out_output));
  out_output->packed = packed;
  out_output->arena = arena;
}

void hone__kept_output_release(struct hone__kept_output *output)
{
  hone__packed_drop(output->packed);
  hone__arena_release(&output->arena);
}
