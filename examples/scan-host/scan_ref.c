void scan_ref(const float *in, float *out, int n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    out[i] = (float)(sum += in[i]);
}
