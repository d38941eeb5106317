/* file_tree.h - the files of a job (wire/carried_files.h) as a folder of this host.
 *
 * The folder is in the cache, named by what is in it: the next job, and the next run, find it
 * there, and what was built from it is found in the cache of builds.
 */
#ifndef HONE_WORKER_FILE_TREE_H
#define HONE_WORKER_FILE_TREE_H

#include "wire/frame.h"
#include "wire/carried_files.h"
#include "wire/message.h"

struct hone__runner_tree { /* { 0 }: none was made */
  char *folder;
  struct hone__packed *setup; /* with the paths that this host has */
  char key[HONE__DIGEST_SIZE];
};

/* A job as this host does it. */
struct hone__runner_tree_job {
  const struct hone__packed *setup; /* lent by the tree, or the one that was given */
  struct hone__packed *head;        /* NULL: the job has no files, and is done as it came */
  size_t payload_size;              /* without the files */
};

/* `setup` is the driver's. INVALID_ARGUMENT: the message is wrong; others: it cannot be written. */
hone_status hone__runner_tree_enter(struct hone__runner_tree *tree,
                                    const struct hone__packed *setup,
                                    const struct hone__frame *frame,
                                    struct hone__runner_tree_job *out_job);
/* The answer names files as the driver does. */
void hone__runner_tree_leave(const struct hone__runner_tree *tree,
                             struct hone__runner_tree_job *job, struct hone__answer *answer);
/* After another setup, and at the end. */
void hone__runner_tree_release(struct hone__runner_tree *tree);

#endif
