/* child_tree.h - ends all processes that this process has started, directly or indirectly.
 *
 * Only a worker may do so: a program that uses the library has children of its own.
 */
#ifndef HONE_PROC_CHILD_TREE_H
#define HONE_PROC_CHILD_TREE_H

#include <stdbool.h>
#include <stddef.h>

/* This process is a worker: from now on orphaned descendants become its children, and all of them
 * may be killed. */
void hone__tree_adopt(void);
bool hone__tree_is_own(void); /* hone__tree_adopt was called */
/* Kills all descendants and waits until they are gone, at most `limit_s`; returns how many it
 * killed. Costs one system call if there are none. Needs hone__tree_adopt. */
size_t hone__tree_sweep(double limit_s);

#endif
