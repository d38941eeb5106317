/* tuning_spec_fused.c - the matcher of operations that are fused in one dispatch (fusion.h).
 *
 * The last one is matched, then each one whose result is used, by following operands. The matcher
 * of a task has no tiles of a candidate: where those of the root's loop 2 belong it has "$2", which
 * is replaced when an entry is printed.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include "iree/operation/fusion.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define TILES "_tiles"

/* ---- Lines ---- */

static void add_handle(const struct hone__iree_fusion *fusion, unsigned number,
                       struct hone__text *text)
{
  if (number + 1 == fusion->count)
    hone__text_add(text, "%arg0");
  else
    hone__text_addf(text, "%%op_%u", number);
}

static bool is_value_of_matcher(const char *name, size_t length)
{
  static const char *const names[] = {"%ins", "%outs", "%loops", "%operand_"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const size_t size = strlen(names[i]);
    const bool is_prefix = names[i][size - 1] == '_';
    if (!strncmp(name, names[i], size) && (is_prefix ? length > size : length == size)) return true;
  }
  return false;
}

/* Lines that match %arg0, with the operation's handle for it and values of their own. */
static void add_renamed(const struct hone__iree_fusion *fusion, unsigned number, const char *lines,
                        struct hone__text *text)
{
  while (*lines) {
    size_t length = strcspn(lines + 1, "%") + 1;
    if (*lines == '%') {
      size_t name = 1;
      while (hone__is_word(lines[name]))
        name++;
      if (name == 5 && !strncmp(lines, "%arg0", name))
        add_handle(fusion, number, text);
      else
        hone__text_addn(text, lines, name);
      if (is_value_of_matcher(lines, name)) hone__text_addf(text, "_%u", number);
      hone__text_addn(text, lines + name, length - name);
    } else {
      hone__text_addn(text, lines, length);
    }
    lines += length;
  }
}

static void add_conditions(const struct hone__iree_fusion *fusion, unsigned number,
                           struct hone__text *text)
{
  const struct hone__iree_fused *fused = &fusion->operations[number];
  struct hone__text lines = {0};

  if (number + 1 < fusion->count) {
    hone__text_addf(text, "    %%op_%u = transform.get_producer_of_operand ", number);
    add_handle(fusion, fused->user, text);
    hone__text_addf(text, "[%u] : (!transform.any_op) -> !transform.any_op\n", fused->operand);
  }
  hone__iree_tuning_spec_single(&fused->operation, &lines);
  add_renamed(fusion, number, lines.data, text);
  hone__text_release(&lines);
}

/* ---- Tiles ---- */

enum level { COMMON, INNER, REDUCTION, LEVELS };

static enum level level_of(const struct hone__iree_fusion *fusion,
                           const struct hone__iree_fused *fused, unsigned loop)
{
  const uint32_t summed = fusion->operations[fusion->root].operation.reductions;

  if (!(summed >> fused->loops[loop] & 1)) return COMMON;
  return fused->operation.reductions >> loop & 1 ? REDUCTION : INNER;
}

static void add_tiles(const struct hone__iree_fusion *fusion, unsigned number,
                      struct hone__text *text)
{
  static const char *const keys[LEVELS] = {"vector_common_parallel", "vector_inner_parallel",
                                           "vector_reduction"};
  const struct hone__iree_fused *fused = &fusion->operations[number];
  const unsigned loops = fused->operation.loop_count;
  const char *comma = "";

  hone__text_add(text, "    ");
  add_handle(fusion, number, text);
  hone__text_add(text, TILES " = transform.param.constant #iree_cpu.lowering_config<");
  for (enum level level = 0; level < LEVELS; level++) {
    unsigned used = 0;
    for (unsigned d = 0; d < loops; d++)
      used += level_of(fusion, fused, d) == level;
    if (!used) continue;
    hone__text_addf(text, "%s%s = [", comma, keys[level]);
    for (unsigned d = 0; d < loops; d++) {
      const bool is_here = level_of(fusion, fused, d) == level;
      hone__text_addf(text, "%s%s%d", d ? ", " : "", is_here ? "$" : "",
                      is_here ? fused->loops[d] : 0);
    }
    hone__text_add(text, "]");
    comma = ", ";
  }
  hone__text_add(text, "> -> !transform.any_param\n");
}

void hone__iree_tuning_spec_fused(const struct hone__iree_fusion *fusion, struct hone__text *text)
{
  for (unsigned i = fusion->count; i-- > 0;)
    add_conditions(fusion, i, text);
  for (unsigned i = 0; i < fusion->count; i++)
    if (i != fusion->root) add_tiles(fusion, i, text);
}

/* ---- An entry ---- */

static bool has_tiles(const char *matcher, const char *handle)
{
  char name[sizeof(((struct hone__iree_spec_handles *)0)->names[0]) + sizeof TILES + 4];

  snprintf(name, sizeof name, "%s" TILES " =", handle);
  return strstr(matcher, name) != NULL;
}

/* The one without tiles comes first: it has the configuration. */
static void add_name(struct hone__iree_spec_handles *handles, const char *matcher, const char *name)
{
  const size_t size = sizeof handles->names[0];
  char(*names)[HONE__SPEC_HANDLE] = handles->names;

  if (handles->count == HONE__IREE_MAX_FUSED) return;
  snprintf(names[handles->count++], size, "%s", name);
  if (has_tiles(matcher, name)) return;
  memmove(names[1], names[0], (handles->count - 1) * size);
  snprintf(names[0], size, "%s", name);
}

void hone__iree_spec_handles(const char *matcher, struct hone__iree_spec_handles *out_handles)
{
  const char *at = matcher;
  char name[HONE__SPEC_HANDLE];
  unsigned number;

  *out_handles = (struct hone__iree_spec_handles){.count = 0};
  add_name(out_handles, matcher, "%arg0");
  while ((at = strstr(at, "%op_")) != NULL) {
    at += strlen("%op_");
    number = (unsigned)strtoul(at, NULL, 10);
    snprintf(name, sizeof name, "%%op_%u", number % 100);
    at += strspn(at, "0123456789");
    if (hone__starts_with(at, " = transform.get_producer")) add_name(out_handles, matcher, name);
  }
}

void hone__iree_spec_handle_tiles(const char *handle, struct hone__text *text)
{
  hone__text_addf(text, "%s" TILES, handle);
}

/* The root's vector tile along a loop. */
static int64_t tile_of(const struct hone__mlir_attr *config, unsigned long loop)
{
  static const char *const keys[] = {"vector_common_parallel", "vector_reduction"};
  int64_t tile = 0;

  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const struct hone__mlir_attr *level = hone__mlir_entry(config, keys[i]);
    if (level && level->kind == HONE__MLIR_LIST && loop < level->count &&
        level->entries[loop].value.integer > tile)
      tile = level->entries[loop].value.integer;
  }
  return tile;
}

void hone__iree_spec_fill_tiles(const char *matcher, const char *compilation_info,
                                struct hone__text *text)
{
  struct hone__arena arena = {0};
  struct hone__mlir_attr info;
  hone_status status = hone__mlir_parse_attr(&arena, compilation_info, &info);
  const struct hone__mlir_attr *config = status ? NULL : hone__mlir_entry(&info, "lowering_config");

  for (const char *at = matcher; *at;) {
    size_t length = strcspn(at, "$");
    char *end;
    hone__text_addn(text, at, length);
    at += length;
    if (*at != '$') break;
    hone__text_addf(text, "%lld", (long long)tile_of(config, strtoul(at + 1, &end, 10)));
    at = end;
  }
  hone_status_free(status);
  hone__arena_release(&arena);
}
