/* capture.h - what a process says, read without end and kept in bounds: its beginning and its end.
 *
 *   1. hone__capture_open: a pipe; its write end is for the child, its read end never blocks
 *   2. hone__capture_read whenever the read end is readable
 *   3. hone__capture_text, hone__capture_close
 */
#ifndef HONE_PROC_CAPTURE_H
#define HONE_PROC_CAPTURE_H

#include "base/text.h"

#include <stdint.h>

enum { HONE__CAPTURE_FIRST = 8 << 10, HONE__CAPTURE_LAST = 64 << 10 };

struct hone__capture {
  int read_end, write_end; /* -1: closed */
  struct hone__text first;
  char *ring; /* what came after `first`; NULL as long as nothing did */
  uint64_t total;
};

int hone__capture_open(struct hone__capture *capture); /* 0, or errno */
void hone__capture_close_write(struct hone__capture *capture);
/* One piece. False: nothing is there now, or nothing will come again (then read_end is -1). */
bool hone__capture_read(struct hone__capture *capture);
/* Appends what was kept; true if something was left out. */
bool hone__capture_text(const struct hone__capture *capture, struct hone__text *text);
/* Begins again with what comes from now on. */
void hone__capture_forget(struct hone__capture *capture);
void hone__capture_close(struct hone__capture *capture);

#endif
