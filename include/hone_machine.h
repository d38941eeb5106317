/* hone_machine.h - this machine: devices, what is installed, the cache of builds, workers. */
#ifndef HONE_MACHINE_H
#define HONE_MACHINE_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Cache of builds ------------------------------------------------------------------------- */

struct hone_cache; /* opaque: what is there */

/* `folder` NULL: $HONE_CACHE, else $XDG_CACHE_HOME/hone, else ~/.cache/hone. `verify` reads every
 * file and counts damaged ones. */
HONE_API hone_status hone_cache_read(const char *folder, bool verify,
                                     struct hone_cache **out_cache);
HONE_API const char *hone_cache_folder(const struct hone_cache *cache); /* "": there is none */
HONE_API size_t hone_cache_kind_count(const struct hone_cache *cache);
/* "builds", "objects", "references", "iree". */
HONE_API const char *hone_cache_kind(const struct hone_cache *cache, size_t kind);
HONE_API uint64_t hone_cache_files(const struct hone_cache *cache, size_t kind);
HONE_API uint64_t hone_cache_bytes(const struct hone_cache *cache, size_t kind);
HONE_API uint64_t hone_cache_damaged(const struct hone_cache *cache, size_t kind);
HONE_API void hone_cache_free(struct hone_cache *cache);

/* Removes damaged files, and the longest unused until at most `bytes` are left. */
HONE_API hone_status hone_cache_prune(const char *folder, uint64_t bytes, uint64_t *out_files,
                                      uint64_t *out_bytes);
HONE_API hone_status hone_cache_clear(const char *folder, uint64_t *out_files, uint64_t *out_bytes);

/* ---- Devices --------------------------------------------------------------------------------- */

struct hone_device_list; /* opaque: devices, and backends without any */
struct hone_device;      /* opaque: one of it */

/* What kernels can be measured on here. Device libraries are asked in separate processes, once
 * for the life of this one; it may take seconds. `backend`: of this one alone; NULL: of all.
 * NOT_FOUND: there is no such backend. That it has no devices is not a failure. */
HONE_API hone_status hone_devices(const char *backend, struct hone_device_list **out_list);
HONE_API size_t hone_device_list_count(const struct hone_device_list *list);
HONE_API const struct hone_device *hone_device_list_at(const struct hone_device_list *list,
                                                       size_t i);
/* Backends without a device, and the reason: it says how to get some. */
HONE_API size_t hone_device_list_missing_count(const struct hone_device_list *list);
HONE_API const char *hone_device_list_missing(const struct hone_device_list *list, size_t i);
HONE_API const char *hone_device_list_reason(const struct hone_device_list *list, size_t i);
HONE_API void hone_device_list_free(struct hone_device_list *list);

HONE_API const char *hone_device_backend(const struct hone_device *device); /* "cuda" */
HONE_API const char *hone_device_id(const struct hone_device *device);   /* "cuda:0": for options */
HONE_API const char *hone_device_name(const struct hone_device *device); /* "NVIDIA H200" */
/* "cpu", "gpu", "accelerator"; "" if it is not known. */
HONE_API const char *hone_device_kind(const struct hone_device *device);
/* Limits, sizes ...: what device.* may name, and more. The value as text ("49152"), and as JSON. */
HONE_API size_t hone_device_fact_count(const struct hone_device *device);
HONE_API const char *hone_device_fact_name(const struct hone_device *device, size_t fact);
HONE_API const char *hone_device_fact_value(const struct hone_device *device, size_t fact);
HONE_API const char *hone_device_fact_json(const struct hone_device *device, size_t fact);

/* What device.* means for a spec whose kernels run on GPUs: the values of the first device of
 * `devices` ("cuda:1"; NULL: the first there is), with those of `given` ("shared_bytes=1000",
 * "sm_90,sm_count=20", "cuda:1"; NULL) in their place. Of other specs: `given`. Devices are asked
 * only where an expression of the spec names device.*. The texts are `device` and `device_gap` of
 * struct hone_space_options, or NULL; hone_free(). NOT_FOUND: no such device. */
HONE_API hone_status hone_spec_device_values(const struct hone_spec *spec, const char *devices,
                                             const char *given, char **out_device,
                                             char **out_device_gap);

/* ---- What is installed ----------------------------------------------------------------------- */

struct hone_checkup; /* opaque: facts in the order of their parts */
struct hone_fact;    /* opaque: one of it */

/* What Hone finds here: places, compilers, isolation, solvers, IREE and its devices, GPUs, and the
 * libraries of OpenCL, CUDA and HIP. Starts their tools to ask them, seconds at most. `iree_dir` as
 * in struct hone_iree_options. What is missing is a fact, not a failure. */
HONE_API void hone_doctor(const char *iree_dir, struct hone_checkup **out_checkup);
HONE_API size_t hone_checkup_count(const struct hone_checkup *checkup);
HONE_API const struct hone_fact *hone_checkup_at(const struct hone_checkup *checkup, size_t i);
HONE_API void hone_checkup_free(struct hone_checkup *checkup);
/* "hone", "machine", "c", "iree", "gpu", "opencl", "cuda", "hip". */
HONE_API const char *hone_fact_part(const struct hone_fact *fact);
HONE_API const char *hone_fact_name(const struct hone_fact *fact);  /* of what was searched */
HONE_API const char *hone_fact_value(const struct hone_fact *fact); /* "": nothing was found */
HONE_API bool hone_fact_is_missing(const struct hone_fact *fact);
/* What it is for, or how to get it; "". */
HONE_API const char *hone_fact_advice(const struct hone_fact *fact);

/* ---- Workers --------------------------------------------------------------------------------- */

/* `hone worker`: exchanges frames on standard input and output until its driver ends; returns the
 * exit status. `role` is "build" or "run"; `runner` is for internal use. */
HONE_API int hone_worker_main(const char *role, const char *device, bool runner);
/* `hone worker --plugin FILE`: loads a plug-in (hone_plugin.h) and answers the requests of
 * hone-serve(7) with it; returns the exit status. */
HONE_API int hone_plugin_main(const char *file);
/* The file that this process runs: `hone_program` of a program whose main calls hone_worker_main
 * when it is started with the word "worker". hone_free(). */
HONE_API char *hone_own_program(void);

#ifdef __cplusplus
}
#endif

#endif
