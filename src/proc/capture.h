/* capture.h - the output of a process, read without limit and kept in bounds: its beginning and its
 * end.
 *
 *   1. hone__capture_open: creates a pipe; the child gets the write end, the read end never blocks
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
  char *ring; /* the bytes after `first`; NULL while there are none */
  uint64_t total;
};

int hone__capture_open(struct hone__capture *capture); /* 0, or errno */
void hone__capture_close_write(struct hone__capture *capture);
/* Reads once. False: no data now, or end of file (then read_end is -1). */
bool hone__capture_read(struct hone__capture *capture);
/* Adds bytes that were not read from the pipe. */
void hone__capture_add(struct hone__capture *capture, const char *bytes, size_t size);
/* Appends the kept output; returns true if some was dropped. */
bool hone__capture_text(const struct hone__capture *capture, struct hone__text *text);
/* Discards the kept output. */
void hone__capture_forget(struct hone__capture *capture);
void hone__capture_close(struct hone__capture *capture);

#endif
