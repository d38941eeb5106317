/* cpu_knobs.h - shared by the generators for CPUs: one operation's loops, each with its tiles. */
#ifndef HONE_IREE_KNOBS_CPU_KNOBS_H
#define HONE_IREE_KNOBS_CPU_KNOBS_H

#include "iree/knobs/knob_writer.h"
#include "iree/knobs/knobs.h"

#define HONE__CPU_LOOPS  16
#define HONE__CPU_VALUES 64

struct hone__cpu_values { /* of a knob, rising */
  int64_t list[HONE__CPU_VALUES];
  size_t count;
};

struct hone__cpu_knobs { /* one generation */
  const struct hone__iree_operation *operation;
  int64_t lanes;        /* elements of the result in a native vector */
  int64_t accumulators; /* elements of the result that fit into registers beside the operands */
  int64_t room;         /* elements of the largest vector that the compiler accepts, and one more */
  /* Of every loop, as in the text: a number or "${knob}"; NULL is "0". */
  const char *distribution[HONE__CPU_LOOPS], *cache_parallel[HONE__CPU_LOOPS],
      *cache_reduction[HONE__CPU_LOOPS], *parallel[HONE__CPU_LOOPS], *reduction[HONE__CPU_LOOPS];
  struct hone__text uneven; /* when a tile does not divide; joined by `or`, or empty: never */
  struct hone__knob_writer writer;
  struct hone__arena arena;
};

/* ---- Values ---- */

void hone__cpu_values_add(struct hone__cpu_values *values, int64_t value); /* once, in its place */
/* Those of `candidates` that divide the size; if these are fewer than `least`, all up to the size
 * (and then tiles may be uneven). The size itself is added where `with_whole`. */
void hone__cpu_values_tiles(struct hone__cpu_values *values, const int64_t *candidates,
                            size_t count, int64_t size, size_t least, bool with_whole);
bool hone__cpu_values_divide(const struct hone__cpu_values *values, int64_t size);

/* A knob NAME_LOOP; gives "${NAME_LOOP}". Notes where its tiles are uneven. */
const char *hone__cpu_tile(struct hone__cpu_knobs *knobs, const char *name, unsigned loop,
                           const struct hone__cpu_values *values);

/* ---- The whole ---- */

/* "#iree_codegen.compilation_info<...>" as the text of what was begun; `has_cache` is the condition
 * for cache levels, or NULL. */
void hone__cpu_text(struct hone__cpu_knobs *knobs, const char *pipeline, const char *has_cache);

void hone__cpu_product_knobs(struct hone__cpu_knobs *knobs);   /* cpu_product.c */
void hone__cpu_attention_knobs(struct hone__cpu_knobs *knobs); /* cpu_attention.c */

#endif
