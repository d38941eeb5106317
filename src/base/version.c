#include "hone.h"
#include "base/version_sum.h"
#include "sources_sum.h" /* made by the build: HONE__SOURCES_SUM */
#include "version.h"     /* made by the build: HONE__REVISION */

#define STRING(x)       #x
#define DOTTED(a, b, c) STRING(a) "." STRING(b) "." STRING(c)

const char *hone_version(void)
{
  return DOTTED(HONE_VERSION_MAJOR, HONE_VERSION_MINOR, HONE_VERSION_PATCH);
}

const char *hone_revision(void)
{
  return HONE__REVISION;
}

const char *hone__version_sum(void)
{
  return HONE__SOURCES_SUM;
}
