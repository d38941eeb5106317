/* iree_task_parts.h - shared by the files of iree_task. */
#ifndef HONE_IREE_TASK_IREE_TASK_PARTS_H
#define HONE_IREE_TASK_IREE_TASK_PARTS_H

#include "hone_iree.h"
#include "iree/dispatch/dispatch.h"
#include "iree/operation/operation.h"
#include "iree/operation/target.h"
#include "iree/toolset/toolset.h"

struct hone__iree_job { /* one file on its way to a spec */
  const char *path;
  const struct hone_iree_options *options;
  struct hone__iree_toolset toolset;
  struct hone__mlir file;        /* as it was read */
  struct hone__mlir dump;        /* of a plain function: what the compiler made of it, for tuning */
  struct hone__mlir *mlir;       /* the one of the two that is tuned */
  struct hone__mlir target_file; /* has the target if the file does not */
  struct hone__mlir constraints;
  struct hone__words flags; /* of the target, then the user's; of a dump the user's alone */
  const char *rewrite;      /* the architecture to be written into the dump; NULL: none */
  bool is_dump;             /* the file has an executable in it */

  struct hone__iree_operation operation;
  struct hone__iree_target target;
  struct hone__iree_dispatch dispatch; /* for tuning, or for the compiler's constraints */
  bool is_prepared;
  struct hone__text first;    /* what the generator of knobs would try first, or nothing */
  struct hone__text warnings; /* a line each */
};

/* ---- iree_task_asking.c: queries to the compiler ---- */

/* The dump of the only tunable dispatch of a plain function. */
hone_status hone__iree_task_dump(struct hone__iree_job *job);
/* Its constraints; text without any is no error. */
hone_status hone__iree_task_constraints(struct hone__iree_job *job, const char *text,
                                        struct hone__text *out_constraints);

/* ---- iree_task_yaml.c ---- */

/* `path`, `digest` and `identity` of the prepared dispatch; NULL: only a space is wanted. `seeds`:
 * a list of configurations, as import.h makes it; NULL: none. */
void hone__iree_task_settings(const struct hone__iree_job *job, const char *path,
                              const char *digest, const char *identity, const char *seeds,
                              struct hone__text *yaml);

#endif
