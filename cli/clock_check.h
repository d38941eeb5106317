/* clock_check.h - whether the clocks of NVIDIA's GPUs are stable during measurements. */
#ifndef CLI_CLOCK_CHECK_H
#define CLI_CLOCK_CHECK_H

#include "message.h"

/* CLI_DONE if nothing is wrong, or nothing is known. Otherwise an error and CLI_FAILED if GPUs are
 * to be used, a warning if not. */
enum exit_code clock_check(bool uses_gpu);

#endif
