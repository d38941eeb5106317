/* command_template.h - the words of a spec's commands, with {names} to be replaced.
 *
 * The driver replaces the values of a configuration and lists of words. Only a worker knows the
 * paths of the object and the results, and replaces their names. ${name} belongs to the shell and
 * stays. A list of words ends with NULL; NULL itself is an empty one.
 */
#ifndef HONE_BACKEND_COMMAND_TEMPLATE_H
#define HONE_BACKEND_COMMAND_TEMPLATE_H

#include "backend/definition.h"
#include "backend/task.h"
#include "base/pairs.h"
#include "base/words.h"

struct hone__placeholder { /* {name} is replaced by the value, which may be another {name} */
  const char *name, *value;
};

struct hone__placeholder_list { /* {name} as a separate word is replaced by these words */
  const char *name;
  const char *const *words;
};

struct hone__command_template {
  const struct hone__task *task;
  const uint32_t *row;
  const struct hone__node *node; /* the place of errors */
  enum hone__spelling spelling;
  const struct hone__placeholder *places;     /* terminated by a NULL name */
  const struct hone__placeholder_list *lists; /* the same */
};

/* Adds the words with {NAME} replaced: places, lists, then parameters, derived values and sizes of
 * the row. INVALID_SPEC: an unknown name, or a list inside a word. */
hone_status hone__command_expand(const struct hone__command_template *template,
                                 const char *const *words, struct hone__words *out_words);

/* True if any of the words has this {name}. */
bool hone__command_mentions(const char *const *words, const char *name);
/* INVALID_SPEC: they mention another name than this one. `node` is their place. */
hone_status hone__command_check_names(const struct hone__task *task, const struct hone__node *node,
                                      const char *const *words, const char *known);

/* Adds the words with {name} replaced if `values` has the name; others stay unchanged. */
void hone__command_fill(const char *const *words, const struct hone__pairs *values,
                        struct hone__words *out_words);

#endif
