/* task.h - one problem of a spec: its settings with their values.
 *
 * Expressions of the spec are evaluated here: sizes and device.* always have a value, parameters
 * and derived values only for a configuration.
 */
#ifndef HONE_BACKEND_TASK_H
#define HONE_BACKEND_TASK_H

#include "base/text.h"
#include "space/space.h"

#include <math.h>

struct hone__wire_device_facts;

/* Data that a backend keeps for all configurations of a task. */
struct hone__task_memory {
  void *data; /* NULL: nothing yet */
  void (*release)(void *data);
};

/* A name that only some expressions know: the index of a loop around them. */
struct hone__task_local {
  const char *name;
  int64_t value;
  const struct hone__task_local *outer;
};

struct hone__task {
  const struct hone_spec *spec;
  const struct hone_space *space;
  const struct hone__backend *backend;
  struct hone__arena arena;
  const char *folder;     /* of the spec's file: base of relative paths */
  const char *problem;    /* "M=256 N=512": sizes, then the shape */
  uint32_t *baseline;     /* a row of the space; legal */
  bool baseline_given;    /* by the spec, or by a listing; false: it is the first configuration */
  bool baseline_is_first; /* of the space or its list: nobody chose it */
  bool check;             /* answers are compared */
  bool lock_clocks;       /* of the device */
  size_t
      processes_ahead; /* of devices, opened before they are needed: a short run will need them */
  size_t memory_bytes; /* limit of a candidate; 0: half of the machine's */
  uint64_t seed;       /* for inputs: `search.seed`, 42 */
  const struct hone_program_options *program; /* from the command line; NULL: none */
  const char *output_dir; /* of a sweep: programs work in its folders; or NULL */
  /* The target of builds; NULL: the backend has no devices, or none is here. In the arena. */
  const struct hone__wire_device_facts *device;
  struct hone__task_memory *memory;      /* the backend's data */
  const struct hone__task_local *locals; /* while a loop is evaluated; see hone__task_enter */
  /* private: derived values that need no configuration; type HONE_NONE: it needs one */
  struct hone_value *derived;
};

/* INVALID_SPEC with the node's file, line, column and text; NULL: about the whole file. */
hone_status hone__backend_spec_error(const struct hone_spec *spec, const struct hone__node *node,
                                     const char *format, ...) HONE__PRINTF(3, 4);

/* `problem` is the number that the space was built for. INVALID_SPEC: an illegal baseline (the
 * message names the constraint), no backend, ... */
hone_status hone__task_init(struct hone__task *task, const struct hone_spec *spec,
                            const struct hone_space *space);
/* For a run that needs no baseline: `baseline` is the spec's if it is legal, else the first. */
hone_status hone__task_init_sweep(struct hone__task *task, const struct hone_spec *spec,
                                  const struct hone_space *space);
/* For a host that builds and measures by itself: without a backend. `baseline` (may be NULL) is a
 * configuration to use instead of the spec's. */
hone_status hone__task_init_host(struct hone__task *task, const struct hone_space *space,
                                 const char *baseline);
void hone__task_release(struct hone__task *task);

/* The node at a path such as "build.flags"; NULL if the spec does not have it. */
const struct hone__node *hone__task_setting(const struct hone__task *task, const char *path);

/* From now on expressions know this name and its outer ones; NULL: none. */
void hone__task_enter(const struct hone__task *task, const struct hone__task_local *local);

/* The index of a loop, a parameter, derived value, size, or device.x; `row` may be NULL: then no
 * parameters. */
bool hone__task_lookup(const struct hone__task *task, const uint32_t *row, const char *name,
                       struct hone_value *out_value);
/* A scalar node: its number, text, or the value of its expression; errors carry its place. */
hone_status hone__task_evaluate(const struct hone__task *task, const uint32_t *row,
                                const struct hone__node *node, struct hone_value *out_value);
/* Of a call that is repeated for a while without a pause, during which a device may lower its
 * clocks: a call may then take longer than `time_ns`, so that watts are not joules per that time.
 */
struct hone__task_energy {
  double joules, watts; /* not finite: not measured */
};
#define HONE__NO_ENERGY ((struct hone__task_energy){NAN, NAN})
struct hone__task_measured { /* of one call */
  double time_ns;            /* not finite: not measured */
  struct hone__task_energy energy;
};
/* A metric of the measured values. False if it fails, or names a value that was not measured. */
bool hone__task_metric(const struct hone__task *task, const uint32_t *row,
                       const struct hone__formula *metric,
                       const struct hone__task_measured *measured, double *out_value);
/* True if the expression in this node names a parameter, or a derived value that depends on one. */
bool hone__task_depends_on_row(const struct hone__task *task, const struct hone__node *node);
/* Adds the first such name; false if there is none. */
bool hone__task_row_name(const struct hone__task *task, const struct hone__node *node,
                         struct hone__text *out_name);

/* "BM=64,BN=32,ALGO=packed": the format of hone_space_parse. free(). */
char *hone__task_config(const struct hone__task *task, const uint32_t *row);
/* The same text with the baseline's values of the parameters that it does not name. free(). */
char *hone__task_complete(const struct hone__task *task, const char *config);

#endif
