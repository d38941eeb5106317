/* The program that uses the library may have set a locale with a comma, but numbers in files have a
 * point. */
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t plain;

static void make_plain(void)
{
  plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Switches this thread to the C locale; the result switches it back. */
static locale_t begin(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;

  pthread_once(&once, make_plain);
  return uselocale(plain);
}

double hone__strtod(const char *text, char **out_end)
{
  locale_t before = begin();
  double real = strtod(text, out_end);

  uselocale(before);
  return real;
}

void hone__print_real(char *buffer, size_t size, char form, int precision, double real)
{
  locale_t before = begin();

  if (form == 'e')
    snprintf(buffer, size, "%.*e", precision, real);
  else
    snprintf(buffer, size, "%.*f", precision, real);
  uselocale(before);
}

void hone__print_time(char *buffer, size_t size, double ns)
{
  static const struct {
    double ns;
    const char *name;
  } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
  locale_t before = begin();
  size_t i = 0;

  while (i < 3 && ns < 0.99995 * units[i].ns)
    i++;
  snprintf(buffer, size, "%.4g %s", ns / units[i].ns, units[i].name);
  uselocale(before);
}

void hone__print_percent(char *buffer, size_t size, double share)
{
  double percent = 100 * share, magnitude = fabs(percent);
  int digits = 0;

  for (double least = 9.95; digits < 9 && magnitude > 0 && magnitude < least; least /= 10)
    digits++;
  hone__print_real(buffer, size, 'f', digits, percent);
  strncat(buffer, " %", size - strlen(buffer) - 1);
}
