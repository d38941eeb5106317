/* A spec is cut into parts first, then each part at its first `=`. */
#include "spec/spec_text.h"

#include "base/text.h"
#include "spec/evaluate.h"

#include <ctype.h>
#include <stdlib.h>

struct parts { /* of a spec: [begin, end) each, "NAME=VALUE" */
  struct part {
    const char *begin, *end;
  } * list;
  size_t count, capacity;
};

static void add_part(struct parts *parts, const char *begin)
{
  HONE__GROW(parts->list, parts->count, parts->capacity);
  parts->list[parts->count++] = (struct part){.begin = begin, .end = begin + strlen(begin)};
}

static void end_part(struct parts *parts, const char *end)
{
  if (parts->count) parts->list[parts->count - 1].end = end;
}

/* ---- With a filter ---- */

/* Both texts have the same parameters in the same order; they differ in separators and `$`. False:
 * they do not fit together. */
static bool cut_by_filter(const char *spec, const char *filter, struct parts *parts)
{
  const char *at = strchr(spec, '/');

  while (at && *filter) {
    end_part(parts, at++);
    add_part(parts, at);
    at += strspn(at, "$");
    while (*filter && *at == *filter)
      at++, filter++;
    if (*filter && (*filter != ' ' || *at != '/')) return false;
    filter += *filter == ' ';
  }
  if (!at || (*at && !hone__starts_with(at, "/input_id="))) return false;
  end_part(parts, at);
  return true;
}

/* ---- Without ---- */

static size_t name_length(const char *text)
{
  const char *at = text + strspn(text, "$");

  if (!isalpha((unsigned char)*at) && *at != '_') return 0;
  while (isalnum((unsigned char)*at) || (*at && strchr("_-.$", *at)))
    at++;
  return *at == '=' ? (size_t)(at - text) : 0;
}

static bool has_part(const struct parts *parts, const char *name, size_t length)
{
  for (size_t i = 0; i < parts->count; i++)
    if (strncmp(parts->list[i].begin, name, length + 1) == 0) return true;
  return false;
}

static void cut_by_names(const char *spec, struct parts *parts)
{
  for (const char *at = strchr(spec, '/'); at; at = strchr(at + 1, '/')) {
    size_t length = name_length(at + 1);
    if (hone__starts_with(at, "/input_id=") || hone__starts_with(at, "/input_id:")) {
      end_part(parts, at);
      return;
    }
    if (!length || has_part(parts, at + 1, length)) continue;
    end_part(parts, at);
    add_part(parts, at + 1);
  }
}

/* ---- Parameters ---- */

struct hone__spec_param hone__spec_param(struct hone__arena *arena, const char *name,
                                         size_t name_length_, const char *value,
                                         size_t value_length)
{
  bool is_runtime = name_length_ && *name == '$';

  return (struct hone__spec_param){
      .name = hone__arena_strndup(arena, name + is_runtime, name_length_ - is_runtime),
      .value = hone__arena_strndup(arena, value, value_length),
      .is_runtime = is_runtime,
  };
}

static struct hone__spec_param read_part(struct hone__arena *arena, const struct part *part)
{
  const char *equals = memchr(part->begin, '=', (size_t)(part->end - part->begin));

  if (!equals) equals = part->end;
  return hone__spec_param(arena, part->begin, (size_t)(equals - part->begin),
                          equals + (equals < part->end),
                          (size_t)(part->end - equals) - (equals < part->end));
}

static const struct hone__spec_param *read_parts(struct hone__arena *arena, struct parts *parts,
                                                 size_t *out_count)
{
  struct hone__spec_param *params = hone__arena_alloc(arena, (parts->count + 1) * sizeof *params);

  for (size_t i = 0; i < parts->count; i++)
    params[i] = read_part(arena, &parts->list[i]);
  *out_count = parts->count;
  free(parts->list);
  return params;
}

const struct hone__spec_param *hone__spec_text_params(struct hone__arena *arena, const char *spec,
                                                      const char *filter, size_t *out_count)
{
  struct parts parts = {0};

  if (!*filter || !cut_by_filter(spec, filter, &parts)) {
    parts.count = 0;
    cut_by_names(spec, &parts);
  }
  return read_parts(arena, &parts, out_count);
}

/* ---- Configurations ---- */

/* The comma that ends a value, or the end of the text. */
static const char *find_comma(const char *text)
{
  char quote = 0;

  for (; *text; text++) {
    if (quote && *text == '\\' && text[1])
      text++;
    else if (quote ? *text == quote : *text == '\'' || *text == '"')
      quote = quote ? 0 : *text;
    else if (!quote && *text == ',')
      break;
  }
  return text;
}

/* What was written in quotes is without them in a parameter's value. */
static void unquote(struct hone__arena *arena, struct hone__spec_param *param)
{
  struct hone_value value;

  if (*param->value != '\'' && *param->value != '"') return;
  value = hone__evaluate_word(arena, param->value);
  if (value.type == HONE_TEXT) param->value = value.text;
}

const struct hone__spec_param *hone__config_params(struct hone__arena *arena, const char *config,
                                                   size_t *out_count)
{
  struct parts parts = {0};
  struct hone__spec_param *params;

  while (*config) {
    const char *comma = find_comma(config);
    add_part(&parts, config);
    end_part(&parts, comma);
    config = comma + (*comma == ',');
  }
  params = (struct hone__spec_param *)read_parts(arena, &parts, out_count);
  for (size_t i = 0; i < *out_count; i++)
    unquote(arena, &params[i]);
  return params;
}
