/* doctor_devices.h - what a checkup tells of OpenCL and CUDA. */
#ifndef HONE_DOCTOR_DEVICES_H
#define HONE_DOCTOR_DEVICES_H

#include <jansson.h>

/* Appends objects {"part", "name", "value", "advice"}; without "value" it is missing. */
void hone__doctor_devices(json_t *facts);

#endif
