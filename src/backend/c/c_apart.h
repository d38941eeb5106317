/* c_apart.h - candidates that need different environments, each in a process of its own.
 *
 * A run-time library (OpenMP's) reads its variables once, when it is loaded: candidates with other
 * values cannot share a process. A row then takes one process for each of them, one after the
 * other, in the row's random order; so pairs are still taken side by side. */
#ifndef HONE_BACKEND_C_C_APART_H
#define HONE_BACKEND_C_C_APART_H

#include "backend/kernel/trial.h"

/* All of them have the same variables. */
bool hone__c_shares_environment(const struct hone__trial *trial);

/* Runs the trial in one process, with the variables of its first candidate. */
typedef void hone__c_process(struct hone__trial *trial, double timeout_s);

/* Runs the trial in as many processes as needed; the report is that of a single one. */
void hone__c_run_apart(struct hone__trial *trial, hone__c_process *process);

#endif
