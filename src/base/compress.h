/* compress.h - bytes in the format of zstd, for what travels. */
#ifndef HONE_BASE_COMPRESS_H
#define HONE_BASE_COMPRESS_H

#include "base/status.h"
#include "base/text.h"

/* Adds them to the text as one frame that has their number in its header. False: it does not pay,
 * since a tenth at most is saved, and nothing is added. */
bool hone__compress(const void *bytes, size_t size, struct hone__text *text);
/* Adds exactly `expected` bytes to the text. INVALID_ARGUMENT: the frame is damaged, truncated, has
 * another size, or something after it; nothing is added. No more memory than `expected` bytes is
 * taken, whatever the frame says. */
hone_status hone__expand(const void *bytes, size_t size, size_t expected, struct hone__text *text);

#endif
