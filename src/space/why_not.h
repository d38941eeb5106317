/* why_not.h - why a configuration is not legal, in one line. */
#ifndef HONE_SPACE_WHY_NOT_H
#define HONE_SPACE_WHY_NOT_H

#include "base/text.h"
#include "hone.h"

/* "BM % 32 == 0 is not true: BM=48"; adds nothing where it is legal. */
void hone__space_why_not(const struct hone_space *space, const char *config,
                         struct hone__text *why);

#endif
