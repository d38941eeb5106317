/* cpu_knobs.h - shared by the generators for CPUs: one operation's loops, each with its tiles. */
#ifndef HONE_IREE_KNOBS_CPU_KNOBS_H
#define HONE_IREE_KNOBS_CPU_KNOBS_H

#include "iree/knobs/knob_writer.h"
#include "iree/knobs/knobs.h"

#define HONE__IREE_CPU_LOOPS  16
#define HONE__IREE_CPU_VALUES 64

struct hone__iree_cpu_values { /* of a knob, rising */
  int64_t list[HONE__IREE_CPU_VALUES];
  size_t count;
};

struct hone__iree_cpu_choice { /* the compiler's own tiles; 0: none along this loop */
  bool is_known;
  int64_t distribution[HONE__IREE_CPU_LOOPS];
  int64_t vector[HONE__IREE_CPU_LOOPS]; /* of a parallel loop or a reduction */
  const char *pipeline;                 /* NULL: not known */
  bool peels;                           /* enable_loop_peeling */
};
/* cpu_choice.c: from the operation's attributes and its function's. */
void hone__iree_cpu_choice_read(const struct hone__iree_operation *operation,
                                struct hone__iree_cpu_choice *out_choice);

/* What is to be tried first: tiles of loops; 0: a vector as the compiler has it, a whole workgroup.
 */
struct hone__iree_cpu_first {
  bool is_wanted; /* no more if a knob does not have the value */
  int64_t vector[HONE__IREE_CPU_LOOPS], distribution[HONE__IREE_CPU_LOOPS];
  struct hone__text text;
};

struct hone__iree_cpu_knobs { /* one generation */
  const struct hone__iree_operation *operation;
  struct hone__iree_cpu_choice choice;
  int64_t lanes;        /* elements of the result in a native vector */
  int64_t accumulators; /* elements of the result that fit into registers beside the operands */
  int64_t threads;      /* that run workgroups */
  int64_t room;         /* elements of the largest vector that the compiler accepts, and one more */
  /* Of every loop, as in the text: a number or "${knob}"; NULL is "0". */
  const char *distribution[HONE__IREE_CPU_LOOPS], *cache_parallel[HONE__IREE_CPU_LOOPS],
      *cache_reduction[HONE__IREE_CPU_LOOPS], *parallel[HONE__IREE_CPU_LOOPS],
      *reduction[HONE__IREE_CPU_LOOPS];
  struct hone__iree_cpu_first first;
  struct hone__text uneven; /* when a tile does not divide; joined by `or`, or empty: never */
  struct hone__knob_writer writer;
  struct hone__arena arena;
};

/* ---- Values ---- */

void hone__iree_cpu_values_add(struct hone__iree_cpu_values *values,
                               int64_t value); /* once, in its place */
/* Those of `candidates` that divide the size; if these are fewer than `least`, all up to the size
 * (and then tiles may be uneven). The size itself is added where `with_whole`. */
void hone__iree_cpu_values_tiles(struct hone__iree_cpu_values *values, const int64_t *candidates,
                                 size_t count, int64_t size, size_t least, bool with_whole);
/* Those of `candidates` that divide the size; if none does, 1. */
void hone__iree_cpu_values_dividing(struct hone__iree_cpu_values *values, const int64_t *candidates,
                                    size_t count, int64_t size);
/* The tile of which there are so many groups: whole units, or equal parts of a size that units do
 * not divide. */
int64_t hone__iree_cpu_thread_tile(int64_t size, int64_t unit, int64_t groups);
/* The compiler's own tile, and half and twice of it where these divide the size; 0: nothing. */
void hone__iree_cpu_values_near(struct hone__iree_cpu_values *values, int64_t chosen, int64_t size);
bool hone__iree_cpu_values_divide(const struct hone__iree_cpu_values *values, int64_t size);

/* A knob NAME_LOOP; gives "${NAME_LOOP}". */
const char *hone__iree_cpu_knob(struct hone__iree_cpu_knobs *knobs, const char *name, unsigned loop,
                                const struct hone__iree_cpu_values *values);
/* The same; notes where its tiles are uneven. */
const char *hone__iree_cpu_tile(struct hone__iree_cpu_knobs *knobs, const char *name, unsigned loop,
                                const struct hone__iree_cpu_values *values);

/* The same of "vec"; where the compiler itself does not peel its uneven tile, nor is it here. */
const char *hone__iree_cpu_vector(struct hone__iree_cpu_knobs *knobs, unsigned loop,
                                  const struct hone__iree_cpu_values *values);

/* Tiles of a workgroup are whole vectors, or the loop; where vectors leave a remainder in any case,
 * they may be other equal parts of it: then all workgroups have the same remainder. */
void hone__iree_cpu_constrain_workgroup(struct hone__iree_cpu_knobs *knobs, unsigned loop);

/* ---- The whole ---- */

/* "#iree_codegen.compilation_info<...>" as the text of what was begun; `has_cache` is the condition
 * for cache levels, or NULL. */
void hone__iree_cpu_text(struct hone__iree_cpu_knobs *knobs, const char *pipeline,
                         const char *has_cache);

void hone__iree_cpu_product_knobs(struct hone__iree_cpu_knobs *knobs);   /* cpu_product.c */
void hone__iree_cpu_attention_knobs(struct hone__iree_cpu_knobs *knobs); /* cpu_attention.c */
void hone__iree_cpu_generic_knobs(struct hone__iree_cpu_knobs *knobs);   /* cpu_generic.c */

#endif
