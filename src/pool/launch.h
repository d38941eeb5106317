/* launch.h - one started worker process: its pipes, the frames on them, and its end.
 *
 *   1. hone__launch_start always returns a launch; a failed start is reported through `ended`.
 *   2. Frames arrive in `frame`, hone__launch_send replies. `ended` is called once, after the last
 *      frame.
 *   3. hone__launch_end is required whether or not the process ended by itself. It escalates as far
 *      as needed: BYE, end of input, SIGTERM to the process group, SIGKILL to the leader, SIGKILL
 *      to the group. After this call the only callback is `gone`, when the process and all handles
 *      are gone. The launch is then freed.
 */
#ifndef HONE_POOL_LAUNCH_H
#define HONE_POOL_LAUNCH_H

#include "wire/frame.h"

#include <uv.h>

struct hone__launch;

struct hone__launch_events {
  void (*frame)(void *data, const struct hone__frame *frame); /* lent */
  void (*ended)(void *data, const char *why); /* a readable reason: "exit status 1" */
  void (*gone)(void *data);
};

/* `environment` NULL: that of this process. */
struct hone__launch *hone__launch_start(uv_loop_t *loop, char *const *argv, char **environment,
                                        const struct hone__launch_events *events, void *data);
void hone__launch_send(struct hone__launch *launch, const struct hone__frame *frame);
/* When the last frame, or a large part of one, arrived, on the loop's clock. */
uint64_t hone__launch_alive_ms(const struct hone__launch *launch);
/* The last line of output outside frames; "" if there is none. Lent. */
const char *hone__launch_last_line(struct hone__launch *launch);
/* -1: it has not exited, or a signal ended it. */
int hone__launch_exit_status(const struct hone__launch *launch);
/* Polite: the process gets time to finish and exit by itself first. */
void hone__launch_end(struct hone__launch *launch, bool polite);

#endif
