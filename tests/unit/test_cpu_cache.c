/* The caches of a machine that a folder describes, and what expressions see of this one. */
#include "base/cpu_cache.h"
#include "folder.h"
#include "space/device.h"

struct cache {
  const char *level, *type, *size;
};

static void write_cache(int cpu, int index, struct cache cache, const char *shared)
{
  const struct {
    const char *name, *text;
  } files[] = {{"level", cache.level},
               {"type", cache.type},
               {"size", cache.size},
               {"shared_cpu_list", shared}};
  char name[64];

  snprintf(name, sizeof name, "cpu%d/cache/index%d", cpu, index);
  assert_int_equal(mkdir(path_of(name), 0755), 0);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char text[64];
    snprintf(name, sizeof name, "cpu%d/cache/index%d/%s", cpu, index, files[i].name);
    snprintf(text, sizeof text, "%s\n", files[i].text);
    write_text(name, text);
  }
}

static void write_cpu(int cpu, const char *l2, const char *l3, const char *shared)
{
  const struct cache caches[] = {{"1", "Data", "32K"},
                                 {"1", "Instruction", "64K"},
                                 {"2", "Unified", l2},
                                 {"3", "Unified", l3}};
  char name[32], own[16];

  snprintf(name, sizeof name, "cpu%d", cpu);
  assert_int_equal(mkdir(path_of(name), 0755), 0);
  snprintf(name, sizeof name, "cpu%d/cache", cpu);
  assert_int_equal(mkdir(path_of(name), 0755), 0);
  snprintf(own, sizeof own, "%d", cpu);
  for (int i = 0; i < 4; i++)
    write_cache(cpu, i, caches[i], i == 3 ? shared : own);
}

/* Two third-level caches, each shared by two CPUs; the second pair has caches of its own sizes. */
static int make_machine(void **state)
{
  if (make_folder(state)) return -1;
  write_cpu(0, "1024K", "32768K", "0-1");
  write_cpu(1, "1024K", "32768K", "0-1");
  write_cpu(2, "2M", "96M", "2-3");
  write_cpu(3, "2M", "96M", "2-3");
  return 0;
}

static void one_cpu_sees_one_cache_of_each_level(void **state)
{
  (void)state;
  assert_int_equal(hone__cpu_cache_size(folder, 0, 1), 32 << 10);
  assert_int_equal(hone__cpu_cache_size(folder, 0, 2), 1 << 20);
  assert_int_equal(hone__cpu_cache_size(folder, 1, 3), 32 << 20);
  assert_int_equal(hone__cpu_cache_size(folder, 3, 2), 2 << 20);
  assert_int_equal(hone__cpu_cache_size(folder, 3, 3), 96 << 20);
  assert_int_equal(hone__cpu_cache_size(folder, 0, 0), 32 << 20);
}

static void what_is_not_described_is_0(void **state)
{
  (void)state;
  assert_int_equal(hone__cpu_cache_size(folder, 0, 4), 0);
  assert_int_equal(hone__cpu_cache_size(folder, 9, 3), 0);
  assert_int_equal(hone__cpu_cache_size("/nowhere", 0, 0), 0);
}

static void expressions_see_the_caches_of_this_machine(void **state)
{
  static const char *const names[] = {"l1_bytes", "l2_bytes", "l3_bytes"};

  (void)state;
  for (int level = 1; level <= 3; level++) {
    size_t bytes = hone__cpu_cache_size(HONE__CPU_FOLDER, hone__cpu_first(), level);
    struct hone_value value;
    if (!bytes) continue;
    assert_true(hone__space_host_value(names[level - 1], &value));
    assert_int_equal(value.integer, bytes);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_cpu_sees_one_cache_of_each_level),
      cmocka_unit_test(what_is_not_described_is_0),
      cmocka_unit_test(expressions_see_the_caches_of_this_machine),
  };
  return cmocka_run_group_tests(tests, make_machine, remove_folder);
}
