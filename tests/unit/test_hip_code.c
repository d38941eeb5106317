/* Code objects of HIP: one of hiprtc, whole and damaged. */
#include "backend/hip/hip_code.h"
#include "backend/hip/hip_costs.h"
#include "backend/hip/msgpack.h"
#include "base/file.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char path[] = "tests/fuzz/corpus/hip_code/template.hsaco";
static const char name[] = "_Z5scaleILi4EfEvPT0_PKS0_lf";
static char *code;
static size_t size;

static int read_code(void **state)
{
  hone_status status = hone__file_read(path, 1 << 20, &code, &size);

  (void)state;
  hone_status_free(status);
  return status ? -1 : 0;
}

static int free_code(void **state)
{
  (void)state;
  free(code);
  return 0;
}

static void test_kernel(void **state)
{
  static struct hone__hip_kernel kernel;
  static const uint32_t sizes[] = {8, 8, 8, 4}, offsets[] = {0, 8, 16, 24};
  char arch[HONE__HIP_ARCH_SIZE];

  (void)state;
  assert_true(hone__hip_code_kernel(code, size, name, &kernel));
  assert_int_equal(kernel.param_count, 4); /* without the hidden ones */
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(kernel.params[i].size, sizes[i]);
    assert_int_equal(kernel.params[i].offset, offsets[i]);
  }
  assert_int_equal(kernel.shared_bytes, 1024);
  assert_int_equal(kernel.vgprs, 6);
  assert_int_equal(kernel.sgprs, 18);
  assert_int_equal(kernel.vgpr_spills, 0);
  assert_int_equal(kernel.wave_size, 64);
  assert_true(hone__hip_code_arch(code, size, arch));
  assert_string_equal(arch, "gfx90a");
  assert_true(hone__hip_code_kernel(code, size, "plain", &kernel));
  assert_int_equal(kernel.param_count, 1);
  assert_false(hone__hip_code_kernel(code, size, "plai", &kernel));
}

static bool count(void *data, const char *found)
{
  assert_true(strcmp(found, name) == 0 || strcmp(found, "plain") == 0);
  ++*(int *)data;
  return true;
}

static void test_names(void **state)
{
  int found = 0;

  (void)state;
  hone__hip_code_kernels(code, size, count, &found);
  assert_int_equal(found, 2);
}

/* No byte after the end is read: a sanitizer would see it. */
static void test_truncated(void **state)
{
  static struct hone__hip_kernel kernel;
  Elf64_Ehdr head;

  (void)state;
  memcpy(&head, code, sizeof head);
  for (size_t part = 0; part < size; part += 7) {
    char *copy = malloc(part + 1);
    bool is_found;
    memcpy(copy, code, part);
    is_found = hone__hip_code_kernel(copy, part, name, &kernel);
    assert_true(!is_found || part > head.e_shoff); /* the table of sections is the end */
    free(copy);
  }
}

/* The length of the metadata, their types and counts, each replaced. */
static void test_damaged(void **state)
{
  static struct hone__hip_kernel kernel;
  char *copy = malloc(size), arch[HONE__HIP_ARCH_SIZE];

  (void)state;
  for (size_t i = 0; i < size; i++) {
    memcpy(copy, code, size);
    copy[i] = (char)0xff;
    hone__hip_code_kernel(copy, size, name, &kernel);
    assert_true(kernel.param_count <= HONE__HIP_MOST_PARAMS);
    hone__hip_code_arch(copy, size, arch);
  }
  free(copy);
}

/* A list of lists of lists ... needs no stack, a count that is too large no time. */
static void test_nesting(void **state)
{
  static unsigned char deep[1 << 16];
  const unsigned char large[] = {0xdd, 0xff, 0xff, 0xff, 0xff, 1};
  struct hone__msgpack cursor = {.at = deep, .left = sizeof deep};

  (void)state;
  memset(deep, 0x91, sizeof deep);
  hone__msgpack_skip(&cursor);
  assert_true(cursor.is_invalid);
  cursor = (struct hone__msgpack){.at = large, .left = sizeof large};
  hone__msgpack_skip(&cursor);
  assert_true(cursor.is_invalid);
}

static double occupancy(const char *arch, int64_t registers, int64_t wave, int64_t shared,
                        int64_t threads)
{
  static int64_t local[1];
  struct hone__arena arena = {0};
  struct hone__named_list facts = {.arena = &arena}, costs = {.arena = &arena};
  struct hone__kernel_launch launch = {.local = local, .local_count = 1};
  struct hone__kernel_candidate candidate = {.launch = &launch};
  struct hone__wire_device_facts target = {.arch = arch};
  double found;

  local[0] = threads;
  hone__named_int(&facts, "registers_per_sm", 131072);
  hone__named_int(&facts, "max_threads_per_sm", 2048);
  hone__named_int(&facts, "shared_per_sm_bytes", 65536);
  target.other = facts.items;
  target.other_count = facts.count;
  hone__named_int(&costs, "registers", registers);
  hone__named_int(&costs, "wave_size", wave);
  hone__named_int(&costs, "shared_bytes", shared);
  hone__hip_occupancy(&target, &candidate, &costs);
  found = hone__named_number(costs.items, costs.count, "occupancy");
  hone__arena_release(&arena);
  return found;
}

/* gfx90a: 512 registers of a lane in a SIMD, 8 waves; gfx1030: 1024 registers, 16 waves. */
static void test_occupancy(void **state)
{
  (void)state;
  assert_true(occupancy("gfx90a", 64, 64, 0, 256) == 1);
  assert_true(occupancy("gfx90a", 65, 64, 0, 256) == 7.0 / 8);
  assert_true(occupancy("gfx90a", 128, 64, 0, 256) == 0.5);
  assert_true(occupancy("gfx90a", 32, 64, 32768, 256) == 0.25);
  assert_true(occupancy("gfx90a", 512, 64, 0, 1024) == 0); /* a block of 16 waves, 4 fit */
  assert_true(occupancy("gfx1030", 64, 32, 0, 256) == 1);
  assert_true(occupancy("gfx1030", 96, 32, 0, 128) == 10.0 / 16);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernel),    cmocka_unit_test(test_names),
      cmocka_unit_test(test_truncated), cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_nesting),   cmocka_unit_test(test_occupancy),
  };

  return cmocka_run_group_tests(tests, read_code, free_code);
}
