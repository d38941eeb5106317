/* A header for C and C++. One run: a macro for each parameter. Several: a struct with the
 * parameters, and a function that chooses by device and problem. Plain C11 and C++17. */
#include "export/formatting.h"

#include "backend/definition.h"
#include "spec/word_kind.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

/* ---- Texts ---- */

/* Nothing may end the comment. */
static void add_comment(struct hone__text *text, const char *words)
{
  for (; *words; words++) {
    bool ends = words[0] == '*' && words[1] == '/';
    hone__text_addn(text, (unsigned char)*words < ' ' ? " " : words, 1);
    if (ends) hone__text_add(text, " ");
  }
}

static void add_string(struct hone__text *text, const char *string)
{
  hone__text_add(text, "\"");
  for (; *string; string++)
    if ((unsigned char)*string < ' ' || *string == 127 || *string == '?')
      hone__text_addf(text, "\\%03o", (unsigned)(unsigned char)*string); /* `?` begins trigraphs */
    else
      hone__text_addf(text, *string == '"' || *string == '\\' ? "\\%c" : "%c", *string);
  hone__text_add(text, "\"");
}

/* "sgemm-2" as sgemm_2. */
static char *identifier(struct hone__arena *arena, const char *name)
{
  char *copy = hone__arena_printf(arena, "%s%s", isdigit((unsigned char)*name) ? "_" : "", name);

  for (char *at = copy; *at; at++)
    if (!hone__is_word(*at)) *at = '_';
  return *copy ? copy : hone__arena_strdup(arena, "kernel");
}

static void add_fact(struct hone__text *text, const char *name, const char *fact)
{
  if (!*fact) return;
  hone__text_addf(text, " * %-9s ", name);
  add_comment(text, fact);
  hone__text_add(text, "\n");
}

static void add_facts(struct hone__text *text, const struct hone__tuned *tuned)
{
  struct hone__text words = {0};

  add_fact(text, "problem", tuned->problem);
  hone__text_add(&words, tuned->device);
  if (*tuned->family && strcmp(tuned->family, tuned->device) != 0)
    hone__text_addf(&words, " (%s)", tuned->family);
  add_fact(text, "device", words.data);
  words.length = 0;
  hone__tuned_print_speedup(tuned, &words);
  add_fact(text, "speed-up", words.data);
  words.length = 0;
  hone__text_addf(&words, "%s%s", tuned->unproved ? "NOT PROVED: " : "",
                  tuned->unproved ? tuned->unproved : hone_verdict_name(tuned->verdict));
  add_fact(text, "verdict", words.data);
  add_fact(text, "compiler", tuned->compiler);
  words.length = 0;
  hone__text_add(&words, "");
  for (size_t i = 0; i < tuned->flag_count; i++)
    hone__text_addf(&words, "%s%s", i ? " " : "", tuned->flags[i]);
  add_fact(text, "flags", words.data);
  add_fact(text, "driver", tuned->driver);
  words.length = 0;
  hone__text_addf(&words, "%s UTC, run %" PRId64, tuned->date, tuned->run);
  add_fact(text, "date", words.data);
  hone__text_release(&words);
}

static void open_guard(struct hone__text *text, const char *name)
{
  hone__text_addf(text, "#ifndef HONE_TUNED_%s_H\n#define HONE_TUNED_%s_H\n\n", name, name);
}

static char *upper(struct hone__arena *arena, const char *name)
{
  char *copy = hone__arena_strdup(arena, name);

  for (char *at = copy; *at; at++)
    *at = (char)toupper((unsigned char)*at);
  return copy;
}

/* ---- One run: macros ---- */

static hone_status add_macros(struct hone__text *text, const struct hone__tuned *tuned)
{
  for (size_t i = 0; i < tuned->param_count; i++) {
    const struct hone__spec_param *param = &tuned->params[i];
    struct hone_value value = hone__word_value(param->value);
    if (!hone__is_identifier(param->name))
      return hone__error(HONE_INVALID_ARGUMENT, "'%s' is not a name of a macro", param->name);
    if (value.type == HONE_NONE) continue;
    if (strpbrk(param->value, "\n\r"))
      return hone__error(HONE_INVALID_ARGUMENT, "the value of '%s' has several lines", param->name);
    hone__text_addf(text, "#define %s%s ", tuned->prefix, param->name);
    hone__definition_print(text, value, HONE__TRUE_IS_1);
    hone__text_add(text, "\n");
  }
  return NULL;
}

static hone_status write_macros(struct hone__formatting *formatting, const char *name)
{
  const struct hone__tuned *tuned = &formatting->tuned[0];
  struct hone__text *text = &formatting->text;
  hone_status status;

  hone__text_add(text, "/* The tuned configuration of ");
  add_comment(text, tuned->kernel);
  hone__text_addf(text, ", written by hone %s. Do not edit.\n *\n", hone_version());
  add_facts(text, tuned);
  hone__text_add(text, " */\n");
  open_guard(text, upper(&formatting->arena, name));
  status = add_macros(text, tuned);
  if (tuned->unproved) hone__text_add(text, "#define HONE_UNPROVED 1\n");
  hone__text_add(text, "\n#endif\n");
  return status;
}

/* ---- Several runs: a function ---- */

enum field_type { FIELD_NONE, FIELD_INTEGER, FIELD_REAL, FIELD_TEXT };
static const char *const type_names[] = {"long long ", "long long ", "double ", "const char *"};

struct fields { /* of the struct, or arguments of the function */
  const char **names;
  enum field_type *types; /* that all values have room in */
  size_t count;
};

static enum field_type type_of(const char *word)
{
  switch (hone__word_value(word).type) {
  case HONE_NONE: return FIELD_NONE;
  case HONE_BOOL:
  case HONE_INT: return FIELD_INTEGER;
  case HONE_FLOAT: return FIELD_REAL;
  default: return FIELD_TEXT;
  }
}

static const char *find_param(const struct hone__spec_param *params, size_t count, const char *name)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(params[i].name, name) == 0) return params[i].value;
  return NULL;
}

static void add_field(struct hone__arena *arena, struct fields *fields,
                      const struct hone__spec_param *param)
{
  enum field_type type = type_of(param->value);
  size_t i = 0;

  while (i < fields->count && strcmp(fields->names[i], param->name) != 0)
    i++;
  if (i == fields->count) {
    const char **names = hone__arena_alloc(arena, (i + 1) * sizeof *names);
    enum field_type *types = hone__arena_alloc(arena, (i + 1) * sizeof *types);
    if (i) memcpy(names, fields->names, i * sizeof *names);
    if (i) memcpy(types, fields->types, i * sizeof *types);
    names[i] = param->name;
    *fields = (struct fields){names, types, i + 1};
  }
  if (type > fields->types[i]) fields->types[i] = type;
}

static void find_fields(struct hone__formatting *formatting, struct fields *params,
                        struct fields *sizes)
{
  for (size_t i = 0; i < formatting->count; i++) {
    const struct hone__tuned *tuned = &formatting->tuned[i];
    for (size_t k = 0; k < tuned->param_count; k++)
      add_field(&formatting->arena, params, &tuned->params[k]);
    for (size_t k = 0; k < tuned->size_count; k++)
      add_field(&formatting->arena, sizes, &tuned->sizes[k]);
  }
}

static hone_status check_runs(const struct hone__formatting *formatting,
                              const struct fields *params, const struct fields *sizes)
{
  for (size_t i = 0; i < formatting->count; i++) {
    if (strcmp(formatting->tuned[i].kernel, formatting->tuned[0].kernel) != 0)
      return hone__error(HONE_INVALID_ARGUMENT,
                         "run %" PRId64 " belongs to '%s' and run %" PRId64
                         " to '%s': a header is about one kernel",
                         formatting->tuned[0].run, formatting->tuned[0].kernel,
                         formatting->tuned[i].run, formatting->tuned[i].kernel);
    if (formatting->tuned[i].size_count != sizes->count)
      return hone__error(HONE_INVALID_ARGUMENT, "run %" PRId64 " has other sizes than run %" PRId64,
                         formatting->tuned[i].run, formatting->tuned[0].run);
  }
  for (size_t i = 0; i < params->count + sizes->count; i++) {
    const char *name = i < params->count ? params->names[i] : sizes->names[i - params->count];
    if (!hone__is_identifier(name))
      return hone__error(HONE_INVALID_ARGUMENT, "'%s' is not a name in C", name);
  }
  return NULL;
}

static void add_literal(struct hone__text *text, enum field_type type, const char *word)
{
  if (type == FIELD_TEXT && word && type_of(word) != FIELD_NONE)
    add_string(text, word);
  else if (!word || type_of(word) == FIELD_NONE)
    hone__text_add(text, "0");
  else
    hone__definition_print(text, hone__word_value(word), HONE__TRUE_IS_1);
}

static void add_struct(struct hone__text *text, const char *name, const struct fields *params)
{
  hone__text_addf(text, "struct %s_config {\n", name);
  for (size_t i = 0; i < params->count; i++)
    hone__text_addf(text, "  %s%s;\n", type_names[params->types[i]], params->names[i]);
  hone__text_add(text, "};\n\n");
}

static void add_row(struct hone__text *text, const struct hone__tuned *tuned,
                    const struct fields *params)
{
  struct hone__text words = {0};

  hone__text_addf(&words, "%s on %s: ", *tuned->problem ? tuned->problem : "any problem",
                  tuned->device);
  hone__tuned_print_speedup(tuned, &words);
  hone__text_addf(&words, ", %s, %s UTC, run %" PRId64,
                  tuned->unproved ? "NOT PROVED" : hone_verdict_name(tuned->verdict), tuned->date,
                  tuned->run);
  hone__text_add(text, "    /* ");
  add_comment(text, words.data);
  hone__text_add(text, " */\n    {");
  for (size_t i = 0; i < params->count; i++) {
    if (i) hone__text_add(text, ", ");
    add_literal(text, params->types[i],
                find_param(tuned->params, tuned->param_count, params->names[i]));
  }
  hone__text_add(text, "},\n");
  hone__text_release(&words);
}

static void add_condition(struct hone__text *text, const struct hone__tuned *tuned,
                          const struct fields *sizes, size_t index)
{
  hone__text_add(text, "  if ((strcmp(device_name, ");
  add_string(text, tuned->device);
  hone__text_add(text, ") == 0");
  if (*tuned->alias) {
    hone__text_add(text, " || strcmp(device_name, ");
    add_string(text, tuned->alias);
    hone__text_add(text, ") == 0");
  }
  hone__text_add(text, ")");
  for (size_t i = 0; i < sizes->count; i++) {
    const char *value = find_param(tuned->sizes, tuned->size_count, sizes->names[i]);
    bool is_text = sizes->types[i] == FIELD_TEXT;
    hone__text_addf(text, is_text ? " && strcmp(%s, " : " && %s == ", sizes->names[i]);
    add_literal(text, sizes->types[i], value);
    if (is_text) hone__text_add(text, ") == 0");
  }
  hone__text_addf(text, ")\n    return &configs[%zu];\n", index);
}

static void add_function(struct hone__formatting *formatting, const char *name,
                         const struct fields *params, const struct fields *sizes)
{
  struct hone__text *text = &formatting->text;

  hone__text_addf(text,
                  "/* The configuration for this device and problem; NULL: none was tuned. */\n"
                  "static inline const struct %s_config *%s_choose(const char *device_name",
                  name, name);
  for (size_t i = 0; i < sizes->count; i++)
    hone__text_addf(text, ", %s%s", type_names[sizes->types[i]], sizes->names[i]);
  hone__text_addf(text, ")\n{\n  static const struct %s_config configs[] = {\n", name);
  for (size_t i = 0; i < formatting->count; i++)
    add_row(text, &formatting->tuned[i], params);
  hone__text_add(text, "  };\n\n");
  for (size_t i = 0; i < formatting->count; i++)
    add_condition(text, &formatting->tuned[i], sizes, i);
  hone__text_add(text, "  return NULL;\n}\n");
}

static hone_status write_choice(struct hone__formatting *formatting, const char *name)
{
  struct hone__text *text = &formatting->text;
  struct fields params = {0}, sizes = {0};
  hone_status status;

  find_fields(formatting, &params, &sizes);
  status = check_runs(formatting, &params, &sizes);
  if (status) return status;
  hone__text_add(text, "/* Tuned configurations of ");
  add_comment(text, formatting->tuned[0].kernel);
  hone__text_addf(text, ", written by hone %s. Do not edit.\n", hone_version());
  hone__text_add(text, " * libhone-wisdom also finds the nearest problem. */\n");
  open_guard(text, upper(&formatting->arena, name));
  hone__text_add(text, "#include <stddef.h>\n#include <string.h>\n\n");
  add_struct(text, name, &params);
  add_function(formatting, name, &params, &sizes);
  hone__text_add(text, "\n#endif\n");
  return NULL;
}

hone_status hone__export_header(struct hone__formatting *formatting)
{
  const char *name = identifier(&formatting->arena, formatting->tuned[0].kernel);

  return formatting->count == 1 ? write_macros(formatting, name) : write_choice(formatting, name);
}
