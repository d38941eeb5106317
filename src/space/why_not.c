#include "space/why_not.h"

#include "space/explanation.h"

void hone__space_why_not(const struct hone_space *space, const char *config, struct hone__text *why)
{
  struct hone_explanation *explanation = NULL;
  hone_status status = hone_space_explain(space, config, &explanation);

  for (size_t i = 0; explanation && i < explanation->reason_count; i++) {
    const struct hone__reason *reason = &explanation->reasons[i];
    const char *values = reason->values ? reason->values : "";
    if (reason->state != HONE_FAILS && reason->state != HONE_FAULTS_THERE) continue;
    hone__text_add(why, why->length ? "; " : "");
    if (reason->constraint) hone__text_addf(why, "%s is not true: ", reason->constraint);
    hone__text_add(why, values);
  }
  hone_explanation_free(explanation);
  hone_status_free(status);
}
