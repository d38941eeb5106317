/* search_spaces.h - small spaces that searches should be able to cope with. */
#ifndef HONE_TESTS_SEARCH_SPACES_H
#define HONE_TESTS_SEARCH_SPACES_H

#include "spec_space.h"

static struct hone_space *space;

static const char constrained[] = "params: {A: range(7), B: range(5), C: [1, 2, 4, 8]}\n"
                                  "constraints: [A != B, (A + C) % 3 != 0]\n";
static const char two_groups[] = "alternatives:\n"
                                 "  - params: {way: [tiled], A: range(6), B: range(8)}\n"
                                 "    constraints: [A + B != 7]\n"
                                 "  - params: {way: [plain], C: range(9)}\n"
                                 "  - params: {way: [split], A: range(6), B: range(4)}\n";
static const char *const small_specs[] = {
    "params: {A: [1]}\n",
    "params: {A: [1, 2]}\n",
    "params: {A: [1, 2], B: [3], C: [x, y]}\nconstraints: [A == 1 or C == 'x']\n",
    "params: {A: range(60)}\nconstraints: [A % 7 == 3]\n", /* no adjacent rows */
    constrained,
    two_groups,
};
enum { SMALL_SPECS = sizeof small_specs / sizeof *small_specs };

static inline void build(const char *yaml)
{
  space = make_space(yaml);
}

static inline void release(void)
{
  hone_space_free(space);
  hone_spec_free(spec);
}

#endif
