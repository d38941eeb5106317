#include "figures.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Digits after the point that make four in all. */
static int decimals(double number)
{
  return number < 9.9995 ? 3 : number < 99.995 ? 2 : number < 999.95 ? 1 : 0;
}

/* `number` thousand millionths of the first of four units, each a thousand times the next. */
static const char *print_unit(struct figure *figure, double number, const char *const *names)
{
  double scale = 1e9;
  size_t unit = 0;

  figure->text[0] = 0;
  if (!isfinite(number)) return figure->text;
  for (; unit < 3 && number < 0.99995 * scale; unit++)
    scale /= 1e3;
  number /= scale;
  snprintf(figure->text, sizeof figure->text, "%.*f %s", decimals(number), number, names[unit]);
  return figure->text;
}

const char *figure_time(struct figure *figure, double time_ns)
{
  static const char *const names[] = {"s", "ms", "us", "ns"};

  return print_unit(figure, time_ns, names);
}

const char *figure_energy(struct figure *figure, double joules)
{
  static const char *const names[] = {"J", "mJ", "uJ", "nJ"};

  return print_unit(figure, 1e9 * joules, names);
}

const char *figure_number(struct figure *figure, double number)
{
  double size = fabs(number);

  figure->text[0] = 0;
  if (!isfinite(number)) return figure->text;
  if (size != 0 && (size < 1e-3 || size >= 1e9))
    snprintf(figure->text, sizeof figure->text, "%.3e", number);
  else if (size < 1)
    snprintf(figure->text, sizeof figure->text, "%.4g", number);
  else
    snprintf(figure->text, sizeof figure->text, "%.*f",
             number == floor(number) ? 0 : decimals(size), number);
  return figure->text;
}

/* Close to 1, and to 0, the third digit matters. */
static int speedup_decimals(double speedup)
{
  return fabs(speedup - 1) < 0.095 || speedup < 0.095 ? 3 : speedup < 99.995 ? 2 : 0;
}

const char *figure_speedup(struct figure *figure, double speedup)
{
  figure->text[0] = 0;
  if (isfinite(speedup))
    snprintf(figure->text, sizeof figure->text, speedup < 1e7 ? "%.*fx" : "%.*ex",
             speedup_decimals(speedup), speedup);
  return figure->text;
}

const char *figure_ratio(struct figure *figure, double ratio)
{
  if (!isfinite(ratio) || ratio == 0 || (fabs(ratio) >= 0.01 && fabs(ratio) < 1e5))
    return figure_speedup(figure, ratio);
  snprintf(figure->text, sizeof figure->text, "%.1ex", ratio);
  return figure->text;
}

const char *figure_range(struct figure *figure, double speedup, double low, double high)
{
  int digits = speedup_decimals(speedup);

  figure->text[0] = 0;
  if (isfinite(low) && isfinite(high))
    snprintf(figure->text, sizeof figure->text, high < 1e7 ? "%.*f to %.*f" : "%.*e to %.*e",
             digits, low, digits, high);
  return figure->text;
}

const char *figure_duration(struct figure *figure, double seconds)
{
  unsigned long whole;

  figure->text[0] = 0;
  if (!isfinite(seconds) || seconds < 0 || seconds > 1e12) return figure->text;
  whole = (unsigned long)(seconds + 0.5);
  if (seconds < 9.95)
    snprintf(figure->text, sizeof figure->text, "%.1f s", seconds);
  else if (whole < 60)
    snprintf(figure->text, sizeof figure->text, "%lu s", whole);
  else if (whole < 3600)
    snprintf(figure->text, sizeof figure->text, "%lu:%02lu", whole / 60, whole % 60);
  else
    snprintf(figure->text, sizeof figure->text, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60,
             whole % 60);
  return figure->text;
}

const char *figure_bytes(struct figure *figure, uint64_t bytes)
{
  static const char *const names[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double number = (double)bytes;
  size_t unit = 0;

  while (number >= 1023.5 && unit + 1 < sizeof names / sizeof *names) {
    number /= 1024;
    unit++;
  }
  snprintf(figure->text, sizeof figure->text, "%.*f %s", unit && number < 99.95 ? 1 : 0, number,
           names[unit]);
  return figure->text;
}

const char *figure_when(struct figure *figure, const char *utc)
{
  struct tm parts = {0};
  time_t at;

  figure->text[0] = 0;
  if (!utc || !strptime(utc, "%Y-%m-%d %H:%M:%S", &parts)) return figure->text;
  at = timegm(&parts);
  if (localtime_r(&at, &parts))
    strftime(figure->text, sizeof figure->text, "%Y-%m-%d %H:%M:%S", &parts);
  return figure->text;
}
