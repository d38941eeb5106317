/* Which results are too fast to be believed, and which are not: bounds, what they are made of, and
 * that honest code stays within them. */
#include "wire/packed_json.h"
#include "session/plausible.h"
#include "backend/cpu_speed.h"
#include "backend/gpu/gpu_speed.h"
#include "base/clock.h"
#include "folder.h"

#include <math.h>

static const struct hone__limits limits = {
    .written_bytes = 4e6, .fill_ns = 1e5, .peak_flops = 1e12};

static bool judge(const struct hone__claimed *claimed, const char *part)
{
  struct hone__text why = {0};
  bool is_suspicious = hone__session_is_suspicious(&limits, claimed, &why);

  assert_int_equal(is_suspicious, why.length > 0);
  if (part && !(why.data && strstr(why.data, part))) fail_msg("'%s' has no '%s'", why.data, part);
  hone__text_release(&why);
  return is_suspicious;
}

/* ---- Rules ---- */

static void each_rule_has_its_words(void **state)
{
  (void)state;
  assert_true(judge(&(struct hone__claimed){24e3, NAN, NAN},
                    "4 MB of answers in 24 us, where writing that much takes at least 100 us"));
  assert_true(judge(&(struct hone__claimed){1e6, NAN, 1.1e12},
                    "1.1 TFLOP/s, but the device's peak is 1 TFLOP/s"));
  assert_true(
      judge(&(struct hone__claimed){1e6, 1.01e8, NAN}, "101 times as fast as the baseline"));
  assert_true(judge(&(struct hone__claimed){30, 1e6, 2e12}, "; "));
}

static void bounds_are_generous(void **state)
{
  (void)state;
  assert_false(judge(&(struct hone__claimed){26e3, NAN, NAN}, NULL)); /* 4 times as fast */
  assert_false(judge(&(struct hone__claimed){1e6, NAN, 0.9e12}, NULL));
  assert_false(judge(&(struct hone__claimed){1e6, 0.99e8, NAN}, NULL));
  assert_false(judge(&(struct hone__claimed){1e6, 1e3, NAN}, NULL)); /* a slow one */
}

static void what_is_not_known_is_no_bound(void **state)
{
  const struct hone__limits none = {0};
  struct hone__text why = {0};

  (void)state;
  assert_false(hone__session_is_suspicious(&none, &(struct hone__claimed){0.01, NAN, 1e30}, &why));
  assert_false(hone__session_is_suspicious(&limits, &(struct hone__claimed){NAN, 1e6, NAN}, &why));
  assert_int_equal(why.length, 0);
}

static void odd_facts_are_not_known(void **state)
{
  static const char *const odd[] = {"-5", "0", "\"7\"", "null", "[]", "{}", "true"};

  (void)state;
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    struct hone__text text = {0};
    struct hone__limits read;
    json_t *facts;
    hone__text_addf(&text, "{\"fill_ns\": %s, \"peak_flops\": %s, \"written_bytes\": %s}", odd[i],
                    odd[i], odd[i]);
    facts = json_loads(text.data, 0, NULL);
    read = hone__limits_read(hone__wire_json_packed(facts));
    assert_true(read.fill_ns == 0 && read.peak_flops == 0 && read.written_bytes == 0);
    json_decref(facts);
    hone__text_release(&text);
  }
  assert_true(hone__limits_read(NULL).fill_ns == 0);
}

static void metrics_that_count_operations(void **state)
{
  static const struct {
    const char *name;
    double unit;
  } cases[] = {{"GFLOP/s", 1e9}, {"TFLOPS", 1e12}, {"gflops", 1e9},   {"MFlop/s", 1e6},
               {"flop/s", 1},    {"FLOPS", 1},     {"PFLOPS/s", 1e15}};
  static const char *const others[] = {"GB/s", "GFLOP", "G", "", "time", "GFLOP/s/W", "flopsy"};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double flops = hone__flops_of_metric(cases[i].name, 3);
    assert_true(fabs(flops / (3 * cases[i].unit) - 1) < 1e-9);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_true(isnan(hone__flops_of_metric(others[i], 3)));
}

/* ---- What is measured ---- */

static double least_ns(void (*write)(unsigned char *, size_t), unsigned char *to, size_t size)
{
  double least = INFINITY;
  size_t repeats = 1 + (1 << 20) / size;

  for (int round = 0; round < 20; round++) {
    double began = hone__clock();
    for (size_t i = 0; i < repeats; i++)
      write(to, size);
    least = fmin(least, 1e9 * (hone__clock() - began) / (double)repeats);
  }
  return least;
}

static void write_words(unsigned char *to, size_t size)
{
  uint64_t *words = (uint64_t *)(void *)to;

  for (size_t i = 0; i < size / sizeof *words; i++)
    words[i] = 0x0101010101010101 * i;
  __asm__ volatile("" ::: "memory");
}

static void write_bytes(unsigned char *to, size_t size)
{
  memset(to, 3, size);
  __asm__ volatile("" ::: "memory");
}

/* Whatever really writes its output takes longer than the bound, in every cache. */
static void honest_writers_are_believed(void **state)
{
  static const size_t sizes[] = {64, 1024, 16384, 262144, 4194304};
  unsigned char *memory = hone__alloc(4194304);

  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct hone__limits here = {.written_bytes = (double)sizes[i],
                                .fill_ns = hone__backend_cpu_fill_ns(sizes[i])};
    double times[] = {least_ns(write_bytes, memory, sizes[i]),
                      least_ns(write_words, memory, sizes[i])};
    assert_true(here.fill_ns > 0);
    for (size_t k = 0; k < 2; k++) {
      struct hone__text why = {0};
      struct hone__claimed claimed = {times[k], NAN, NAN};
      if (hone__session_is_suspicious(&here, &claimed, &why)) fail_msg("%s", why.data);
    }
  }
  free(memory);
}

static void more_bytes_take_longer(void **state)
{
  (void)state;
  assert_true(hone__backend_cpu_fill_ns(0) == 0);
  assert_true(hone__backend_cpu_fill_ns(64 << 20) > hone__backend_cpu_fill_ns(4096));
  assert_true(hone__backend_cpu_peak_flops() > 1e11);
}

/* A device's bound: of the bus where that is faster than what was measured. */
static struct hone__limits limits_of(double bus_mhz)
{
  struct hone__arena arena = {0};
  struct hone__named_list list = {.arena = &arena};
  json_t *facts = json_object();
  struct hone__limits read;

  hone__named_real(&list, "written_bytes", 1e6);
  hone__named_real(&list, "fill_ns_per_byte", 1);
  hone__named_int(&list, "bus_bits", 4000);
  hone__named_real(&list, "memory_clock_mhz", bus_mhz);
  hone__named_int(&list, "sm_count", 100);
  hone__named_int(&list, "clock_mhz", 1000);
  hone__gpu_add_limits("gpu", &list);
  hone__packed_add(hone__wire_json_packed(facts), &hone__named_type,
                   &(struct hone__named_record){list.items, list.count});
  read = hone__limits_read(hone__wire_json_packed(facts));
  json_decref(facts);
  hone__arena_release(&arena);
  return read;
}

static void limits_of_a_device(void **state)
{
  (void)state;
  assert_true(fabs(limits_of(2000).fill_ns / 500 - 1) < 1e-9); /* 2 TB/s */
  assert_true(limits_of(2000).peak_flops > 1e16);
  assert_true(fabs(limits_of(0).fill_ns / 1e6 - 1) < 1e-9);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_rule_has_its_words),
      cmocka_unit_test(bounds_are_generous),
      cmocka_unit_test(what_is_not_known_is_no_bound),
      cmocka_unit_test(odd_facts_are_not_known),
      cmocka_unit_test(metrics_that_count_operations),
      cmocka_unit_test(honest_writers_are_believed),
      cmocka_unit_test(more_bytes_take_longer),
      cmocka_unit_test(limits_of_a_device),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
