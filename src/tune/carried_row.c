#include "tune/carried_row.h"

#include "base/memory.h"
#include "base/text.h"
#include "space/space.h"

#include <string.h>

/* A parameter with more than one value here. */
static bool is_knob(const struct hone_space *space, const char *name, size_t length)
{
  for (size_t g = 0; g < space->group_count; g++)
    for (size_t i = 0; i < space->groups[g].count; i++) {
      const struct hone__domain *domain = &space->groups[g].domains[i];
      if (domain->count > 1 && strlen(domain->name) == length &&
          strncmp(domain->name, name, length) == 0)
        return true;
    }
  return false;
}

/* Where the next parameter begins, or the text ends: quoted and bracketed values may contain
 * commas.
 */
static const char *skip_pair(const char *p)
{
  const char *sign = strchr(p, '=');
  char quote = sign && (sign[1] == '\'' || sign[1] == '"') ? sign[1] : '\0';
  int depth = 0;

  if (quote) {
    for (p = sign + 2; *p && *p != quote; p++) {}
    p += *p == quote;
  }
  for (; *p && (*p != ',' || depth > 0); p++)
    depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
  return p + (*p == ',');
}

bool hone__carried_row(const struct hone_space *space, const char *config, uint32_t *row)
{
  struct hone__text text = {0};
  hone_status status;
  bool is_legal;

  for (const char *p = config, *next; *p; p = next) {
    next = skip_pair(p);
    if (is_knob(space, p, strcspn(p, "="))) hone__text_addn(&text, p, (size_t)(next - p));
  }
  if (text.length && text.data[text.length - 1] == ',') text.data[--text.length] = '\0';
  status = hone_space_parse(space, text.data ? text.data : "", row);
  is_legal = !status && hone_space_contains(space, row);
  hone_status_free(status);
  hone__text_release(&text);
  return is_legal;
}
