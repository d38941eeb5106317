#include "backend/c/c_object.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif

/* Requests an executable file in memory, where that is needed (Linux 6.3). */
static int make_file(void)
{
  int file = memfd_create("hone object", MFD_CLOEXEC | MFD_EXEC);

  return file < 0 && errno == EINVAL ? memfd_create("hone object", MFD_CLOEXEC) : file;
}

int hone__c_object_file(const void *object, size_t size)
{
  int file = make_file(), error;

  if (file < 0 || hone__file_write(file, object, size)) return file;
  error = errno;
  close(file);
  errno = error;
  return -1;
}

void hone__c_object_path(int file, char *out_path, size_t size)
{
  char process[24] = "";
  ssize_t length = readlink("/proc/self", process, sizeof process - 1);

  snprintf(out_path, size, "/proc/%s/fd/%d", length > 0 ? process : "self", file);
}

bool hone__c_object_has_mangled(const void *object, size_t size, const char *name)
{
  const char *first = object, *at = first, *end = first + size, *begin;
  struct hone__text part = {0};
  bool found = false;

  hone__text_addf(&part, "%zu%s", strlen(name), name);
  while (!found && (at = memmem(at, (size_t)(end - at), part.data, part.length))) {
    for (begin = at; begin > first && begin[-1] && at - begin < 256;)
      begin--;
    found = at - begin >= 2 && begin[0] == '_' && begin[1] == 'Z';
    at += part.length;
  }
  hone__text_release(&part);
  return found;
}
