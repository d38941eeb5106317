/* Where hiprtc is. */
#include "backend/hip/hiprtc_library.h"

#include "backend/simt/simt_files.h"

#include <stdlib.h>

static void list_files(struct hone__words *files)
{
  const char *folder = getenv("ROCM_PATH");
  struct hone__text pattern = {0};

  if (folder && *folder == '/') {
    hone__text_addf(&pattern, "%s/lib/libhiprtc.so*", folder);
    hone__simt_files(pattern.data, files);
  }
  hone__simt_files("/opt/rocm/lib/libhiprtc.so*", files);
  hone__simt_files("/opt/rocm-*/lib/libhiprtc.so*", files);
  hone__simt_files("/usr/lib/*/libamdhip64.so.5", files);
  hone__text_release(&pattern);
}

static const char *const plain_names[] = {"libhiprtc.so.7",   "libhiprtc.so.6", "libhiprtc.so.5",
                                          "libamdhip64.so.5", "libhiprtc.so",   NULL};
static const struct hone__rtc_place place = {
    .title = "hiprtc",
    .variable = "HONE_HIPRTC",
    .file = "libhiprtc.so",
    .advice = "install ROCm's HIP runtime (Debian: libamdhip64-5, libhiprtc-builtins5 and "
              "rocm-device-libs), or set HONE_HIPRTC to the file or its folder; "
              "'build: {compiler: hipcc}' does not need it",
    .plain_names = plain_names,
    .names =
        {
#define HONE__HIPRTC_NAME(result, name, arguments, nvrtc, hiprtc) .name = hiprtc,
            HONE__RTC_FUNCTIONS(HONE__HIPRTC_NAME)
#undef HONE__HIPRTC_NAME
        },
    .list = list_files,
};
static struct hone__rtc_state state = HONE__RTC_STATE;

hone_status hone__hiprtc_library(const struct hone__rtc_library **out_library)
{
  return hone__rtc_library(&place, &state, out_library);
}

const char *hone__hiprtc_library_file(void)
{
  return hone__rtc_library_file(&place, &state);
}
