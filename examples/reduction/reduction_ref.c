/* The sum of n floats in double precision: what reduction.c is compared with. */
void reduction_ref(const float *x, float *out, int n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += x[i];
  *out = (float)sum;
}
