/* yaml_problem.h - libyaml's errors, as a user understands them. */
#ifndef HONE_SPEC_YAML_PROBLEM_H
#define HONE_SPEC_YAML_PROBLEM_H

#include "spec/yaml_text.h"

#include <yaml.h>

/* Reports why the parser failed, and stops. */
void hone__yaml_report_problem(struct hone__yaml_text *text, const yaml_parser_t *parser);

#endif
