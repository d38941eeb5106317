/* Limits are those of the architecture; memory, caches and the number of units are those of one
 * card that has it, which `card` names. Sources: the tables of compute capabilities in NVIDIA's
 * programming guide, AMD's instruction set and hardware guides. */
#include "space/device_model.h"

#include <stddef.h>
#include <string.h>

/* name, and the letters that only GPUs of one vendor have for it */
#define MODEL_FACTS(X)                                                                             \
  X(compute_capability)                                                                            \
  X(max_threads)                                                                                   \
  X(max_threads_per_sm)                                                                            \
  X(max_blocks_per_sm)                                                                             \
  X(warp_size)                                                                                     \
  X(registers)                                                                                     \
  X(registers_per_sm)                                                                              \
  X(shared_bytes)                                                                                  \
  X(shared_optin_bytes)                                                                            \
  X(shared_per_sm_bytes)                                                                           \
  X(sm_count)                                                                                      \
  X(l2_bytes)                                                                                      \
  X(cache_bytes)                                                                                   \
  X(line_bytes)                                                                                    \
  X(memory_bytes)

struct hone__device_model {
  const char *arch, *card;
#define FIELD(name) int64_t name;
  MODEL_FACTS(FIELD)
#undef FIELD
};

enum { KIB = 1024, MIB = 1024 * KIB };
#define GIB ((int64_t)1024 * MIB)

/* clang-format off */
#define NVIDIA(capability, name, threads, blocks, optin, per_sm, count, l2_mib, gib)               \
  {.arch = "sm_" #capability, .card = "NVIDIA " name, .compute_capability = capability,            \
   .max_threads = 1024, .max_threads_per_sm = threads, .max_blocks_per_sm = blocks,                \
   .warp_size = 32, .registers = 65536, .registers_per_sm = 65536, .shared_bytes = 48 * KIB,       \
   .shared_optin_bytes = (optin) * KIB, .shared_per_sm_bytes = (per_sm) * KIB, .sm_count = count,  \
   .l2_bytes = (l2_mib) * MIB, .cache_bytes = (l2_mib) * MIB, .line_bytes = 128,                   \
   .memory_bytes = (gib) * GIB}
#define CDNA(gfx, name, count, l2_mib, gib)                                                        \
  {.arch = gfx, .card = "AMD Instinct " name, .max_threads = 1024, .max_threads_per_sm = 2048,     \
   .max_blocks_per_sm = 32, .warp_size = 64, .registers = 65536, .registers_per_sm = 131072,       \
   .shared_bytes = 64 * KIB, .shared_optin_bytes = 64 * KIB, .shared_per_sm_bytes = 64 * KIB,      \
   .sm_count = count, .l2_bytes = (l2_mib) * MIB, .cache_bytes = (l2_mib) * MIB,                   \
   .line_bytes = 128, .memory_bytes = (gib) * GIB}

/* HIP counts work-group processors: pairs of compute units. */
#define RDNA(gfx, name, per_sm, count, l2_mib, gib)                                                \
  {.arch = gfx, .card = "AMD Radeon " name, .max_threads = 1024, .max_threads_per_sm = 2048,       \
   .max_blocks_per_sm = 32, .warp_size = 32, .registers = 65536, .registers_per_sm = per_sm,       \
   .shared_bytes = 64 * KIB, .shared_optin_bytes = 64 * KIB, .shared_per_sm_bytes = 128 * KIB,     \
   .sm_count = count, .l2_bytes = (l2_mib) * MIB, .cache_bytes = (l2_mib) * MIB,                   \
   .line_bytes = 128, .memory_bytes = (gib) * GIB}

static const struct hone__device_model models[] = {
    NVIDIA(70, "V100", 2048, 32, 96, 96, 80, 6, 16),
    NVIDIA(75, "T4", 1024, 16, 64, 64, 40, 4, 16),
    NVIDIA(80, "A100", 2048, 32, 163, 164, 108, 40, 40),
    NVIDIA(86, "RTX 3090", 1536, 16, 99, 100, 82, 6, 24),
    NVIDIA(89, "RTX 4090", 1536, 24, 99, 100, 128, 72, 24),
    NVIDIA(90, "H100", 2048, 32, 227, 228, 132, 50, 80),
    NVIDIA(100, "B200", 2048, 32, 227, 228, 148, 126, 180),
    CDNA("gfx90a", "MI250X", 110, 8, 64),
    CDNA("gfx942", "MI300X", 304, 4, 192),
    RDNA("gfx1030", "RX 6900 XT", 131072, 40, 4, 16),
    RDNA("gfx1100", "RX 7900 XTX", 196608, 48, 6, 24),
};
/* clang-format on */

const char *hone__space_device_models(void)
{
  return "sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, gfx90a, gfx942, gfx1030, gfx1100";
}

/* "sm_90a" is an sm_90 whose own instructions may be used too; so is "sm_100f". */
static bool is_named(const struct hone__device_model *model, const char *name)
{
  size_t length = strlen(model->arch);

  if (strncmp(model->arch, name, length) != 0) return false;
  return !name[length] ||
         (model->compute_capability && strchr("af", name[length]) && !name[length + 1]);
}

const struct hone__device_model *hone__space_device_model_find(const char *name)
{
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    if (is_named(&models[i], name)) return &models[i];
  return NULL;
}

static const struct {
  const char *name;
  size_t offset;
} facts[] = {
#define ROW(name) {#name, offsetof(struct hone__device_model, name)},
    MODEL_FACTS(ROW)
#undef ROW
};
enum { FACT_COUNT = sizeof facts / sizeof *facts };

bool hone__space_device_model_fact(const struct hone__device_model *model, size_t i,
                                   const char **out_name, struct hone_value *out_value)
{
  if (i >= FACT_COUNT + 2) return false;
  if (i >= FACT_COUNT) {
    *out_name = i == FACT_COUNT ? "name" : "arch";
    *out_value = hone__string(i == FACT_COUNT ? model->card : model->arch);
    return true;
  }
  *out_name = facts[i].name;
  *out_value = hone__int(*(const int64_t *)((const char *)model + facts[i].offset));
  return true;
}
