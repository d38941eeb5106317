#include "deadline.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const formats[] = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M",
                                      "%Y-%m-%dT%H:%M",    "%H:%M:%S",          "%H:%M"};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static bool has_date(const char *format)
{
  return format[1] == 'Y';
}

static double at_clock(const struct tm *now, struct tm parts, bool is_dated)
{
  time_t time;

  parts.tm_isdst = -1;
  if (!is_dated) {
    parts.tm_year = now->tm_year;
    parts.tm_mon = now->tm_mon;
    parts.tm_mday = now->tm_mday;
  }
  time = mktime(&parts);
  return (double)time;
}

static double parse(const char *text, time_t now)
{
  struct tm today, parts;
  char *end;
  double seconds;

  if (text[0] == '@') {
    seconds = strtod(text + 1, &end);
    return end == text + 1 || *end ? NAN : seconds;
  }
  localtime_r(&now, &today);
  for (size_t i = 0; i < FORMAT_COUNT; i++) {
    parts = (struct tm){0};
    end = strptime(text, formats[i], &parts);
    if (!end || *end) continue;
    seconds = at_clock(&today, parts, has_date(formats[i]));
    if (seconds > (double)now || has_date(formats[i])) return seconds;
    today.tm_mday++; /* tomorrow */
    return at_clock(&today, parts, false);
  }
  return NAN;
}

bool deadline_parse(const char *text, double *out_seconds)
{
  time_t now = time(NULL);

  *out_seconds = 0;
  if (!text) return true;
  *out_seconds = parse(text, now);
  if (isnan(*out_seconds))
    message_error("'--deadline' needs a time such as 17:30 or 2026-11-17T17:30, not '%s'", text);
  else if (*out_seconds <= (double)now)
    message_error("'--deadline %s' has passed", text);
  else
    return true;
  return false;
}
