/* Recordings: small ones written down here, and cut-outs of real ones in tests/data/replay. */
#include "replay/recording.h"
#include "base/text.h"
#include "replay/t1_space.h"
#include "space/space.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include <cmocka.h>

#define DATA "tests/data/replay/"

static const char small[] =
    "{\"device_name\": \"GPU\", \"kernel_name\": \"k\", \"problem_size\": \"callable\",\n"
    "\"tune_params_keys\": [\"X\", \"Y\"], \"tune_params\": {\"X\": [4, 2, 1], \"Y\": [8]},\n"
    "\"cache\": {\n"
    "\"1,8\": {\"X\": 1, \"Y\": 8, \"time\": 0.5, \"times\": [0.4, 0.6], \"compile_time\": 100,"
    " \"verification_time\": 20.5, \"benchmark_time\": 3, \"framework_time\": 1.5,"
    " \"strategy_time\": 999},\n"
    "\"2,8\": {\"X\": 2, \"Y\": 8, \"time\": \"RuntimeFailedConfig\", \"compile_time\": null},\n"
    "\"4,8\": {\"X\": 4, \"Y\": 8, \"time\": 3, \"GFLOP/s\": 7}}\n"
    "}\n";

/* ---- Helpers ---- */

static hone_status parse_bytes(const char *bytes, size_t size, struct hone__recording **out)
{
  char *copy = hone__alloc(size + 1);

  memcpy(copy, bytes, size);
  return hone__recording_parse("folder/x.json.gz", copy, size, NULL, out);
}

static struct hone__recording *parse(const char *text)
{
  struct hone__recording *recording;
  hone_status status = parse_bytes(text, strlen(text), &recording);

  if (status) fail_msg("%s", hone_status_message(status));
  return recording;
}

static struct hone__recording *load(const char *path, const char *space_path)
{
  struct hone__recording *recording;
  hone_status status = hone__recording_load(path, space_path, &recording);

  if (status) fail_msg("%s", hone_status_message(status));
  return recording;
}

static void expect_failure(hone_status status, enum hone_code code, const char *part)
{
  assert_non_null(status);
  assert_int_equal(hone_status_code(status), code);
  if (!strstr(hone_status_message(status), part))
    fail_msg("'%s' is not in: %s", part, hone_status_message(status));
  hone_status_free(status);
}

static void expect_invalid(const char *text, const char *part)
{
  struct hone__recording *recording;

  expect_failure(parse_bytes(text, strlen(text), &recording), HONE_INVALID_SPEC, part);
  assert_null(recording);
}

/* "X=1 Y=8" of the i-th. */
static char *row_text(const struct hone__recording *recording, size_t index)
{
  const struct hone_space *space = recording->space;
  uint32_t *row = hone__alloc(hone_space_width(space) * sizeof *row);
  struct hone__text text = {0};

  assert_true(hone_space_at(space, index, row));
  for (size_t i = 0; i < hone_space_param_count(space, 0); i++) {
    hone__text_addf(&text, "%s%s=", i ? " " : "", hone_space_param_name(space, 0, i));
    hone__value_repr(hone_space_value(space, 0, i, row[1 + i]), &text);
  }
  free(row);
  return hone__text_take(&text);
}

/* All configurations, in order. */
static void expect_rows(const struct hone__recording *recording, const char *const *rows)
{
  size_t i = 0;

  for (; rows[i]; i++) {
    char *row = row_text(recording, i);
    assert_string_equal(row, rows[i]);
    free(row);
  }
  assert_int_equal(recording->count, i);
  assert_int_equal(hone_space_count(recording->space), i);
}
#define ROWS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The recorded values of a configuration that has this text. */
static const struct hone__recorded *find(const struct hone__recording *recording,
                                         const char *wanted)
{
  for (size_t i = 0; i < recording->count; i++) {
    char *row = row_text(recording, i);
    bool same = strcmp(row, wanted) == 0;
    free(row);
    if (same) return &recording->at[i];
  }
  fail_msg("no configuration %s", wanted);
  return NULL;
}

static char *pack(const char *text, size_t size, size_t *out_size)
{
  z_stream stream = {0};
  char *packed;

  assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
                   Z_OK);
  *out_size = deflateBound(&stream, size);
  packed = hone__alloc(*out_size);
  stream.next_in = (unsigned char *)(uintptr_t)text;
  stream.avail_in = (uInt)size;
  stream.next_out = (unsigned char *)packed;
  stream.avail_out = (uInt)*out_size;
  assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
  *out_size = stream.total_out;
  deflateEnd(&stream);
  return packed;
}

/* ---- Caches of Kernel Tuner ---- */

static void kernel_tuner(void **state)
{
  struct hone__recording *r = parse(small);

  (void)state;
  assert_string_equal(r->name, "k on GPU");
  assert_int_equal(r->format, HONE_RECORDING_KERNEL_TUNER);
  assert_null(r->remark);
  assert_int_equal(r->working, 2);
  expect_rows(r, ROWS("X=4 Y=8", "X=2 Y=8", "X=1 Y=8")); /* as tune_params has them */
  assert_true(r->at[0].time_ms == 3 && r->at[0].cost_s == 0 && !r->at[0].samples_ms);
  assert_true(isnan(r->at[1].time_ms));
  assert_int_equal(r->at[1].outcome, HONE_OUTCOME_LAUNCH_FAILURE);
  assert_true(r->at[2].time_ms == 0.5 && r->at[2].cost_s == 0.125);
  assert_int_equal(r->at[2].outcome, HONE_OUTCOME_OK);
  assert_int_equal(r->at[2].sample_count, 2);
  assert_true(r->at[2].samples_ms[0] == 0.4 && r->at[2].samples_ms[1] == 0.6);
  hone__recording_free(r);
}

static void expect_outcome(const char *entry, enum hone_outcome outcome)
{
  char text[400];
  struct hone__recording *r;

  snprintf(text, sizeof text, "{\"tune_params_keys\": [\"X\"], \"cache\": {\"1\": {\"X\": 1, %s}}}",
           entry);
  r = parse(text);
  if (r->at[0].outcome != outcome) fail_msg("%s is %s", entry, hone_outcome_name(r->at[0].outcome));
  assert_int_equal(isnan(r->at[0].time_ms) != 0, outcome != HONE_OUTCOME_OK);
  hone__recording_free(r);
}

static void failures(void **state)
{
  (void)state;
  expect_outcome("\"time\": 1", HONE_OUTCOME_OK);
  expect_outcome("\"time\": 9.9e18", HONE_OUTCOME_OK);
  expect_outcome("\"time\": 1e19", HONE_OUTCOME_BAD_RESULT);
  expect_outcome("\"time\": 1.7976931348623157e308", HONE_OUTCOME_BAD_RESULT);
  expect_outcome("\"time\": 0", HONE_OUTCOME_BAD_RESULT);
  expect_outcome("\"time\": -1", HONE_OUTCOME_BAD_RESULT);
  expect_outcome("\"time\": null", HONE_OUTCOME_BAD_RESULT);
  expect_outcome("\"time\": NaN", HONE_OUTCOME_NO_RESULT);
  expect_outcome("\"time\": Infinity", HONE_OUTCOME_NO_RESULT);
  expect_outcome("\"a\": [NaN, -Infinity, \"NaN \\\" Infinity\"], \"time\": 2", HONE_OUTCOME_OK);
  expect_outcome("\"time\": \"CompilationFailedConfig\"", HONE_OUTCOME_COMPILE_ERROR);
  expect_outcome("\"time\": \"RuntimeFailedConfig\"", HONE_OUTCOME_LAUNCH_FAILURE);
  expect_outcome("\"time\": \"InvalidConfig\"", HONE_OUTCOME_INVALID);
  expect_outcome("\"time\": \"ErrorConfig\"", HONE_OUTCOME_NO_RESULT);
  expect_outcome("\"__error__\": \"InvalidConfig\"", HONE_OUTCOME_INVALID);
  expect_outcome("\"time\": 1, \"__error__\": \"CompilationFailedConfig\"",
                 HONE_OUTCOME_COMPILE_ERROR);
  expect_outcome("\"time\": 1, \"__error__\": null", HONE_OUTCOME_OK);
  expect_outcome("\"other\": 1", HONE_OUTCOME_NO_RESULT);
}

static void kinds_of_values(void **state)
{
  struct hone__recording *r = parse(
      "{\"tune_params_keys\": [\"t\", \"f\", \"b\", \"n\"], \"tune_params\": {"
      "\"t\": [\"2*8\", \"\", \"a\\\"b\\\\c\\n\", \"\\u00e9\\u2028\\ud83d\\ude00\", \"yes\","
      " \"range(3)\", [1, 2]], \"f\": [0.1, 1e-07], \"b\": [true, false], \"n\": [null]},"
      "\"cache\": {"
      "\"0\": {\"t\": \"2*8\", \"f\": 0.1, \"b\": true, \"n\": null, \"time\": 1},"
      "\"1\": {\"t\": \"\", \"f\": 0.1, \"b\": true, \"n\": null, \"time\": 2},"
      "\"2\": {\"t\": \"a\\\"b\\\\c\\n\", \"f\": 0.1, \"b\": 1, \"n\": null, \"time\": 3},"
      "\"3\": {\"t\": \"\\u00e9\\u2028\\ud83d\\ude00\", \"f\": 1e-7, \"b\": false, \"n\": null,"
      " \"time\": 4},"
      "\"4\": {\"t\": \"range(3)\", \"f\": 1e-7, \"b\": false, \"n\": null, \"time\": 5},"
      "\"5\": {\"t\": [1, 2], \"f\": 1e-7, \"b\": false, \"n\": null, \"time\": 6}}}");

  (void)state;
  assert_int_equal(r->count, 6);
  for (size_t i = 0; i < 6; i++)
    assert_true(r->at[i].time_ms == (double)(i + 1));
  assert_int_equal(hone_space_value_count(r->space, 0, 0), 7);
  assert_string_equal(hone_space_value(r->space, 0, 0, 2).text, "a\"b\\c\n");
  assert_string_equal(hone_space_value(r->space, 0, 0, 3).text,
                      "\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80");
  assert_string_equal(hone_space_value(r->space, 0, 0, 6).text, "[1,2]");
  assert_int_equal(hone_space_value(r->space, 0, 2, 0).type, HONE_BOOL);
  assert_true(hone_space_value(r->space, 0, 1, 1).real == 1e-7);
  assert_string_equal(r->name, "x");
  hone__recording_free(r);
}

static void order_of_values(void **state)
{
  struct hone__recording *r = parse("{\"cache\": {\"8,b,0.5\": {\"time\": 1},"
                                    "\"16,a,2\": {\"time\": 2}, \"2,b,1\": {\"time\": 3}},"
                                    "\"tune_params_keys\": [\"n\", \"w\", \"r\"]}");

  (void)state; /* numbers by size, texts as they came, and all of it from the keys */
  expect_rows(r, ROWS("n=2 w='b' r=1", "n=8 w='b' r=0.5", "n=16 w='a' r=2"));
  assert_true(hone_space_value(r->space, 0, 2, 0).real == 0.5);
  hone__recording_free(r);
  r = parse("{\"tune_params\": {\"b\": [1], \"a\": [3, 2]},"
            "\"cache\": {\"1,3\": {\"time\": 1}, \"1,4\": {\"time\": 2}}}");
  expect_rows(r, ROWS("b=1 a=3", "b=1 a=4")); /* a value that is not in the list comes last */
  hone__recording_free(r);
}

static void values_in_keys(void **state)
{
  struct hone__recording *r =
      parse("{\"tune_params\": {\"a\": [\"\\u00fc\", \"1\", \"a\\\"b\"], \"b\": [\"x\", 2]},"
            "\"cache\": {\"1,x\": {\"time\": 1}, \"\\u00fc,2\": {\"time\": 2},"
            "\"a\\\"b,2\": {\"time\": 3}}}");

  (void)state; /* escapes are read, and a text of the list stays one, whatever it looks like */
  expect_rows(r, ROWS("a='\xc3\xbc' b=2", "a='1' b='x'", "a='a\"b' b=2"));
  assert_int_equal(hone_space_value_count(r->space, 0, 0), 3);
  hone__recording_free(r);
}

/* A spec has no `$` in the names of its parameters. */
static void names_with_a_dollar(void **state)
{
  struct hone__recording *recording = parse(
      "{\"tune_params_keys\": [\"$X\", \"Y\"], \"tune_params\": {\"$X\": [1, 2], \"Y\": [1, 2]}, "
      "\"cache\": {\"1,1\": {\"$X\": 1, \"Y\": 1, \"time\": 0.5}, "
      "\"2,1\": {\"$X\": 2, \"Y\": 1, \"time\": 0.25}, \"2,2\": {\"$X\": 2, \"Y\": 2, \"time\": "
      "4}}}");

  (void)state;
  assert_int_equal(recording->count, 3);
  assert_int_equal(hone_space_count(recording->space), 3);
  assert_int_equal(recording->working, 3);
  hone__recording_free(recording);
}

static void costs_beyond_numbers(void **state)
{
  struct hone__recording *r =
      parse("{\"tune_params_keys\": [\"X\"], \"cache\": {\"1\": {\"time\": 5,"
            "\"compile_time\": 1.7e308, \"benchmark_time\": 1.7e308}}}");

  (void)state;
  assert_true(r->at[0].cost_s == 0);
  hone__recording_free(r);
}

static void byte_order_mark(void **state)
{
  struct hone__text text = {0};
  struct hone__recording *r;

  (void)state;
  hone__text_addf(&text, "\xef\xbb\xbf%s", small);
  r = parse(text.data);
  assert_int_equal(r->count, 3);
  hone__recording_free(r);
  hone__text_release(&text);
}

static void repeated(void **state)
{
  struct hone__recording *r =
      parse("{\"tune_params_keys\": [\"X\"], \"cache\": {\"2\": {\"time\": 5},"
            "\"1\": {\"time\": 1}, \"2.0\": {\"time\": 7}}}");

  (void)state;
  expect_rows(r, ROWS("X=1", "X=2"));
  assert_true(r->at[1].time_ms == 5);
  assert_string_equal(r->remark, "1 duplicate configuration is ignored: the first of each counts");
  hone__recording_free(r);
}

/* ---- Ends that are missing ---- */

static void no_closing_brackets(void **state)
{
  static const char *const ends[] = {"", "}", ",", ",\n", "\n", "},", "} ", "}}\n\n"};
  size_t size = (size_t)(strstr(small, "}}\n") - small) + 1;

  (void)state;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct hone__text text = {0};
    struct hone__recording *r;
    hone__text_addn(&text, small, size);
    hone__text_add(&text, ends[i]);
    r = parse(text.data);
    assert_int_equal(r->count, 3);
    assert_null(r->remark);
    hone__recording_free(r);
    hone__text_addn(&text, "\0\0\0\0", 4); /* as a file system may leave it */
    assert_null(parse_bytes(text.data, text.length, &r));
    assert_int_equal(r->count, 3);
    hone__recording_free(r);
    hone__text_release(&text);
  }
}

/* Cut at every byte: what is whole is there, and whoever lost something is told. */
static void cut_anywhere(void **state)
{
  size_t whole = 0, length = strlen(small);

  (void)state;
  for (size_t size = 0; size < length; size++) {
    struct hone__recording *r;
    hone_status status = parse_bytes(small, size, &r);
    if (status) {
      assert_int_equal(whole, 0);
      expect_failure(status, HONE_INVALID_SPEC, "x.json.gz");
      continue;
    }
    assert_true(r->count == whole || r->count == whole + 1);
    whole = r->count;
    assert_int_equal(r->at[whole - 1].outcome != HONE_OUTCOME_OK, false);
    hone__recording_free(r);
  }
  assert_int_equal(whole, 3);
}

static void cut_within(void **state)
{
  static const char odd[] =
      "{\"tune_params_keys\": [\"X\"], \"cache\": {\"1\": {\"time\": 1},\n"
      "\"2\": {\"log\": \"\\u00e9\\n\xc3\xa9\xf0\x9f\x98\x80\\ud83d\\ude00\", \"a\": [true, null,"
      " false, -1.5e-3, NaN, -Infinity, {\"b\": [{}]}], \"time\": 2}}}";
  struct hone__recording *r;
  const char *third = strstr(small, "\"4,8\"");

  (void)state;
  for (size_t more = 1; more < 30; more++) {
    assert_null(parse_bytes(small, (size_t)(third - small) + more, &r));
    assert_int_equal(r->count, 2);
    assert_string_equal(
        r->remark,
        "the file is truncated after 2 complete configurations; the incomplete one is ignored");
    hone__recording_free(r);
  }
  for (size_t size = strstr(odd, "\"2\"") - odd + 1; size < strlen(odd) - 2; size++) {
    assert_null(parse_bytes(odd, size, &r));
    assert_int_equal(r->count, 1);
    hone__recording_free(r);
  }
  expect_invalid("{\"tune_params_keys\": [\"X\"], \"cache\": {\"1\": {\"X",
                 "no complete configuration");
  expect_invalid("{\"tune_params_keys\": [\"X\"], \"cache\"", "truncated before its first");
}

static void spare_commas(void **state)
{
  struct hone__recording *r =
      parse("{\"tune_params_keys\": [\"X\"], \"cache\": {,\n\"1\": {\"time\": 5},,\n"
            "\"2\": {\"time\": 1},}}");

  (void)state;
  assert_int_equal(r->count, 2);
  hone__recording_free(r);
}

/* ---- gzip ---- */

static void gzip(void **state)
{
  size_t size, half = strlen(small) / 2, first_size, second_size;
  char *packed = pack(small, strlen(small), &size), *first, *second, *both;
  struct hone__recording *r;

  (void)state;
  assert_null(parse_bytes(packed, size, &r));
  assert_int_equal(r->count, 3);
  assert_null(r->remark);
  hone__recording_free(r);
  first = pack(small, half, &first_size);
  second = pack(small + half, strlen(small) - half, &second_size);
  both = hone__alloc(first_size + second_size + 8);
  memcpy(both, first, first_size);
  memcpy(both + first_size, second, second_size);
  assert_null(parse_bytes(both, first_size + second_size + 8, &r)); /* zeros behind it */
  assert_int_equal(r->count, 3);
  hone__recording_free(r);
  free(both);
  free(second);
  free(first);
  free(packed);
}

static void cut_gzip(void **state)
{
  size_t size, most = 0;
  char *packed = pack(small, strlen(small), &size);
  struct hone__recording *r;

  (void)state;
  for (size_t cut = 0; cut < size; cut++) {
    hone_status status = parse_bytes(packed, cut, &r);
    if (status) {
      assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
      hone_status_free(status);
      continue;
    }
    assert_true(r->count >= most);
    most = r->count;
    assert_non_null(strstr(r->remark, "the gzip is truncated after"));
    hone__recording_free(r);
  }
  assert_int_equal(most, 3);
  memset(packed + size / 2, 0x55, 8);
  expect_failure(parse_bytes(packed, size, &r), HONE_IO, "damaged");
  free(packed);
}

/* ---- What is no recording ---- */

static void garbage(void **state)
{
  static const char head[] = "{\"tune_params_keys\": [\"X\"],\n\"cache\": {\n";
  struct hone__text text = {0};

  (void)state;
  expect_invalid("", "1:1: not a recording");
  expect_invalid("[1]", "1:1: not a recording");
  expect_invalid("{}", "no known recording format");
  expect_invalid("{\"ConfigurationSpace\": {}}", "is a T1 file");
  expect_invalid("{\"cache\": 3}", "1:11: 'cache' must begin with '{'");
  expect_invalid("{\"cache\": {}} x", "no parameters");
  expect_invalid("{\"tune_params_keys\": [\"X\"], \"cache\": {}}", "no configuration");
  expect_invalid("{\"tune_params_keys\": [\"X\"], \"cache\": {\"1\": {\"time\": 2}}} x",
                 "1:57: unexpected text after");
  expect_invalid("{\"tune_params_keys\": [\"X\", \"X\"], \"cache\": {}}", "duplicate parameter");
  expect_invalid("{\"tune_params_keys\": [\"X\", \"$X\"], \"cache\": {}}",
                 "duplicate parameter '$X'");
  expect_invalid("{\"tune_params_keys\": [5], \"cache\": {}}", "not a name");
  expect_invalid("{\"tune_params_keys\": [\"metadata\"], \"cache\": {\"1\": {\"time\": 1}}}",
                 "metadata");
  expect_invalid("{\"tune_params_keys\": [\"X\"], \"cache\": {\"1,2\": {\"time\": 1}}}",
                 "1:46: this configuration has no 'X'");
  expect_invalid("{\"tune_params_keys\": [\"X\"], \"cache\": {\"1\": 7}}", "not an object");
  expect_invalid(
      "{\"tune_params_keys\": [\"X\"], \"cache\": {\"1\": {\"X\": 18446744073709551616}}}",
      "1:50: this number is too large");
  expect_invalid("{\"tune_params_keys\": [\"X\"], \"cache\": {\"1\": {\"X\": \"\\u0000\"}}}",
                 "a text with a NUL character is not supported");
  hone__text_add(&text, head);
  hone__text_add(&text, "\"1\": {\"time\": 1},\n\"2\": {\"time\": 1 bad},\n\"3\": {\"time\": 1}}}");
  expect_invalid(text.data, "x.json.gz:4:17: invalid JSON");
  text.length = strlen(head);
  hone__text_add(&text, "\"1\": {\"time\": 1}\n\"2\": {\"time\": 1}}}");
  expect_invalid(text.data, "x.json.gz:4:1: invalid JSON");
  text.length = strlen(head);
  hone__text_add(&text, "\"1\": {\"time\": 1},\n\"2\": {\"ti\"me\": 1},\n\"3\": {\"time\": 1}}}");
  expect_invalid(text.data, "x.json.gz:4:");
  hone__text_release(&text);
}

static void too_large(void **state)
{
  size_t size = (size_t)80 << 20, packed_size;
  char *text = malloc(size), *packed;
  struct hone__recording *r;

  (void)state;
  assert_non_null(text);
  memset(text, ' ', size);
  memcpy(text, "{\"cache\": {\"1\": [", 17);
  memcpy(text + size - 4, "]}}", 4);
  text[size - 1] = '\n';
  packed = pack(text, size, &packed_size);
  expect_failure(parse_bytes(packed, packed_size, &r), HONE_INVALID_SPEC, "no parameters");
  memcpy(text, "{\"tune_params_keys\":[\"X\"],\"cache\":{\"1\":[", 41);
  free(packed);
  packed = pack(text, size, &packed_size);
  expect_failure(parse_bytes(packed, packed_size, &r), HONE_EXHAUSTED, "larger than 64 MiB");
  free(packed);
  free(text);
}

/* ---- The same in other formats ---- */

static void kernel_tuner_and_t4(void **state)
{
  struct hone__recording *cache = load(DATA "convolution_a4000.json", NULL);
  struct hone__recording *t4 = load(DATA "convolution_a4000_t4.json.gz", NULL);

  (void)state;
  assert_string_equal(cache->name, "convolution_kernel on NVIDIA RTX A4000");
  assert_int_equal(t4->format, HONE_RECORDING_T4);
  assert_string_equal(t4->name, "convolution_a4000_t4");
  assert_int_equal(cache->count, 28);
  assert_int_equal(t4->count, 28);
  assert_int_equal(cache->working, 21);
  for (size_t i = 0; i < 28; i++) {
    char *row = row_text(cache, i);
    const struct hone__recorded *same = find(t4, row), *at = &cache->at[i];
    assert_int_equal(at->outcome, same->outcome);
    assert_true(at->time_ms == same->time_ms || at->outcome != HONE_OUTCOME_OK);
    assert_true(same->cost_s <= at->cost_s && same->cost_s > 0.997 * at->cost_s);
    if (at->sample_count) assert_true(at->samples_ms[3] == same->samples_ms[3]);
    free(row);
  }
  hone__recording_free(t4);
  hone__recording_free(cache);
}

static void ktt_and_t4(void **state)
{
  struct hone__recording *ktt = load(DATA "coulomb3d_ktt.json.gz", DATA "coulomb3d_t1.json");
  struct hone__recording *t4 = load(DATA "coulomb3d_t4.json", DATA "coulomb3d_t1.json");

  (void)state;
  assert_int_equal(ktt->format, HONE_RECORDING_KTT);
  assert_string_equal(ktt->name, "directCoulombSum_kernel on NVIDIA GeForce RTX 2080 Ti");
  assert_int_equal(ktt->count, 14);
  assert_int_equal(t4->count, 14);
  assert_string_equal(hone_space_param_name(ktt->space, 0, 2), "WORK_GROUP_SIZE_Z"); /* T1's */
  assert_int_equal(hone_space_value_count(ktt->space, 0, 4), 7);
  for (size_t i = 0; i < 14; i++) {
    char *row = row_text(ktt, i), *other = row_text(t4, i);
    assert_string_equal(row, other);
    assert_true(ktt->at[i].time_ms == t4->at[i].time_ms);
    assert_true(fabs(ktt->at[i].cost_s / t4->at[i].cost_s - 1) < 1e-12);
    free(other);
    free(row);
  }
  assert_true(find(t4, "WORK_GROUP_SIZE_X=16 WORK_GROUP_SIZE_Y=4 WORK_GROUP_SIZE_Z=1 "
                       "Z_ITERATIONS=1 INNER_UNROLL_FACTOR=0 USE_CONSTANT_MEMORY=0 USE_SOA=0 "
                       "VECTOR_SIZE=1")
                  ->time_ms == 3037.408 * 1e-3);
  hone__recording_free(t4);
  hone__recording_free(ktt);
}

static void expect_t4(const char *head, const char *result, double time_ms, double cost_s,
                      enum hone_outcome outcome)
{
  struct hone__text text = {0};
  struct hone__recording *r;

  hone__text_addf(&text, "{%s \"results\": [{\"configuration\": {\"X\": 1}, %s}]}", head, result);
  r = parse(text.data);
  assert_int_equal(r->at[0].outcome, outcome);
  assert_true(isnan(time_ms) ? isnan(r->at[0].time_ms) : r->at[0].time_ms == time_ms);
  assert_true(fabs(r->at[0].cost_s - cost_s) < 1e-12);
  hone__recording_free(r);
  hone__text_release(&text);
}

static void units_of_t4(void **state)
{
  static const char times[] = "\"invalidity\": \"correct\", \"times\": {\"compilation\": 3000,"
                              "\"framework\": 500, \"validation\": 400, \"search_algorithm\": 77,"
                              "\"runtimes\": [40, 60]}";
  static const char objective[] =
      "\"times\": {\"compilation_time\": 3000, \"runtimes\": [40, 60]}, \"objectives\": [\"T\"],"
      "\"measurements\": [{\"name\": \"S\", \"value\": 1, \"unit\": \"seconds\"},"
      "{\"name\": \"T\", \"value\": 55, \"unit\": \"Microseconds\"}]";
  static const char speed[] =
      "\"times\": {\"runtimes\": [40, 60]}, \"objectives\": [\"GFLOP/s\"],"
      "\"measurements\": [{\"name\": \"GFLOP/s\", \"value\": 5, \"unit\": \"\"}]";
  static const char speed_and_time[] =
      "\"times\": {\"compilation\": 3}, \"objectives\": [\"GFLOP/s\"],"
      "\"measurements\": [{\"name\": \"GFLOP/s\", \"value\": 5, \"unit\": \"\"},"
      "{\"name\": \"time\", \"value\": 7, \"unit\": \"s\"}]";

  (void)state;
  expect_t4("", times, 50, 4, HONE_OUTCOME_OK);
  expect_t4("\"metadata\": {\"timeunit\": \"miliseconds\"},", times, 50, 4, HONE_OUTCOME_OK);
  expect_t4("\"metadata\": {\"timeunit\": \"microseconds\"},", times, 0.05, 0.004, HONE_OUTCOME_OK);
  expect_t4("\"metadata\": {\"timeunit\": \"seconds\"},", times, 50000, 4000, HONE_OUTCOME_OK);
  expect_t4("", objective, 0.055, 0.0031, HONE_OUTCOME_OK);
  expect_t4("\"metadata\": {\"timeunit\": \"\xc2\xb5s\"},", times, 0.05, 0.004, HONE_OUTCOME_OK);
  expect_t4("\"metadata\": {\"timeunit\": \"\xce\xbcs\"},", times, 0.05, 0.004, HONE_OUTCOME_OK);
  expect_t4("\"metadata\": {\"timeunit\": \"\"},", times, 50, 4, HONE_OUTCOME_OK);
  expect_t4("", speed, 50, 0.1, HONE_OUTCOME_OK);
  expect_t4("", speed_and_time, 7000, 0.003, HONE_OUTCOME_OK);
  expect_t4("", "\"invalidity\": \"timeout\", \"times\": {\"compilation\": 5}", NAN, 0.005,
            HONE_OUTCOME_HANG);
  expect_t4("", "\"invalidity\": \"correctness\"", NAN, 0, HONE_OUTCOME_WRONG_RESULT);
  expect_t4("", "\"invalidity\": \"correct\"", NAN, 0, HONE_OUTCOME_BAD_RESULT);
  expect_invalid("{\"metadata\": {\"timeunit\": \"fortnights\"}, \"results\": []}",
                 "'fortnights', which is not a unit of time: write seconds, milliseconds, ");
  expect_invalid(
      "{\"results\": [{\"configuration\": {\"X\": 1}}, {\"configuration\": {\"Y\": 1}}]}",
      "1:43: this configuration has no 'X'");
  expect_invalid("{\"results\": [{\"configuration\": {\"X\": 1}},\n"
                 "{\"configuration\": {\"X\": 1, \"Y\": 1}}]}",
                 "2:1: the configurations before this one have no 'Y'");
  expect_invalid("{\"results\": [{\"times\": {}}]}", "has no configuration");
}

/* ---- T1 ---- */

static hone_status parse_with(const char *text, const char *t1, struct hone__recording **out)
{
  char *copy = hone__strdup(text);

  return hone__recording_parse("x.json", copy, strlen(copy), t1, out);
}

static void other_than_t1(void **state)
{
  static const char rest[] = ", \"WORK_GROUP_SIZE_Y\": %d, \"Z_ITERATIONS\": %d,"
                             "\"INNER_UNROLL_FACTOR\": 2, \"USE_SOA\": 1%s}}]}";
  static const struct {
    int y, z;
    const char *more, *message; /* NULL: it is fine */
  } cases[] = {
      {4, 8, "", NULL}, /* parameters with one value may be left out */
      {4, 8, ", \"VECTOR_SIZE\": 1", NULL},
      {3, 8, "", "does not have the value 3 of 'WORK_GROUP_SIZE_Y'"},
      {4, 8, ", \"other\": 1", "does not have the parameter 'other'"},
      {4, 2, "", "'INNER_UNROLL_FACTOR < Z_ITERATIONS' fails (INNER_UNROLL_FACTOR=2, "},
      {2, 8, "", "'WORK_GROUP_SIZE_X * WORK_GROUP_SIZE_Y >= 64' fails"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__text text = {0};
    struct hone__recording *r;
    hone_status status;
    hone__text_add(&text, "{\"results\": [{\"configuration\": {\"WORK_GROUP_SIZE_X\": 16");
    hone__text_addf(&text, rest, cases[i].y, cases[i].z, cases[i].more);
    status = parse_with(text.data, DATA "coulomb3d_t1.json", &r);
    if (cases[i].message)
      expect_failure(status, HONE_INVALID_SPEC, cases[i].message);
    else
      assert_null(status);
    hone__recording_free(r);
    hone__text_release(&text);
  }
}

/* What a tuner found illegal may stand in its results: T1 agrees, and it is left out. */
static void left_out_by_t1(void **state)
{
  static const char row[] = "{\"configuration\": {\"WORK_GROUP_SIZE_X\": 16, "
                            "\"WORK_GROUP_SIZE_Y\": 4, \"Z_ITERATIONS\": %d,"
                            "\"INNER_UNROLL_FACTOR\": 2, \"USE_SOA\": 1}, \"invalidity\": \"%s\"}";
  struct hone__text text = {0};
  struct hone__recording *r;

  (void)state;
  hone__text_add(&text, "{\"results\": [");
  hone__text_addf(&text, row, 1, "constraints");
  hone__text_add(&text, ", ");
  hone__text_addf(&text, row, 8, "constraints");
  hone__text_add(&text, "]}");
  assert_null(parse_with(text.data, DATA "coulomb3d_t1.json", &r));
  assert_int_equal(r->count, 1);
  assert_string_equal(r->remark, "1 configuration that was recorded as invalid is ignored: '" DATA
                                 "coulomb3d_t1.json' does not have it");
  hone__recording_free(r);
  hone__text_release(&text);
}

static void expect_t1(const char *path, const char *count)
{
  const char *const files[] = {"t1.yaml"};
  struct hone_spec_options spec_options;
  struct hone_space_options options;
  struct hone_spec *spec;
  struct hone_space *space;
  char *yaml;

  assert_null(hone__t1_space_text(path, &yaml));
  hone_spec_options_init(&spec_options);
  spec_options.files = files;
  spec_options.file_count = 1;
  assert_null(hone__spec_load(&spec_options, (const char *const *)&yaml, &spec));
  hone_space_options_init(&options);
  assert_null(hone_space_build(spec, &options, &space));
  assert_string_equal(hone_space_count_text(space), count);
  hone_space_free(space);
  hone_spec_free(spec);
  free(yaml);
}

static void t1_spaces(void **state)
{
  (void)state;
  expect_t1(DATA "coulomb3d_t1.json", "210");
  expect_t1(DATA "gemm_t1.json", "5788");
}

/* The YAML of one parameter whose values are written so. */
static hone_status t1_values(const char *values, char **out_yaml)
{
  char text[300];

  snprintf(text, sizeof text,
           "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"P\", \"Values\": %s}],"
           "\"Conditions\": [{\"Expression\": \"P != 'a\\\"'\"}, {\"Expression\": \"\"}]}}",
           values);
  return hone__t1_space_parse("t1.json", text, strlen(text), out_yaml);
}

static void expect_values(const char *values, const char *expected)
{
  struct hone__text text = {0};
  char *yaml;
  hone_status status = t1_values(values, &yaml);

  if (status) fail_msg("%s", hone_status_message(status));
  hone__text_addf(&text, "params:\n  \"P\": %s\nconstraints:\n  - \"P != 'a\\\"'\"\n", expected);
  assert_string_equal(yaml, text.data);
  hone__text_release(&text);
  free(yaml);
}

static void t1_values_in_python(void **state)
{
  char *yaml;

  (void)state;
  expect_values("\"[1, 2, 4]\"", "[1, 2, 4]");
  expect_values("\"[2**i for i in range(6)]\"", "[1, 2, 4, 8, 16, 32]");
  expect_values("\"[1,2]+list(range(32,129,32))\"", "[1, 2, 32, 64, 96, 128]");
  expect_values("\"[1, 2] + [i * 2 for i in [2, 3] if i > 2]\"", "[1, 2, 6]");
  expect_values("\"list(range(3))\"", "\"list(range(3))\"");
  expect_values("\"range(1, 4000000000)\"", "\"range(1, 4000000000)\"");
  expect_values("\"['a', \\\"b\\\"]\"", "[[\"a\"], [\"b\"]]");
  expect_values("\"[True, False]\"", "[True, False]");
  expect_values("\"[true, false]\"", "[True, False]");
  expect_values("\"[0.5, 1e-3]\"", "[0.5, 0.001]");
  expect_values("\"5\"", "[5]");
  expect_values("[1, \"x\", 2.5]", "[1, [\"x\"], 2.5]");
  expect_failure(t1_values("\"[1, \"", &yaml), HONE_INVALID_SPEC, "the values of 'P', '[1, '");
  expect_failure(t1_values("\"[a]\"", &yaml), HONE_INVALID_SPEC, "'a'");
  expect_failure(t1_values("\"[1 // 0]\"", &yaml), HONE_INVALID_SPEC, "division");
  expect_failure(t1_values("\"[]\"", &yaml), HONE_INVALID_SPEC, "empty");
  expect_failure(t1_values("7", &yaml), HONE_INVALID_SPEC, "no 'Values'");
  expect_failure(t1_values("\"[1]\"}, {\"Name\": \"P\", \"Values\": \"[1]\"", &yaml),
                 HONE_INVALID_SPEC, "duplicate parameter");
  expect_failure(t1_values("oops", &yaml), HONE_INVALID_SPEC, "t1.json:1:");
  expect_failure(hone__t1_space_text(DATA "coulomb3d_t4.json", &yaml), HONE_NOT_FOUND,
                 "not a T1 file");
}

static void t1_conditions(void **state)
{
  static const char head[] = "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"P\","
                             "\"Values\": [1]}], \"Conditions\": [";
  struct hone__text text = {0};
  char *yaml;

  (void)state; /* as texts alone, too */
  hone__text_addf(&text, "%s\"P > 0\", {\"Expression\": \"P < 2\"}]}}", head);
  assert_null(hone__t1_space_parse("t1.json", text.data, text.length, &yaml));
  assert_non_null(strstr(yaml, "constraints:\n  - \"P > 0\"\n  - \"P < 2\"\n"));
  free(yaml);
  text.length = 0;
  hone__text_addf(&text, "%s{\"expression\": \"P < 2\"}]}}", head);
  expect_failure(hone__t1_space_parse("t1.json", text.data, text.length, &yaml), HONE_INVALID_SPEC,
                 "condition 1 has no 'Expression'");
  hone__text_release(&text);
}

/* What is wrong as a spec is told of the file that has it. */
static void mistakes_of_specs(void **state)
{
  (void)state;
  expect_invalid("{\"tune_params_keys\": [\"\"], \"cache\": {\"1\": {\"time\": 1}}}",
                 "folder/x.json.gz (as a spec):3:3: error: a parameter has no name");
}

/* ---- The space ---- */

struct visits {
  const struct hone_space *space;
  uint32_t *rows;
  size_t count;
};

static bool note(void *data, const uint32_t *row)
{
  struct visits *visits = data;
  size_t width = hone_space_width(visits->space);

  memcpy(visits->rows + visits->count++ * width, row, width * sizeof *row);
  return true;
}

static size_t differences(const uint32_t *a, const uint32_t *b, size_t width, uint32_t *out_step)
{
  size_t count = 0;

  for (size_t i = 0; i < width; i++) {
    if (a[i] == b[i]) continue;
    count++;
    *out_step = a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
  }
  return count;
}

/* Neighbours are exactly the recorded rows that differ in one parameter. */
static void check_neighbours(const struct hone__recording *r, const uint32_t *all, size_t from)
{
  size_t width = hone_space_width(r->space);
  struct visits visits = {.space = r->space, .rows = hone__alloc(4 * r->count * (width + 1))};

  for (int adjacent = 0; adjacent < 2; adjacent++) {
    size_t expected = 0;
    visits.count = 0;
    hone_space_neighbours(r->space, all + from * width, adjacent, note, &visits);
    for (size_t i = 0; i < r->count; i++) {
      uint32_t step = 0;
      if (differences(all + from * width, all + i * width, width, &step) != 1) continue;
      if (adjacent && step != 1) continue;
      expected++;
    }
    assert_int_equal(visits.count, expected);
    for (size_t i = 0; i < visits.count; i++)
      assert_true(hone_space_contains(r->space, visits.rows + i * width));
  }
  free(visits.rows);
}

static void check_walks(const struct hone__recording *r, const uint32_t *all)
{
  size_t width = hone_space_width(r->space);
  uint32_t *row = hone__alloc(width * sizeof *row);
  uint64_t index;

  for (size_t i = 0; i < r->count; i++) {
    assert_true(hone_space_at(r->space, i, row));
    assert_memory_equal(row, all + i * width, width * sizeof *row);
    assert_true(hone_space_index_of(r->space, row, &index));
    assert_int_equal(index, i);
    assert_true(hone_space_contains(r->space, row));
    check_neighbours(r, all, i);
  }
  assert_false(hone_space_at(r->space, r->count, row));
  free(row);
}

static void check_sample(const struct hone__recording *r)
{
  size_t width = hone_space_width(r->space), count, ask = r->count + 5;
  uint32_t *rows = hone__alloc(ask * width * sizeof *rows);
  bool *seen = hone__alloc(r->count);
  uint64_t index;

  assert_null(hone_space_sample(r->space, ask, 7, rows, &count));
  assert_int_equal(count, r->count);
  for (size_t i = 0; i < count; i++) {
    assert_true(hone_space_index_of(r->space, rows + i * width, &index));
    assert_false(seen[index]);
    seen[index] = true;
  }
  free(seen);
  free(rows);
}

/* How many of all combinations of values the space says that it has. */
static size_t count_contained(const struct hone__recording *r)
{
  size_t width = hone_space_width(r->space), found = 0, i;
  uint32_t *row = hone__alloc(width * sizeof *row);

  do {
    found += hone_space_contains(r->space, row);
    for (i = width - 1; i > 0; i--) {
      if (++row[i] < hone_space_value_count(r->space, 0, i - 1)) break;
      row[i] = 0;
    }
  } while (i > 0);
  free(row);
  return found;
}

static void check_space(struct hone__recording *r)
{
  size_t width = hone_space_width(r->space);
  struct visits visits = {.space = r->space, .rows = hone__alloc(4 * (r->count + 1) * width)};

  assert_int_equal(hone_space_count(r->space), r->count);
  assert_true(hone_space_is_mesh_order(r->space));
  hone_space_each(r->space, 0, note, &visits);
  assert_int_equal(visits.count, r->count);
  check_walks(r, visits.rows);
  check_sample(r);
  assert_int_equal(count_contained(r), r->count);
  free(visits.rows);
  hone__recording_free(r);
}

static void spaces(void **state)
{
  (void)state;
  check_space(load(DATA "convolution_a4000.json", NULL));
  check_space(load(DATA "coulomb3d_t4.json", NULL));
  check_space(load(DATA "coulomb3d_t4.json", DATA "coulomb3d_t1.json"));
  check_space(parse(small));
  check_space(parse("{\"tune_params_keys\": [\"X\", \"Y\"], \"cache\": {\"1,2\": {\"time\": 1}}}"));
}

static void missing_files(void **state)
{
  struct hone__recording *r;

  (void)state;
  expect_failure(hone__recording_load(DATA "nothing.json", NULL, &r), HONE_IO, "nothing.json");
  assert_null(r);
  expect_failure(hone__recording_load("tests", NULL, &r), HONE_IO, "directory");
  expect_failure(hone__recording_load(DATA "coulomb3d_t4.json", DATA "nothing.json", &r), HONE_IO,
                 "nothing.json");
  expect_failure(hone__recording_load(DATA "gemm_t1.json", NULL, &r), HONE_INVALID_SPEC, "T1");
  hone__recording_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernel_tuner),
      cmocka_unit_test(failures),
      cmocka_unit_test(kinds_of_values),
      cmocka_unit_test(order_of_values),
      cmocka_unit_test(values_in_keys),
      cmocka_unit_test(names_with_a_dollar),
      cmocka_unit_test(costs_beyond_numbers),
      cmocka_unit_test(byte_order_mark),
      cmocka_unit_test(repeated),
      cmocka_unit_test(no_closing_brackets),
      cmocka_unit_test(cut_anywhere),
      cmocka_unit_test(cut_within),
      cmocka_unit_test(spare_commas),
      cmocka_unit_test(gzip),
      cmocka_unit_test(cut_gzip),
      cmocka_unit_test(garbage),
      cmocka_unit_test(too_large),
      cmocka_unit_test(kernel_tuner_and_t4),
      cmocka_unit_test(ktt_and_t4),
      cmocka_unit_test(units_of_t4),
      cmocka_unit_test(other_than_t1),
      cmocka_unit_test(left_out_by_t1),
      cmocka_unit_test(t1_spaces),
      cmocka_unit_test(t1_values_in_python),
      cmocka_unit_test(t1_conditions),
      cmocka_unit_test(mistakes_of_specs),
      cmocka_unit_test(spaces),
      cmocka_unit_test(missing_files),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
