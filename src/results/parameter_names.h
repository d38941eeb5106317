/* parameter_names.h - the parameters of all rows; accessors are in hone_results.h. */
#ifndef HONE_RESULTS_PARAMETER_NAMES_H
#define HONE_RESULTS_PARAMETER_NAMES_H

#include "hone_results.h"

struct hone__results_name {
  const char *name;
  const char *value; /* that every row has; NULL: it varies, or some rows lack it */
};

struct hone_result_names {
  struct hone__results_name *at;
  size_t count;
};

#endif
