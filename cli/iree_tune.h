/* iree_tune.h - the final output of `hone iree tune`. */
#ifndef CLI_IREE_TUNE_H
#define CLI_IREE_TUNE_H

#include "hone_iree.h"
#include "iree.h"

struct iree_tune_view {
  const struct common *common;
  const char *model;
  const char *written; /* where the spec was written; NULL: not written */
  bool is_json, is_failed;
};
/* iree_tune_print.c; false: it could not be written. */
bool iree_tune_print(const struct iree_tune_view *view, const struct hone_iree_tuned *tuned);

#endif
