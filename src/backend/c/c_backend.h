/* c_backend.h - C and C++ sources: see backend/kernel/kernel.h for what is common to all kernels.
 */
#ifndef HONE_BACKEND_C_C_BACKEND_H
#define HONE_BACKEND_C_C_BACKEND_H

#include "backend/kernel/kernel.h"

/* c_candidate.c */
hone_status hone__c_describe(const struct hone__task *task, struct hone__message *out_setup);
hone_status hone__c_candidate(const struct hone__task *task, const uint32_t *row,
                              struct hone__packed **out_candidate);

/* c_debug.c: methods of hone__kernel_kind_c. */
char *hone__c_debug_compile(const struct hone__kernel_setup *setup,
                            const struct hone__kernel_candidate *candidate);
bool hone__c_debug_find(const char *folder, const struct hone__kernel_candidate *candidate,
                        const char *entry, const char *name, struct hone__arena *arena,
                        struct hone__prototype *out_prototype);

/* c_devices.c */
hone_status hone__c_devices(struct hone__wire_device_list *out_list);

/* c_build.c */
hone_status hone__c_build_command(const struct hone__packed *setup,
                                  const struct hone__packed *candidate,
                                  struct hone__text *out_command);
void hone__c_build(const struct hone__packed *setup, const struct hone__packed *job,
                   struct hone__answer *answer);
bool hone__c_deps_are_current(const struct hone__pairs *deps);

#endif
