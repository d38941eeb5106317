/* number.h - numbers in texts, written with a point whatever the locale is. */
#ifndef HONE_BASE_NUMBER_H
#define HONE_BASE_NUMBER_H

#include <stddef.h>

double hone__strtod(const char *text, char **out_end);
/* With `precision` digits after the point, as %e or %f. */
void hone__print_real(char *buffer, size_t size, char form, int precision, double real);
/* "1.31 ms": four digits. */
void hone__print_time(char *buffer, size_t size, double ns);
/* "0.012 %", "2.4 %", "120 %": two digits at least, and never an exponent. */
void hone__print_percent(char *buffer, size_t size, double share);

#endif
