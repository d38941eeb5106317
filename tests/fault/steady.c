/* y = x + 1, whatever KNOB is: a run of many small candidates, to be interrupted. */
void kernel(const float *x, float *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] + 1;
}

const int steady_knob = KNOB; /* so that no two objects are equal */
