#include "base/compress.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SIZE = 300000, DAMAGED_SIZE = 20000 };

static char *make(size_t size, bool is_random)
{
  char *bytes = hone__alloc(size);
  uint64_t seed = 1;

  for (size_t i = 0; i < size; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    bytes[i] = is_random ? (char)(seed >> 56) : (char)(i % 1000 / 10);
  }
  return bytes;
}

static void what_gets_smaller_comes_back(void **state)
{
  static const size_t sizes[] = {100, 4096, SIZE};

  (void)state;
  for (size_t i = 0; i < 3; i++) {
    char *bytes = make(sizes[i], false);
    struct hone__text packed = {0}, plain = {0};
    assert_true(hone__compress(bytes, sizes[i], &packed));
    assert_true(packed.length < sizes[i] * 9 / 10);
    assert_null(hone__expand(packed.data, packed.length, sizes[i], &plain));
    assert_int_equal(plain.length, sizes[i]);
    assert_memory_equal(plain.data, bytes, sizes[i]);
    hone__text_release(&packed);
    hone__text_release(&plain);
    free(bytes);
  }
}

static void what_does_not_stays(void **state)
{
  static const size_t sizes[] = {0, 1, 20, 4096, SIZE};

  (void)state;
  for (size_t i = 0; i < 5; i++) {
    char *bytes = make(sizes[i], true);
    struct hone__text packed = {0};
    assert_false(hone__compress(bytes, sizes[i], &packed));
    assert_int_equal(packed.length, 0);
    hone__text_release(&packed);
    free(bytes);
  }
}

static void expect_refused(const char *bytes, size_t size, size_t expected, const char *why)
{
  struct hone__text plain = {0};
  hone_status status = hone__expand(bytes, size, expected, &plain);

  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  if (!strstr(hone_status_message(status), why))
    print_message("# got: %s\n", hone_status_message(status));
  assert_non_null(strstr(hone_status_message(status), why));
  assert_null(strchr(hone_status_message(status), '\n'));
  assert_int_equal(plain.length, 0);
  hone_status_free(status);
}

static void damaged_ones_are_refused(void **state)
{
  char *bytes = make(DAMAGED_SIZE, false);
  struct hone__text packed = {0}, plain = {0};

  (void)state;
  assert_true(hone__compress(bytes, DAMAGED_SIZE, &packed));
  for (size_t size = 9; size < packed.length; size += 7)
    expect_refused(packed.data, size, DAMAGED_SIZE, "damaged or truncated");
  for (size_t i = 0; i < packed.length; i++) { /* another content is noticed by its digest */
    hone_status status;
    packed.data[i] ^= 0x55;
    status = hone__expand(packed.data, packed.length, DAMAGED_SIZE, &plain);
    assert_true(status ? plain.length == 0 : plain.length == DAMAGED_SIZE);
    hone_status_free(status);
    plain.length = 0;
    packed.data[i] ^= 0x55;
  }
  expect_refused(bytes, DAMAGED_SIZE, DAMAGED_SIZE, "not a frame of zstd");
  hone__text_addn(&packed, "x", 1);
  expect_refused(packed.data, packed.length, DAMAGED_SIZE, "after them");
  hone__text_release(&packed);
  hone__text_release(&plain);
  free(bytes);
}

/* A few bytes that claim to be much, and more than is expected. */
static void bombs_are_refused(void **state)
{
  size_t size = 64 << 20;
  char *bytes = hone__alloc(size);
  struct hone__text packed = {0};

  (void)state;
  assert_true(hone__compress(bytes, size, &packed));
  assert_true(packed.length < size / 1000);
  expect_refused(packed.data, packed.length, 4096, "expected size");
  expect_refused(packed.data, packed.length, size + 1, "expected size");
  hone__text_release(&packed);
  free(bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_gets_smaller_comes_back),
      cmocka_unit_test(what_does_not_stays),
      cmocka_unit_test(damaged_ones_are_refused),
      cmocka_unit_test(bombs_are_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
