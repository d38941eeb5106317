/* Lists in, lists of JSON to the function that is meant, and back. */
#include "backend/typed_words.h"

#include "backend/setting.h"
#include "base/json_string.h"
#include "build/command.h"
#include "build/toolchain.h"

#include <stdlib.h>

/* ---- Between both ---- */

static json_t *json_of_words(const char *const *words)
{
  json_t *list = json_array();

  for (; words && *words; words++)
    json_array_append_new(list, hone__json_string(*words, strlen(*words)));
  return list;
}

static void take_words(struct hone__words *words, json_t *list)
{
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *word = json_string_value(json_array_get(list, i));
    hone__words_add(words, word ? word : "");
  }
  json_decref(list);
}

static json_t *json_of_pairs(const struct hone__name_value *pairs, size_t count)
{
  json_t *list = json_array();

  for (size_t i = 0; i < count; i++)
    json_array_append_new(list,
                          json_pack("[oo]", hone__json_string(pairs[i].name, strlen(pairs[i].name)),
                                    hone__json_string(pairs[i].value, strlen(pairs[i].value))));
  return list;
}

static void take_pairs(struct hone__pairs *pairs, json_t *list)
{
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *pair = json_array_get(list, i);
    const char *name = json_string_value(json_array_get(pair, 0));
    const char *value = json_string_value(json_array_get(pair, 1));
    if (name && value) hone__pairs_add(pairs, name, value);
  }
  json_decref(list);
}

/* ---- Settings ---- */

hone_status hone__words_of_setting(const struct hone__task *task, const struct hone__node *node,
                                   struct hone__words *words)
{
  json_t *list = NULL;
  hone_status status = hone__setting_words(task, node, &list);

  if (list && !json_array_size(list)) words->data = hone__alloc(sizeof *words->data);
  take_words(words, list);
  return status;
}

hone_status hone__words_of_flags(const struct hone__task *task, const uint32_t *row,
                                 const struct hone__node *node, struct hone__words *flags)
{
  json_t *list = json_array();
  hone_status status = hone__setting_flags(task, row, node, list);

  take_words(flags, list);
  return status;
}

void hone__words_of_paths(const struct hone__task *task, const struct hone__node *node,
                          struct hone__words *paths)
{
  take_words(paths, hone__setting_paths(task, node));
}

/* ---- Commands ---- */

hone_status hone__words_expand(const struct hone__command_template *template,
                               const struct hone__template_list *lists, const char *const *words,
                               struct hone__words *out_words)
{
  struct hone__command_template whole = *template;
  json_t *all = json_object(), *given = json_of_words(words), *expanded = json_array();
  hone_status status;

  for (; lists->name; lists++)
    json_object_set_new(all, lists->name, json_of_words(lists->words));
  whole.lists = all;
  status = hone__command_expand(&whole, given, expanded);
  take_words(out_words, expanded);
  json_decref(given);
  json_decref(all);
  return status;
}

/* Asked for every parameter of every candidate: no lists are made for it. ${name} is a shell's. */
bool hone__words_mention(const char *const *words, const char *name)
{
  size_t length = strlen(name);

  for (; words && *words; words++)
    for (const char *at = strchr(*words, '{'); at; at = strchr(at + 1, '{'))
      if ((at == *words || at[-1] != '$') && strncmp(at + 1, name, length) == 0 &&
          at[1 + length] == '}')
        return true;
  return false;
}

hone_status hone__words_check_names(const struct hone__task *task, const struct hone__node *node,
                                    const char *const *words, const char *known)
{
  json_t *list = json_of_words(words);
  hone_status status = hone__command_check_names(task, node, list, known);

  json_decref(list);
  return status;
}

void hone__words_fill(const char *const *words, const struct hone__pairs *values,
                      struct hone__words *out_words)
{
  json_t *list = json_of_words(words), *object = json_object();

  for (size_t i = 0; i < values->count; i++)
    json_object_set_new(object, values->data[i].name,
                        hone__json_string(values->data[i].value, strlen(values->data[i].value)));
  take_words(out_words, hone__command_fill(list, object));
  json_decref(list);
  json_decref(object);
}

void hone__words_print(struct hone__text *text, const char *const *words)
{
  for (; words && *words; words++)
    hone__command_add(text, *words);
}

/* ---- Definitions ---- */

void hone__pairs_define(struct hone__pairs *definitions, const char *name, struct hone_value value,
                        enum hone__spelling spelling)
{
  struct hone__text text = {0};

  if ((value.type == HONE_NONE && spelling == HONE__TRUE_IS_1) || value.type == HONE_LIST ||
      hone__pairs_find(definitions, name))
    return;
  hone__definition_print(&text, value, spelling);
  hone__pairs_add(definitions, name, text.data ? text.data : "");
  hone__text_release(&text);
}

void hone__pairs_define_given(struct hone__pairs *definitions, const struct hone__node *given,
                              enum hone__spelling spelling)
{
  json_t *list = json_array();

  hone__definition_add_given(given, list, spelling);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *pair = json_array_get(list, i);
    const char *name = json_string_value(json_array_get(pair, 0));
    if (!hone__pairs_find(definitions, name))
      hone__pairs_add(definitions, name, json_string_value(json_array_get(pair, 1)));
  }
  json_decref(list);
}

/* ---- Compilers ---- */

void hone__words_identify(const char *const *words, const char *folder, bool ask,
                          struct hone__digester *digester)
{
  json_t *list = json_of_words(words);

  hone__toolchain_identify(list, folder, ask, digester);
  json_decref(list);
}

void hone__words_identify_variables(const char *const *words, struct hone__digester *digester)
{
  json_t *list = json_of_words(words);

  hone__toolchain_identify_variables(list, digester);
  json_decref(list);
}

/* ---- Builds ---- */

void hone__pairs_add_named_files(struct hone__pairs *deps, const char *const *words, size_t first,
                                 const char *source, const char *folder, hone__file_digest *digest)
{
  json_t *list = json_array(), *given = json_of_words(words);

  hone__build_deps_add_named(list, given, first, source, folder, digest);
  take_pairs(deps, list);
  json_decref(given);
}

bool hone__pairs_add_listed_files(struct hone__pairs *deps, const char *list, const char *source,
                                  const char *folder, hone__file_digest *digest)
{
  json_t *found = json_array();
  bool is_listed = hone__build_deps_add_listed(found, list, source, folder, digest);

  take_pairs(deps, found);
  return is_listed;
}

void hone__pairs_add_siblings(struct hone__pairs *deps, const char *source)
{
  json_t *found = json_array();

  hone__build_deps_add_siblings(found, source);
  take_pairs(deps, found);
}

bool hone__pairs_are_current(const struct hone__pairs *deps, hone__file_digest *digest)
{
  json_t *list = json_of_pairs(deps->data, deps->count);
  bool current = hone__build_deps_are_current(list, digest);

  json_decref(list);
  return current;
}

bool hone__words_run(const struct hone__build_folder *folder, const char *const *words,
                     const char *directory, double timeout_s, const char *without,
                     struct hone__child_result *out_result, struct hone__answer *answer)
{
  json_t *list = json_of_words(words);
  bool has_run =
      hone__build_folder_run(folder, list, directory, timeout_s, without, out_result, answer);

  json_decref(list);
  return has_run;
}

void hone__pairs_cache_end(struct hone__build_end end, const struct hone__pairs *deps,
                           const struct hone__name_value *defines, size_t define_count,
                           const struct hone__build_folder *folder, struct hone__answer *answer)
{
  json_t *macros = defines ? json_of_pairs(defines, define_count) : NULL;

  end.deps = json_of_pairs(deps->data, deps->count);
  end.macros.defines = macros;
  hone__build_cache_end(&end, folder, answer);
  json_decref(end.deps);
  json_decref(macros);
}
