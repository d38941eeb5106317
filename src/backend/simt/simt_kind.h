/* simt_kind.h - what distinguishes CUDA and HIP, as one const struct each. */
#ifndef HONE_BACKEND_SIMT_SIMT_KIND_H
#define HONE_BACKEND_SIMT_SIMT_KIND_H

#include "backend/gpu/gpu_driver.h"
#include "backend/simt/simt_library.h"
#include "wire/device_facts.h"

#include <stdbool.h>

enum { HONE__SIMT_UUID_TEXT_SIZE = 41 }; /* "GPU-" and 36 characters */

struct hone__simt_gpu; /* simt_gpu.h */

struct hone__simt_param { /* of a kernel, from the object */
  uint32_t offset, size;  /* in bytes */
};

struct hone__simt_copy { /* of all texels of an array, and memory without gaps */
  simt_array array;
  simt_address address;
  bool to_array;
  size_t texel_bytes;
  const size_t *sizes; /* width, height, depth; in texels */
};

struct hone__simt_kind {
  const char *name;       /* "cuda": of the backend, and of devices */
  const char *title;      /* "CUDA", for messages */
  const char *vendor;     /* "NVIDIA's driver" */
  const char *no_gpu;     /* how to look for devices: "'nvidia-smi' should list one" */
  const char *visible;    /* the environment variable that hides devices */
  const char *is_hidden;  /* "CUDA_VISIBLE_DEVICES hides them" */
  const char *no_context; /* how a program makes a context current */
  const struct hone__gpu_driver *driver;
  size_t gpu_bytes; /* of the struct that begins with struct hone__simt_gpu */

  const int *attributes; /* their numbers, by enum simt_attribute */

  hone_status (*library)(const struct hone__simt_library **out_library);

  /* ---- Facts ---- */

  void (*print_uuid)(const unsigned char bytes[SIMT_UUID_BYTES], char out_text[37]);
  const char *(*arch)(const struct hone__simt_library *api, simt_device device,
                      struct hone__arena *arena);
  const char *(*driver_version)(const struct hone__simt_library *api, struct hone__arena *arena);
  /* Facts and notes that only this kind has; NULL: none. */
  void (*add_facts)(const struct hone__simt_library *api, simt_device device,
                    struct hone__named_list *facts);
  void (*add_notes)(const struct hone__simt_library *api, simt_device device,
                    struct hone__arena *arena, struct hone__wire_device_facts *facts);

  /* ---- An open device; NULL: nothing to do ---- */

  void (*before_context)(struct hone__simt_gpu *gpu);
  void (*after_context)(struct hone__simt_gpu *gpu);
  /* The module with our own kernels (simt_own.c), free(); NULL: it cannot be had. */
  char *(*own_module)(struct hone__simt_gpu *gpu);

  /* ---- Objects ---- */

  /* The parameters of a kernel, free(); false: not known. */
  bool (*params)(const void *code, size_t size, const char *name,
                 struct hone__simt_param **out_params, size_t *out_count);
  /* Adds to the fault why the code cannot be loaded: it is for another device. NULL: not known. */
  void (*explain_load)(struct hone__simt_gpu *gpu, const void *code, size_t size);
  /* Makes a tensor map; NULL: there are none. False: the fault describes what is wrong. */
  bool (*tensor_map)(struct hone__simt_gpu *gpu, const struct hone__gpu_arg *arg,
                     struct simt_tensor_map *out_map);
  /* Queues a copy. */
  simt_result (*copy_array)(const struct hone__simt_gpu *gpu, const struct hone__simt_copy *copy);
};

#endif
