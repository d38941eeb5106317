/* sim_object.h - what a build of a recorded configuration gives: its record as JSON,
 * {"config", "outcome", "time_ms", "samples_ms": [...]}. A runner needs nothing else.
 */
#ifndef HONE_BACKEND_SIM_SIM_OBJECT_H
#define HONE_BACKEND_SIM_SIM_OBJECT_H

#include "base/text.h"
#include "replay/recording.h"

struct hone__sim_object {
  enum hone_outcome outcome;
  double time_ms;
  double *samples_ms; /* NULL: none were recorded */
  size_t sample_count;
  uint64_t key; /* of the configuration */
};

void hone__sim_object_write(const char *config, const struct hone__recorded *recorded,
                            struct hone__text *out_text);
/* False: these bytes are not such an object. */
bool hone__sim_object_read(const void *bytes, size_t size, struct hone__sim_object *out_object);
void hone__sim_object_release(struct hone__sim_object *object);

/* Whether the builder already reports this outcome: later stages never see it. */
bool hone__sim_fails_early(enum hone_outcome outcome);

/* The `number`-th sample of a job with this seed: one of those that were recorded, or the recorded
 * time; `noise` is the spread of its logarithm. The same arguments give the same time. */
double hone__sim_sample_ns(const struct hone__sim_object *object, double noise, uint64_t seed,
                           uint64_t number);

#endif
