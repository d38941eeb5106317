/* model_edited.h - models at the phase executable-configurations, which users edit. */
#ifndef HONE_IREE_MODEL_MODEL_EDITED_H
#define HONE_IREE_MODEL_MODEL_EDITED_H

#include "iree/model/model_dump.h"
#include "iree/tuning_spec/verify.h"

/* The file is the text of this phase, or of a dispatch. */
bool hone__model_is_configured(const char *path);
/* Which configurations differ from the compiler's own. The model is open. */
hone_status hone__model_edited_report(struct hone__model *model, const char *edited,
                                      struct hone_iree_verification **out_found);

#endif
