/* The inputs of ONNX models, and models with other sizes: files written by tests/data/iree/onnx.py.
 */
#include "iree/model/onnx_file.h"

#include "base/file.h"
#include "folder.h"

#include <stdlib.h>

static char *bytes;
static size_t size;

/* Two inputs and their product: x[batch, ?, 128], w[batch, 128, 64]; w2 has an initial value. */
static int begin(void **state)
{
  struct hone__text command = {0};
  int result = make_folder(state);

  hone__text_addf(&command, "python3 tests/data/iree/onnx.py dynamic >'%s'", path_of("x.onnx"));
  if (result || system(command.data) != 0) return -1;
  hone__text_release(&command);
  return hone__file_read(path_of("x.onnx"), 1 << 20, &bytes, &size) ? -1 : 0;
}

static int end(void **state)
{
  free(bytes);
  return remove_folder(state);
}

static void expect_message(hone_status status, const char *words)
{
  assert_non_null(status);
  assert_string_equal(hone_status_message(status), words);
  hone_status_free(status);
}

static void reads_inputs(void **state)
{
  struct hone__onnx onnx;

  (void)state;
  assert_null(hone__onnx_read(bytes, size, &onnx));
  assert_int_equal(onnx.input_count, 2);
  assert_string_equal(onnx.inputs[0].name, "x");
  assert_int_equal(onnx.inputs[0].rank, 3);
  assert_string_equal(onnx.inputs[0].dims[0].name, "batch");
  assert_string_equal(onnx.inputs[0].dims[1].name, "x.1");
  assert_int_equal(onnx.inputs[0].dims[2].size, 128);
  hone__onnx_release(&onnx);
}

static void asks_for_sizes(void **state)
{
  struct hone__onnx onnx;

  (void)state;
  assert_null(hone__onnx_read(bytes, size, &onnx));
  expect_message(hone__onnx_check(&onnx),
                 "sizes of inputs are not fixed: x[batch, x.1, 128], w[batch, 128, 64]: give --dim "
                 "batch=1 --dim x.1=N");
  expect_message(hone__onnx_fix(&onnx, "batsch=1"),
                 "no input has a dynamic dim 'batsch': give --dim batch=1 --dim x.1=N");
  expect_message(hone__onnx_fix(&onnx, "batch=-1"),
                 "'--dim batch=-1' has no size: write it as '--dim NAME=SIZE', such as batch=1");
  assert_null(hone__onnx_fix(&onnx, "batch=2"));
  expect_message(hone__onnx_check(&onnx),
                 "sizes of inputs are not fixed: x[2, x.1, 128]: give --dim x.1=N");
  hone__onnx_fix_input(&onnx, 0, (int64_t[]){2, 64, 128}, 3);
  assert_null(hone__onnx_check(&onnx));
  assert_int_equal(onnx.inputs[0].dims[1].size, 64);
  assert_int_equal(onnx.inputs[1].dims[0].size, 2);
  hone__onnx_release(&onnx);
}

static void writes_sizes(void **state)
{
  struct hone__onnx onnx, again;
  struct hone__text changed = {0};

  (void)state;
  assert_null(hone__onnx_read(bytes, size, &onnx));
  assert_null(hone__onnx_fix(&onnx, "batch=3"));
  assert_null(hone__onnx_fix(&onnx, "x.1=300"));
  assert_true(hone__onnx_is_changed(&onnx));
  hone__onnx_write(bytes, size, &onnx, &changed);
  assert_null(hone__onnx_read(changed.data, changed.length, &again));
  assert_int_equal(again.input_count, 2);
  assert_int_equal(again.inputs[0].dims[0].size, 3);
  assert_int_equal(again.inputs[0].dims[1].size, 300);
  assert_false(again.inputs[0].dims[1].is_dynamic);
  assert_int_equal(again.inputs[1].dims[0].size, 3);
  assert_false(hone__onnx_is_changed(&again));
  expect_message(hone__onnx_fix(&again, "batch=1"),
                 "no input has a dynamic dim 'batch': all sizes are fixed in the file");
  hone__text_release(&changed);
  hone__onnx_release(&again);
  hone__onnx_release(&onnx);
}

/* Every part of the file, and every byte of it changed, is read or refused. */
static void survives_damage(void **state)
{
  struct hone__onnx onnx;
  struct hone__text changed = {0};

  (void)state;
  for (size_t i = 0; i < size; i++) {
    char *part = hone__alloc(i + 1);
    memcpy(part, bytes, i);
    hone_status_free(hone__onnx_read(part, i, &onnx));
    hone__onnx_release(&onnx);
    free(part);
    bytes[i] ^= 0x55;
    hone_status_free(hone__onnx_read(bytes, size, &onnx));
    hone__onnx_write(bytes, size, &onnx, &changed);
    hone__onnx_release(&onnx);
    hone__text_release(&changed);
    bytes[i] ^= 0x55;
  }
  expect_message(hone__onnx_read("no", 2, &onnx), "it is not an ONNX model, or damaged");
  hone__onnx_release(&onnx);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
  const struct CMUnitTest tests[] = {TEST(reads_inputs), TEST(asks_for_sizes), TEST(writes_sizes),
                                     TEST(survives_damage)};

  return cmocka_run_group_tests_name("onnx_file", tests, NULL, NULL);
}
