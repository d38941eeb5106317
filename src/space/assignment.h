/* assignment.h - a configuration as a person writes it: "BM=64,BN=32", not necessarily legal. */
#ifndef HONE_SPACE_ASSIGNMENT_H
#define HONE_SPACE_ASSIGNMENT_H

#include "space/space.h"

struct hone__given {
  const char *name; /* without `$` */
  const char *text;
};

struct hone__assignment {
  struct hone__arena arena;
  struct hone__given *pairs;
  size_t count;
};

/* A leading `$` of a name is optional. INVALID_ARGUMENT: not pairs, or a name is given twice.
 * Release it in both cases. */
hone_status hone__assignment_read(const char *text, struct hone__assignment *out);
void hone__assignment_release(struct hone__assignment *assignment);

/* The text that is given for this name; NULL: none. */
const char *hone__assignment_find(const struct hone__assignment *assignment, const char *name);
/* The value that the text means: compared as it prints, numbers also by value (64 and 64.0). */
bool hone__assignment_value(struct hone__assignment *assignment, const struct hone__domain *domain,
                            const char *text, uint32_t *out_index);
/* The group that fits best. NOT_FOUND, INVALID_ARGUMENT: a name is unknown, or a parameter is
 * missing.
 */
hone_status hone__assignment_pick_group(const struct hone_space *space,
                                        struct hone__assignment *given, size_t *out_group);
/* "16, 32, 64", for messages. */
void hone__assignment_print_values(const struct hone__domain *domain, struct hone__text *text);

#endif
