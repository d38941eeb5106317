/* mma.c - matrix intrinsics from their names.
 *
 * A name is FAMILY_C_MxNxK_A or FAMILY_C_MxNxK_A_B, with the element types of the accumulator and
 * the operands; ...x16B marks one that works on several blocks at once, and a fourth number without
 * a letter is how many real ones a virtual one stands for. What the name does not say is in two
 * tables: the virtual ones that a target has without printing them, and how the operands lie in a
 * subgroup, family by family.
 */
#include "iree/operation/mma.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- Names ---- */

enum { MAX_NAME_PARTS = 8 };

/* "F8E5M2FNUZ" -> "f8E5M2FNUZ", "BF16" -> "bf16": the letters in front of the first digit. */
static const char *element_type(struct hone__arena *arena, const char *part, size_t length)
{
  char *type = hone__arena_strndup(arena, part, length);

  for (char *c = type; *c && !isdigit((unsigned char)*c); c++)
    *c = (char)tolower((unsigned char)*c);
  return type;
}

static bool read_shape(const char *part, struct hone__mma *mma)
{
  int64_t numbers[4] = {0};
  char *end = NULL;
  unsigned count = 0;

  do {
    if (count == 4 || !isdigit((unsigned char)*part)) return false;
    numbers[count++] = strtol(part, &end, 10);
    part = end + 1;
  } while (*end == 'x');
  mma->is_block = *end == 'B';
  mma->m = numbers[0];
  mma->n = numbers[1];
  mma->k = numbers[2];
  return count >= 3 && mma->m > 0 && mma->n > 0 && mma->k > 0 && mma->k <= 1 << 20;
}

struct part {
  const char *text;
  size_t length;
};

static unsigned split_name(const char *name, struct part *parts)
{
  unsigned count = 0;

  while (count < MAX_NAME_PARTS) {
    parts[count] = (struct part){name, strcspn(name, "_")};
    name += parts[count++].length;
    if (*name++ == '\0') return count;
  }
  return 0;
}

static void set_layouts(struct hone__mma *mma);

bool hone__mma_from_name(struct hone__arena *arena, const char *name, struct hone__mma *out_mma)
{
  struct part parts[MAX_NAME_PARTS];
  unsigned count, shape = 0;

  *out_mma = (struct hone__mma){.name = hone__arena_strdup(arena, name)};
  count = split_name(out_mma->name, parts);
  while (shape < count && !isdigit((unsigned char)*parts[shape].text))
    shape++;
  if (shape < 2 || shape + 1 >= count || count - shape > 3) return false;
  if (!read_shape(parts[shape].text, out_mma)) return false;
  out_mma->c = element_type(arena, parts[shape - 1].text, parts[shape - 1].length);
  out_mma->a = element_type(arena, parts[shape + 1].text, parts[shape + 1].length);
  out_mma->b = element_type(arena, parts[count - 1].text, parts[count - 1].length);
  out_mma->is_virtual = *name == 'V';
  set_layouts(out_mma);
  return true;
}

/* ---- Virtual ones ---- */

static const struct {
  const char *real, *virtuals[3];
} virtual_mmas[] = {
    {"MFMA_F32_16x16x16_F16", {"VMFMA_F32_16x16x32_F16", "VDMFMA_F32_8x16x64x2_F16"}},
    {"MFMA_F32_32x32x8_F16", {"VMFMA_F32_32x32x16_F16"}},
    {"MFMA_F32_16x16x16_BF16", {"VDMFMA_F32_8x16x64x2_BF16"}},
    {"MFMA_F32_16x16x32_F8E4M3FNUZ", {"VMFMA_F32_16x16x32_F8E4M3FNUZ"}},
    {"MFMA_F32_32x32x16_F8E4M3FNUZ", {"VMFMA_F32_32x32x16_F8E4M3FNUZ"}},
};

const char *const *hone__mma_virtual_names(const char *name)
{
  for (size_t i = 0; i < sizeof virtual_mmas / sizeof *virtual_mmas; i++) {
    if (!strcmp(virtual_mmas[i].real, name)) return virtual_mmas[i].virtuals;
  }
  return NULL;
}

/* ---- Layouts ---- */

/* Of the first row that fits. A thread holds k / `share` elements of each operand along k, in as
 * many pieces as `outer` says there. */
static const struct {
  struct {
    const char *family; /* how the name begins; a V in front of it does not count */
    int64_t m;
    const char *element; /* of the left operand; NULL: any */
    int share;
  } key;
  struct hone__mma_layout lhs, rhs, acc; /* outer, thread, strides, element */
} layout_rules[] = {
    {{"MFMA_F64_", 16, NULL, 4},
     {{1, 1}, {16, 4}, {1, 16}, {1, 0}},
     {{1, 1}, {4, 16}, {16, 1}, {0, 1}},
     {{4, 1}, {4, 16}, {16, 1}, {1, 1}}},
    {{"VMFMA_", 16, "f8E4M3FNUZ", 4},
     {{1, 2}, {16, 4}, {1, 16}, {1, 0}},
     {{2, 1}, {4, 16}, {16, 1}, {0, 1}},
     {{1, 1}, {4, 16}, {16, 1}, {4, 1}}},
    {{"VMFMA_", 32, "f8E4M3FNUZ", 2},
     {{1, 2}, {32, 2}, {1, 32}, {1, 0}},
     {{2, 1}, {2, 32}, {32, 1}, {0, 1}},
     {{4, 1}, {2, 32}, {32, 1}, {4, 1}}},
    {{"MFMA_", 16, NULL, 4},
     {{1, 1}, {16, 4}, {1, 16}, {1, 0}},
     {{1, 1}, {4, 16}, {16, 1}, {0, 1}},
     {{1, 1}, {4, 16}, {16, 1}, {4, 1}}},
    {{"MFMA_", 32, NULL, 2},
     {{1, 1}, {32, 2}, {1, 32}, {1, 0}},
     {{1, 1}, {2, 32}, {32, 1}, {0, 1}},
     {{4, 1}, {2, 32}, {32, 1}, {4, 1}}},
    {{"DMFMA_", 8, NULL, 4},
     {{1, 1}, {8, 4}, {2, 16}, {1, 0}},
     {{1, 1}, {4, 16}, {16, 1}, {0, 1}},
     {{1, 1}, {4, 16}, {16, 1}, {2, 1}}},
    {{"WMMAR3_", 16, NULL, 1},
     {{1, 1}, {16, 1}, {1, 0}, {1, 0}},
     {{1, 1}, {1, 16}, {0, 1}, {0, 1}},
     {{8, 1}, {2, 16}, {16, 1}, {1, 1}}},
    {{"WMMA", 16, NULL, 2}, /* WMMAR4_ of RDNA 4 and WMMA_ of gfx1250 */
     {{1, 1}, {16, 2}, {1, 16}, {1, 0}},
     {{1, 1}, {2, 16}, {16, 1}, {0, 1}},
     {{1, 1}, {2, 16}, {16, 1}, {8, 1}}},
    {{"NV_MMA_SYNC_", 16, NULL, 4},
     {{2, 2}, {8, 4}, {4, 1}, {1, 0}},
     {{2, 1}, {4, 8}, {1, 4}, {0, 1}},
     {{2, 1}, {8, 4}, {4, 1}, {1, 2}}},
};

static bool rule_fits(size_t rule, const struct hone__mma *mma)
{
  const char *family = layout_rules[rule].key.family, *element = layout_rules[rule].key.element;

  if (mma->m != layout_rules[rule].key.m) return false;
  if (element && strcmp(element, mma->a)) return false;
  return hone__starts_with(mma->name, family) ||
         (mma->is_virtual && hone__starts_with(mma->name + 1, family));
}

static void set_layouts(struct hone__mma *mma)
{
  size_t i = 0, count = sizeof layout_rules / sizeof *layout_rules;

  while (i < count && !rule_fits(i, mma))
    i++;
  if (i == count || mma->is_block) return;
  mma->has_layout = true;
  mma->lhs = layout_rules[i].lhs;
  mma->rhs = layout_rules[i].rhs;
  mma->acc = layout_rules[i].acc;
  mma->lhs.element[1] = (int)mma->k / layout_rules[i].key.share / mma->lhs.outer[1];
  mma->rhs.element[0] = (int)mma->k / layout_rules[i].key.share / mma->rhs.outer[0];
}

/* ---- Fitting ---- */

/* The wide accumulators that may be rounded to the operands' type at the end. */
static bool may_round(const struct hone__mma *mma, const char *out)
{
  return !strcmp(mma->c, "f32") && !strcmp(mma->a, out) && !strcmp(mma->b, out) &&
         (!strcmp(out, "f16") || !strcmp(out, "bf16"));
}

bool hone__mma_fits(const struct hone__mma *mma, const char *lhs, const char *rhs, const char *out,
                    bool allow_virtual)
{
  if (mma->is_block || (mma->is_virtual && !allow_virtual)) return false;
  if (strcmp(mma->a, lhs) || strcmp(mma->b, rhs)) return false;
  return !strcmp(mma->c, out) || may_round(mma, out);
}
