/* tuned.h - what tuning a model has found; accessors are in hone_iree.h. */
#ifndef HONE_IREE_MODEL_TUNED_H
#define HONE_IREE_MODEL_TUNED_H

#include "hone_iree.h"

struct hone_iree_tuned_dispatch {
  char *name, *executable, *operation;
  double share, before_ns, after_ns, speedup, low, high;
  enum hone_verdict verdict;
  char *configuration, *compilation_info, *why_not, *file;
  int64_t run;
  bool is_tuned, is_used, is_searched;
  bool is_later; /* it takes little of the time, but may take more of it when others are faster */
  double group_share;         /* of all dispatches with an equal operation, if it is their first */
  size_t group_size, same_as; /* 1 + the first of them; 0: it is the first */
  uint64_t calls;
};

struct hone_iree_tuned_option { /* a set of options of the compiler */
  char *name, *words;           /* "data tiling"; for a shell */
  double time_ns, speedup, low, high;
  enum hone_verdict verdict;
  enum hone_outcome outcome;
  char *why_not; /* "": it is used */
  bool is_used;
};

struct hone_iree_tuned {
  struct hone_iree_tuned_dispatch *dispatches; /* the longest first */
  size_t count;
  int64_t run;
  double before_ns, after_ns, speedup, low, high;
  enum hone_verdict verdict;
  char *sentence, *spec;
  size_t entry_count;
  char *spec_path, *spec_flag, *compile_words, *folder, *source, *run_words;
  enum hone_iree_stage stage; /* how far it went */
  char **notes;
  size_t note_count;
  bool interrupted, is_verified;
  double wall_s;
  struct hone_iree_tuned_option *options;
  size_t option_count;
  double spec_speedup, spec_low, spec_high; /* of the spec over the best options alone */
};
/* All that it holds, but not itself. */
void hone__model_result_release(struct hone_iree_tuned *tuned);

#endif
