/* sample_facts.h - what is known of samples beside their times, as the store has it. */
#ifndef HONE_SESSION_SAMPLE_FACTS_H
#define HONE_SESSION_SAMPLE_FACTS_H

#include "pool/pool.h"

/* JSON for the store, of the i-th candidate; free(). */
char *hone__sample_facts_print(const struct hone__reply *reply, size_t i);
/* The runners' slot that took them; -1: the text does not say it. */
int hone__sample_facts_slot(const char *text);

#endif
