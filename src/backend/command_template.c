/* Replaces {names} in words of commands: see command_template.h. */
#include "backend/command_template.h"

#include "hone_text.h"

#include <ctype.h>

enum { LONGEST_NAME = 128 };

/* {name} at p: its length without the braces, 0 if there is none. */
static size_t name_length(const char *p)
{
  size_t length = 0;

  if (p[0] != '{' || !(isalpha((unsigned char)p[1]) || p[1] == '_')) return 0;
  while (isalnum((unsigned char)p[1 + length]) || (p[1 + length] && strchr("_.-$", p[1 + length])))
    length++;
  return p[1 + length] == '}' ? length : 0;
}

/* ${name} belongs to the shell. */
static bool is_placeholder(const char *word, const char *p, size_t *out_length)
{
  *out_length = name_length(p);
  return *out_length && (p == word || p[-1] != '$');
}

/* The name in braces at p; false if it is too long. */
static bool take_name(const char *p, size_t length, char out_name[LONGEST_NAME])
{
  if (length >= LONGEST_NAME) return false;
  memcpy(out_name, p + 1, length);
  out_name[length] = '\0';
  return true;
}

/* Called for every parameter of every candidate. */
bool hone__command_mentions(const char *const *words, const char *name)
{
  size_t length = strlen(name);

  for (; words && *words; words++)
    for (const char *at = strchr(*words, '{'); at; at = strchr(at + 1, '{'))
      if ((at == *words || at[-1] != '$') && strncmp(at + 1, name, length) == 0 &&
          at[1 + length] == '}')
        return true;
  return false;
}

hone_status hone__command_check_names(const struct hone__task *task, const struct hone__node *node,
                                      const char *const *words, const char *known)
{
  size_t length;

  for (; words && *words; words++)
    for (const char *p = *words; *p; p++)
      if (is_placeholder(*words, p, &length) &&
          !(length == strlen(known) && memcmp(p + 1, known, length) == 0))
        return hone__backend_spec_error(
            task->spec, node,
            "unknown name {%.*s}: this command supports only {%s}, the folder of the arrays",
            (int)length, p + 1, known);
  return NULL;
}

/* ---- In a worker ---- */

static void fill_word(const char *word, const struct hone__pairs *values, struct hone__text *out)
{
  for (const char *p = word; *p;) {
    char name[LONGEST_NAME];
    size_t length;
    const char *value = is_placeholder(word, p, &length) && take_name(p, length, name)
                            ? hone__pairs_find(values, name)
                            : NULL;
    if (value) {
      hone__text_add(out, value);
      p += length + 2;
    } else {
      hone__text_addn(out, p++, 1);
    }
  }
}

void hone__command_fill(const char *const *words, const struct hone__pairs *values,
                        struct hone__words *out_words)
{
  for (; words && *words; words++) {
    struct hone__text text = {0};
    fill_word(*words, values, &text);
    hone__words_add(out_words, text.data ? text.data : "");
    hone__text_release(&text);
  }
}

/* ---- In the driver ---- */

static const char *find_place(const struct hone__command_template *template, const char *name)
{
  for (const struct hone__placeholder *place = template->places; place->name; place++)
    if (strcmp(place->name, name) == 0) return place->value;
  return NULL;
}

static const struct hone__placeholder_list *find_list(const struct hone__command_template *template,
                                                      const char *name)
{
  for (const struct hone__placeholder_list *list = template->lists; list->name; list++)
    if (strcmp(list->name, name) == 0) return list;
  return NULL;
}

/* Groups have different parameters: a parameter of another group is empty here. */
static bool is_known_elsewhere(const struct hone__task *task, const char *name)
{
  const struct hone_space *space = task->space;

  for (size_t group = 0; group < hone_space_group_count(space); group++)
    for (size_t i = 0; i < hone_space_param_count(space, group); i++)
      if (strcmp(hone_space_param_name(space, group, i), name) == 0) return true;
  return false;
}

/* With those that the command has besides the values of the spec. */
static hone_status no_such_name(const struct hone__command_template *template, const char *name)
{
  struct hone__text own = {0};
  hone_status status;

  for (const struct hone__placeholder *place = template->places; place->name; place++)
    hone__text_addf(&own, "%s{%s}", own.length ? ", " : "", place->name);
  for (const struct hone__placeholder_list *list = template->lists; list->name; list++)
    if (!find_place(template, list->name))
      hone__text_addf(&own, "%s{%s}", own.length ? ", " : "", list->name);
  status = hone__backend_spec_error(template->task->spec, template->node,
                                    "unknown name {%s}: not a parameter, size or derived value%s%s",
                                    name, own.length ? "; besides these there are " : "",
                                    own.length ? own.data : "");
  hone__text_release(&own);
  return status;
}

static hone_status unknown_name(const struct hone__command_template *template, const char *name)
{
  const struct hone__task *task = template->task;
  const struct hone_space *space = task->space;
  struct hone_nearest nearest = {.word = name};

  for (size_t group = 0; group < hone_space_group_count(space); group++)
    for (size_t i = 0; i < hone_space_param_count(space, group); i++)
      hone_nearest_try(&nearest, hone_space_param_name(space, group, i));
  for (size_t i = 0; i < hone_space_derived_count(space); i++)
    hone_nearest_try(&nearest, hone_space_derived_name(space, i));
  for (size_t i = 0; i < space->setup.sizes.count; i++)
    hone_nearest_try(&nearest, space->setup.sizes.names[i]);
  for (const struct hone__placeholder *place = template->places; place->name; place++)
    hone_nearest_try(&nearest, place->name);
  for (const struct hone__placeholder_list *list = template->lists; list->name; list++)
    hone_nearest_try(&nearest, list->name);
  if (nearest.best)
    return hone__backend_spec_error(task->spec, template->node,
                                    "unknown name {%s}; did you mean {%s}?", name, nearest.best);
  return no_such_name(template, name);
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
  if (find_list(template, name))
    return hone__backend_spec_error(template->task->spec, template->node,
                                    "{%s} expands to several words: it must be a separate word",
                                    name);
  return is_known_elsewhere(template->task, name) ? NULL : unknown_name(template, name);
}

static hone_status expand_word(const struct hone__command_template *template, const char *word,
                               struct hone__text *out)
{
  hone_status status = NULL;
  size_t length;

  for (const char *p = word; *p && !status;) {
    char name[LONGEST_NAME];
    if (is_placeholder(word, p, &length) && take_name(p, length, name)) {
      status = add_name(template, name, out);
      p += length + 2;
    } else {
      hone__text_addn(out, p++, 1);
    }
  }
  return status;
}

/* The list that a word names, or NULL. */
static const struct hone__placeholder_list *
named_list(const struct hone__command_template *template, const char *word)
{
  size_t length = name_length(word);
  char name[LONGEST_NAME];

  if (!length || word[length + 2] || !take_name(word, length, name)) return NULL;
  return find_list(template, name);
}

hone_status hone__command_expand(const struct hone__command_template *template,
                                 const char *const *words, struct hone__words *out_words)
{
  hone_status status = NULL;

  for (; words && *words && !status; words++) {
    const struct hone__placeholder_list *list = named_list(template, *words);
    struct hone__text text = {0};
    if (list) {
      hone__words_add_all(out_words, list->words);
      continue;
    }
    status = expand_word(template, *words, &text);
    hone__words_add(out_words, text.data ? text.data : "");
    hone__text_release(&text);
  }
  return status;
}
