/* Uniform samples without repeats: indices are drawn, not configurations. */
#include "base/random.h"
#include "space/doubles.h"

#include <stdlib.h>

/* A random order of all configurations, or the beginning of one (Fisher and Yates). */
static hone_status shuffle(const struct hone_space *space, size_t count,
                           struct hone__random *random, uint32_t *rows)
{
  uint64_t total = space->legal, *indices = malloc(total * sizeof *indices);

  HONE__ASSERT(count <= total);
  if (!indices)
    return hone__error(HONE_EXHAUSTED, "out of memory while sampling %zu configurations", count);
  for (uint64_t i = 0; i < total; i++)
    indices[i] = i;
  for (size_t i = 0; i < count; i++) {
    uint64_t other = i + hone__random_below(random, total - i), index = indices[other];
    indices[other] = indices[i];
    hone_space_at(space, index, rows + i * space->width);
  }
  free(indices);
  return NULL;
}

static bool insert(uint64_t *table, size_t size, uint64_t index)
{
  size_t slot = hone__mix(index + 1) & (size - 1);

  for (; table[slot]; slot = (slot + 1) & (size - 1))
    if (table[slot] == index + 1) return false;
  table[slot] = index + 1;
  return true;
}

/* Drawn again where it was drawn before: fast, as the space is much larger than the sample. */
static hone_status draw(const struct hone_space *space, size_t count, struct hone__random *random,
                        uint32_t *rows)
{
  size_t size = 64;
  uint64_t *table;

  HONE__ASSERT(count < space->legal); /* else the last draws would never end */
  while (size < 2 * count)
    size *= 2;
  table = calloc(size, sizeof *table);
  if (!table)
    return hone__error(HONE_EXHAUSTED, "out of memory while sampling %zu configurations", count);
  for (size_t i = 0; i < count;) {
    uint64_t index = hone__random_below(random, space->legal);
    if (insert(table, size, index)) hone_space_at(space, index, rows + i++ * space->width);
  }
  free(table);
  return NULL;
}

/* Beyond 2^64 there is no index: a group by its share, then each part by itself. */
static void draw_row(const struct hone_space *space, struct hone__random *random, uint32_t *row)
{
  double aim = hone__random_real(random) * space->legal_real;
  size_t g = 0;

  for (size_t i = 0; i < space->group_count; i++) {
    double share = 1;
    if (space->groups[i].legal == 0) continue;
    for (size_t k = 0; k < space->groups[i].part_count; k++)
      share *= (double)space->groups[i].parts[k].diagram->count;
    g = i;
    if (aim < share) break;
    aim -= share;
  }
  memset(row, 0, space->width * sizeof *row);
  row[0] = (uint32_t)g;
  for (size_t k = 0; k < space->groups[g].part_count; k++) {
    const struct hone__part *part = &space->groups[g].parts[k];
    uint64_t rank = hone__random_below(random, part->diagram->count);
    uint32_t node = part->diagram->root;
    for (uint32_t level = 0; level < part->count; level++)
      row[1 + part->params[level]] = hone__diagram_pick(part->diagram, node, &rank, &node);
  }
}

static hone_status draw_rows(const struct hone_space *space, size_t count,
                             struct hone__random *random, uint32_t *rows)
{
  struct hone__space_print_set set = {0};

  for (size_t i = 0; i < count;) {
    uint32_t *row = rows + i * space->width;
    draw_row(space, random, row);
    if (hone__space_print_set_add(&set, hone__space_config_print(&space->groups[row[0]], row + 1)))
      i++;
  }
  free(set.table);
  return NULL;
}

hone_status hone_space_sample(const struct hone_space *space, size_t count, uint64_t seed,
                              uint32_t *rows, size_t *out_count)
{
  struct hone__random random = {.state = hone__mix(seed)};

  if (count > space->legal) count = (size_t)space->legal;
  *out_count = count;
  if (count == 0) return NULL;
  if (space->legal == UINT64_MAX) return draw_rows(space, count, &random, rows);
  if (space->legal / 4 <= count) return shuffle(space, count, &random, rows);
  return draw(space, count, &random, rows);
}
