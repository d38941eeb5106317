/* packed_size.h - the size of messages: they must fit into the head of a frame. */
#ifndef HONE_WIRE_PACKED_SIZE_H
#define HONE_WIRE_PACKED_SIZE_H

#include "wire/record.h"

size_t hone__packed_size(const struct hone__packed *packed);
/* The size of a text within a message, including its quotes. */
size_t hone__packed_text_size(const char *bytes, size_t size);

#endif
