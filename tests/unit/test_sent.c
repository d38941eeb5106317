/* What each host was sent: parts travel once to a host, unless it lacks them. */
#include "pool/sent.h"

#include "base/compress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SMALL = 100, LARGE = 2 * HONE__PARCEL_LEAST };

static char payload[SMALL + 2 * LARGE];
static const size_t sizes[] = {SMALL, LARGE, LARGE};

/* Random bytes are not compressed. */
static struct hone__sent_load make_load(void)
{
  for (size_t i = 0; i < sizeof payload; i++)
    payload[i] = (char)(i * 2654435761u >> 13 ^ i * i >> 5);
  return (struct hone__sent_load){
      .payload = payload, .payload_size = sizeof payload, .sizes = sizes, .count = 3};
}

/* "sent sent there" and the bytes of the payload. */
static void expect_wrapped(struct hone__sent_host *host, const struct hone__sent_load *load,
                           const char *states, size_t bytes)
{
  static const char *const names[] = {"sent", "there", "coming"};
  struct hone__sent_wrapped wrapped;
  struct hone__parcels parcels;
  struct hone__arena arena = {0};
  struct hone__text text = {0};

  assert_true(hone__sent_wrap(host, load, &wrapped));
  assert_null(hone__unpack(wrapped.head, &hone__parcels_type, &arena, &parcels));
  assert_int_equal(parcels.parcels_count, load->count);
  for (size_t i = 0; i < parcels.parcels_count; i++) {
    assert_int_equal(parcels.parcels[i].size, load->sizes[i]);
    hone__text_addf(&text, "%s%s", i ? " " : "", names[parcels.parcels[i].state]);
  }
  assert_string_equal(text.data, states);
  assert_int_equal(wrapped.bytes.length, bytes);
  assert_true(parcels.wait_s >= 1);
  hone__sent_settled(host, wrapped.coming, wrapped.coming_count);
  hone__text_release(&text);
  hone__arena_release(&arena);
  hone__sent_wrapped_release(&wrapped);
}

static void small_parts_are_sent_as_they_are(void **state)
{
  const size_t small[] = {SMALL, SMALL};
  struct hone__sent_hosts hosts = {0};
  struct hone__sent_load load = make_load();
  struct hone__sent_wrapped wrapped;

  (void)state;
  load.sizes = small;
  load.count = 2;
  load.payload_size = 2 * SMALL;
  assert_false(hone__sent_wrap(hone__sent_host(&hosts, "a"), &load, &wrapped));
  hone__sent_release(&hosts);
}

static void a_part_is_sent_once_to_each_host(void **state)
{
  struct hone__sent_hosts hosts = {0};
  struct hone__sent_load load = make_load();
  struct hone__sent_host *a = hone__sent_host(&hosts, "a"), *b = hone__sent_host(&hosts, "b");

  (void)state;
  assert_ptr_equal(hone__sent_host(&hosts, "a"), a);
  expect_wrapped(a, &load, "sent sent sent", SMALL + 2 * LARGE);
  expect_wrapped(a, &load, "sent there there", SMALL);
  expect_wrapped(b, &load, "sent sent sent", SMALL + 2 * LARGE);
  hone__sent_release(&hosts);
}

static void a_part_on_its_way_is_not_sent_again(void **state)
{
  struct hone__sent_hosts hosts = {0};
  struct hone__sent_load load = make_load();
  struct hone__sent_host *host = hone__sent_host(&hosts, "a");
  struct hone__sent_wrapped first;

  (void)state;
  assert_true(hone__sent_wrap(host, &load, &first));
  assert_int_equal(first.coming_count, 2);
  expect_wrapped(host, &load, "sent coming coming", SMALL);
  hone__sent_settled(host, first.coming, first.coming_count);
  expect_wrapped(host, &load, "sent there there", SMALL);
  hone__sent_wrapped_release(&first);
  hone__sent_release(&hosts);
}

static void missed_parts_are_sent_again(void **state)
{
  struct hone__sent_hosts hosts = {0};
  struct hone__sent_load load = make_load();
  struct hone__sent_host *host = hone__sent_host(&hosts, "a");
  hone__sent_digest digest;
  struct hone__parcel_partial partial = {.digest = digest, .size = 1000};
  const struct hone__want want = {.partials = &partial, .partials_count = 1};

  (void)state;
  expect_wrapped(host, &load, "sent sent sent", SMALL + 2 * LARGE);
  hone__sent_missed(host, &load, NULL);
  expect_wrapped(host, &load, "sent sent sent", SMALL + 2 * LARGE);
  hone__digest(payload + SMALL, LARGE, digest);
  hone__sent_missed(host, &load, &want); /* 1000 bytes of the second part are there */
  expect_wrapped(host, &load, "sent sent sent", SMALL + 2 * LARGE - 1000);
  expect_wrapped(host, &load, "sent there there", SMALL);
  partial.size = LARGE + 1; /* more than the part has */
  hone__sent_missed(host, &load, &want);
  expect_wrapped(host, &load, "sent sent sent", SMALL + 2 * LARGE);
  partial.size = 1000;
  partial.packed_size = 5; /* of another form of the part */
  hone__sent_missed(host, &load, &want);
  expect_wrapped(host, &load, "sent sent sent", SMALL + 2 * LARGE);
  hone__sent_release(&hosts);
}

static void parts_are_compressed_if_the_worker_expands_them(void **state)
{
  const size_t one[] = {LARGE};
  struct hone__sent_hosts hosts = {0};
  struct hone__sent_load load = make_load();
  struct hone__sent_wrapped wrapped;
  struct hone__text expanded = {0};

  (void)state;
  memset(payload, 'x', LARGE);
  load.sizes = one;
  load.count = 1;
  load.payload_size = LARGE;
  load.may_compress = true;
  assert_true(hone__sent_wrap(hone__sent_host(&hosts, "a"), &load, &wrapped));
  assert_true(wrapped.bytes.length < LARGE / 10);
  assert_null(hone__expand(wrapped.bytes.data, wrapped.bytes.length, LARGE, &expanded));
  assert_memory_equal(expanded.data, payload, LARGE);
  hone__text_release(&expanded);
  hone__sent_wrapped_release(&wrapped);
  hone__sent_release(&hosts);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_parts_are_sent_as_they_are),
      cmocka_unit_test(a_part_is_sent_once_to_each_host),
      cmocka_unit_test(a_part_on_its_way_is_not_sent_again),
      cmocka_unit_test(missed_parts_are_sent_again),
      cmocka_unit_test(parts_are_compressed_if_the_worker_expands_them),
  };

  return cmocka_run_group_tests_name("sent", tests, NULL, NULL);
}
