/* clock_check.h - whether the clocks of NVIDIA's GPUs hold still while something is timed. */
#ifndef CLI_CLOCK_CHECK_H
#define CLI_CLOCK_CHECK_H

#include "message.h"

/* CLI_DONE where nothing is wrong, or nothing is known. Else an error and CLI_FAILED if GPUs are to
 * be used, a warning if they are not. */
enum exit_code clock_check(bool uses_gpu);

#endif
