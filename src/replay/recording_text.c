/* What is in gzip is told by its first bytes, not by its name. Bytes that follow a whole gzip and
 * are not another one are not part of it. */
#include "replay/recording_text.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <zlib.h>

struct unpacker {
  const char *path;
  z_stream stream;
  char *text;
  size_t size, capacity;
  bool cut;
};

static hone_status grow(struct unpacker *u)
{
  size_t capacity = u->capacity ? 2 * u->capacity : 1 << 16;
  char *text;

  if (u->capacity >= HONE__LARGEST_RECORDING)
    return hone__error(HONE_EXHAUSTED, "cannot read '%s': it is larger than %d MiB when unpacked",
                       u->path, HONE__LARGEST_RECORDING >> 20);
  text = realloc(u->text, capacity + 1);
  if (!text) return hone__error(HONE_EXHAUSTED, "out of memory while unpacking '%s'", u->path);
  u->text = text;
  u->capacity = capacity;
  return NULL;
}

static bool is_gzip(const unsigned char *bytes, size_t size)
{
  return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* One step: what fits. *out_done: all members are unpacked, or the input ends. */
static hone_status unpack_some(struct unpacker *u, bool *out_done)
{
  z_stream *z = &u->stream;
  int code;

  z->next_out = (unsigned char *)u->text + u->size;
  z->avail_out = (uInt)(u->capacity - u->size);
  code = inflate(z, Z_NO_FLUSH);
  u->size = u->capacity - z->avail_out;
  if (code == Z_STREAM_END) {
    *out_done = !is_gzip(z->next_in, z->avail_in) || inflateReset(z) != Z_OK;
    return NULL;
  }
  if (code != Z_OK && code != Z_BUF_ERROR)
    return hone__error(HONE_IO,
                       "cannot read '%s': its gzip data is damaged (%s) after %zu bytes of text",
                       u->path, z->msg ? z->msg : zError(code), u->size);
  u->cut = *out_done = z->avail_in == 0 && z->avail_out > 0;
  return NULL;
}

static hone_status unpack(struct unpacker *u, const char *bytes, size_t size)
{
  hone_status status = NULL;
  bool done = false;

  u->stream.next_in = (unsigned char *)(uintptr_t)bytes;
  u->stream.avail_in = (uInt)size;
  if (inflateInit2(&u->stream, 16 + MAX_WBITS) != Z_OK)
    return hone__error(HONE_EXHAUSTED, "out of memory while unpacking '%s'", u->path);
  while (!done && !status) {
    if (u->size == u->capacity) status = grow(u);
    if (!status) status = unpack_some(u, &done);
  }
  inflateEnd(&u->stream);
  return status;
}

/* Editors of Windows put one in front. */
static size_t without_mark(char *text, size_t size)
{
  static const char mark[] = "\xef\xbb\xbf";
  size_t length = sizeof mark - 1;

  if (size < length || memcmp(text, mark, length) != 0) return size;
  memmove(text, text + length, size - length);
  return size - length;
}

static size_t without_tail(const char *text, size_t size)
{
  while (size && memchr(" \t\r\n", text[size - 1], 5)) /* its NUL too */
    size--;
  return size;
}

hone_status hone__recording_text_take(const char *path, char *bytes, size_t size, char **out_text,
                                      size_t *out_size, bool *out_cut)
{
  struct unpacker u = {.path = path};
  hone_status status = NULL;

  *out_text = bytes;
  *out_size = size;
  if (is_gzip((unsigned char *)bytes, size)) {
    status = unpack(&u, bytes, size);
    free(bytes);
    *out_text = u.text;
    *out_size = u.size;
  }
  *out_cut = u.cut;
  if (status) {
    free(*out_text);
    *out_text = NULL;
    return status;
  }
  *out_size = without_mark(*out_text, *out_size);
  *out_size = without_tail(*out_text, *out_size);
  (*out_text)[*out_size] = 0;
  return NULL;
}

hone_status hone__recording_text_read(const char *path, char **out_text, size_t *out_size,
                                      bool *out_cut)
{
  char *bytes;
  size_t size;
  hone_status status = hone__file_read(path, HONE__LARGEST_RECORDING, &bytes, &size);

  *out_text = NULL;
  *out_size = 0;
  *out_cut = false;
  return status ? status
                : hone__recording_text_take(path, bytes, size, out_text, out_size, out_cut);
}
