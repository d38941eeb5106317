/* knobs.h - which configurations an operation may have on a target, written as a spec of Hone.
 *
 * Every generator appends entries to the YAML list `alternatives:` (two spaces before each "-"):
 *
 *   - name: TileAndFuse
 *     params: {pipeline: [TileAndFuse], mma: [0, 1], wg_0: [16, 32, 64], ...}
 *     constraints: ["1024 % wg_0 == 0", ...]
 *     texts:
 *       compilation_info: "#iree_codegen.compilation_info<...workgroup = [${wg_0}, ...]...>"
 *       decomposition_config: "..."      (attention alone)
 *     order: ["not pow2(red_2)", ...]    (keys of --order heuristic, ascending; or absent)
 *
 * `${expression}` in a text is replaced by the expression's value for the configuration;
 * `${if expression}...${end}` stays only where it is true. The first parameter, `pipeline`, tells
 * alternatives apart. Names of knobs are those of IREE's own constraints (wg_0, sg_0, red_2,
 * mma_idx, sg_m_cnt, ...).
 */
#ifndef HONE_IREE_KNOBS_KNOBS_H
#define HONE_IREE_KNOBS_KNOBS_H

#include "hone_iree.h"
#include "iree/operation/operation.h"
#include "iree/operation/target.h"

/* contraction_knobs.c, convolution_knobs.c, attention_knobs.c: as AMD's SHARK Tuner has them.
 * Nothing appended and text in `why`: there is no candidate, and why ("no compatible intrinsic").
 */
void hone__iree_gpu_knobs(const struct hone__iree_operation *operation,
                          const struct hone__iree_target *target,
                          const struct hone_iree_options *options, struct hone__text *yaml,
                          struct hone__text *why);
/* cpu_knobs.c. `first`: the configuration that promises most, as a mapping of YAML, or nothing. */
void hone__iree_cpu_knobs(const struct hone__iree_operation *operation,
                          const struct hone__iree_target *target,
                          const struct hone_iree_options *options, struct hone__text *yaml,
                          struct hone__text *first, struct hone__text *why);

/* cpu_generic.c: whether the compiler makes no vectors of an operation, as it slides a window along
 * the lines of an image: a depthwise convolution or pooling with channels in front of the image. */
bool hone__iree_cpu_is_scalar(const struct hone__iree_operation *operation);

#endif
