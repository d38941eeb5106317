/* tuning_spec_kind.c - the operations that IREE's matchers support, with their roles in its order.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

static const struct hone__iree_spec_kind kinds[] = {
    {.what = "contraction",
     .kind = HONE__IREE_CONTRACTION,
     .roles = {"batch_dims", "m_dims", "n_dims", "k_dims"},
     .types = {"lhs_type", "rhs_type", "output_type"}},
    {.what = "convolution",
     .kind = HONE__IREE_CONVOLUTION,
     .roles = {"batch_dims", "output_image_dims", "output_channel_dims", "filter_dims",
               "input_channel_dims", "depth_dims", "strides", "dilations"},
     .types = {"lhs_type", "rhs_type", "output_type"}},
    {.what = "attention",
     .kind = HONE__IREE_ATTENTION,
     .roles = {"batch_dims", "m_dims", "n_dims", "k1_dims", "k2_dims"},
     .types = {"query_type", "key_type", "value_type", "", "output_type"}},
    {.what = "online_attention",
     .kind = HONE__IREE_ATTENTION,
     .is_online = true,
     .roles = {"batch_dims", "m_dims", "n_dims", "k1_dims", "k2_dims"},
     .types = {"query_type", "key_type", "value_type", "scale_type", "output_type", "max_type",
               "sum_type"}},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

const struct hone__iree_spec_kind *hone__iree_spec_kind(const char *what)
{
  for (size_t i = 0; what && i < KINDS; i++)
    if (!strcmp(kinds[i].what, what)) return &kinds[i];
  return NULL;
}

const struct hone__iree_spec_kind *
hone__iree_spec_kind_of(const struct hone__iree_operation *operation)
{
  bool is_online = operation->kind == HONE__IREE_ATTENTION && operation->is_online;

  for (size_t i = 0; i < KINDS; i++)
    if (kinds[i].kind == operation->kind && kinds[i].is_online == is_online) return &kinds[i];
  HONE__BUG("a kind of operation without matcher");
}

struct role {
  const char *name;
  const struct hone__dim_list *dims; /* their sizes, or as many of: */
  const int64_t *values;
};

static void copy_sizes(const struct hone__iree_operation *operation, const struct role *role,
                       struct hone__iree_spec_dims *dims)
{
  for (unsigned i = 0; i < dims->count; i++)
    dims->sizes[i] = role->values ? role->values[i] : operation->sizes[role->dims->dims[i]];
}

bool hone__iree_spec_role_sizes(const struct hone__iree_operation *operation, const char *role,
                                struct hone__iree_spec_dims *out_dims)
{
  const struct role roles[] = {{"batch_dims", &operation->batch, NULL},
                               {"m_dims", &operation->m, NULL},
                               {"n_dims", &operation->n, NULL},
                               {"k_dims", &operation->k, NULL},
                               {"k1_dims", &operation->k1, NULL},
                               {"k2_dims", &operation->k2, NULL},
                               {"output_image_dims", &operation->image, NULL},
                               {"output_channel_dims", &operation->output_channel, NULL},
                               {"filter_dims", &operation->filter, NULL},
                               {"input_channel_dims", &operation->input_channel, NULL},
                               {"depth_dims", &operation->depth, NULL},
                               {"strides", &operation->image, operation->strides},
                               {"dilations", &operation->image, operation->dilations}};

  *out_dims = (struct hone__iree_spec_dims){.role = role};
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
    unsigned most = roles[i].values ? 4 : HONE__SPEC_SIZES;
    if (strcmp(roles[i].name, role) != 0) continue;
    out_dims->count = roles[i].dims->count < most ? roles[i].dims->count : most;
    copy_sizes(operation, &roles[i], out_dims);
    return out_dims->count == roles[i].dims->count;
  }
  return false;
}

/* ---- Pipelines, as IREE 3.13 has them ---- */

const char *const hone__spec_gpu_pipelines[] = {
    "Default",          "BaseLowering",      "Distribute",  "Vectorize",
    "VectorDistribute", "WinogradVectorize", "TileAndFuse", NULL};
const char *const hone__spec_cpu_pipelines[] = {"Default",
                                                "DoubleTilingExpert",
                                                "ConvTileAndDecomposeExpert",
                                                "Mmt4dTilingExpert",
                                                "BufferOpsTileAndVectorize",
                                                "DataTiling",
                                                "LinalgExtTileAndVectorize",
                                                NULL};
