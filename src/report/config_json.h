/* config_json.h - a configuration as an object of JSON. */
#ifndef HONE_REPORT_CONFIG_JSON_H
#define HONE_REPORT_CONFIG_JSON_H

#include <jansson.h>

/* {"BM": 64, "USE": true} of "BM=64,USE=True": each value with its type. */
json_t *hone__report_config_json(const char *config);

#endif
