/* sample_facts.h - facts about samples besides their times, in the store's format. */
#ifndef HONE_SESSION_SAMPLE_FACTS_H
#define HONE_SESSION_SAMPLE_FACTS_H

#include "pool/pool.h"

/* JSON for the store, for the i-th candidate; free(). */
char *hone__sample_facts_print(const struct hone__reply *reply, size_t i);
/* The runners' slot that took them; -1: the text does not have it. */
int hone__sample_facts_slot(const char *text);

#endif
