/* sentence.h - what a run found, in one sentence for people: it is written here and read nowhere.
 */
#ifndef HONE_REPORT_SENTENCE_H
#define HONE_REPORT_SENTENCE_H

#include "hone.h"
#include "report/report.h"

/* The sentence of a report that hone_report_load made, where the winner is called `winner` instead
 * of by its configuration; free(). */
char *hone__report_sentence_about(const struct hone_report *report, const char *winner);

#endif
