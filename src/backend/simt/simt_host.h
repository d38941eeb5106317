/* simt_host.h - methods of struct hone__backend_host, for both kinds. */
#ifndef HONE_BACKEND_SIMT_SIMT_HOST_H
#define HONE_BACKEND_SIMT_SIMT_HOST_H

#include "backend/host.h"
#include "backend/simt/simt_kind.h"

hone_status hone__simt_host_enter(const struct hone__simt_kind *kind);
uintptr_t hone__simt_host_context(const struct hone__simt_kind *kind);
hone_status hone__simt_host_device(const struct hone__simt_kind *kind, uintptr_t context,
                                   char **out_device);
hone_status hone__simt_host_load(const struct hone__simt_kind *kind, uintptr_t context,
                                 const struct hone__packed *candidate, const void *object,
                                 size_t size, struct hone__loaded *out_loaded);
void hone__simt_host_unload(uintptr_t context, struct hone__loaded *loaded);

/* Those of one kind: a struct hone__backend_host called `host`. */
#define HONE__SIMT_HOST(host, kind)                                                                \
  static hone_status enter(const struct hone__host *program)                                       \
  {                                                                                                \
    (void)program;                                                                                 \
    return hone__simt_host_enter(&kind);                                                           \
  }                                                                                                \
  static uintptr_t get_context(const struct hone__host *program)                                   \
  {                                                                                                \
    (void)program;                                                                                 \
    return hone__simt_host_context(&kind);                                                         \
  }                                                                                                \
  static hone_status get_device(const struct hone__host *program, uintptr_t context,               \
                                char **out_device)                                                 \
  {                                                                                                \
    (void)program;                                                                                 \
    return hone__simt_host_device(&kind, context, out_device);                                     \
  }                                                                                                \
  static hone_status load(const struct hone__host *program, uintptr_t context,                     \
                          const struct hone__packed *candidate, const void *object, size_t size,   \
                          struct hone__loaded *out_loaded)                                         \
  {                                                                                                \
    (void)program;                                                                                 \
    return hone__simt_host_load(&kind, context, candidate, object, size, out_loaded);              \
  }                                                                                                \
  const struct hone__backend_host host = {.enter = enter,                                          \
                                          .context = get_context,                                  \
                                          .device = get_device,                                    \
                                          .load = load,                                            \
                                          .unload = hone__simt_host_unload}

#endif
