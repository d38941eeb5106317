/* limits.h - whether the limits of this process are sufficient. */
#ifndef HONE_CLI_LIMITS_H
#define HONE_CLI_LIMITS_H

#include <stdbool.h>

/* Raises low limits as far as the machine allows. False, after a message with advice, if that is
 * not enough. */
bool limits_suffice(void);

#endif
