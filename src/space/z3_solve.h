/* z3_solve.h - all solutions of one component, found by Z3.
 *
 * The second engine, for being compared with the first: the constraints are given to Z3 as
 * arithmetic on bit vectors (QF_FD), and nothing of the plan, the bounds or the states of solve.h
 * is used. It is slower, by far where there are many solutions. libz3 is searched for when it is
 * first asked for; nothing of it is needed to build or to start.
 */
#ifndef HONE_SPACE_Z3_SOLVE_H
#define HONE_SPACE_Z3_SOLVE_H

#include "space/solve.h"

/* True if libz3 was found; else `*out_advice` says how to get it. The environment variable
 * HONE__Z3_LIBRARY, if it is set, names the library, and no other is tried. */
bool hone__z3_available(const char **out_advice);

/* As hone__solve. A step is a question to Z3. UNAVAILABLE without libz3, where a constraint has no
 * exact form as whole numbers and too many combinations for a table, and where Z3 gives up. */
hone_status hone__z3_solve(const struct hone__component *component, const uint32_t *order,
                           uint32_t depth, const struct hone__solve_limits *limits,
                           struct hone__solve_fault *out_fault, struct hone__diagram **out_diagram);

#endif
