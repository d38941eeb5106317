/* child_tree.h - ends all processes that this process has started, directly or indirectly. */
#ifndef HONE_PROC_CHILD_TREE_H
#define HONE_PROC_CHILD_TREE_H

#include <stddef.h>

/* From now on orphaned descendants become children of this process. */
void hone__tree_adopt(void);
/* Kills all descendants and waits until they are gone, at most `limit_s`; returns how many it
 * killed. Costs one system call if there are none. */
size_t hone__tree_sweep(double limit_s);

#endif
