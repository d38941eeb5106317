/* group.h - what the parts of solving one group share. */
#ifndef HONE_SPACE_GROUP_H
#define HONE_SPACE_GROUP_H

#include "space/space.h"

/* A message about an expression, with its place. */
hone_status hone__space_formula_error(const struct hone__formula *formula, uint32_t offset,
                                      const char *message);
hone_status hone__space_fault_error(struct hone__setup *setup, const struct hone__formula *formula,
                                    const struct hone__evaluator *evaluator);

/* Compiles all expressions that are for this group, whose domains are known. */
hone_status hone__group_compile(struct hone__setup *setup, struct hone__solved_group *solved);

/* The values of a parameter: a range stays one, filtered values are left out. */
hone_status hone__make_domain(struct hone__setup *setup, const struct hone__param *param,
                              struct hone__domain *domain);
/* A group that lacks a filtered parameter yields nothing. */
bool hone__lacks_filtered(const struct hone_spec *spec, const struct hone__spec_group *group);

#endif
