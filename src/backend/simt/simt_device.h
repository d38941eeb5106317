/* simt_device.h - the devices of a library, and their facts.
 *
 * FACTS are those of gpu_driver.h, plus "uuid" and "shared_reserved_bytes", the driver's own part
 * of every block's shared memory.
 */
#ifndef HONE_BACKEND_SIMT_SIMT_DEVICE_H
#define HONE_BACKEND_SIMT_SIMT_DEVICE_H

#include "backend/simt/simt_kind.h"

/* Appends the facts of all devices. UNAVAILABLE: no library, or no device. */
hone_status hone__simt_list(const struct hone__simt_kind *kind,
                            struct hone__wire_device_list *devices);

/* "cuda", "cuda:1", "cuda:GPU-uuid" (a unique prefix suffices). NOT_FOUND lists the available ones.
 * Initialises the driver. */
hone_status hone__simt_find(const struct hone__simt_library *api, const char *name, int *out_index,
                            simt_device *out_device);

void hone__simt_facts(const struct hone__simt_library *api, int index, simt_device device,
                      struct hone__arena *arena, struct hone__wire_device_facts *out_facts);

/* 0: not known. */
int hone__simt_attribute(const struct hone__simt_library *api, simt_device device,
                         enum simt_attribute attribute);
/* "GPU-" and the text that the kind prints. */
void hone__simt_uuid(const struct hone__simt_library *api, simt_device device,
                     char out_uuid[HONE__SIMT_UUID_TEXT_SIZE]);

#endif
