/* manual.h - the pages of the manual, and those for newcomers, as text, which tools/manual.py makes
 * of docs/man and docs. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stddef.h>

struct manual_page {
  const char *name; /* "hone-spec" */
  const char *text;
};
extern const struct manual_page manual_pages[]; /* ends with a NULL name */

/* "hone-spec" or "spec"; NULL: there is no such page. */
const struct manual_page *manual_find(const char *word);

#endif
