/* doubles.h - configurations that are in a space more than once. */
#ifndef HONE_SPACE_DOUBLES_H
#define HONE_SPACE_DOUBLES_H

#include "space/space.h"

/* 128 bits that do not depend on the order of the parameters: equal means the same configuration.
 */
struct hone__space_print {
  uint64_t a, b;
};
struct hone__space_print hone__space_config_print(const struct hone__solved_group *group,
                                                  const uint32_t *values);

struct hone__space_print_set {     /* { 0 } is empty; free(table) */
  struct hone__space_print *table; /* a == 0: free */
  size_t size, count;
};
/* False if it was there already. */
bool hone__space_print_set_add(struct hone__space_print_set *set, struct hone__space_print print);

/* --unique: marks in each group what an earlier group has. */
hone_status hone__find_doubles(struct hone_space *space);

#endif
