__kernel void add_one(__global const float *x, __global float *y, int n, int k)
{
  int i = get_global_id(0);

  y[i] = x[i] + 1 + (k < 0);
}
