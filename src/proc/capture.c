/* The ring is indexed by byte number, so that any amount of output needs constant memory. */
#include "proc/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int hone__capture_open(struct hone__capture *capture)
{
  int ends[2];

  *capture = (struct hone__capture){.read_end = -1, .write_end = -1};
  if (pipe2(ends, O_CLOEXEC)) return errno;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  capture->read_end = ends[0];
  capture->write_end = ends[1];
  return 0;
}

static void close_end(int *end)
{
  if (*end >= 0) close(*end);
  *end = -1;
}

void hone__capture_close_write(struct hone__capture *capture)
{
  close_end(&capture->write_end);
}

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

void hone__capture_add(struct hone__capture *capture, const char *bytes, size_t size)
{
  size_t part = smaller(size, HONE__CAPTURE_FIRST - capture->first.length);

  if (part) hone__text_addn(&capture->first, bytes, part);
  for (;;) {
    size_t at;
    capture->total += part;
    bytes += part;
    size -= part;
    if (!size) return;
    if (!capture->ring) capture->ring = hone__alloc(HONE__CAPTURE_LAST);
    at = (size_t)((capture->total - HONE__CAPTURE_FIRST) % HONE__CAPTURE_LAST);
    part = smaller(size, HONE__CAPTURE_LAST - at);
    memcpy(capture->ring + at, bytes, part);
  }
}

bool hone__capture_read(struct hone__capture *capture)
{
  char bytes[1 << 16];
  ssize_t got;

  if (capture->read_end < 0) return false;
  do
    got = read(capture->read_end, bytes, sizeof bytes);
  while (got < 0 && errno == EINTR);
  if (got > 0) hone__capture_add(capture, bytes, (size_t)got);
  if (got == 0 || (got < 0 && errno != EAGAIN)) close_end(&capture->read_end);
  return got > 0;
}

bool hone__capture_text(const struct hone__capture *capture, struct hone__text *text)
{
  uint64_t behind = capture->total - capture->first.length;
  size_t kept = behind < HONE__CAPTURE_LAST ? (size_t)behind : HONE__CAPTURE_LAST;
  size_t at = (size_t)((behind - kept) % HONE__CAPTURE_LAST);
  size_t part = kept < HONE__CAPTURE_LAST - at ? kept : HONE__CAPTURE_LAST - at;

  hone__text_addn(text, capture->first.data, capture->first.length);
  if (behind > kept)
    hone__text_addf(text, "\n[%llu bytes left out]\n", (unsigned long long)(behind - kept));
  if (kept) hone__text_addn(text, capture->ring + at, part);
  if (kept > part) hone__text_addn(text, capture->ring, kept - part);
  return behind > kept;
}

void hone__capture_forget(struct hone__capture *capture)
{
  hone__text_release(&capture->first);
  free(capture->ring);
  capture->ring = NULL;
  capture->total = 0;
}

void hone__capture_close(struct hone__capture *capture)
{
  close_end(&capture->read_end);
  close_end(&capture->write_end);
  hone__capture_forget(capture);
}
