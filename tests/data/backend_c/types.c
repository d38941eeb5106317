/* Copies: a tensor of every role, and a scalar, of one element type T, with pointers to P. */
#include <stdbool.h>
#include <stdint.h>

static void copy_tensors(const T *in, T *out, T *inout)
{
  for (int i = 0; i < 100; i++) {
    out[i] = in[i];
    inout[i] = inout[i] + inout[i];
  }
}

void copy(const P *in, P *out, P *inout, T scalar, P *said)
{
  copy_tensors(in, out, inout);
  *(T *)said = scalar;
}

/* What the scalar says stands in the spec: SAID. */
void copy_ref(const P *in, P *out, P *inout, T scalar, P *said)
{
  (void)scalar;
  copy_tensors(in, out, inout);
  *(T *)said = SAID;
}
