/* rtc_library.h - a run-time compiler, looked up at run time: NVIDIA's NVRTC, or AMD's hiprtc.
 *
 * It needs neither a GPU nor its driver. It is looked for in the file or folder that an environment
 * variable names, and then nowhere else; else under the names that the loader knows; else in the
 * files that the kind lists. A file that is not a library, or lacks a function, is skipped.
 */
#ifndef HONE_BACKEND_SIMT_RTC_LIBRARY_H
#define HONE_BACKEND_SIMT_RTC_LIBRARY_H

#include "base/status.h"
#include "base/text.h"
#include "base/words.h"

#include <pthread.h>
#include <stddef.h>

typedef int rtc_result; /* 0: success; the numbers of both compilers agree */
typedef struct rtc_program_object *rtc_program;

/* result, name, arguments, its name in NVRTC, its name in hiprtc */
#define HONE__RTC_FUNCTIONS(X)                                                                     \
  X(rtc_result, Version, (int *, int *), "nvrtcVersion", "hiprtcVersion")                          \
  X(const char *, GetErrorString, (rtc_result), "nvrtcGetErrorString", "hiprtcGetErrorString")     \
  X(rtc_result, CreateProgram,                                                                     \
    (rtc_program *, const char *, const char *, int, const char *const *, const char *const *),    \
    "nvrtcCreateProgram", "hiprtcCreateProgram")                                                   \
  X(rtc_result, CompileProgram, (rtc_program, int, const char *const *), "nvrtcCompileProgram",    \
    "hiprtcCompileProgram")                                                                        \
  X(rtc_result, GetProgramLogSize, (rtc_program, size_t *), "nvrtcGetProgramLogSize",              \
    "hiprtcGetProgramLogSize")                                                                     \
  X(rtc_result, GetProgramLog, (rtc_program, char *), "nvrtcGetProgramLog", "hiprtcGetProgramLog") \
  X(rtc_result, GetCodeSize, (rtc_program, size_t *), "nvrtcGetCUBINSize", "hiprtcGetCodeSize")    \
  X(rtc_result, GetCode, (rtc_program, char *), "nvrtcGetCUBIN", "hiprtcGetCode")                  \
  X(rtc_result, AddNameExpression, (rtc_program, const char *), "nvrtcAddNameExpression",          \
    "hiprtcAddNameExpression")                                                                     \
  X(rtc_result, GetLoweredName, (rtc_program, const char *, const char **), "nvrtcGetLoweredName", \
    "hiprtcGetLoweredName")

struct hone__rtc_library {
#define HONE__RTC_FIELD(result, name, arguments, nvrtc, hiprtc) result(*name) arguments;
  HONE__RTC_FUNCTIONS(HONE__RTC_FIELD)
#undef HONE__RTC_FIELD
  const char *path; /* its path, from the loader */
};

struct rtc_names { /* of one column */
#define HONE__RTC_NAME(result, name, arguments, nvrtc, hiprtc) const char *name;
  HONE__RTC_FUNCTIONS(HONE__RTC_NAME)
#undef HONE__RTC_NAME
};

struct hone__rtc_place { /* where a compiler is looked for */
  const char *title;     /* "NVRTC" */
  const char *variable;  /* "HONE_NVRTC" */
  const char *file;      /* "libnvrtc.so", without what may follow */
  const char *advice;
  const char *const *plain_names; /* NULL-terminated */
  struct rtc_names names;
  void (*list)(struct hone__words *files); /* the most likely first */
  /* Called once it is open; NULL: nothing more to do. */
  void (*complete)(const struct hone__rtc_library *library);
};

struct hone__rtc_state { /* one for each place: HONE__RTC_STATE */
  pthread_mutex_t mutex;
  bool is_tried, is_found, is_guessed;
  struct hone__text tried;
  char *path, *guess;
  struct hone__rtc_library library;
};
#define HONE__RTC_STATE                                                                            \
  {                                                                                                \
    .mutex = PTHREAD_MUTEX_INITIALIZER                                                             \
  }

/* Opened once, and never closed. UNAVAILABLE lists the searched places and gives advice. */
hone_status hone__rtc_library(const struct hone__rtc_place *place, struct hone__rtc_state *state,
                              const struct hone__rtc_library **out_library);

/* The file that would be opened, without opening it, for identification: NULL if only the loader
 * knows. Lent for the life of the process. */
const char *hone__rtc_library_file(const struct hone__rtc_place *place,
                                   struct hone__rtc_state *state);

#endif
