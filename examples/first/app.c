#include "tuned.h" /* #define TILE 4 */
#include "transpose.c"

static float a[2048 * 2048], b[2048 * 2048];

int main(void)
{
  a[1] = 1;
  transpose(2048, a, b);
  return b[2048] != 1;
}
