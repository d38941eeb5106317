/* node_list.h - lists of names as Slurm writes them: "gpu[01-03,7],login,r[1-2]n[1-2]". */
#ifndef HONE_CLUSTER_NODE_LIST_H
#define HONE_CLUSTER_NODE_LIST_H

#include "base/words.h"

/* Adds all names in order. INVALID_ARGUMENT: the list is not well formed, or is too long. */
hone_status hone__cluster_expand_nodes(const char *list, struct hone__words *out_names);
/* The value for the i-th node in a list such as "4(x2),8": Slurm's counts for each node. 0: none.
 */
unsigned hone__cluster_count_of_node(const char *list, size_t node);

#endif
