/* params.h - the parameters of a configuration with their values; accessors are in hone_results.h.
 */
#ifndef HONE_SPEC_PARAMS_H
#define HONE_SPEC_PARAMS_H

#include "hone_results.h"

struct hone__spec_param {
  const char *name;  /* without `$` */
  const char *value; /* as Python's str() has it */
  bool is_runtime;   /* written `$name` */
};

struct hone_params {
  const struct hone__spec_param *at;
  size_t count;
};

#endif
