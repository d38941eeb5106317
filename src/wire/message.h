/* message.h - the content of a frame, before encoding and after decoding: a head and a payload. */
#ifndef HONE_WIRE_MESSAGE_H
#define HONE_WIRE_MESSAGE_H

#include "base/outcome.h"
#include "base/text.h"

#include "wire/record.h"

#include <stdbool.h>

struct hone__message { /* a head, and bytes that the head refers to by {"offset", "size"} */
  struct hone__packed *head;
  struct hone__text payload;
};

struct hone__answer { /* filled in by build and run; released by the runner */
  enum hone_outcome outcome;
  struct hone__text evidence;
  struct hone__packed *head; /* the reply; the runner adds "class" and "evidence" */
  struct hone__text payload;
  bool is_recorded; /* the job stands for `recorded_s`, not for the time that it took */
  double recorded_s;
};

#endif
