/* instances.h - lists the configurations of a sweep by name. */
#ifndef CLI_INSTANCES_H
#define CLI_INSTANCES_H

#include "problems.h"
#include "source.h"

/* "[0] stem/A=1/$x=0" for each, on standard error. `devices` as in hone_tune_options. CLI_DONE, or
 * an exit code after a message. */
enum exit_code instances_list(const struct hone_spec *spec, const struct problems *problems,
                              const struct source *source, const char *devices);

#endif
