/* cancel.h - counts the requests of a caller to end. */
#ifndef HONE_BASE_CANCEL_H
#define HONE_BASE_CANCEL_H

#include "hone.h"

/* 0 of NULL. */
unsigned hone__cancel_requests(const struct hone_cancel *cancel);

#endif
