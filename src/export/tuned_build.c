/* What of a run's build belongs to its configuration: how macros are named, and the flags that
 * parameters are in. */
#include "export/tuned_build.h"

#include "spec/yaml.h"

#include <jansson.h>

/* The settings were written by Hone itself. */
static struct hone__node *parse(struct hone__arena *arena, const char *settings)
{
  struct hone__source source = {.path = "settings", .text = settings, .size = strlen(settings)};
  struct hone__diagnostics diagnostics = {0};
  struct hone__node *root = NULL;

  hone__source_index(&source, arena);
  hone__yaml_parse(settings, source.size, &source, arena, &diagnostics, &root);
  hone__diagnostics_release(&diagnostics);
  return root;
}

static const char *value_of(const struct hone__tuned *tuned, const char *name, size_t length)
{
  for (size_t i = 0; i < tuned->param_count; i++)
    if (strlen(tuned->params[i].name) == length && !memcmp(tuned->params[i].name, name, length))
      return tuned->params[i].value;
  for (size_t i = 0; i < tuned->size_count; i++)
    if (strlen(tuned->sizes[i].name) == length && !memcmp(tuned->sizes[i].name, name, length))
      return tuned->sizes[i].value;
  return NULL;
}

/* "-O{LEVEL}" as "-O3"; false: something else than a name is in braces. */
static bool expand(const struct hone__tuned *tuned, const char *flag, struct hone__text *text)
{
  hone__text_add(text, "");
  for (const char *at = flag; *at;) {
    size_t plain = strcspn(at, "{}");
    hone__text_addn(text, at, plain);
    at += plain;
    if (*at) {
      const char *name = at + 1, *value;
      size_t length = strcspn(name, "{}");
      if (*at == '}' || name[length] != '}') return false;
      value = value_of(tuned, name, length);
      if (!value) return false;
      hone__text_add(text, value);
      at = name + length + 1;
    }
  }
  return true;
}

static void add_flag(struct hone__arena *arena, const char *flag, struct hone__tuned *tuned,
                     const char **flags)
{
  struct hone__text text = {0};

  if (!strchr(flag, '{')) return; /* the same for all configurations */
  if (!expand(tuned, flag, &text))
    tuned->lost_flag = hone__arena_strdup(arena, flag);
  else if (*text.data)
    flags[tuned->flag_count++] = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
}

static void read_build(struct hone__arena *arena, const struct hone__node *build,
                       struct hone__tuned *tuned)
{
  const struct hone__node *prefix = hone__node_get(build, "define_prefix");
  const struct hone__node *flags = hone__node_get(build, "flags");
  const char **list;

  if (prefix && prefix->kind == HONE__SCALAR) tuned->prefix = prefix->text;
  if (!flags || flags->kind != HONE__SEQUENCE) return;
  list = hone__arena_alloc(arena, (flags->count + 1) * sizeof *list);
  for (size_t i = 0; i < flags->count; i++)
    if (flags->items[i]->kind == HONE__SCALAR) add_flag(arena, flags->items[i]->text, tuned, list);
  tuned->flags = list;
}

void hone__tuned_read_build(struct hone__arena *arena, const char *options,
                            struct hone__tuned *tuned)
{
  json_t *all = options ? json_loads(options, 0, NULL) : NULL;
  const char *settings = json_string_value(json_object_get(all, "settings"));
  struct hone__node *root = settings ? parse(arena, hone__arena_strdup(arena, settings)) : NULL;
  struct hone__node *build =
      root && root->kind == HONE__MAPPING ? hone__node_get(root, "build") : NULL;

  if (build && build->kind == HONE__MAPPING) read_build(arena, build, tuned);
  json_decref(all);
}
