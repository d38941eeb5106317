/* Whether every element of x is what the fill promises: LOW <= x < HIGH. */
#include <stdbool.h>
#include <stdint.h>

void holds(const T *x, uint8_t *y)
{
  for (int i = 0; i < 1000; i++)
    y[i] = x[i] >= LOW && x[i] < HIGH;
}

void holds_ref(const T *x, uint8_t *y)
{
  (void)x;
  for (int i = 0; i < 1000; i++)
    y[i] = 1;
}
