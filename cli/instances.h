/* instances.h - the configurations that a sweep is about to run, by name. */
#ifndef CLI_INSTANCES_H
#define CLI_INSTANCES_H

#include "problems.h"

/* "[0] stem/A=1/$x=0" for each, on standard error. CLI_DONE, or an exit code after a message. */
enum exit_code instances_list(const struct hone_spec *spec, const struct problems *problems,
                              bool has_shapes);

#endif
