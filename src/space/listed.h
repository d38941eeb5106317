/* listed.h - groups whose legal combinations are listed explicitly (struct hone__listing).
 *
 * What is listed is one part of its group: a diagram made of rows. Values that a filter or --param
 * took away take their rows with them, and constraints of the spec apply as everywhere.
 */
#ifndef HONE_SPACE_LISTED_H
#define HONE_SPACE_LISTED_H

#include "space/space.h"

/* The column of a parameter; SIZE_MAX: it is not listed. */
size_t hone__space_listing_column(const struct hone__listing *listing, const char *name);
/* Whether the list has these values, one for each of the group's parameters. */
bool hone__space_listing_has(const struct hone__listing *listing,
                             const struct hone__solved_group *group,
                             const struct hone_value *values);
/* Whether the domains leave any of it. */
bool hone__space_listing_is_possible(const struct hone__solved_group *group);

/* The row that the list has for a baseline; false: there is no list, or that row is not legal. */
bool hone__space_listing_first(const struct hone_space *space, uint32_t *row);

/* As hone__solve, for the part that holds all that is listed; `order` is the user's. */
hone_status hone__space_listing_solve(const struct hone__solved_group *group,
                                      const struct hone__component *component,
                                      const uint32_t *order, uint32_t depth,
                                      const struct hone__solve_limits *limits,
                                      struct hone__solve_fault *out_fault,
                                      struct hone__diagram **out_diagram);

#endif
