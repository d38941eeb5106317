/* A set of CPUs, and memory that evicts their caches. */
#include "backend/c/c_bench.h"

#include "backend/cpu.h"
#include "backend/cpu_speed.h"
#include "backend/kernel/kernel_bench.h"

#include <stdlib.h>
#include <sys/mman.h>

struct device {
  size_t cache_bytes;
};

hone_status hone__c_open(const char *device, struct hone__packed *facts, void **out_device)
{
  hone_status status = hone__backend_cpu_pin(device);
  struct device *opened;

  *out_device = NULL;
  if (status) return status;
  opened = hone__alloc(sizeof *opened);
  opened->cache_bytes = hone__backend_cpu_cache_bytes();
  hone__backend_cpu_add_facts(facts);
  *out_device = opened;
  return NULL;
}

void hone__c_close(void *device)
{
  free(device);
}

/* Shared, so that a fork need not copy its page table; written, so that every page exists. */
static hone_status make_flush(struct hone__bench *bench, const struct device *device)
{
  size_t size = 2 * device->cache_bytes;
  void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  if (bytes == MAP_FAILED)
    return hone__error(HONE_EXHAUSTED, "out of memory for a buffer to flush caches of %zu MiB",
                       device->cache_bytes >> 20);
  memset(bytes, 1, size);
  bench->flush = bytes;
  bench->flush_bytes = size;
  return NULL;
}

/* Lower bounds for every candidate. */
static void add_limits(struct hone__named_list *facts)
{
  double bytes = hone__named_number(facts->items, facts->count, "written_bytes");

  hone__named_real(facts, "fill_ns", hone__backend_cpu_fill_ns((size_t)bytes));
  hone__named_real(facts, "peak_flops", hone__backend_cpu_peak_flops());
}

hone_status hone__c_prepare(void *device, const struct hone__packed *setup, const void *payload,
                            size_t payload_size, struct hone__packed *facts, void **out_bench)
{
  struct hone__bench *bench = hone__alloc(sizeof *bench);
  struct hone__arena arena = {0};
  struct hone__named_list found = {.arena = &arena};
  hone_status status = hone__bench_make(bench, &hone__engine_c, setup, payload, payload_size);

  *out_bench = NULL;
  if (!status && hone__bench_is_cold(bench, false)) status = make_flush(bench, device);
  if (!status) status = hone__bench_expect(bench, payload, payload_size, &found);
  if (!status) {
    add_limits(&found);
    *out_bench = bench;
  } else {
    hone__c_release(bench);
  }
  /* Also after a failure: whether the reference could be loaded. */
  hone__packed_add(facts, &hone__named_type,
                   &(struct hone__named_record){found.items, found.count});
  hone__arena_release(&arena);
  return status;
}

void hone__c_release(void *data)
{
  struct hone__bench *bench = data;

  if (!bench) return;
  if (bench->flush) munmap(bench->flush, bench->flush_bytes);
  hone__bench_free(bench);
}
