/* The answer to a check: one HELLO with all that a user has to know of a host. */
#include "base/allocators.h"
#include "base/clock.h"
#include "base/machine.h"
#include "base/paths.h"
#include "base/version_sum.h"
#include "build/toolchain.h"
#include "hone_cluster.h"
#include "hone_machine.h"
#include "store/cache.h"
#include "wire/frame.h"
#include "wire/hello.h"

#include <gnu/libc-version.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

static void describe_compilers(struct hone__text *text)
{
  static const char *const names[] = {"cc", "c++", "clang", "nvcc", "hipcc", "iree-compile"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = hone__toolchain_find(names[i], ".");
    if (path) hone__text_addf(text, "%s%s", text->length ? ", " : "", names[i]);
    free(path);
  }
}

/* Those besides the CPU. */
static void describe_devices(struct hone__text *text)
{
  struct hone_device_list *list = NULL;
  hone_status status = hone_devices(NULL, &list);

  for (size_t i = 0; !status && i < hone_device_list_count(list); i++) {
    const struct hone_device *device = hone_device_list_at(list, i);
    if (strcmp(hone_device_kind(device), "cpu") == 0) continue;
    hone__text_addf(text, "%s%s %s", text->length ? ", " : "", hone_device_id(device),
                    hone_device_name(device));
  }
  hone_status_free(status);
  hone_device_list_free(list);
}

/* Of the nearest folder that exists. */
static size_t disk_free_bytes(void)
{
  char *folder = hone__strdup(hone__cache_folder() ? hone__cache_folder() : "/tmp");
  struct statvfs space;
  size_t bytes = 0;

  while (*folder && statvfs(folder, &space) != 0) {
    char *slash = strrchr(folder, '/');
    if (!slash) break;
    *slash = '\0';
  }
  if (statvfs(*folder ? folder : "/", &space) == 0)
    bytes = (size_t)space.f_bavail * (size_t)space.f_frsize;
  free(folder);
  return bytes;
}

static int send_facts(const struct hone__hello *hello)
{
  struct hone__packed *head = hone__pack(&hone__hello_type, hello);
  struct hone__frame frame = {.kind = HONE__FRAME_HELLO, .head = head};
  hone_status status = hone__frame_write(STDOUT_FILENO, &frame);

  hone__packed_drop(head);
  if (!status) return 0;
  hone_status_free(status);
  return 1;
}

int hone_cluster_probe(void)
{
  struct hone__text compilers = {0}, devices = {0}, machine = {0};
  struct utsname system;
  char host[256] = "";
  int code;

  hone__allocators_install();
  gethostname(host, sizeof host - 1);
  uname(&system);
  hone__text_addf(&machine, "%s, glibc %s", system.machine, gnu_get_libc_version());
  describe_compilers(&compilers);
  describe_devices(&devices);
  code = send_facts(&(struct hone__hello){.version = hone_version(),
                                          .sources = hone__version_sum(),
                                          .host = host,
                                          .pid = getpid(),
                                          .role = "probe",
                                          .cores = (int64_t)hone__cpu_count(),
                                          .memory_bytes = hone__memory_bytes(),
                                          .machine = machine.data,
                                          .compilers = compilers.data,
                                          .devices = devices.data,
                                          .disk_free_bytes = disk_free_bytes(),
                                          .clock_s = hone__clock_since_1970()});
  hone__text_release(&machine);
  hone__text_release(&compilers);
  hone__text_release(&devices);
  return code;
}
