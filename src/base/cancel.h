/* cancel.h - how often a caller has asked for an end. */
#ifndef HONE_BASE_CANCEL_H
#define HONE_BASE_CANCEL_H

#include "hone.h"

/* 0 of NULL. */
unsigned hone__cancel_requests(const struct hone_cancel *cancel);

#endif
