/* Frames must come whole and right, or not at all. */
#include "base/json_string.h"
#include "wire/packed_json.h"
#include "wire/frame.h"

#include "base/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PREFACE = 56 };

static struct hone__frame make_frame(uint64_t job, const void *payload, size_t payload_size)
{
  return (struct hone__frame){
      .kind = HONE__FRAME_JOB,
      .epoch = 7,
      .job = job,
      .head = hone__wire_json_packed(json_pack("{s:s, s:f}", "op", "run", "timeout_s", 1.5)),
      .payload = payload,
      .payload_size = payload_size};
}

static void add_frame(struct hone__text *bytes, uint64_t job, const char *payload)
{
  struct hone__frame frame = make_frame(job, payload, strlen(payload));

  hone__frame_encode(&frame, bytes);
  hone__packed_drop((struct hone__packed *)(uintptr_t)frame.head);
}

static void expect_frame(struct hone__frame_reader *reader, uint64_t job, const char *payload)
{
  struct hone__frame frame;

  assert_int_equal(hone__frame_next(reader, &frame), HONE__FRAME_HERE);
  assert_int_equal(frame.kind, HONE__FRAME_JOB);
  assert_int_equal(frame.epoch, 7);
  assert_int_equal(frame.job, job);
  assert_string_equal(json_string_value(json_object_get(hone__packed_json(frame.head), "op")),
                      "run");
  assert_int_equal(frame.payload_size, strlen(payload));
  assert_memory_equal(frame.payload, payload, strlen(payload));
}

static void expect_state(struct hone__frame_reader *reader, enum hone__frame_state state)
{
  struct hone__frame frame;

  assert_int_equal(hone__frame_next(reader, &frame), state);
}

static void test_there_and_back(void **state)
{
  struct hone__frame_reader reader = {0};
  struct hone__text bytes = {0};
  const struct hone__frame bare = {.kind = HONE__FRAME_BYE, .epoch = UINT32_MAX, .job = UINT64_MAX};
  struct hone__frame frame;
  (void)state;

  add_frame(&bytes, 1, "some bytes");
  hone__frame_encode(&bare, &bytes);
  assert_int_equal(bytes.data[bytes.length - 1], '\n');
  hone__frame_feed(&reader, bytes.data, bytes.length);
  expect_frame(&reader, 1, "some bytes");
  assert_int_equal(hone__frame_next(&reader, &frame), HONE__FRAME_HERE);
  assert_int_equal(frame.kind, HONE__FRAME_BYE);
  assert_int_equal(frame.epoch, UINT32_MAX);
  assert_true(frame.job == UINT64_MAX);
  assert_int_equal(json_object_size(hone__packed_json(frame.head)), 0);
  assert_int_equal(frame.payload_size, 0);
  expect_state(&reader, HONE__FRAME_MORE);
  assert_int_equal(reader.noise.length, 0);
  hone__text_release(&bytes);
  hone__frame_reader_release(&reader);
}

static void test_split_at_every_byte(void **state)
{
  struct hone__text bytes = {0};
  (void)state;

  add_frame(&bytes, 1, "first");
  add_frame(&bytes, 2, "second");
  for (size_t cut = 0; cut <= bytes.length; cut++) {
    struct hone__frame_reader reader = {0};
    bool first_is_whole = cut >= bytes.length / 2;
    hone__frame_feed(&reader, bytes.data, cut);
    if (first_is_whole) expect_frame(&reader, 1, "first");
    if (cut < bytes.length) expect_state(&reader, HONE__FRAME_MORE);
    hone__frame_feed(&reader, bytes.data + cut, bytes.length - cut);
    if (!first_is_whole) expect_frame(&reader, 1, "first");
    expect_frame(&reader, 2, "second");
    expect_state(&reader, HONE__FRAME_MORE);
    hone__frame_reader_release(&reader);
  }
  hone__text_release(&bytes);
}

static void test_byte_by_byte(void **state)
{
  struct hone__frame_reader reader = {0};
  struct hone__text bytes = {0};
  (void)state;

  for (uint64_t job = 0; job < 20; job++)
    add_frame(&bytes, job, "payload");
  for (size_t i = 0, job = 0, size = bytes.length / 20; i < bytes.length; i++) {
    hone__frame_feed(&reader, bytes.data + i, 1);
    if ((i + 1) % size == 0) expect_frame(&reader, job++, "payload");
    expect_state(&reader, HONE__FRAME_MORE);
  }
  hone__text_release(&bytes);
  hone__frame_reader_release(&reader);
}

/* Damage of the first frame may look like noise before it; then the second is the first. */
static void check_damage(const char *bytes, size_t size)
{
  struct hone__frame_reader reader = {0};
  enum hone__frame_state state;
  struct hone__frame frame;

  hone__frame_feed(&reader, bytes, size);
  while ((state = hone__frame_next(&reader, &frame)) == HONE__FRAME_HERE) {
    assert_true(frame.job == 1 || frame.job == 2);
    assert_int_equal(frame.payload_size, frame.job == 1 ? 5 : 6);
    assert_memory_equal(frame.payload, frame.job == 1 ? "first" : "second", frame.payload_size);
    assert_true(json_object_size(hone__packed_json(frame.head)) == 2);
  }
  assert_true(state == HONE__FRAME_GARBLED || reader.noise.length);
  hone__frame_reader_release(&reader);
}

static void test_damaged_at_every_byte(void **state)
{
  struct hone__text bytes = {0};
  (void)state;

  add_frame(&bytes, 1, "first");
  add_frame(&bytes, 2, "second");
  for (size_t i = 0; i < bytes.length; i++) {
    for (unsigned bit = 0; bit < 8; bit++) {
      bytes.data[i] ^= (char)(1u << bit);
      check_damage(bytes.data, bytes.length);
      bytes.data[i] ^= (char)(1u << bit);
    }
  }
  hone__text_release(&bytes);
}

static void test_missing_bytes(void **state)
{
  struct hone__text bytes = {0}, other = {0};
  (void)state;

  add_frame(&bytes, 1, "first");
  add_frame(&bytes, 2, "second");
  for (size_t i = bytes.length / 2; i < bytes.length - 1; i++) {
    struct hone__frame_reader reader = {0};
    struct hone__frame frame;
    other.length = 0;
    hone__text_addn(&other, bytes.data, i);
    hone__text_addn(&other, bytes.data + i + 1, bytes.length - i - 1);
    hone__frame_feed(&reader, other.data, other.length);
    expect_frame(&reader, 1, "first");
    assert_int_not_equal(hone__frame_next(&reader, &frame), HONE__FRAME_HERE);
    hone__frame_reader_release(&reader);
  }
  hone__text_release(&bytes);
  hone__text_release(&other);
}

static void test_noise_before_the_first(void **state)
{
  static const size_t sizes[] = {1, 7, 8, 9, 1000, HONE__FRAME_LONGEST_NOISE};
  (void)state;

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct hone__frame_reader reader = {0};
    struct hone__text bytes = {0};
    for (size_t j = 0; j < sizes[i]; j++)
      hone__text_addn(&bytes, &"\x89HONEf Welcome\n"[j % 15], 1);
    add_frame(&bytes, 1, "first");
    for (size_t at = 0; at < bytes.length; at += 13) {
      size_t left = bytes.length - at;
      struct hone__frame frame;
      if (at) assert_int_equal(hone__frame_next(&reader, &frame), HONE__FRAME_MORE);
      hone__frame_feed(&reader, bytes.data + at, left < 13 ? left : 13);
    }
    expect_frame(&reader, 1, "first");
    assert_int_equal(reader.noise.length, sizes[i]);
    assert_memory_equal(reader.noise.data, bytes.data, sizes[i]);
    hone__text_release(&bytes);
    hone__frame_reader_release(&reader);
  }
}

static void test_too_much_noise(void **state)
{
  struct hone__frame_reader reader = {0};
  (void)state;

  for (size_t i = 0; i < HONE__FRAME_LONGEST_NOISE / 8; i++)
    hone__frame_feed(&reader, "Welcome\n", 8);
  expect_state(&reader, HONE__FRAME_MORE);
  hone__frame_feed(&reader, "Welcome\nWelcome\n", 16);
  expect_state(&reader, HONE__FRAME_GARBLED);
  expect_state(&reader, HONE__FRAME_GARBLED);
  hone__frame_reader_release(&reader);
}

static void test_noise_later(void **state)
{
  struct hone__frame_reader reader = {0};
  struct hone__text bytes = {0};
  (void)state;

  add_frame(&bytes, 1, "first");
  hone__text_add(&bytes, "printf");
  hone__frame_feed(&reader, bytes.data, bytes.length);
  expect_frame(&reader, 1, "first");
  expect_state(&reader, HONE__FRAME_GARBLED);
  hone__text_release(&bytes);
  hone__frame_reader_release(&reader);
}

/* A magic in a banner, and in what follows it. */
static void test_magic_in_noise(void **state)
{
  struct hone__frame_reader reader = {0};
  struct hone__text bytes = {0};
  (void)state;

  add_frame(&bytes, 1, "first");
  for (int i = 0; i < 3; i++)
    hone__frame_feed(&reader, bytes.data, 20);
  hone__frame_feed(&reader, bytes.data, bytes.length);
  expect_frame(&reader, 1, "first");
  assert_int_equal(reader.noise.length, 60);
  hone__text_release(&bytes);
  hone__frame_reader_release(&reader);
}

/* Changes a field of the preface and signs it anew. */
static void expect_refused(size_t offset, size_t size, uint64_t value)
{
  struct hone__frame_reader reader = {0};
  struct hone__text bytes = {0};
  uint64_t sum;

  add_frame(&bytes, 1, "first");
  memcpy(bytes.data + offset, &value, size);
  sum = hone__checksum(0, bytes.data, 48);
  memcpy(bytes.data + 48, &sum, 8);
  hone__frame_feed(&reader, bytes.data, PREFACE);
  expect_state(&reader, HONE__FRAME_GARBLED);
  hone__text_release(&bytes);
  hone__frame_reader_release(&reader);
}

static void test_senseless_prefaces(void **state)
{
  (void)state;
  expect_refused(8, 2, HONE__FRAME_VERSION + 1);
  expect_refused(10, 2, 0);
  expect_refused(10, 2, HONE__FRAME_WANT + 1);
  expect_refused(24, 8, HONE__FRAME_LONGEST_PAYLOAD + 1ull);
  expect_refused(24, 8, UINT64_MAX);
  expect_refused(32, 4, HONE__FRAME_LONGEST_HEAD + 1ull);
  expect_refused(32, 4, UINT32_MAX);
  expect_refused(36, 4, 1);
}

static void test_head_is_an_object(void **state)
{
  struct hone__frame frame = {.kind = HONE__FRAME_READY,
                              .head = hone__wire_json_packed(json_pack("[i]", 1))};
  struct hone__frame_reader reader = {0};
  struct hone__text bytes = {0};
  (void)state;

  hone__frame_encode(&frame, &bytes);
  hone__packed_drop((struct hone__packed *)(uintptr_t)frame.head);
  hone__frame_feed(&reader, bytes.data, bytes.length);
  expect_state(&reader, HONE__FRAME_GARBLED);
  hone__text_release(&bytes);
  hone__frame_reader_release(&reader);
}

/* 100 frames of a megabyte through a pipe; the buffer does not grow with their number. */
static void test_through_a_pipe(void **state)
{
  enum { SIZE = 1 << 20, COUNT = 100 };
  struct hone__frame_reader reader = {0};
  char *payload = calloc(1, SIZE);
  struct hone__frame frame = make_frame(3, payload, SIZE);
  int ends[2];
  pid_t pid;
  (void)state;

  assert_int_equal(pipe(ends), 0);
  pid = fork();
  if (pid == 0) {
    bool good = true;
    for (int i = 0; i < COUNT; i++)
      good &= hone__frame_write(ends[1], &frame) == NULL;
    _exit(good ? 0 : 1);
  }
  close(ends[1]);
  for (int i = 0; i < COUNT; i++) {
    struct hone__frame got;
    assert_null(hone__frame_read(ends[0], &reader, &got));
    assert_int_equal(got.payload_size, SIZE);
    assert_memory_equal(got.payload, payload, SIZE);
  }
  assert_true(reader.bytes.capacity < 8 * SIZE);
  for (int i = 0; i < 2; i++) {
    struct hone__frame got;
    hone_status status = hone__frame_read(ends[0], &reader, &got);
    assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
    hone_status_free(status);
  }
  waitpid(pid, NULL, 0);
  close(ends[0]);
  hone__packed_drop((struct hone__packed *)(uintptr_t)frame.head);
  free(payload);
  hone__frame_reader_release(&reader);
}

static void test_too_long_to_write(void **state)
{
  char *long_text = malloc(HONE__FRAME_LONGEST_HEAD + 1);
  struct hone__frame frame = {.kind = HONE__FRAME_RESULT};
  hone_status status;
  (void)state;

  memset(long_text, 'x', HONE__FRAME_LONGEST_HEAD);
  long_text[HONE__FRAME_LONGEST_HEAD] = 0;
  frame.head = hone__wire_json_packed(json_pack("{s:s}", "evidence", long_text));
  status = hone__frame_write(-1, &frame);
  assert_int_equal(hone_status_code(status), HONE_EXHAUSTED);
  hone_status_free(status);
  hone__packed_drop((struct hone__packed *)(uintptr_t)frame.head);
  free(long_text);
}

static void test_any_bytes_as_text(void **state)
{
  static const struct {
    const char *bytes;
    size_t size;
    const char *text;
  } cases[] = {
      {"", 0, ""},
      {NULL, 0, ""},
      {"plain\n\ttext", 11, "plain\n\ttext"},
      {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
      {"a\xff\xfe"
       "b",
       4, "a??b"},
      {"a\0b", 3, "a?b"},
      {"\xc3", 1, "?"},
      {"\xe2\x82", 2, "??"},
      {"\xc0\x80", 2, "??"},          /* too long for what it says */
      {"\xed\xa0\x80", 3, "???"},     /* a surrogate */
      {"\xf4\x90\x80\x80", 4, "????"} /* beyond Unicode */
  };
  (void)state;

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    json_t *text = hone__text_to_json(cases[i].bytes, cases[i].size);
    assert_non_null(text);
    assert_string_equal(json_string_value(text), cases[i].text);
    json_decref(text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_there_and_back),    cmocka_unit_test(test_split_at_every_byte),
      cmocka_unit_test(test_byte_by_byte),      cmocka_unit_test(test_damaged_at_every_byte),
      cmocka_unit_test(test_missing_bytes),     cmocka_unit_test(test_noise_before_the_first),
      cmocka_unit_test(test_too_much_noise),    cmocka_unit_test(test_noise_later),
      cmocka_unit_test(test_magic_in_noise),    cmocka_unit_test(test_senseless_prefaces),
      cmocka_unit_test(test_head_is_an_object), cmocka_unit_test(test_through_a_pipe),
      cmocka_unit_test(test_too_long_to_write), cmocka_unit_test(test_any_bytes_as_text),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
