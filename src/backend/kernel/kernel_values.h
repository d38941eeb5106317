/* kernel_values.h - the arguments of a configuration's kernel besides buffers. */
#ifndef HONE_BACKEND_KERNEL_KERNEL_VALUES_H
#define HONE_BACKEND_KERNEL_KERNEL_VALUES_H

#include "backend/kernel/kernel.h"

/* Adds `values`: one for every argument that is not a buffer, in order. A reference in C
 * of another kind of kernel gets only scalars. */
hone_status hone__kernel_values(const struct hone__task *task, const uint32_t *row,
                                const struct hone__kernel_kind *kind, struct hone__arena *arena,
                                struct hone__kernel_candidate *candidate);

/* That of one argument; `*out_has_value` is false for a buffer. `given`: a scalar's value for this
 * call; NULL: its own. */
hone_status hone__kernel_value(const struct hone__task *task, const uint32_t *row,
                               const struct hone__kernel_kind *kind, const struct hone__node *arg,
                               const struct hone__node *given, struct hone__arena *arena,
                               struct hone__kernel_value *out_value, bool *out_has_value);

/* kernel_extent.c: adds `extents`, the shapes that depend on the configuration. */
hone_status hone__kernel_extents(const struct hone__task *task, const uint32_t *row,
                                 struct hone__arena *arena,
                                 struct hone__kernel_candidate *candidate);

/* A non-negative integer below 2^48, also written as a float; `what` names it in errors, which have
 * its place and, if it depends on it, the configuration. */
hone_status hone__kernel_whole(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *node, const char *what, int64_t *out_whole);

/* Bytes of a struct, laid out as C does. */
size_t hone__kernel_struct_size(const struct hone__node *members);

/* kernel_map.c: of an argument with `tensor_map`. */
hone_status hone__kernel_map(const struct hone__task *task, const uint32_t *row,
                             const struct hone__node *arg, struct hone__arena *arena,
                             struct hone__kernel_value *out_value);

/* kernel_env.c: the variables of `env`. */
hone_status hone__kernel_env(const struct hone__task *task, const uint32_t *row,
                             struct hone__arena *arena, struct hone__kernel_candidate *candidate);

/* kernel_when.c: whether a configuration has an argument or a stage, by its `when`. */
hone_status hone__kernel_applies(const struct hone__task *task, const uint32_t *row,
                                 const struct hone__node *owner, bool *out_applies);
/* Sets candidate->args, unless it is called with all of them. */
hone_status hone__kernel_choose_args(const struct hone__kernel_origin *origin, const uint32_t *row,
                                     struct hone__arena *arena,
                                     struct hone__kernel_candidate *candidate);

#endif
