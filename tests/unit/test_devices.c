/* The probe of device libraries, and what is chosen of what they list. */
#include "backend/device_choice.h"
#include "hone_machine.h"
#include "backend/gpu/gpu_probe.h"
#include "space/device_model.h"
#include "wire/packed_json.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Libraries that do what device libraries do ---- */

static void add(struct hone__wire_device_list *devices, const char *device, const char *name,
                const char *arch, const char *uuid, int shared)
{
  struct hone__named_list other = {.arena = &devices->arena};

  hone__named_int(&other, "shared_bytes", shared);
  hone__named_real(&other, "clock_ghz", 1.5);
  hone__wire_device_list_add(devices,
                             &(struct hone__wire_device_facts){.device = device,
                                                               .name = name,
                                                               .kind = "gpu",
                                                               .arch = arch,
                                                               .uuid = uuid,
                                                               .other = other.items,
                                                               .other_count = other.count});
}

static hone_status list_two_devices(struct hone__wire_device_list *devices)
{
  add(devices, "test:one:0", "First, 'the' \"GPU\"", "sm_90", NULL, 49152);
  add(devices, "test:two:0", "Second", "sm_80", "GPU-77aa", 1000);
  return NULL;
}

/* As a backend's method lists them. */
static hone_status list_two(struct hone__wire_device_list *out_list)
{
  *out_list = (struct hone__wire_device_list){0};
  return list_two_devices(out_list);
}

static hone_status list_loudly(struct hone__wire_device_list *devices)
{
  printf("a banner that no one asked for\n");
  fflush(stdout);
  return list_two_devices(devices);
}

static hone_status list_unavailable(struct hone__wire_device_list *out_list)
{
  *out_list = (struct hone__wire_device_list){0};
  return hone__error(HONE_UNAVAILABLE, "libtest.so.1 is not installed");
}

static hone_status list_fails(struct hone__wire_device_list *devices)
{
  (void)devices;
  return hone__error(HONE_UNAVAILABLE, "libtest.so.1 is not installed");
}

static hone_status list_crashes(struct hone__wire_device_list *devices)
{
  (void)devices;
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  return NULL;
}

static hone_status list_exits(struct hone__wire_device_list *devices)
{
  (void)devices;
  fprintf(stderr, "cannot open the device\n");
  _exit(3);
}

static hone_status list_nameless(struct hone__wire_device_list *devices)
{
  hone__wire_device_list_add(devices, &(struct hone__wire_device_facts){.name = "x"});
  return NULL;
}

static hone_status hang(const void *data, struct hone__text *out_text)
{
  (void)data, (void)out_text;
  while (!data)
    pause();
  return NULL;
}

static hone_status say_too_much(const void *data, struct hone__text *out_text)
{
  (void)data;
  while (out_text->length < 2 << 20)
    hone__text_add(out_text, "xxxxxxxxxxxxxxxx");
  return NULL;
}

static hone_status say(const void *data, struct hone__text *out_text)
{
  hone__text_add(out_text, data);
  return NULL;
}

/* ---- Probing ---- */

static void expect(hone_status status, enum hone_code code, const char *part)
{
  assert_int_equal(hone_status_code(status), code);
  if (!strstr(hone_status_message(status), part))
    fail_msg("'%s' is not in '%s'", part, hone_status_message(status));
  hone_status_free(status);
}

static void lists(void **state)
{
  static const struct hone__gpu_driver driver = {.name = "test", .list = list_loudly};
  struct hone__wire_device_list list;

  (void)state;
  for (int i = 0; i < 2; i++) { /* the second time it is remembered */
    assert_null(hone__gpu_probe(&driver, &list));
    assert_int_equal(list.devices_count, 2);
    assert_string_equal(list.devices[1].device, "test:two:0");
    assert_true(hone__named_number(list.devices[1].other, list.devices[1].other_count,
                                   "shared_bytes") == 1000);
    hone__wire_device_list_release(&list);
  }
}

/* ---- Awake ---- */

static char pipe_path[] = "/tmp/hone-awake-XXXXXX/open";

/* Reads from the pipe for as long as its process lives. */
static hone_status list_and_hold(struct hone__wire_device_list *devices)
{
  if (open(pipe_path, O_RDWR | O_CLOEXEC) < 0) return hone__error(HONE_IO, "no pipe");
  return list_two_devices(devices);
}

/* Whether the process is there, after at most some seconds. */
static bool becomes(bool there)
{
  for (int i = 0; i < 10000; i++) {
    int file = open(pipe_path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0) close(file);
    if ((file >= 0) == there) return true;
    usleep(1000);
  }
  return false;
}

static void awake(void **state)
{
  static const struct hone__gpu_driver driver = {
      .name = "sleepy", .sleeps = true, .list = list_and_hold};
  char *slash = strrchr(pipe_path, '/');
  struct hone__wire_device_list list;
  int ends[2], told[2], end = 0;
  pid_t user;

  (void)state;
  *slash = '\0';
  assert_non_null(mkdtemp(pipe_path));
  *slash = '/';
  assert_int_equal(mkfifo(pipe_path, 0600), 0);
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(pipe(told), 0);
  user = fork();
  if (user == 0) { /* it says that the probe is over, and waits to be told to end */
    hone_status status = hone__gpu_probe(&driver, &list);
    close(ends[1]);
    _exit(status || list.devices_count != 2 || write(told[1], "", 1) != 1 ||
          read(ends[0], &end, 1) != 0);
  }
  close(ends[0]);
  assert_int_equal(read(told[0], &end, 1), 1);
  assert_true(becomes(true));
  assert_int_equal(waitpid(user, &end, WNOHANG), 0);
  close(ends[1]);
  assert_int_equal(waitpid(user, &end, 0), user);
  assert_int_equal(end, 0);
  assert_true(becomes(false));
  unlink(pipe_path);
  *slash = '\0';
  rmdir(pipe_path);
}

static void failures(void **state)
{
  static const struct hone__gpu_driver drivers[] = {{.name = "absent", .list = list_fails},
                                                    {.name = "crashing", .list = list_crashes},
                                                    {.name = "leaving", .list = list_exits},
                                                    {.name = "nameless", .list = list_nameless}};
  static const char *const parts[] = {"libtest.so.1 is not installed", "signal 11",
                                      "exit status 3; its last output: cannot open the device",
                                      "without a name"};
  struct hone__wire_device_list list;

  (void)state;
  for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
    for (int again = 0; again < 2; again++) {
      expect(hone__gpu_probe(&drivers[i], &list), HONE_UNAVAILABLE, parts[i]);
      assert_int_equal(list.devices_count, 0);
    }
}

static void bounds(void **state)
{
  struct hone__text text = {0};

  (void)state;
  expect(hone__gpu_query("the test", hang, NULL, 0.3, &text), HONE_UNAVAILABLE,
         "the test did not answer: still running after");
  expect(hone__gpu_query("the test", say_too_much, NULL, 20, &text), HONE_EXHAUSTED,
         "too many devices");
  assert_null(hone__gpu_query("the test", say, "yes", 20, &text));
  assert_string_equal(text.data, "yes");
  hone__text_release(&text);
}

/* ---- Choosing ---- */

static const struct hone__backend two = {.name = "test", .driver = {.devices = list_two}};
static const struct hone__backend none = {.name = "test", .driver = {.devices = list_unavailable}};
static const struct hone__backend host = {
    .name = "host", .driver = {.devices = list_two}, .device_is_host = true};
static const struct hone__backend plain = {.name = "plain"};

static struct hone__device_choice choose(const struct hone__backend *backend, const char *devices,
                                         const char *given)
{
  struct hone__device_request wish = {.devices = devices, .given = given};
  struct hone__device_choice choice;
  hone_status status = hone__device_choose(backend, &wish, &choice);

  if (status) fail_msg("%s", hone_status_message(status));
  return choice;
}

static void refuse(const struct hone__backend *backend, const char *devices, const char *given,
                   enum hone_code code, const char *part)
{
  struct hone__device_request wish = {.devices = devices, .given = given};
  struct hone__device_choice choice;

  expect(hone__device_choose(backend, &wish, &choice), code, part);
  assert_null(choice.values);
}

static void expect_device(const char *devices, const char *given, const char *device)
{
  struct hone__device_choice choice = choose(&two, devices, given);

  assert_string_equal(choice.facts->device, device);
  assert_non_null(strstr(choice.gap, device));
  hone__device_choice_release(&choice);
}

static int64_t other(const struct hone__device_choice *choice, const char *name)
{
  const struct hone_value *value =
      hone__named_find(choice->facts->other, choice->facts->other_count, name);

  assert_non_null(value);
  assert_true(value->type == HONE_INT);
  return value->integer;
}

static void by_name(void **state)
{
  (void)state;
  expect_device(NULL, NULL, "test:one:0");
  expect_device("test", NULL, "test:one:0");
  expect_device("test:two:0", NULL, "test:two:0");
  expect_device("test:two", NULL, "test:two:0");
  expect_device("test:TWO", NULL, "test:two:0");
  expect_device("test:1", NULL, "test:two:0");
  expect_device("test:GPU-77", NULL, "test:two:0");
  expect_device("test:1,test:0", NULL, "test:two:0");
  expect_device(NULL, "test:1", "test:two:0");
  refuse(&two, "test:2", NULL, HONE_NOT_FOUND, "test:two:0 (Second)");
  refuse(&two, "test:0,test:tw", NULL, HONE_NOT_FOUND, "no device 'test:tw'");
  refuse(&two, NULL, "other:1", HONE_INVALID_ARGUMENT, "bad device 'other:1'");
}

static void kinds(void **state)
{
  (void)state;
  assert_true(hone__device_is_own(&two));
  assert_false(hone__device_is_own(&host));
  assert_false(hone__device_is_own(&plain));
  assert_false(hone__device_is_own(NULL));
  assert_false(hone__device_is_cpu(&two, "test:1"));
  assert_true(hone__device_is_cpu(&two, "test:9"));
  assert_true(hone__device_is_cpu(&none, "test:0"));
}

static void all(void **state)
{
  struct hone__device_choice choice = choose(&two, "test:all", NULL);

  (void)state;
  assert_string_equal(choice.devices, "test:one:0,test:two:0");
  assert_string_equal(
      choice.note,
      "test:one:0 (sm_90) and test:two:0 (sm_80) differ: all candidates are built for sm_90");
  hone__device_choice_release(&choice);
  choice = choose(&host, "all", NULL);
  assert_string_equal(choice.devices, "test:one:0,test:two:0");
  assert_null(choice.facts);
  assert_null(choice.gap);
  hone__device_choice_release(&choice);
  refuse(&plain, "all", NULL, HONE_INVALID_ARGUMENT, "cannot list its devices");
  refuse(&none, "all", NULL, HONE_UNAVAILABLE, "libtest.so.1");
}

static struct hone__given_device read_values(struct hone__arena *arena, const char *text)
{
  struct hone__given_device given;

  assert_null(hone__space_device_read(arena, text, &given));
  return given;
}

/* What goes to the space as text comes back as the values that were facts. */
static void values(void **state)
{
  struct hone__device_choice choice = choose(&two, NULL, "shared_bytes=7,extra=8");
  struct hone__arena arena = {0};
  struct hone__given_device given = read_values(&arena, choice.values);
  struct hone_value value;

  (void)state;
  assert_true(hone__space_device_value(&given, "name", &value));
  assert_string_equal(value.text, "First, 'the' \"GPU\"");
  assert_true(hone__space_device_value(&given, "shared_bytes", &value));
  assert_int_equal(value.integer, 7);
  assert_true(hone__space_device_value(&given, "extra", &value));
  assert_true(hone__space_device_value(&given, "clock_ghz", &value));
  assert_true(value.type == HONE_FLOAT && value.real == 1.5);
  assert_false(hone__space_device_value(&given, "kind", &value));
  assert_int_equal(other(&choice, "shared_bytes"), 7);
  hone__arena_release(&arena);
  hone__device_choice_release(&choice);
}

/* Facts that are texts can be given as such alone. */
static void texts(void **state)
{
  struct hone__device_choice choice = choose(&two, NULL, "arch='sm_7',big=True,word='w'");

  (void)state;
  assert_string_equal(choice.facts->arch, "sm_7");
  assert_string_equal(choice.facts->device, "test:one:0");
  assert_int_equal(other(&choice, "big"), 1);
  assert_non_null(strstr(choice.values, "arch='sm_7'"));
  assert_non_null(strstr(choice.values, "big=1"));
  assert_null(strstr(choice.values, "word"));
  hone__device_choice_release(&choice);
  refuse(&two, NULL, "arch=7", HONE_INVALID_ARGUMENT, "'arch' must be a text in quotes");
  refuse(&two, NULL, "notes=7", HONE_INVALID_ARGUMENT, "'notes'");
}

static void models(void **state)
{
  struct hone__device_choice choice = choose(&none, NULL, "sm_90a,sm_count=20");

  (void)state;
  assert_string_equal(choice.facts->arch, "sm_90a");
  assert_int_equal(other(&choice, "shared_optin_bytes"), 232448);
  assert_int_equal(other(&choice, "sm_count"), 20);
  assert_null(choice.facts->device);
  hone__device_choice_release(&choice);
  assert_null(hone__space_device_model_find("sm_9"));
  assert_null(hone__space_device_model_find("sm_900"));
  assert_null(hone__space_device_model_find("sm_90b"));
  assert_null(hone__space_device_model_find("gfx942a"));
  assert_non_null(hone__space_device_model_find("gfx942"));
  for (const char *name = hone__space_device_models(); *name; name += strspn(name, ", ")) {
    char word[16] = "";
    memcpy(word, name, strcspn(name, ","));
    assert_non_null(hone__space_device_model_find(word));
    name += strlen(word);
  }
}

static void absent(void **state)
{
  struct hone__device_choice choice = choose(&none, "test:0", "shared_bytes=9");

  (void)state;
  assert_null(choice.facts);
  assert_string_equal(choice.values, "shared_bytes=9");
  assert_string_equal(choice.gap,
                      "backend 'test' has no device here (libtest.so.1 is not installed)");
  hone__device_choice_release(&choice);
  choice = choose(NULL, NULL, "cores=4");
  assert_string_equal(choice.values, "cores=4");
  assert_null(choice.gap);
  hone__device_choice_release(&choice);
  refuse(&two, NULL, "shared_bytes", HONE_INVALID_ARGUMENT, "bad device 'shared_bytes'");
  refuse(&two, NULL, "a=1,a=2", HONE_INVALID_ARGUMENT, "given twice");
}

/* ---- The list of all ---- */

static void machine(void **state)
{
  struct hone_device_list *list;
  bool has_memory = false;

  (void)state;
  assert_null(hone_devices("c", &list));
  assert_int_equal(hone_device_list_count(list), 1);
  assert_string_equal(hone_device_id(hone_device_list_at(list, 0)), "c");
  assert_string_equal(hone_device_kind(hone_device_list_at(list, 0)), "cpu");
  for (size_t i = 0; i < hone_device_fact_count(hone_device_list_at(list, 0)); i++)
    if (strcmp(hone_device_fact_name(hone_device_list_at(list, 0), i), "memory_bytes") == 0)
      has_memory = atoll(hone_device_fact_value(hone_device_list_at(list, 0), i)) > 0;
  assert_true(has_memory);
  hone_device_list_free(list);
  expect(hone_devices("vulkan", &list), HONE_NOT_FOUND,
         "unknown backend 'vulkan'; known backends: c, ");
  assert_null(list);
  hone_device_list_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists),   cmocka_unit_test(failures), cmocka_unit_test(bounds),
      cmocka_unit_test(by_name), cmocka_unit_test(kinds),    cmocka_unit_test(all),
      cmocka_unit_test(values),  cmocka_unit_test(texts),    cmocka_unit_test(models),
      cmocka_unit_test(absent),  cmocka_unit_test(machine),  cmocka_unit_test(awake),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
