/* y = x + 1, once the file GATE is there: a run that goes on until a test lets it end. */
#include <unistd.h>

void kernel(const float *x, float *y, int n)
{
  while (access(GATE, F_OK) != 0)
    usleep(10000);
  for (int i = 0; i < n; i++)
    y[i] = x[i] + 1;
}

const int steady_knob = KNOB; /* so that no two objects are equal */
