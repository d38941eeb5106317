/* cpu_knobs.c - tiles of an operation on a CPU.
 *
 * IREE tiles a loop up to three times: for workgroups (distribution), for the cache, for vectors.
 * Any numbers compile, but for vectors that are too large; nearly all are slow. So the values are
 * few and sensible: vectors of whole registers that stay in the register file, workgroups and cache
 * tiles that are multiples of them. A tile that does not divide its loop costs much unless the
 * remainder is peeled off, which is then always asked for. */
#include "iree/knobs/cpu_knobs.h"

#include "iree/knobs/gpu_knobs.h"
#include "hone_iree.h"

#include <inttypes.h>

/* ---- Values ---- */

void hone__iree_cpu_values_add(struct hone__iree_cpu_values *values, int64_t value)
{
  size_t at = values->count;

  for (size_t i = 0; i < values->count; i++)
    if (values->list[i] == value) return;
  if (values->count == HONE__IREE_CPU_VALUES) return;
  for (; at > 0 && values->list[at - 1] > value; at--)
    values->list[at] = values->list[at - 1];
  values->list[at] = value;
  values->count++;
}

void hone__iree_cpu_values_tiles(struct hone__iree_cpu_values *values, const int64_t *candidates,
                                 size_t count, int64_t size, size_t least, bool with_whole)
{
  size_t dividing = 0;

  for (size_t i = 0; i < count; i++)
    dividing += candidates[i] <= size && size % candidates[i] == 0;
  for (size_t i = 0; i < count; i++)
    if (candidates[i] <= size && (dividing < least || size % candidates[i] == 0))
      hone__iree_cpu_values_add(values, candidates[i]);
  if (with_whole || !values->count) hone__iree_cpu_values_add(values, size);
}

void hone__iree_cpu_values_dividing(struct hone__iree_cpu_values *values, const int64_t *candidates,
                                    size_t count, int64_t size)
{
  for (size_t i = 0; i < count; i++)
    if (candidates[i] <= size && size % candidates[i] == 0)
      hone__iree_cpu_values_add(values, candidates[i]);
  if (!values->count) hone__iree_cpu_values_add(values, 1);
}

void hone__iree_cpu_values_near(struct hone__iree_cpu_values *values, int64_t chosen, int64_t size)
{
  if (chosen <= 0 || chosen > size) return;
  hone__iree_cpu_values_add(values, chosen);
  if (chosen % 2 == 0 && size % (chosen / 2) == 0) hone__iree_cpu_values_add(values, chosen / 2);
  if (2 * chosen <= size && size % (2 * chosen) == 0) hone__iree_cpu_values_add(values, 2 * chosen);
}

int64_t hone__iree_cpu_thread_tile(int64_t size, int64_t unit, int64_t groups)
{
  const int64_t tile = (size + groups * unit - 1) / (groups * unit) * unit;

  return size % unit && size % groups == 0 && size / groups > unit ? size / groups : tile;
}

bool hone__iree_cpu_values_divide(const struct hone__iree_cpu_values *values, int64_t size)
{
  for (size_t i = 0; i < values->count; i++)
    if (values->list[i] && size % values->list[i]) return false;
  return true;
}

static bool has_value(const struct hone__iree_cpu_values *values, int64_t value)
{
  for (size_t i = 0; i < values->count; i++)
    if (values->list[i] == value) return true;
  return false;
}

static void add_first(struct hone__iree_cpu_knobs *knobs, const char *name, unsigned loop,
                      const struct hone__iree_cpu_values *values)
{
  struct hone__iree_cpu_first *first = &knobs->first;
  const bool is_vector = strcmp(name, "vec") == 0, is_workgroup = strcmp(name, "dist") == 0;
  int64_t value = is_vector ? first->vector[loop] : is_workgroup ? first->distribution[loop] : 0;

  if (is_vector && !value) value = knobs->choice.vector[loop] ? knobs->choice.vector[loop] : 1;
  if (is_workgroup && !value) value = knobs->operation->sizes[loop];
  first->is_wanted = first->is_wanted && has_value(values, value);
  hone__text_addf(&first->text, ", %s_%u: %" PRId64, name, loop, value);
}

const char *hone__iree_cpu_knob(struct hone__iree_cpu_knobs *knobs, const char *name, unsigned loop,
                                const struct hone__iree_cpu_values *values)
{
  const char *knob = hone__arena_printf(&knobs->arena, "%s_%u", name, loop);

  if (knobs->first.is_wanted) add_first(knobs, name, loop, values);
  hone__knobs_values(&knobs->writer, knob, values->list, values->count);
  return hone__arena_printf(&knobs->arena, "${%s}", knob);
}

const char *hone__iree_cpu_tile(struct hone__iree_cpu_knobs *knobs, const char *name, unsigned loop,
                                const struct hone__iree_cpu_values *values)
{
  const int64_t size = knobs->operation->sizes[loop];

  if (!hone__iree_cpu_values_divide(values, size))
    hone__text_addf(&knobs->uneven, "%s%" PRId64 " %% %s_%u != 0",
                    knobs->uneven.length ? " or " : "", size, name, loop);
  return hone__iree_cpu_knob(knobs, name, loop, values);
}

const char *hone__iree_cpu_vector(struct hone__iree_cpu_knobs *knobs, unsigned loop,
                                  const struct hone__iree_cpu_values *values)
{
  const int64_t size = knobs->operation->sizes[loop], chosen = knobs->choice.vector[loop];

  if (knobs->choice.peels || chosen <= 0 || size % chosen == 0)
    return hone__iree_cpu_tile(knobs, "vec", loop, values);
  hone__text_addf(&knobs->uneven, "%s%" PRId64 " %% vec_%u != 0 and vec_%u != %" PRId64,
                  knobs->uneven.length ? " or " : "", size, loop, loop, chosen);
  return hone__iree_cpu_knob(knobs, "vec", loop, values);
}

void hone__iree_cpu_constrain_workgroup(struct hone__iree_cpu_knobs *knobs, unsigned loop)
{
  const int64_t size = knobs->operation->sizes[loop];

  hone__knobs_constraint(&knobs->writer,
                         "dist_%u %% vec_%u == 0 or dist_%u == %" PRId64 " or (%" PRId64
                         " %% vec_%u != 0 and %" PRId64 " %% dist_%u == 0 and dist_%u > vec_%u)",
                         loop, loop, loop, size, size, loop, size, loop, loop, loop);
}

/* ---- Text ---- */

static bool has_tiles(const struct hone__iree_cpu_knobs *knobs, const char *const *tiles)
{
  for (unsigned i = 0; i < knobs->operation->loop_count; i++)
    if (tiles[i]) return true;
  return false;
}

static void add_level(const struct hone__iree_cpu_knobs *knobs, struct hone__text *text,
                      const char *key, const char *const *tiles)
{
  hone__text_addf(text, "%s = [", key);
  for (unsigned i = 0; i < knobs->operation->loop_count; i++)
    hone__text_addf(text, "%s%s", i ? ", " : "", tiles[i] ? tiles[i] : "0");
  hone__text_add(text, "]");
}

void hone__iree_cpu_text(struct hone__iree_cpu_knobs *knobs, const char *pipeline,
                         const char *has_cache)
{
  struct hone__text text = {0};

  if (knobs->first.is_wanted) hone__text_addf(&knobs->first.text, ", pipeline: %s", pipeline);
  hone__text_add(&text, "#iree_codegen.compilation_info<lowering_config = "
                        "#iree_cpu.lowering_config<");
  if (has_cache) {
    hone__text_addf(&text, "${if %s}", has_cache);
    add_level(knobs, &text, "cache_parallel", knobs->cache_parallel);
    add_level(knobs, &text, ", cache_reduction", knobs->cache_reduction);
    hone__text_add(&text, ", ${end}");
  }
  add_level(knobs, &text, "distribution", knobs->distribution);
  if (has_tiles(knobs, knobs->parallel))
    add_level(knobs, &text, ", vector_common_parallel", knobs->parallel);
  if (has_tiles(knobs, knobs->reduction))
    add_level(knobs, &text, ", vector_reduction", knobs->reduction);
  hone__text_addf(&text, ">, translation_info = <pipeline = #iree_cpu.pipeline<%s>", pipeline);
  if (knobs->uneven.length)
    hone__text_addf(&text, "${if %s}, {enable_loop_peeling}${end}", knobs->uneven.data);
  hone__text_add(&text, ">>");
  hone__knobs_text(&knobs->writer, "compilation_info", text.data);
  hone__text_release(&text);
}

/* ---- All ---- */

/* Bytes of a result's element; attention computes in f32 whatever its operands are. */
static int64_t element_bytes(const struct hone__iree_operation *operation)
{
  const bool is_generic = operation->kind == HONE__IREE_GENERIC;
  const char *element = operation->kind == HONE__IREE_ATTENTION
                            ? "f32"
                            : operation->types[is_generic ? operation->input_count : 2];
  const int64_t bits = element ? hone__iree_gpu_bits(element) : 0;

  return bits >= 8 ? bits / 8 : 4;
}

/* AVX2 has 16 registers, AVX-512 and NEON have 32; four are for the operands, two where they are
 * few. The compiler accepts vectors below 512 native ones. */
static void measure(struct hone__iree_cpu_knobs *knobs, const struct hone__iree_target *target)
{
  const int64_t native = target->native_vector_bytes > 0 ? target->native_vector_bytes : 16;
  const int64_t bytes = element_bytes(knobs->operation);

  knobs->lanes = native > bytes ? native / bytes : 1;
  knobs->accumulators = (native == 32 ? 14 : 28) * knobs->lanes;
  knobs->room = 512 * native / bytes;
}

static bool is_known(const struct hone__iree_operation *operation, struct hone__text *why)
{
  if (operation->is_dynamic)
    hone__text_add(why, "a dim of the operation has no fixed size");
  else if (operation->loop_count > HONE__IREE_CPU_LOOPS)
    hone__text_addf(why, "the operation has %u loops, more than %d", operation->loop_count,
                    HONE__IREE_CPU_LOOPS);
  else if (operation->why_not_fused)
    hone__text_addf(why, "%s; 'hone iree configure' writes the configurations of all for editing",
                    operation->why_not_fused);
  else
    return true;
  return false;
}

void hone__iree_cpu_knobs(const struct hone__iree_operation *operation,
                          const struct hone__iree_target *target,
                          const struct hone_iree_options *options, struct hone__text *yaml,
                          struct hone__text *first, struct hone__text *why)
{
  struct hone__iree_cpu_knobs knobs = {.operation = operation,
                                       .threads = options->threads > 1 ? options->threads : 1};

  if (!is_known(operation, why)) return;
  measure(&knobs, target);
  hone__iree_cpu_choice_read(operation, &knobs.choice);
  if (operation->kind == HONE__IREE_ATTENTION)
    hone__iree_cpu_attention_knobs(&knobs);
  else if (operation->kind == HONE__IREE_GENERIC)
    hone__iree_cpu_generic_knobs(&knobs);
  else
    hone__iree_cpu_product_knobs(&knobs);
  hone__knobs_end(&knobs.writer, yaml);
  if (knobs.first.is_wanted)
    hone__text_addf(first, "{%s}", knobs.first.text.data + strlen(", ")); /* they are in front */
  hone__text_release(&knobs.first.text);
  hone__text_release(&knobs.uneven);
  hone__arena_release(&knobs.arena);
}
