/* clang_types.h - the types of clang as those of parameters, for clang_reader.c. */
#ifndef HONE_SOURCE_CLANG_TYPES_H
#define HONE_SOURCE_CLANG_TYPES_H

#include "source/clang_internal.h"
#include "source/clang_reader.h"

/* Memory of the facts; NULL: there is no room left. */
void *hone__clang_take(struct hone__clang_facts *facts, size_t size);
/* A copy of the text; "" if there is no room left. */
const char *hone__clang_keep(struct hone__clang_facts *facts, const char *text);

/* A pointer, a reference or an array. */
bool hone__clang_is_address(int kind);
/* The element of a type that is a number or an enumeration; false: it is neither. */
bool hone__clang_element_of(const struct hone__code_clang *library, clang_type type,
                            enum hone__element *out);
/* Fills in what a parameter has of its type: element, pointer, size, members. */
void hone__clang_set_type(const struct hone__code_clang *library, struct hone__clang_facts *facts,
                          clang_type type, struct hone__parameter *out);

#endif
