/* Wichura's algorithm AS 241 (PPND16, 1988): a ratio of two polynomials in the middle, and two
 * others in the tails. The share below a value is a series in the middle and a continued fraction
 * in the tails. */
#include "base/normal.h"

#include "base/elementary.h"

#include <math.h>

enum { DEGREE = 7 };

struct ratio {
  double above[DEGREE + 1], below[DEGREE + 1];
};

static const struct ratio middle = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3},
};
static const struct ratio tail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9},
};
static const struct ratio far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15},
};

static double polynomial(const double *coefficients, double x)
{
  double sum = coefficients[DEGREE];

  for (int i = DEGREE - 1; i >= 0; i--)
    sum = sum * x + coefficients[i];
  return sum;
}

static double ratio_at(const struct ratio *ratio, double x)
{
  return polynomial(ratio->above, x) / polynomial(ratio->below, x);
}

double hone__normal_quantile(double p)
{
  double q = p - 0.5, r, size;

  if (fabs(q) <= 0.425) return q * ratio_at(&middle, 0.180625 - q * q);
  r = sqrt(-hone__log(q < 0 ? p : 1 - p));
  size = r <= 5 ? ratio_at(&tail, r - 1.6) : ratio_at(&far_tail, r - 5);
  return q < 0 ? -size : size;
}

double hone__normal_density(double z)
{
  return 0.39894228040143267794 * hone__exp(-z * z / 2);
}

/* z + z^3 / 3 + z^5 / (3 * 5) + ..., from the last term that counts. */
static double middle_series(double z)
{
  double square = z * z, sum = 1;

  for (int i = 12 + (int)(3 * square); i >= 1; i--)
    sum = 1 + sum * square / (2 * i + 1);
  return z * sum;
}

/* z + 1 / (z + 2 / (z + 3 / ...)), for z above 2: the smaller z, the more of it. */
static double tail_fraction(double z)
{
  double value = z;

  for (int i = 10 + (int)(300 / (z * z)); i >= 1; i--)
    value = z + i / value;
  return value;
}

double hone__normal_share_below(double z)
{
  static const double MIDDLE = 2.3;
  double share;

  if (isnan(z)) return z;
  if (fabs(z) <= MIDDLE) return 0.5 + hone__normal_density(z) * middle_series(z);
  share = hone__normal_density(z) / tail_fraction(fabs(z));
  return z < 0 ? share : 1 - share;
}
