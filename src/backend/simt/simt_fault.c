/* Most errors leave an unusable context. The exceptions are listed. An unknown error counts as
 * fatal, because a new context costs a fraction of a second, and a damaged one would spoil every
 * candidate after it.
 */
#include "backend/simt/simt_fault.h"

#include <stdio.h>

static const struct {
  simt_result first, last;
  enum hone_outcome outcome;
} harmless[] = {
    {1, 1, HONE_OUTCOME_LAUNCH_FAILURE},     /* invalid value: sizes */
    {2, 2, HONE_OUTCOME_OOM_DEVICE},         /* memory */
    {98, 98, HONE_OUTCOME_LAUNCH_FAILURE},   /* no such function for this device */
    {200, 200, HONE_OUTCOME_LAUNCH_FAILURE}, /* invalid image */
    {209, 209, HONE_OUTCOME_LAUNCH_FAILURE}, /* no binary for this GPU */
    {218, 218, HONE_OUTCOME_LAUNCH_FAILURE}, /* invalid PTX */
    {221, 225, HONE_OUTCOME_LAUNCH_FAILURE}, /* no JIT compiler, PTX of another version ... */
    {300, 303, HONE_OUTCOME_LAUNCH_FAILURE}, /* source, file, symbol */
    {500, 500, HONE_OUTCOME_LAUNCH_FAILURE}, /* not found: a function */
    {701, 701, HONE_OUTCOME_LAUNCH_FAILURE}, /* out of resources: registers */
    {703, 703, HONE_OUTCOME_LAUNCH_FAILURE},
    {720, 720, HONE_OUTCOME_LAUNCH_FAILURE}, /* too large to be cooperative */
    {800, 801, HONE_OUTCOME_LAUNCH_FAILURE}, /* not permitted, not supported */
    {900, 908, HONE_OUTCOME_LAUNCH_FAILURE}, /* an operation that cannot be captured in a graph */
    {912, 915, HONE_OUTCOME_LAUNCH_FAILURE}, /* size of clusters, resources */
};

void hone__simt_describe(const struct hone__simt_library *api, simt_result result,
                         struct hone__text *text)
{
  const char *name = NULL, *words = NULL;

  api->GetErrorName(result, &name);
  api->GetErrorString(result, &words);
  hone__text_addf(text, "%s (%s, %d)", words ? words : "unknown error",
                  name ? name : api->kind->title, result);
}

void hone__simt_judge(const struct hone__simt_library *api, simt_result result, const char *what,
                      struct hone__gpu_fault *out_fault)
{
  struct hone__text words = {0};

  hone__simt_describe(api, result, &words);
  *out_fault = (struct hone__gpu_fault){.outcome = HONE_OUTCOME_DEVICE_FAULT, .is_fatal = true};
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (result >= harmless[i].first && result <= harmless[i].last) {
      out_fault->outcome = harmless[i].outcome;
      out_fault->is_fatal = false;
    }
  snprintf(out_fault->message, sizeof out_fault->message, "%s%s%s", what ? what : "",
           what ? ": " : "", words.data);
  hone__text_release(&words);
}
