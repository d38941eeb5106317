#include "base/outcome.h"

#include <stddef.h>
#include <string.h>

static const struct {
  const char *name, *text;
  int retries;
  enum hone__blame blame;
} rows[] = {
#define ROW(id, name, retries, blame, text) {name, text, retries, HONE__BLAME_##blame},
    HONE_OUTCOMES(ROW)
#undef ROW
};

const char *hone_outcome_name(enum hone_outcome outcome)
{
  return outcome < HONE_OUTCOME_COUNT ? rows[outcome].name : "";
}

const char *hone__outcome_text(enum hone_outcome outcome)
{
  return rows[outcome].text;
}

int hone__outcome_retries(enum hone_outcome outcome)
{
  return rows[outcome].retries;
}

enum hone__blame hone__outcome_blame(enum hone_outcome outcome)
{
  return rows[outcome].blame;
}

bool hone__outcome_parse(const char *name, enum hone_outcome *out_outcome)
{
  for (size_t i = 0; i < HONE_OUTCOME_COUNT; i++) {
    if (strcmp(rows[i].name, name) != 0) continue;
    *out_outcome = (enum hone_outcome)i;
    return true;
  }
  return false;
}
