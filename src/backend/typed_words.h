/* typed_words.h - lists of words and pairs for functions that still take lists of JSON.
 *
 * Each does what the function in its comment does. A list of words ends with NULL; NULL itself is
 * an empty one.
 */
#ifndef HONE_BACKEND_TYPED_WORDS_H
#define HONE_BACKEND_TYPED_WORDS_H

#include "backend/command_template.h"
#include "base/pairs.h"
#include "base/words.h"
#include "build/build_cache.h"
#include "wire/record.h"

/* ---- setting.h ---- */

/* hone__setting_words. `data` stays NULL where the node is NULL, and only there. */
hone_status hone__words_of_setting(const struct hone__task *task, const struct hone__node *node,
                                   struct hone__words *words);
/* hone__setting_flags */
hone_status hone__words_of_flags(const struct hone__task *task, const uint32_t *row,
                                 const struct hone__node *node, struct hone__words *flags);
/* hone__setting_paths */
void hone__words_of_paths(const struct hone__task *task, const struct hone__node *node,
                          struct hone__words *paths);

/* ---- command.h, command_template.h ---- */

struct hone__template_list { /* {name} as a word of its own stands for these words */
  const char *name;
  const char *const *words;
};

/* hone__command_expand; `lists` end with a name that is NULL, and stand in for template->lists. */
hone_status hone__words_expand(const struct hone__command_template *template,
                               const struct hone__template_list *lists, const char *const *words,
                               struct hone__words *out_words);
/* hone__command_mentions */
bool hone__words_mention(const char *const *words, const char *name);
/* hone__command_fill */
void hone__words_fill(const char *const *words, const struct hone__pairs *values,
                      struct hone__words *out_words);
/* hone__command_print */
void hone__words_print(struct hone__text *text, const char *const *words);

/* ---- definition.h ---- */

/* hone__definition_add */
void hone__pairs_define(struct hone__pairs *definitions, const char *name, struct hone_value value,
                        enum hone__spelling spelling);
/* hone__definition_add_given */
void hone__pairs_define_given(struct hone__pairs *definitions, const struct hone__node *given,
                              enum hone__spelling spelling);

/* ---- toolchain.h ---- */

/* hone__toolchain_identify */
void hone__words_identify(const char *const *words, const char *folder, bool ask,
                          struct hone__digester *digester);
/* hone__toolchain_identify_variables */
void hone__words_identify_variables(const char *const *words, struct hone__digester *digester);

/* ---- build_deps.h, build_folder.h, build_cache.h ---- */

/* hone__build_deps_add_named, _listed and _siblings */
void hone__pairs_add_named_files(struct hone__pairs *deps, const char *const *words, size_t first,
                                 const char *source, const char *folder, hone__file_digest *digest);
bool hone__pairs_add_listed_files(struct hone__pairs *deps, const char *list, const char *source,
                                  const char *folder, hone__file_digest *digest);
void hone__pairs_add_siblings(struct hone__pairs *deps, const char *source);
/* hone__build_deps_are_current */
bool hone__pairs_are_current(const struct hone__pairs *deps, hone__file_digest *digest);
/* hone__build_folder_run */
bool hone__words_run(const struct hone__build_folder *folder, const char *const *words,
                     const char *directory, double timeout_s, const char *without,
                     struct hone__child_result *out_result, struct hone__answer *answer);

/* hone__build_cache_end: `deps` and `defines` stand in for end->deps and end->macros.defines. */
void hone__pairs_cache_end(struct hone__build_end end, const struct hone__pairs *deps,
                           const struct hone__name_value *defines, size_t define_count,
                           const struct hone__build_folder *folder, struct hone__answer *answer);

/* "costs" of a build's head: for hone__build_end.inspect. */
void hone__answer_set_costs(struct hone__answer *answer, const struct hone__named *costs,
                            size_t count);

#endif
