/* y = x + 1, WORK times over: a kernel whose default is certainly not the best. */
void add(const float *x, float *y, int n)
{
  for (volatile int times = 0; times < WORK; times++)
    for (int i = 0; i < n; i++)
      y[i] = x[i] + 1;
}
