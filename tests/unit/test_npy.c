#include "base/npy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* A file of this version with this dictionary and so many bytes of elements. */
static char *make(int version, const char *dictionary, size_t elements, size_t *out_size)
{
  size_t prefix = version == 1 ? 10 : 12, length = strlen(dictionary);
  char *bytes = hone__alloc(prefix + length + elements + 1);

  memcpy(bytes, "\x93NUMPY", 6);
  bytes[6] = (char)version;
  bytes[8] = (char)(length & 0xff);
  bytes[9] = (char)(length >> 8);
  memcpy(bytes + prefix, dictionary, length);
  *out_size = prefix + length + elements;
  return bytes;
}

/* The file at the very end of an allocation, where a sanitizer sees every byte too far. */
static hone_status parse(const char *bytes, size_t size, struct hone__npy *out)
{
  char *exact = malloc(size ? size : 1);
  hone_status status;

  memcpy(exact, bytes, size);
  status = hone__npy_parse(exact, size, out);
  free(exact);
  return status;
}

static void assert_parses(int version, const char *dictionary, size_t elements,
                          struct hone__npy *out)
{
  size_t size;
  char *bytes = make(version, dictionary, elements, &size);
  hone_status status = parse(bytes, size, out);

  if (status) fail_msg("%s: %s", dictionary, hone_status_message(status));
  assert_int_equal(out->offset, size - elements);
  free(bytes);
}

static void assert_fails(const char *dictionary, size_t elements, const char *expected)
{
  struct hone__npy npy;
  size_t size;
  char *bytes = make(1, dictionary, elements, &size);
  hone_status status = parse(bytes, size, &npy);

  if (!status) fail_msg("%s: parsed", dictionary);
  if (!strstr(hone_status_message(status), expected))
    fail_msg("%s: %s", dictionary, hone_status_message(status));
  hone_status_free(status);
  free(bytes);
}

static void good_files(void **state)
{
  struct hone__npy npy;

  (void)state;
  assert_parses(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n", 48, &npy);
  assert_int_equal(npy.element, HONE__ELEMENT_F32);
  assert_int_equal(npy.dimensions, 2);
  assert_int_equal(npy.shape[0], 3);
  assert_int_equal(npy.shape[1], 4);
  assert_int_equal(npy.count, 12);
  assert_false(npy.fortran);
  assert_parses(2, "{\"shape\":(5,),\"fortran_order\":True,\"descr\":\"<i8\"}", 41, &npy);
  assert_int_equal(npy.element, HONE__ELEMENT_I64);
  assert_true(npy.fortran);
  assert_int_equal(npy.count, 5);
  assert_parses(3, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }", 1, &npy);
  assert_int_equal(npy.element, HONE__ELEMENT_BOOL);
  assert_int_equal(npy.dimensions, 0);
  assert_int_equal(npy.count, 1);
  assert_parses(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 2L), }", 32, &npy);
  assert_int_equal(npy.count, 4);
  assert_parses(1,
                "{'descr': '<f8', 'fortran_order': False, "
                "'shape': (0, 18446744073709551615, 18446744073709551615), }",
                0, &npy);
  assert_int_equal(npy.count, 0);
}

static void bad_files(void **state)
{
  (void)state;
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }", 47,
               "truncated: expected 48");
  assert_fails("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", 4, "big endian");
  assert_fails("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", 8, "is not supported");
  assert_fails("{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }", 12, "'<U3'");
  assert_fails("{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }", 16, "'<f16'");
  assert_fails("{'descr': '', 'fortran_order': False, 'shape': (1,), }", 8, "descr");
  assert_fails("{'descr': '<f\n', 'fortran_order': False, 'shape': (1,), }", 8, "descr");
  assert_fails("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 4, "records");
  assert_fails("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }", 4, "fortran_order");
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': 3, }", 12, "tuple");
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }", 12, "sizes");
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': (3 4), }", 48, "end");
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': (3, ", 48, "sizes");
  assert_fails("{'descr': '<f4', 'fortran_order': False}", 4, "lacks");
  assert_fails("{'descr': '<f4', 'descr': '<f4', 'shape': (1,)}", 4, "duplicate key");
  assert_fails("{'descr': '<f4', 'name': 3}", 4, "unknown key");
  assert_fails("{'descr': '<f4", 4, "descr");
  assert_fails("{'descr': '<f4' 'shape': ()}", 4, "end");
  assert_fails("{} x", 4, "lacks");
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", 4,
               "unexpected text after");
  assert_fails("", 4, "not a dictionary");
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", 4,
               "sizes");
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 4,
               "does not fit into memory");
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}", 4,
               "does not fit into memory");
  assert_fails("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
               "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
               4, "more than 32");
}

static void no_files(void **state)
{
  static const char zip[] = "PK\x03\x04 an .npz is a zip";
  static const char version[] = "\x93NUMPY\x04\x00\x10\x00\x00\x00 and more text to read";
  static const char cut[] = "\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr': ";
  struct hone__npy npy;
  hone_status status;

  (void)state;
  for (size_t size = 0; size < sizeof zip; size++) {
    status = parse(zip, size, &npy);
    assert_non_null(strstr(hone_status_message(status), "magic number"));
    hone_status_free(status);
  }
  status = parse(version, sizeof version, &npy);
  assert_non_null(strstr(hone_status_message(status), "version 4.0"));
  hone_status_free(status);
  for (size_t size = 10; size < sizeof cut; size++) {
    status = parse(cut, size, &npy);
    assert_non_null(strstr(hone_status_message(status), "truncated"));
    hone_status_free(status);
  }
}

static void written_files(void **state)
{
  static const size_t shape[32] = {3, 0, 5, 18446744073709551615u};

  (void)state;
  for (int element = 0; element < HONE__ELEMENT_COUNT; element++)
    for (size_t dimensions = 0; dimensions <= 32; dimensions++) {
      struct hone__text text = {0};
      struct hone__npy npy;
      size_t count = dimensions == 0 ? 1 : dimensions == 1 ? 3 : 0;
      hone__npy_header((enum hone__element)element, shape, dimensions, &text);
      assert_int_equal(text.length % 64, 0);
      for (size_t i = 0; i < count * hone__element_size((enum hone__element)element); i++)
        hone__text_addn(&text, "", 1);
      assert_null(parse(text.data, text.length, &npy));
      assert_int_equal(npy.dimensions, dimensions);
      assert_memory_equal(npy.shape, shape, dimensions * sizeof *shape);
      assert_int_equal(npy.count, count);
      assert_true(hone__npy_holds(&npy, (enum hone__element)element));
      hone__text_release(&text);
    }
}

/* What numpy 2 writes for numpy.save("a.npy", numpy.arange(3, dtype="f4")). */
static void bytes_of_numpy(void **state)
{
  static const size_t shape[] = {3};
  struct hone__text text = {0};

  (void)state;
  hone__npy_header(HONE__ELEMENT_F32, shape, 1, &text);
  assert_int_equal(text.length, 128);
  assert_memory_equal(text.data, "\x93NUMPY\x01\x00v\x00", 10);
  assert_int_equal(
      strncmp(text.data + 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }  ", 59),
      0);
  assert_int_equal(text.data[127], '\n');
  hone__text_release(&text);
}

static void holding(void **state)
{
  struct hone__npy npy;

  (void)state;
  assert_parses(1, "{'descr': '|V2', 'fortran_order': False, 'shape': ()}", 2, &npy);
  assert_true(hone__npy_holds(&npy, HONE__ELEMENT_BF16));
  assert_false(hone__npy_holds(&npy, HONE__ELEMENT_F16));
  assert_false(hone__npy_holds(&npy, HONE__ELEMENT_F8E4M3));
  assert_parses(1, "{'descr': '<u2', 'fortran_order': False, 'shape': ()}", 2, &npy);
  assert_true(hone__npy_holds(&npy, HONE__ELEMENT_BF16));
  assert_true(hone__npy_holds(&npy, HONE__ELEMENT_U16));
  assert_false(hone__npy_holds(&npy, HONE__ELEMENT_I16));
  assert_parses(1, "{'descr': '|u1', 'fortran_order': False, 'shape': ()}", 1, &npy);
  assert_true(hone__npy_holds(&npy, HONE__ELEMENT_F8E5M2));
  assert_true(hone__npy_holds(&npy, HONE__ELEMENT_F8E4M3));
  assert_true(hone__npy_holds(&npy, HONE__ELEMENT_U8));
  assert_parses(1, "{'descr': '<f1', 'fortran_order': False, 'shape': ()}", 1, &npy);
  assert_true(hone__npy_holds(&npy, HONE__ELEMENT_F8E5M2));
  assert_false(hone__npy_holds(&npy, HONE__ELEMENT_U8));
  assert_parses(1, "{'descr': '|i1', 'fortran_order': False, 'shape': ()}", 1, &npy);
  assert_false(hone__npy_holds(&npy, HONE__ELEMENT_F8E5M2));
  assert_true(hone__npy_holds(&npy, HONE__ELEMENT_I8));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_files),    cmocka_unit_test(bad_files),      cmocka_unit_test(no_files),
      cmocka_unit_test(written_files), cmocka_unit_test(bytes_of_numpy), cmocka_unit_test(holding),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
