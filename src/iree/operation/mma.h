/* mma.h - matrix intrinsics from their names. */
#ifndef HONE_IREE_OPERATION_MMA_H
#define HONE_IREE_OPERATION_MMA_H

#include "iree/operation/target.h"

/* "MFMA_F32_16x16x16_F16" and similar; false: not in this form. */
bool hone__mma_from_name(struct hone__arena *arena, const char *name, struct hone__mma *out_mma);
/* The names of the virtual intrinsics of a real one, terminated by NULL; or NULL. */
const char *const *hone__mma_virtual_names(const char *name);

#endif
