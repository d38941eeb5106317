/* c_bench.h - where candidates in C are run: see kernel_bench.h, and c_engine.c for how. */
#ifndef HONE_BACKEND_C_C_BENCH_H
#define HONE_BACKEND_C_C_BENCH_H

#include "backend/backend.h"

hone_status hone__c_open(const char *device, struct hone__packed *facts, void **out_device);
hone_status hone__c_prepare(void *device, const struct hone__packed *setup, const void *payload,
                            size_t payload_size, struct hone__packed *facts, void **out_bench);
void hone__c_release(void *bench);
void hone__c_close(void *device);

#endif
