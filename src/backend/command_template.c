/* Words of commands in which {names} stand for something: see command_template.h. */
#include "backend/command_template.h"

#include <ctype.h>

/* {name} at p: its length without the braces, 0 if there is none. */
static size_t name_length(const char *p)
{
  size_t length = 0;

  if (p[0] != '{' || !(isalpha((unsigned char)p[1]) || p[1] == '_')) return 0;
  while (isalnum((unsigned char)p[1 + length]) || (p[1 + length] && strchr("_.-$", p[1 + length])))
    length++;
  return p[1 + length] == '}' ? length : 0;
}

/* ${name} is a shell's. */
static bool is_placeholder(const char *word, const char *p, size_t *out_length)
{
  *out_length = name_length(p);
  return *out_length && (p == word || p[-1] != '$');
}

/* What stands in the object under the name that p begins with. */
static json_t *find(const json_t *object, const char *p, size_t length)
{
  char name[128] = "";

  if (!length || length >= sizeof name) return NULL;
  memcpy(name, p + 1, length);
  return json_object_get(object, name);
}

bool hone__command_mentions(const json_t *words, const char *name)
{
  size_t length;

  for (size_t i = 0; i < json_array_size(words); i++) {
    const char *word = json_string_value(json_array_get(words, i));
    for (const char *p = word; p && *p; p++)
      if (is_placeholder(word, p, &length) && length == strlen(name) &&
          memcmp(p + 1, name, length) == 0)
        return true;
  }
  return false;
}

hone_status hone__command_check_names(const struct hone__task *task, const struct hone__node *node,
                                      const json_t *words, const char *known)
{
  size_t length;

  for (size_t i = 0; i < json_array_size(words); i++) {
    const char *word = json_string_value(json_array_get(words, i));
    for (const char *p = word; p && *p; p++)
      if (is_placeholder(word, p, &length) &&
          !(length == strlen(known) && memcmp(p + 1, known, length) == 0))
        return hone__spec_error(
            task->spec, node,
            "unknown name {%.*s}: this command supports only {%s}, the folder of the arrays",
            (int)length, p + 1, known);
  }
  return NULL;
}

/* ---- In a worker ---- */

void hone__command_fill_word(const char *word, const json_t *values, struct hone__text *out)
{
  for (const char *p = word; *p;) {
    size_t length;
    json_t *value = is_placeholder(word, p, &length) ? find(values, p, length) : NULL;
    if (value) {
      hone__text_add(out, json_string_value(value));
      p += length + 2;
    } else {
      hone__text_addn(out, p++, 1);
    }
  }
}

json_t *hone__command_fill(const json_t *words, const json_t *values)
{
  json_t *filled = json_array();

  for (size_t i = 0; i < json_array_size(words); i++) {
    const char *word = json_string_value(json_array_get(words, i));
    struct hone__text text = {0};
    hone__command_fill_word(word ? word : "", values, &text);
    json_array_append_new(filled, json_string(text.data ? text.data : ""));
    hone__text_release(&text);
  }
  return filled;
}

/* ---- In the driver ---- */

static const char *find_place(const struct hone__command_template *template, const char *name)
{
  for (const struct hone__template_place *place = template->places; place->name; place++)
    if (strcmp(place->name, name) == 0) return place->value;
  return NULL;
}

/* Groups differ in their parameters: what another group has is nothing here. */
static bool is_known_elsewhere(const struct hone__task *task, const char *name)
{
  const struct hone_space *space = task->space;

  for (size_t group = 0; group < hone_space_group_count(space); group++)
    for (size_t i = 0; i < hone_space_param_count(space, group); i++)
      if (strcmp(hone_space_param_name(space, group, i), name) == 0) return true;
  return false;
}

static hone_status unknown_name(const struct hone__command_template *template, const char *name)
{
  const struct hone__task *task = template->task;
  const struct hone_space *space = task->space;
  struct hone_nearest nearest = {.word = name};
  const char *list;
  json_t *value;

  for (size_t group = 0; group < hone_space_group_count(space); group++)
    for (size_t i = 0; i < hone_space_param_count(space, group); i++)
      hone_nearest_try(&nearest, hone_space_param_name(space, group, i));
  for (size_t i = 0; i < hone_space_derived_count(space); i++)
    hone_nearest_try(&nearest, hone_space_derived_name(space, i));
  for (size_t i = 0; i < space->setup.sizes.count; i++)
    hone_nearest_try(&nearest, space->setup.sizes.names[i]);
  for (const struct hone__template_place *place = template->places; place->name; place++)
    hone_nearest_try(&nearest, place->name);
  json_object_foreach((json_t *)template->lists, list, value) hone_nearest_try(&nearest, list);
  if (nearest.best)
    return hone__spec_error(task->spec, template->node, "unknown name {%s}; did you mean {%s}?",
                            name, nearest.best);
  return hone__spec_error(task->spec, template->node,
                          "unknown name {%s}: not a parameter, size or derived value", name);
}

static hone_status add_name(const struct hone__command_template *template, const char *name,
                            struct hone__text *out)
{
  const char *place = find_place(template, name);
  struct hone_value value;

  if (place) {
    hone__text_add(out, place);
    return NULL;
  }
  if (hone__task_lookup(template->task, template->row, name, &value)) {
    hone__definition_print(out, value, template->spelling);
    return NULL;
  }
  if (json_object_get(template->lists, name))
    return hone__spec_error(template->task->spec, template->node,
                            "{%s} expands to several words: it must be a separate word", name);
  return is_known_elsewhere(template->task, name) ? NULL : unknown_name(template, name);
}

static hone_status expand_word(const struct hone__command_template *template, const char *word,
                               struct hone__text *out)
{
  hone_status status = NULL;
  size_t length;

  for (const char *p = word; *p && !status;) {
    char name[128] = "";
    if (is_placeholder(word, p, &length) && length < sizeof name) {
      memcpy(name, p + 1, length);
      status = add_name(template, name, out);
      p += length + 2;
    } else {
      hone__text_addn(out, p++, 1);
    }
  }
  return status;
}

/* The list that a word is the name of, or NULL. */
static json_t *find_list(const json_t *lists, const char *word)
{
  size_t length = name_length(word);

  return length && !word[length + 2] ? find(lists, word, length) : NULL;
}

hone_status hone__command_expand(const struct hone__command_template *template, const json_t *words,
                                 json_t *out_words)
{
  hone_status status = NULL;

  for (size_t i = 0; i < json_array_size(words) && !status; i++) {
    const char *word = json_string_value(json_array_get(words, i));
    json_t *list = find_list(template->lists, word);
    struct hone__text text = {0};
    if (list) {
      json_array_extend(out_words, list);
      continue;
    }
    status = expand_word(template, word, &text);
    json_array_append_new(out_words, json_string(text.data ? text.data : ""));
    hone__text_release(&text);
  }
  return status;
}
