/* value.h - what an expression or a YAML scalar can be, with Python's meaning.
 *
 * Values are small and copied freely. Texts and lists lie in some arena that outlives them.
 */
#ifndef HONE_SPEC_VALUE_H
#define HONE_SPEC_VALUE_H

#include "base/status.h"
#include "base/text.h"
#include "hone.h"

struct hone_list {
  size_t count;
  size_t size; /* with the elements of its elements */
  struct hone_value items[];
};

static inline struct hone_value hone__int(int64_t integer)
{
  return (struct hone_value){.type = HONE_INT, .integer = integer};
}
static inline struct hone_value hone__bool(bool boolean)
{
  return (struct hone_value){.type = HONE_BOOL, .integer = boolean};
}
static inline struct hone_value hone__real(double real)
{
  return (struct hone_value){.type = HONE_FLOAT, .real = real};
}
static inline struct hone_value hone__string(const char *text)
{
  return (struct hone_value){.type = HONE_TEXT, .text = text};
}

/* True if a float is an integer that fits 64 bits. */
bool hone__real_is_int(double real, int64_t *out_integer);

/* Python's ==: 1 == 1.0 == True; texts by content; lists by element. */
bool hone__value_equal(struct hone_value a, struct hone_value b);
/* Equal values hash equal. */
uint64_t hone__value_hash(struct hone_value value);
/* -1, 0, 1 for numbers (exact between int and float) and texts; 2: not comparable, or a NaN. */
int hone__value_compare(struct hone_value a, struct hone_value b);
bool hone__value_truth(struct hone_value value);
/* As Python's str() prints it: True, None, 1e-05, 0.1, [1, 'a']. */
void hone__value_print(struct hone_value value, struct hone__text *text);
void hone__value_repr(struct hone_value value, struct hone__text *text); /* texts in quotes */
void hone__float_print(double real, struct hone__text *text);

#endif
