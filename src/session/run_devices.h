/* run_devices.h - what a run was measured on and built with, for those who use its result. */
#ifndef HONE_SESSION_RUN_DEVICES_H
#define HONE_SESSION_RUN_DEVICES_H

#include "session/session.h"

/* Sets `devices` of the run's result; while the workers are there. */
void hone__session_describe_devices(struct hone__session *session);

#endif
