/* driver.h - whether the process that makes a run still exists. */
#ifndef HONE_STORE_DRIVER_H
#define HONE_STORE_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

enum { HONE__DRIVER_TEXT = 128 };

/* This machine's name. */
void hone__driver_host(char out_host[HONE__DRIVER_TEXT]);
/* When a process of this machine began, as a text that no other process with its number has; "" if
 * it is not there, or is a zombie. */
void hone__driver_start(int64_t pid, char out_start[HONE__DRIVER_TEXT]);
/* `start` is an earlier result of hone__driver_start, or NULL. Of other hosts nothing is known:
 * both are false. */
bool hone__driver_is_alive(int64_t pid, const char *start, const char *host);
bool hone__driver_is_gone(int64_t pid, const char *start, const char *host);

#endif
