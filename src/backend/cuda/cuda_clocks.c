#include "backend/cuda/cuda_clocks.h"

#include "base/text.h"
#include "store/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOT_PERMITTED = 4, NOT_SUPPORTED = 3 };

/* ---- Files ---- */

/* The folder, or a file in it: free(). */
static char *path_of(const char *uuid)
{
  struct hone__text path = {0};

  hone__text_addf(&path, "%s/clocks", hone__cache_folder());
  if (uuid) hone__text_addf(&path, "/%s", uuid);
  return hone__text_take(&path);
}

static int open_state(const char *uuid, int flags)
{
  char *path = path_of(uuid);
  int file = open(path, flags | O_CLOEXEC, 0600);

  free(path);
  return file;
}

static void make_folder(void)
{
  char *path = path_of(NULL);

  mkdir(hone__cache_folder(), 0700);
  mkdir(path, 0700);
  free(path);
}

static void forget(const char *uuid)
{
  char *path = path_of(uuid);

  unlink(path);
  free(path);
}

/* What is changed, as the next process reads it. */
static bool write_state(const struct hone__clocks *clocks)
{
  char text[64];
  int length = snprintf(text, sizeof text, "%d %u\n", clocks->has_locked, clocks->usual_mw);

  return ftruncate(clocks->file, 0) == 0 && pwrite(clocks->file, text, (size_t)length, 0) == length;
}

/* False: another process has it, or has just removed it. */
static bool is_ours(int file)
{
  struct stat info;

  return flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &info) == 0 && info.st_nlink;
}

/* The state is known before the GPU is changed: a process may be killed at any time. */
static bool begin(struct hone__clocks *clocks, char *why, size_t size)
{
  if (clocks->file) return true;
  make_folder();
  clocks->file = open_state(clocks->uuid, O_RDWR | O_CREAT);
  if (clocks->file >= 0 && is_ours(clocks->file)) return true;
  snprintf(why, size, "%s",
           clocks->file < 0 ? "the cache cannot be written to" : "another process has set them");
  if (clocks->file >= 0) close(clocks->file);
  clocks->file = 0;
  return false;
}

/* ---- Changes ---- */

static bool fail(nvml_result result, char *why, size_t size)
{
  if (result == NOT_PERMITTED)
    snprintf(why, size, "this user may not change it");
  else if (result == NOT_SUPPORTED)
    snprintf(why, size, "the device does not support it");
  else
    snprintf(why, size, "NVML reports error %d", result);
  return false;
}

static unsigned choose_clock(const struct hone__clocks *clocks)
{
  const struct hone__nvml_library *nvml = clocks->nvml;
  unsigned mhz = 0;

  if (nvml->DeviceGetDefaultApplicationsClock &&
      nvml->DeviceGetDefaultApplicationsClock(clocks->device, NVML_CLOCK_SM, &mhz) == 0 && mhz)
    return mhz;
  if (nvml->DeviceGetMaxClockInfo) nvml->DeviceGetMaxClockInfo(clocks->device, NVML_CLOCK_SM, &mhz);
  return mhz;
}

bool hone__clocks_lock(struct hone__clocks *clocks, unsigned *out_mhz, char *why, size_t size)
{
  nvml_result result;

  hone__clocks_release_left();
  if (!clocks->nvml || !clocks->nvml->DeviceSetGpuLockedClocks ||
      !clocks->nvml->DeviceResetGpuLockedClocks)
    return fail(NOT_SUPPORTED, why, size);
  *out_mhz = choose_clock(clocks);
  if (!*out_mhz) return fail(NOT_SUPPORTED, why, size);
  if (!begin(clocks, why, size)) return false;
  clocks->has_locked = true;
  if (!write_state(clocks)) return fail(-1, why, size);
  result = clocks->nvml->DeviceSetGpuLockedClocks(clocks->device, *out_mhz, *out_mhz);
  if (result == 0) return true;
  clocks->has_locked = false;
  write_state(clocks);
  return fail(result, why, size);
}

static bool is_possible(const struct hone__clocks *clocks, unsigned mw, char *why, size_t size)
{
  unsigned least, most;

  if (!clocks->nvml->DeviceGetPowerManagementLimitConstraints ||
      clocks->nvml->DeviceGetPowerManagementLimitConstraints(clocks->device, &least, &most) != 0 ||
      (mw >= least && mw <= most))
    return true;
  snprintf(why, size, "the device takes %g to %g W", least / 1e3, most / 1e3);
  return false;
}

static bool set_limit(struct hone__clocks *clocks, unsigned mw, char *why, size_t size)
{
  nvml_result result = clocks->nvml->DeviceSetPowerManagementLimit(clocks->device, mw);

  if (result != 0) return fail(result, why, size);
  clocks->limit_mw = mw;
  return true;
}

bool hone__clocks_limit(struct hone__clocks *clocks, double watts, char *why, size_t size)
{
  const struct hone__nvml_library *nvml = clocks->nvml;
  unsigned mw = (unsigned)(watts * 1e3 + 0.5);

  if (!mw && !clocks->usual_mw) return true;
  if (!nvml || !nvml->DeviceSetPowerManagementLimit || !nvml->DeviceGetPowerManagementLimit)
    return fail(NOT_SUPPORTED, why, size);
  if (!mw) mw = clocks->usual_mw;
  if (mw == clocks->limit_mw) return true;
  if (!is_possible(clocks, mw, why, size)) return false;
  if (!clocks->usual_mw) {
    hone__clocks_release_left();
    if (nvml->DeviceGetPowerManagementLimit(clocks->device, &clocks->usual_mw) != 0)
      return fail(NOT_SUPPORTED, why, size);
    if (!begin(clocks, why, size) || !write_state(clocks)) return false;
  }
  return set_limit(clocks, mw, why, size);
}

/* ---- What others left ---- */

static void take_back(const struct hone__nvml_library *nvml, const char *uuid, int file)
{
  char text[64] = "";
  int has_locked = 0;
  unsigned usual_mw = 0;
  nvml_device device;

  if (pread(file, text, sizeof text - 1, 0) <= 0 ||
      sscanf(text, "%d %u", &has_locked, &usual_mw) != 2 || !nvml->DeviceGetHandleByUUID ||
      nvml->DeviceGetHandleByUUID(uuid, &device) != 0)
    return;
  if (has_locked && nvml->DeviceResetGpuLockedClocks) nvml->DeviceResetGpuLockedClocks(device);
  if (usual_mw && nvml->DeviceSetPowerManagementLimit)
    nvml->DeviceSetPowerManagementLimit(device, usual_mw);
}

static void release_one(const struct hone__nvml_library *nvml, const char *uuid)
{
  int file = open_state(uuid, O_RDWR);

  if (file < 0) return;
  if (flock(file, LOCK_EX | LOCK_NB) == 0) { /* its process is gone */
    take_back(nvml, uuid, file);
    forget(uuid);
  }
  close(file);
}

void hone__clocks_release_left(void)
{
  char *path = path_of(NULL);
  DIR *folder = opendir(path);
  const struct hone__nvml_library *nvml = folder ? hone__nvml_library() : NULL;
  struct dirent *entry;

  while (nvml && (entry = readdir(folder)))
    if (entry->d_name[0] != '.') release_one(nvml, entry->d_name);
  if (folder) closedir(folder);
  free(path);
}
