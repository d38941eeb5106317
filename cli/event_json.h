/* event_json.h - an event of a run as one line of JSON, for `--progress json`.
 *
 * A member that the event does not name is absent: a text that is NULL, a number that is not
 * finite, and a number that is 0, except in an event of the kind progress.
 */
#ifndef CLI_EVENT_JSON_H
#define CLI_EVENT_JSON_H

#include "output.h"

void event_json_write(struct output *output, const struct hone_event *event);

#endif
