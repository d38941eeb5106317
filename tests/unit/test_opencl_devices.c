/* Which device is meant, where several drivers are: by a library that lists three devices. */
#include "backend/device_choice.h"
#include "opencl_kernels.h"

/* PoCL's CPU comes first, then two GPUs of NVIDIA's. */
static const char three_devices[] =
    "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n"
    "int clGetPlatformIDs(unsigned n, void **p, unsigned *c) "
    "{ p[0] = (void *)1; p[1] = (void *)2; *c = 2; return 0; }\n"
    "int clGetPlatformInfo(void *p, unsigned w, size_t n, void *v, size_t *s) "
    "{ strcpy(v, p == (void *)1 ? \"Portable Computing Language\" : \"NVIDIA CUDA\"); return 0; }\n"
    "int clGetDeviceIDs(void *p, uint64_t t, unsigned n, void **d, unsigned *c) "
    "{ d[0] = (void *)(p == (void *)1 ? 8 : 16); d[1] = (void *)17; *c = p == (void *)1 ? 1 : 2; "
    "return 0; }\n"
    "int clGetDeviceInfo(void *d, unsigned w, size_t n, void *v, size_t *s) "
    "{ if (w != 0x1000) return -30; *(uint64_t *)v = d == (void *)8 ? 2 : 4; return 0; }\n";

static bool is_made;

static int make_library(void **state)
{
  static const char *const given[] = {"GetPlatformIDs", "GetPlatformInfo", "GetDeviceIDs",
                                      "GetDeviceInfo", NULL};

  if (make_folder(state) != 0) return -1;
  setenv("TMPDIR", folder, 1);
  setenv("HONE_OPENCL", folder, 1);
  is_made = opencl_make_stub(three_devices, given);
  return 0;
}

/* The driver's choice, and the worker's. */
static void expect_both(const struct hone__wire_device_list *devices, const char *name,
                        const char *expected)
{
  struct hone__opencl_device device;
  hone_status status = hone__opencl_find(name, &device);

  assert_null(status);
  assert_string_equal(device.name, expected);
  assert_string_equal(hone__device_find(devices, name)->device, expected);
}

static void test_which(void **state)
{
  struct hone__wire_device_list list = {0};

  (void)state;
  if (!is_made) skip();
  assert_null(hone__opencl_list(&list));
  assert_int_equal(list.devices_count, 3);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(list.devices[i].is_default, i == 1);
  expect_both(&list, "opencl", "opencl:nvidia:0");
  expect_both(&list, "opencl:0", "opencl:pocl:0");
  expect_both(&list, "opencl:2", "opencl:nvidia:1");
  expect_both(&list, "opencl:pocl", "opencl:pocl:0");
  expect_both(&list, "opencl:nvidia", "opencl:nvidia:0");
  expect_both(&list, "opencl:nvidia:1", "opencl:nvidia:1");
  hone__wire_device_list_release(&list);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_which)};

  return cmocka_run_group_tests(tests, make_library, leave_opencl);
}
