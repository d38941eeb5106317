/* run_devices.h - what a run was measured on and built with, for those who use its result. */
#ifndef HONE_SESSION_RUN_DEVICES_H
#define HONE_SESSION_RUN_DEVICES_H

#include "session/session.h"

/* Sets `devices` of the run's result; while the workers are there. */
void hone__session_describe_devices(struct hone__session *session);

/* Devices of a family run the same code: "sm_90a" is of the family sm_90. */
const char *hone__session_device_family(struct hone__arena *arena,
                                        const struct hone__wire_device_facts *facts);

/* A program measures on a device that only its author knows: the spec's `run.device` replaces what
 * was found. Its texts are those of the spec. */
void hone__session_name_device(const struct hone__session *session,
                               struct hone__wire_device_facts *facts);

#endif
