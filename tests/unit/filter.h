/* filter.h - defined by a test program that is not a worker, and keeps its own children. */
#ifndef TESTS_FILTER_H
#define TESTS_FILTER_H

#include <stdbool.h>

extern const bool test_is_host __attribute__((weak));

#endif
