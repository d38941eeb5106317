#include "report/config_json.h"

#include "base/json_string.h"
#include "hone.h"
#include "hone_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *value_json(const struct hone_params *params, size_t i)
{
  struct hone_value value = hone_params_value(params, i);
  const char *text = hone_params_text(params, i);

  switch (value.type) {
  case HONE_NONE: return json_null();
  case HONE_BOOL: return json_boolean(value.integer);
  case HONE_INT: return json_integer(value.integer);
  case HONE_FLOAT: return isfinite(value.real) ? json_real(value.real) : json_null();
  default: return hone__text_to_json(text, strlen(text)); /* it may not be UTF-8 */
  }
}

json_t *hone__report_config_json(const char *config)
{
  struct hone_params *params = hone_params_parse(config);
  json_t *object = json_object();

  for (size_t i = 0; i < hone_params_count(params); i++)
    json_object_set_new(object, hone_params_name(params, i), value_json(params, i));
  hone_params_free(params);
  return object;
}
