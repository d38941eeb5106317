/* Arguments that are there twice: two contents of the inputs, two places in memory. */
#include "backend/kernel/spots.h"
#include "check/guard.h"
#include "base/npy.h"
#include "unpacked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

static const char drawn[] =
    "{\"args\": [{\"name\": \"x\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [100]},"
    " {\"name\": \"z\", \"type\": \"i32\", \"role\": \"inout\", \"shape\": [7]},"
    " {\"name\": \"y\", \"type\": \"f32\", \"role\": \"out\", \"shape\": [50]}]}";
static const char fixed[] =
    "{\"args\": [{\"name\": \"x\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [100],"
    "  \"fill\": {\"kind\": \"arange\"}},"
    " {\"name\": \"y\", \"type\": \"f32\", \"role\": \"out\", \"shape\": [50]}]}";

static void make(struct hone__buffers *buffers, const char *args, bool doubled, size_t memory)
{
  json_t *json = json_loads(args, 0, NULL);
  struct hone__arena arena = {0};
  struct hone__kernel_setup setup = unpacked_setup(json, &arena);
  struct hone__buffers_options options = {
      .setup = &setup, .seed = 1, .doubled = doubled, .memory_bytes = memory};

  assert_null(hone__buffers_make(buffers, &options));
  hone__arena_release(&arena);
  json_decref(json);
}

static bool holds(const struct hone__buffers *buffers, size_t place, size_t arg, size_t content)
{
  const struct hone__arg *a = &buffers->args[arg];

  return memcmp(buffers->range[place] + a->data, buffers->pristine[content] + a->data, a->bytes) ==
         0;
}

static void test_two_contents(void **state)
{
  struct hone__buffers buffers;

  (void)state;
  make(&buffers, drawn, true, 1 << 20);
  assert_int_equal(buffers.contents, 2);
  assert_int_equal(buffers.places, 2);
  hone__buffers_restore(&buffers, false);
  assert_true(holds(&buffers, 0, 0, 0) && holds(&buffers, 1, 0, 1));
  assert_true(holds(&buffers, 0, 1, 0) && holds(&buffers, 1, 1, 1));
  assert_false(holds(&buffers, 0, 0, 1));
  hone__buffers_swap(&buffers);
  assert_true(holds(&buffers, 0, 0, 1) && holds(&buffers, 1, 0, 0));
  assert_true(holds(&buffers, 0, 1, 1) && holds(&buffers, 1, 1, 0));
  hone__buffers_restore(&buffers, true);
  assert_true(holds(&buffers, 0, 0, 0) && holds(&buffers, 1, 0, 1));
  hone__buffers_release(&buffers);
}

/* What was asked for before there were two is the first of them still. */
static void test_first_content_is_that_of_the_seed(void **state)
{
  struct hone__buffers one, two;

  (void)state;
  make(&one, drawn, false, 1 << 20);
  make(&two, drawn, true, 1 << 20);
  assert_int_equal(one.contents, 1);
  assert_int_equal(one.places, 1);
  assert_memory_equal(one.pristine[0] + one.args[0].data, two.pristine[0] + two.args[0].data, 400);
  hone__buffers_release(&one);
  hone__buffers_release(&two);
}

static void test_inputs_that_cannot_differ(void **state)
{
  struct hone__buffers buffers;

  (void)state;
  make(&buffers, fixed, true, 1 << 20);
  assert_int_equal(buffers.contents, 1);
  assert_int_equal(buffers.places, 2);
  hone__buffers_restore(&buffers, false);
  hone__buffers_swap(&buffers);
  assert_true(holds(&buffers, 0, 0, 0) && holds(&buffers, 1, 0, 0));
  hone__buffers_release(&buffers);
}

static void test_no_room_for_two(void **state)
{
  struct hone__buffers buffers;

  (void)state;
  make(&buffers, drawn, true, 700);
  assert_int_equal(buffers.places, 1);
  hone__buffers_release(&buffers);
}

static void test_mend_looks_at_both_places(void **state)
{
  struct hone__buffers buffers;

  (void)state;
  make(&buffers, drawn, true, 1 << 20);
  hone__buffers_restore(&buffers, false);
  assert_int_equal(hone__buffers_restore_inputs(&buffers), 0);
  buffers.range[1][buffers.args[0].data + 8] ^= 1;
  assert_int_equal(hone__buffers_restore_inputs(&buffers), 1);
  assert_true(holds(&buffers, 1, 0, 1));
  hone__buffers_release(&buffers);
}

/* ---- What candidates do to them ---- */

static unsigned char *at(const struct hone__buffers *buffers, size_t place, size_t arg)
{
  return buffers->range[place] + buffers->args[arg].data;
}

static void test_snapshots(void **state)
{
  struct hone__buffers buffers;
  unsigned char *one, *other;

  (void)state;
  make(&buffers, drawn, true, 1 << 20);
  hone__buffers_restore(&buffers, false);
  one = hone__alloc(buffers.snapshot_bytes);
  other = hone__alloc(buffers.snapshot_bytes);
  memset(at(&buffers, 0, 2), 7, buffers.args[2].bytes);
  hone__buffers_snapshot(&buffers, 0, one);
  assert_memory_equal(one + buffers.args[2].snapshot, at(&buffers, 0, 2), buffers.args[2].bytes);
  assert_true(hone__buffers_equal(&buffers, 0, one));
  assert_false(hone__buffers_equal(&buffers, 1, one)); /* its output is poison */
  memcpy(other, one, buffers.snapshot_bytes);
  assert_true(hone__snapshots_equal(&buffers, one, other));
  other[buffers.args[2].snapshot + buffers.args[2].bytes - 1] ^= 1;
  assert_false(hone__snapshots_equal(&buffers, one, other));
  free(one);
  free(other);
  hone__buffers_release(&buffers);
}

static void test_poison_and_refill(void **state)
{
  struct hone__buffers buffers;

  (void)state;
  make(&buffers, drawn, true, 1 << 20);
  hone__buffers_restore(&buffers, false);
  memset(at(&buffers, 0, 1), 0, buffers.args[1].bytes);
  memset(at(&buffers, 0, 2), 0, buffers.args[2].bytes);
  hone__buffers_poison(&buffers, 0);
  assert_true(hone__check_is_poison(HONE__ELEMENT_F32, at(&buffers, 0, 2), 49));
  assert_false(holds(&buffers, 0, 1, 0)); /* inout arguments are not outputs alone */
  hone__buffers_refill(&buffers);
  assert_true(holds(&buffers, 0, 1, 0) && holds(&buffers, 1, 1, 1));
  hone__buffers_release(&buffers);
}

/* Known contents, or new ones that depend on the seed alone. */
static void test_rewrite_and_draw(void **state)
{
  struct hone__buffers buffers;
  unsigned char first[400];

  (void)state;
  make(&buffers, drawn, true, 1 << 20);
  hone__buffers_restore(&buffers, false);
  hone__buffers_draw(&buffers, 0, 5);
  assert_false(holds(&buffers, 0, 0, 0) || holds(&buffers, 0, 0, 1));
  memcpy(first, at(&buffers, 0, 0), sizeof first);
  hone__buffers_draw(&buffers, 0, 6);
  assert_memory_not_equal(first, at(&buffers, 0, 0), sizeof first);
  hone__buffers_draw(&buffers, 0, 5);
  assert_memory_equal(first, at(&buffers, 0, 0), sizeof first);
  hone__buffers_rewrite(&buffers, 0);
  assert_true(holds(&buffers, 0, 0, 0) && holds(&buffers, 1, 0, 1));
  hone__buffers_release(&buffers);
}

static void test_guards(void **state)
{
  struct hone__buffers buffers;
  struct hone__breach breach;

  (void)state;
  make(&buffers, drawn, true, 1 << 20);
  hone__buffers_restore(&buffers, false);
  assert_true(hone__buffers_intact(&buffers, &breach));
  at(&buffers, 0, 2)[buffers.args[2].bytes + 3] ^= 1;
  assert_false(hone__buffers_intact(&buffers, &breach));
  assert_int_equal(breach.arg, 2);
  assert_int_equal(breach.offset, 3);
  assert_false(breach.before);
  hone__arg_guard(&buffers.args[2], buffers.range[0]);
  assert_true(hone__buffers_intact(&buffers, &breach));
  at(&buffers, 1, 1)[-1] ^= 1; /* in the other place, before an inout argument */
  assert_false(hone__buffers_intact(&buffers, &breach));
  assert_int_equal(breach.arg, 1);
  assert_true(breach.before);
  hone__buffers_release(&buffers);
}

/* Memory of its own, with guard zones, where writes change nothing else. */
static void test_staged(void **state)
{
  struct hone__buffers buffers, staged;
  struct hone__breach breach;
  float *x;

  (void)state;
  make(&buffers, drawn, true, 1 << 20);
  hone__buffers_restore(&buffers, false);
  assert_null(hone__buffers_stage(&buffers, &staged));
  for (size_t i = 0; i < staged.count; i++)
    hone__arg_guard(&staged.args[i], staged.range[0]);
  assert_true(hone__buffers_intact(&staged, &breach));
  x = (float *)(void *)(staged.range[0] + staged.args[0].data);
  x[0] = x[99] = 1;
  assert_true(hone__buffers_intact(&staged, &breach));
  assert_true(holds(&buffers, 0, 0, 0));
  x[100] = 1;
  assert_false(hone__buffers_intact(&staged, &breach));
  assert_int_equal(breach.arg, 0);
  assert_int_equal(breach.offset, 0);
  assert_true(hone__buffers_intact(&buffers, &breach));
  munmap(staged.range[0], staged.span);
  hone__buffers_release(&buffers);
}

static void test_files_must_fit(void **state)
{
  const struct hone__arg arg = {.name = "y",
                                .element = HONE__ELEMENT_F32,
                                .shape = {2},
                                .dimensions = 1,
                                .count = 2,
                                .bytes = 8};
  static const struct {
    enum hone__element element;
    size_t shape, bytes;
    bool fits;
  } cases[] = {{HONE__ELEMENT_F32, 2, 8, true},
               {HONE__ELEMENT_F64, 2, 16, false},
               {HONE__ELEMENT_F32, 3, 12, false},
               {HONE__ELEMENT_F32, 2, 7, false}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__text file = {0};
    const unsigned char *elements = NULL;
    size_t size = 0;
    hone_status status;
    hone__npy_header(cases[i].element, &cases[i].shape, 1, &file);
    hone__text_addn(&file, "0123456789abcdef", cases[i].bytes);
    status = hone__buffers_npy(&arg, file.data, file.length, &elements, &size);
    assert_int_equal(status == NULL, cases[i].fits);
    if (cases[i].fits) assert_memory_equal(elements, "01234567", 8);
    if (cases[i].fits) assert_int_equal(size, 8);
    if (status) assert_non_null(strstr(hone_status_message(status), "y"));
    hone_status_free(status);
    hone__text_release(&file);
  }
}

static bool is_poisoned(const struct hone__buffers *buffers, const struct hone__spot *spot)
{
  const struct hone__arg *arg = &buffers->args[spot->arg];

  return hone__check_is_poison(arg->element, buffers->range[spot->place] + arg->data, spot->index);
}

static void test_spots(void **state)
{
  struct hone__buffers buffers;
  struct hone__spots spots;
  struct hone__spot spot;
  size_t next = 0, count = 0;

  (void)state;
  make(&buffers, drawn, true, 1 << 20);
  hone__buffers_restore(&buffers, false);
  for (size_t place = 0; place < 2; place++)
    memset(buffers.range[place] + buffers.args[2].data, 0, buffers.args[2].bytes);
  hone__spots_init(&spots, &buffers, 7);
  assert_int_equal(spots.output_count, 1); /* of an inout argument nothing is poisoned */
  hone__spots_poison(&spots, &buffers, 0);
  for (int i = 0; i < 100; i++)
    hone__spots_poison_one(&spots, &buffers, 1);
  while (hone__spots_next(&spots, &next, &spot)) {
    assert_int_equal(spot.arg, 2);
    assert_true(spot.index < 50 && is_poisoned(&buffers, &spot));
    count++;
  }
  assert_int_equal(count, HONE__SPOTS_OF_PLACE + HONE__SPOTS_BETWEEN_CALLS);
  hone__spots_clear(&spots);
  next = 0;
  assert_false(hone__spots_next(&spots, &next, &spot));
  hone__buffers_release(&buffers);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_contents),
      cmocka_unit_test(test_first_content_is_that_of_the_seed),
      cmocka_unit_test(test_inputs_that_cannot_differ),
      cmocka_unit_test(test_no_room_for_two),
      cmocka_unit_test(test_mend_looks_at_both_places),
      cmocka_unit_test(test_spots),
      cmocka_unit_test(test_snapshots),
      cmocka_unit_test(test_poison_and_refill),
      cmocka_unit_test(test_rewrite_and_draw),
      cmocka_unit_test(test_guards),
      cmocka_unit_test(test_staged),
      cmocka_unit_test(test_files_must_fit),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
