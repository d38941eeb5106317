/* kept_output.h - the output of a candidate, as stored in an evaluation's `output`. */
#ifndef HONE_SESSION_KEPT_OUTPUT_H
#define HONE_SESSION_KEPT_OUTPUT_H

#include "wire/run_reply.h"

struct hone__kept_output {
  const char *stdout_text, *stderr_text; /* of a program; NULL: none */
  const char *build_output;              /* of a failed compiler */
  const char *unapplied;                 /* the entry of a tuning spec that had no effect */
  struct hone__named *costs;
  struct hone__wire_stage_share *stages; /* of a pipeline */
  size_t costs_count, stages_count;
  struct hone__packed *packed; /* private: owns the rest */
  struct hone__arena arena;
};

/* Empty if the text is NULL or cannot be read. Release it in every case. */
void hone__kept_output_read(const char *text, struct hone__kept_output *out_output);
void hone__kept_output_release(struct hone__kept_output *output);

#endif
