/* problem_setup.h - the problem of a session: one problem with one shape, its space, its task, and
 * the setup of its workers.
 */
#ifndef HONE_SESSION_PROBLEM_SETUP_H
#define HONE_SESSION_PROBLEM_SETUP_H

#include "backend/task.h"
#include "base/digest.h"
#include "backend/backend.h"
#include "wire/setup_head.h"

struct hone__kind { /* devices whose times are comparable (device_kinds.h) */
  const char *name; /* "NVIDIA H200 (cuda:0, cuda:1)"; or NULL */
  size_t *devices;  /* their numbers among all devices of the command */
  size_t count;
  const struct hone__wire_device_facts *facts; /* of one of them; NULL: not known */
};

struct hone__case {
  size_t problem; /* of the spec */
  uint64_t shape; /* or HONE_ALL_SHAPES: the spec has none */
  struct hone_space
      *space;    /* its space, if the caller has solved it; NULL: the session solves it */
  size_t left;   /* cases of the command that are not done, with this one; 0: it is the only one */
  size_t number; /* of this one, from 1, of `count` */
  size_t count;  /* cases of the command; 0: it is the only one */
  double earlier_s;              /* seconds of a case before it, on average; 0: none was measured */
  const struct hone__kind *kind; /* devices of this kind alone; NULL: all */
  size_t at_once; /* runs at the same time, which share the builders; 0: it is the only one */
};

struct hone__session_problem {
  struct hone__case which;
  struct hone_space *space; /* that of `which`, or the session's own */
  struct hone__task task;
  struct hone__message setup;        /* from the backend, for workers */
  struct hone__wire_setup_head head; /* decoded from `setup`; lives in `setup` and `head_arena` */
  struct hone__arena head_arena;
  char setup_key[HONE__DIGEST_SIZE];     /* digest of the parts that change an answer or a time */
  char reference_key[HONE__DIGEST_SIZE]; /* of the reference's object; "": it has none */
  const char *machine;                   /* where the times were taken: host, processor, CPUs */
};

#endif
