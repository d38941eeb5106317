/* json_string.h - any bytes as a string of JSON, which must be UTF-8. */
#ifndef HONE_BASE_JSON_STRING_H
#define HONE_BASE_JSON_STRING_H

#include <jansson.h>

/* What is not UTF-8 (a compiler may print anything), and NUL, becomes '?'. */
json_t *hone__text_to_json(const char *bytes, size_t size);

#endif
