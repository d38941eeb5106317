/* launch.h - one started worker process: its pipes, the frames on them, and its end.
 *
 *   1. hone__launch_start: always gives a launch; what fails is reported as its end
 *   2. frames come, hone__launch_send answers; `ended` is called once when nothing will come again
 *   3. hone__launch_end, whether it ended by itself or not: BYE, end of input, SIGTERM to the
 *      process group, SIGKILL to its leader and then to all of it, as far as is needed. Nothing but
 * `gone` is called from then on, when the process and all handles are gone; then the launch is
 * freed.
 */
#ifndef HONE_POOL_LAUNCH_H
#define HONE_POOL_LAUNCH_H

#include "wire/frame.h"

#include <uv.h>

struct hone__launch;

struct hone__launch_events {
  void (*frame)(void *data, const struct hone__frame *frame); /* lent */
  void (*ended)(void *data, const char *why);                 /* for a person: "exit status 1" */
  void (*gone)(void *data);
};

struct hone__launch *hone__launch_start(uv_loop_t *loop, char *const *argv,
                                        const struct hone__launch_events *events, void *data);
void hone__launch_send(struct hone__launch *launch, const struct hone__frame *frame);
/* When a frame of it was last heard, or much of one, on the loop's clock. */
uint64_t hone__launch_heard_ms(const struct hone__launch *launch);
/* The last line that it said outside frames; "" if none. Lent. */
const char *hone__launch_last_words(struct hone__launch *launch);
/* Polite: it may finish and leave by itself first. */
void hone__launch_end(struct hone__launch *launch, bool polite);

#endif
