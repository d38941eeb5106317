/* simt_rtc.h - one compilation by NVRTC or hiprtc, in a fork of this process. */
#ifndef HONE_BACKEND_SIMT_SIMT_RTC_H
#define HONE_BACKEND_SIMT_SIMT_RTC_H

#include "backend/simt/rtc_library.h"
#include "base/words.h"
#include "proc/child.h"

enum { HONE__RTC_MOST_HEADERS = 8 };

struct hone__rtc_header { /* found without a file */
  const char *name, *text;
};

/* What goes before a source that is written for the other library, and headers that the compiler
 * finds without a file. The source's lines keep their numbers. */
struct hone__rtc_dialect {
  const char *suffix; /* of the source; "": of all */
  const char *words;  /* definitions */
  const char *headers[HONE__RTC_MOST_HEADERS];
  const char *texts[HONE__RTC_MOST_HEADERS]; /* NULL after the last */
};

struct hone__rtc_job {
  const struct hone__rtc_library *rtc;
  const char *title; /* "NVRTC" */
  const struct hone__words *options;
  const char *source, *shown_as;               /* a file, and its name in messages */
  const struct hone__rtc_dialect *dialect;     /* NULL: none */
  const struct hone__rtc_header *host_headers; /* the last is {0}; NULL: none. Unused if a folder of
                                                  the options has such headers */
  const char *words;                           /* go before the source; NULL: none */
  const char *tail;                            /* goes after the source; NULL: nothing */
  const char *entry;                           /* a line for each, if there are several */
  const char *object, *name; /* output files: the code; the kernel's name in it, if it is known, or
                                a list of names as simt_object.h has it */
  const char *folder;        /* for other files of the compiler */
  const char *directory;     /* where it runs */
  double timeout_s;
};

/* Exit status 0: both files exist; HONE__RTC_IS_BROKEN: parts of the compiler are missing. The
 * output is its log. */
enum { HONE__RTC_IS_BROKEN = 3 };
void hone__rtc_run(const struct hone__rtc_job *job, struct hone__child_result *out_result);

#endif
