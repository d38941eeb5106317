/* normal.h - the standard normal distribution. */
#ifndef HONE_BASE_NORMAL_H
#define HONE_BASE_NORMAL_H

/* The value below which the share 0 < p < 1 of the distribution lies, to about 1e-15. The same on
 * every machine: nothing but + - * / and sqrt, which IEEE 754 defines to the last bit. */
double hone__normal_quantile(double p);

#endif
