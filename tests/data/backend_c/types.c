/* Copies: a tensor of every role, and a scalar, of one element type T. */
#include <stdbool.h>
#include <stdint.h>

void copy(const T *in, T *out, T *inout, T scalar, T *said)
{
  for (int i = 0; i < 100; i++) {
    out[i] = in[i];
    inout[i] = inout[i] + inout[i];
  }
  said[0] = scalar;
}

/* What the scalar says stands in the spec: SAID. */
void copy_ref(const T *in, T *out, T *inout, T scalar, T *said)
{
  (void)scalar;
  for (int i = 0; i < 100; i++) {
    out[i] = in[i];
    inout[i] = inout[i] + inout[i];
  }
  said[0] = SAID;
}
