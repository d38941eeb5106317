/* definition.h - values of a configuration as definitions for a compiler: "BM" is "64". */
#ifndef HONE_BACKEND_DEFINITION_H
#define HONE_BACKEND_DEFINITION_H

#include "backend/task.h"
#include "base/pairs.h"

/* How a value is written: as a C macro, or as Python's str(). */
enum hone__spelling { HONE__TRUE_IS_1, HONE__TRUE_IS_TRUE };

/* As a macro, None is empty. */
void hone__definition_print(struct hone__text *text, struct hone_value value,
                            enum hone__spelling spelling);
/* A name that is already defined keeps its value. A list is not defined, and as a macro neither is
 * None. */
void hone__definition_add(struct hone__pairs *definitions, const char *name,
                          struct hone_value value, enum hone__spelling spelling);
/* Those of a mapping such as `build.defines`, which may be NULL. */
void hone__definition_add_given(struct hone__pairs *definitions, const struct hone__node *given,
                                enum hone__spelling spelling);

/* "W", or with `build.define_prefix` "HONE_W": the macro's name, lent until the next call with this
 * text. `prefix` may be NULL. */
const char *hone__definition_name(const struct hone__node *prefix, const char *name,
                                  struct hone__text *text);
/* A shape's parameter may have the name of a knob: expressions use the last one. */
bool hone__definition_stands_again(const struct hone_space *space, size_t group, size_t param);

#endif
