/* live.h - a run in a browser while it goes on; the functions are in hone_results.h. */
#ifndef HONE_REPORT_LIVE_H
#define HONE_REPORT_LIVE_H

#include "hone_results.h"

#endif
