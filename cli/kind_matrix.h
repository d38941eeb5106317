/* kind_matrix.h - runs of devices of several kinds: how fast the best of each is on the others. */
#ifndef CLI_KIND_MATRIX_H
#define CLI_KIND_MATRIX_H

#include "hone_results.h"
#include "output.h"

struct kind_matrix { /* { 0 }; kind_matrix_close */
  struct hone_report **reports;
  size_t count, room;
};

/* Takes over the report of a run. Runs without a kind are not shown. */
void kind_matrix_add(struct kind_matrix *matrix, struct hone_report *report);
/* A table for each problem; nothing where all devices were of one kind. */
void kind_matrix_print(const struct kind_matrix *matrix, struct output *output, size_t width);
void kind_matrix_close(struct kind_matrix *matrix);

#endif
