#include "manual.h"

#include <string.h>

const struct manual_page *manual_find(const char *word)
{
  static const char prefix[] = "hone-";

  for (const struct manual_page *page = manual_pages; page->name; page++) {
    if (strcmp(page->name, word) == 0) return page;
    if (strncmp(page->name, prefix, strlen(prefix)) == 0 &&
        strcmp(page->name + strlen(prefix), word) == 0)
      return page;
  }
  return NULL;
}
