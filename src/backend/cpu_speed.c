/* Uses the shortest of several measurements, because disturbances only add time. */
#include "backend/cpu_speed.h"

#include "base/clock.h"
#include "base/machine.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum {
  MOST_BYTES = 16 << 20, /* the time of more bytes is proportional */
  LEAST_ROUNDS = 3,
  MOST_ROUNDS = 20
};
static const double ROUND_S = 20e-6, ALL_S = 4e-3;

/* Two units of 512 bits that multiply and add, on 16-bit floats: 128. Tiles: 2048 on bytes. */
static const double FLOP_A_CYCLE = 256, TILE_FLOP_A_CYCLE = 4096, MOST_HERTZ = 7e9;

/* ---- Writing ---- */

/* The barrier keeps the compiler from removing unused writes. */
static double fill_s(unsigned char *bytes, size_t size, size_t repeats)
{
  double began = hone__clock();

  for (size_t i = 0; i < repeats; i++) {
    memset(bytes, (int)i, size);
    __asm__ volatile("" ::: "memory");
  }
  return (hone__clock() - began) / (double)repeats;
}

static double least_fill_s(unsigned char *bytes, size_t size)
{
  double began = hone__clock(), least = fill_s(bytes, size, 1); /* also creates its pages */
  size_t repeats = 1;

  for (int i = 0; i < MOST_ROUNDS; i++) {
    double each = fill_s(bytes, size, repeats);
    least = fmin(least, each);
    if (each * (double)repeats < ROUND_S) repeats *= 2;
    if (i + 1 >= LEAST_ROUNDS && hone__clock() - began > ALL_S) break;
  }
  return least;
}

double hone__backend_cpu_fill_ns(size_t bytes)
{
  size_t size = bytes < MOST_BYTES ? bytes : MOST_BYTES;
  void *memory;
  double ns;

  if (!bytes) return 0;
  memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 0;
  ns =
      1e9 * least_fill_s(memory, size) * ((double)bytes / (double)size) / (double)hone__cpu_count();
  munmap(memory, size);
  return ns;
}

/* ---- Computing ---- */

/* Whether the processor has matrix instructions, from its flags. */
static bool has_tiles(void)
{
  static const char *const words[] = {" amx_tile", " sme"};
  FILE *file = fopen("/proc/cpuinfo", "re");
  char line[16384];
  bool has = false;

  while (file && !has && fgets(line, sizeof line, file))
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      has = has || strstr(line, words[i]) != NULL;
  if (file) fclose(file);
  return has;
}

double hone__backend_cpu_peak_flops(void)
{
  return (double)hone__cpu_count() * MOST_HERTZ * (has_tiles() ? TILE_FLOP_A_CYCLE : FLOP_A_CYCLE);
}
