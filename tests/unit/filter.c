/* filter.c - $TEST_CASE runs those cases of a test program whose names have it in them. Linked to
 * each, which may also end all processes that it starts, as a worker does. */
#include "filter.h"

#include "proc/child_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void choose_cases(void)
{
  static char pattern[256]; /* cmocka keeps the pointer */
  const char *part = getenv("TEST_CASE");

  if (!&test_is_host) hone__tree_adopt();
  if (!part || !*part) return;
  snprintf(pattern, sizeof pattern, "*%s*", part);
  cmocka_set_test_filter(pattern);
}
