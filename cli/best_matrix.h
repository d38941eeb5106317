/* best_matrix.h - runs of several problems or kinds of devices: how fast the best of each is on the
 * others. */
#ifndef CLI_BEST_MATRIX_H
#define CLI_BEST_MATRIX_H

#include "hone_results.h"
#include "output.h"

struct best_matrix { /* { 0 }; best_matrix_close */
  struct hone_report **reports;
  size_t count, room;
};

/* Takes over the report of a run. */
void best_matrix_add(struct best_matrix *matrix, struct hone_report *report);
/* A table for each problem on several kinds of devices, and for each kernel with several problems;
 * nothing where only the diagonal is known. */
void best_matrix_print(const struct best_matrix *matrix, struct output *output, size_t width);
void best_matrix_close(struct best_matrix *matrix);

#endif
