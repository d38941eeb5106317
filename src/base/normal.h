/* normal.h - the standard normal distribution, the same to the last bit on every machine (see
 * elementary.h). */
#ifndef HONE_BASE_NORMAL_H
#define HONE_BASE_NORMAL_H

/* The value below which the share 0 < p < 1 of the distribution lies, to about 1e-15. */
double hone__normal_quantile(double p);
/* The reverse: the share below z, to about 1e-14 of it in the lower tail, too. */
double hone__normal_share_below(double z);
double hone__normal_density(double z);

#endif
