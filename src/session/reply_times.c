/* Times are sent as doubles after a JSON head with their numbers and owners. Both are checked. */
#include "session/reply_times.h"

#include "base/time_bounds.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 1 << 20, MOST_COLUMNS = 1 << 16 };

const char *hone__session_time_wrong(double ns)
{
  if (isnan(ns)) return "a sample is not a number";
  if (isinf(ns)) return "a sample is infinite";
  if (ns <= 0) return "a sample is zero or negative";
  if (ns < HONE__SHORTEST_NS)
    return "a sample is shorter than 0.001 ns, which no call can take: check the unit of the time";
  return ns > HONE__LONGEST_NS ? "a sample is longer than 31 years: check the unit of the time"
                               : NULL;
}

static double time_at(const struct hone__reply *reply, size_t at)
{
  double ns;

  memcpy(&ns, (const char *)reply->payload + at * sizeof ns, sizeof ns);
  return ns;
}

/* The first invalid one of `count` times, each `step` after the one before it. */
static const char *first_wrong(const struct hone__reply *reply, size_t first, size_t step,
                               size_t count)
{
  const char *wrong = NULL;

  for (size_t i = 0; i < count && !wrong; i++)
    wrong = hone__session_time_wrong(time_at(reply, first + i * step));
  return wrong;
}

/* A column of a table with `rows` rows and one column per candidate. */
static const char *column_wrong(const struct hone__reply *reply, size_t i, size_t rows)
{
  size_t width = reply->run->results_count;
  size_t there = reply->payload_size / sizeof(double);

  if (rows > MOST_ROWS || width > MOST_COLUMNS || i >= width || rows * width != there)
    return "the number of samples differs from the number that the worker reports";
  return first_wrong(reply, i, width, rows);
}

const char *hone__session_times_wrong(const struct hone__reply *reply, size_t i, size_t samples)
{
  if (reply->run && reply->run->rows) return column_wrong(reply, i, reply->run->rows);
  if (i > 0) return NULL; /* only the first one's samples are ever read */
  if (!samples) return "there are no samples";
  if (samples > reply->payload_size / sizeof(double))
    return "the number of samples differs from the number that the worker reports";
  return first_wrong(reply, 0, 1, samples);
}
