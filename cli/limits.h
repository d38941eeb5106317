/* limits.h - whether the limits of this process let hone work. */
#ifndef HONE_CLI_LIMITS_H
#define HONE_CLI_LIMITS_H

#include <stdbool.h>

/* Raises what is too low as far as the machine allows. False: that is not enough; a message says
 * what to do. */
bool limits_suffice(void);

#endif
