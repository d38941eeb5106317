#include "base/time_unit.h"

#include <string.h>
#include <strings.h>

static const struct {
  const char *name;
  double ns;
} units[] = {
    {"ns", 1},          {"nsec", 1},        {"us", 1e3},
    {"usec", 1e3},      {"\xc2\xb5s", 1e3}, /* micro sign */
    {"\xce\xbcs", 1e3},                     /* Greek mu */
    {"ms", 1e6},        {"msec", 1e6},      {"s", 1e9},
    {"sec", 1e9},       {"secs", 1e9},      {"seconds", 1e9},
};

double hone__time_unit_ns(const char *unit, size_t length)
{
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strlen(units[i].name) == length && strncasecmp(units[i].name, unit, length) == 0)
      return units[i].ns;
  return 0;
}

double hone__time_column_ns(const char *column, const char *word, double bare_ns)
{
  const char *rest = column + strspn(column, " ");
  size_t separators;

  if (strncasecmp(rest, word, strlen(word)) != 0) return 0;
  rest += strlen(word);
  separators = strspn(rest, " _-([/");
  if (!rest[separators]) return separators == strspn(rest, " ") ? bare_ns : 0;
  if (!separators) return 0;
  rest += separators;
  return hone__time_unit_ns(rest, strcspn(rest, " )]"));
}
