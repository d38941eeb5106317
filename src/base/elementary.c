#include "base/elementary.h"

#include <math.h>

static const double LN_2 = 0.69314718055994530942;
/* The same in two parts: products of the first with an exponent are exact. */
static const double LN_2_HIGH = 6.93147180369123816490e-01, LN_2_LOW = 1.90821492927058770002e-10;
static const double TURN = 6.28318530717958647693;

/* ln x = e ln 2 + ln m, for m from root(1/2) to root(2); ln m = 2 artanh((m - 1) / (m + 1)), as a
 * series. Returns ln m. */
static double split(double x, int *exponent)
{
  enum { LAST_TERM = 21 };
  double mantissa = frexp(x, exponent), s, square, sum = 0;

  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --*exponent;
  }
  s = (mantissa - 1) / (mantissa + 1);
  square = s * s;
  for (int i = LAST_TERM; i >= 1; i -= 2)
    sum = sum * square + 1.0 / i;
  return 2 * s * sum;
}

/* In units of `unit` = ln of the base. */
static double log_by(double x, double unit)
{
  int exponent;
  double rest;

  if (!(x > 0)) return x == 0 ? -INFINITY : NAN;
  if (isinf(x)) return x;
  rest = split(x, &exponent);
  return exponent * (LN_2 / unit) + rest / unit;
}

double hone__log(double x)
{
  return log_by(x, 1);
}

double hone__log2(double x)
{
  return log_by(x, LN_2);
}

/* exp x = 2^n exp(x - n ln 2), as a series. */
double hone__exp(double x)
{
  enum { LAST_TERM = 14 };
  static const double LEAST = -746, MOST = 710; /* beyond them: 0, infinite */
  double halvings, rest, sum = 1;

  if (isnan(x)) return x;
  if (x < LEAST) return 0;
  if (x > MOST) return INFINITY;
  halvings = floor(x / LN_2 + 0.5);
  rest = x - halvings * LN_2_HIGH - halvings * LN_2_LOW;
  for (int i = LAST_TERM; i >= 1; i--)
    sum = 1 + sum * rest / i;
  return ldexp(sum, (int)halvings);
}

double hone__power(double x, double y)
{
  return y == 0 ? 1 : hone__exp(y * hone__log(x));
}

/* The series of cos x (`first` 0) or sin x (1), for x up to an eighth of a turn. */
static double circular(double x, int first)
{
  enum { LAST_TERM = 18 };
  double sum = 1;

  for (int i = LAST_TERM + first; i > first; i -= 2)
    sum = 1 - sum * x * x / (i * (i - 1));
  return first ? x * sum : sum;
}

double hone__cosine_of_turns(double turns)
{
  double quarters = floor(4 * turns + 0.5);
  double rest = TURN * (turns - quarters / 4), quadrant = quarters - 4 * floor(quarters / 4);
  double size = circular(rest, quadrant == 1 || quadrant == 3);

  return quadrant == 1 || quadrant == 2 ? -size : size;
}
