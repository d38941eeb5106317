/* Our own refusals: what is wrong with a candidate before the library is called. */
#include "backend/gpu/gpu_driver.h"

#include <stdarg.h>
#include <stdio.h>

bool hone__gpu_refuse(struct hone__gpu_fault *fault, const char *format, ...)
{
  va_list args;

  *fault = (struct hone__gpu_fault){.outcome = HONE_OUTCOME_LAUNCH_FAILURE};
  va_start(args, format);
  vsnprintf(fault->message, sizeof fault->message, format, args);
  va_end(args);
  return false;
}
