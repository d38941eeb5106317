/* recording_yaml.h - parameters and values as the YAML of a spec, and that spec. */
#ifndef HONE_REPLAY_RECORDING_YAML_H
#define HONE_REPLAY_RECORDING_YAML_H

#include "space/space.h"

void hone__replay_yaml_quote(struct hone__text *yaml, const char *text);
/* In a list of values: a text is in its own list, where it is not evaluated. */
void hone__replay_yaml_value(struct hone__text *yaml, struct hone_value value);
/* [1, 0.5, True, ["fast"]] */
void hone__replay_yaml_values(struct hone__text *yaml, const struct hone_value *values,
                              size_t count);

/* `path`: for messages. */
hone_status hone__replay_yaml_spec(const char *path, const char *yaml, struct hone_spec **out_spec);

#endif
