/* elementary.h - logarithm, exponential and their kin, the same to the last bit on every machine.
 *
 * Those of the C library differ between libraries, and within one between processors with and
 * without fused multiplication: a search that compares what they return would choose otherwise on
 * another machine. These need nothing but + - * / and exact scaling by powers of two, which
 * IEEE 754 defines to the last bit. They are right to about 1e-15 of the value. */
#ifndef HONE_BASE_ELEMENTARY_H
#define HONE_BASE_ELEMENTARY_H

/* The natural logarithm; -INFINITY of 0, NaN of what is negative. */
double hone__log(double x);
double hone__log2(double x); /* exact for powers of two */
double hone__exp(double x);
/* x to the power y, for x >= 0. */
double hone__power(double x, double y);
/* The cosine of so many full turns. */
double hone__cosine_of_turns(double turns);

#endif
