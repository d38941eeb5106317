/* import.h - configurations of tuning specs as the first of a search. */
#ifndef HONE_IREE_TUNING_SPEC_IMPORT_H
#define HONE_IREE_TUNING_SPEC_IMPORT_H

#include "hone_iree.h"
#include "iree/operation/operation.h"

/* Those of the starter and of the store whose matchers match the operation, as JSON that is YAML
 * too: [{"compilation_info": "...", "decomposition_config": "..."}, ...]; nothing without any. A
 * starter that cannot be read is a failure; a store that cannot is not. `is_older`: the operation
 * is of IREE before 3.12 (older_words.h), and so are the configurations. */
hone_status hone__iree_seeds(const struct hone__iree_operation *operation,
                             const struct hone_iree_options *options, bool is_older,
                             struct hone__text *text);

#endif
