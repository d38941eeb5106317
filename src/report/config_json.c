#include "report/config_json.h"

#include "base/json_string.h"
#include "hone.h"
#include "hone_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *value_json(const struct hone_result_param *param)
{
  struct hone_value value = hone_result_param_value(param);

  switch (value.type) {
  case HONE_NONE: return json_null();
  case HONE_BOOL: return json_boolean(value.integer);
  case HONE_INT: return json_integer(value.integer);
  case HONE_FLOAT: return isfinite(value.real) ? json_real(value.real) : json_null();
  default: return hone__json_string(param->value, strlen(param->value)); /* it may be no UTF-8 */
  }
}

json_t *hone__config_json(const char *config)
{
  struct hone_result_param *params;
  size_t count = hone_config_params(config, &params);
  json_t *object = json_object();

  for (size_t i = 0; i < count; i++)
    json_object_set_new(object, params[i].name, value_json(&params[i]));
  free(params);
  return object;
}
