/* child_tree.h - the end of everything that this process has started, directly or not. */
#ifndef HONE_PROC_CHILD_TREE_H
#define HONE_PROC_CHILD_TREE_H

#include <stddef.h>

/* From now on what descendants leave behind becomes a child of this process. */
void hone__tree_adopt(void);
/* Kills all descendants and waits until they are gone, `limit_s` at most; returns how many it had
 * to kill. Costs one system call where there are none. */
size_t hone__tree_sweep(double limit_s);

#endif
