/* recording_draft.h - a recording while its file is read: parameters, rows and what they gave.
 *
 * A reader names the parameters, then pushes configurations. With a T1 file the parameters and
 * their values are there already, and others are refused. */
#ifndef HONE_REPLAY_RECORDING_DRAFT_H
#define HONE_REPLAY_RECORDING_DRAFT_H

#include "replay/json_walk.h"
#include "replay/recording.h"
#include "space/space.h"
#include "spec/values.h"

struct hone__draft_param {
  const char *name;
  struct hone__values values;
  bool in_order; /* their order is given; else numbers are sorted in the end */
};

struct hone__draft { /* { .arena = ... } */
  struct hone__arena *arena;
  struct hone__draft_param *params;
  size_t param_count, param_capacity;
  const char *described_by; /* a T1 file whose parameters and values these are; or NULL */
  struct hone_spec *described_spec;
  struct hone_space *described;
  uint32_t *rows; /* param_count numbers each: indices of values */
  struct hone__recorded *at;
  size_t count, capacity;
  uint32_t *row;   /* room for one */
  size_t repeated; /* configurations that stood there before; the first counts */
};

void hone__draft_release(struct hone__draft *draft);

bool hone__draft_find(const struct hone__draft *draft, const char *name, size_t *out_param);
/* A parameter of the file; INVALID_SPEC if it is there twice, or if T1 does not have it. */
hone_status hone__draft_name(struct hone__draft *draft, const char *name, size_t *out_param);
/* The index of a value, a new one if need be. INVALID_SPEC: T1 does not have it. */
hone_status hone__draft_value(struct hone__draft *draft, size_t param, struct hone_value value,
                              uint32_t *out_index);
/* What a value of JSON is as a parameter's: lists and objects are texts. A text is lent by the
 * JSON, or lies in the arena. */
struct hone_value hone__draft_json_value(struct hone__draft *draft, const json_t *json);
/* All parameters of a configuration, by name. The first one names them, unless T1 does. */
hone_status hone__draft_row(struct hone__draft *draft, const json_t *configuration,
                            uint32_t **out_row);
/* Of a parameter that a configuration does not name: fine if T1 gives it one value. */
hone_status hone__draft_missing(const struct hone__draft *draft, size_t param);
/* A time of something that works; a number that is not a time makes it a failure. */
void hone__draft_time(double time_ms, struct hone__recorded *recorded);
/* An invalid cost is 0. EXHAUSTED: they are too many. */
hone_status hone__draft_push(struct hone__draft *draft, const uint32_t *row,
                             const struct hone__recorded *recorded);
/* The numbers of a list, in units of `unit_ms`. */
void hone__draft_samples(struct hone__draft *draft, const json_t *list, double unit_ms,
                         struct hone__recorded *recorded);

/* recording_space.c: rows become the recording's spec, space and `at`. */
hone_status hone__draft_finish(struct hone__draft *draft, struct hone__recording *recording);

/* ---- Formats ---- */

struct hone__replay_json_members { /* of the file, the outermost */
  struct hone__replay_json_span *spans;
  size_t count;
  bool cut; /* the file ends within the last one, or before the end of all */
};
/* The tree of a member, or NULL where there is none. */
hone_status hone__replay_json_member(const struct hone__replay_json_text *text,
                                     const struct hone__replay_json_members *members,
                                     const char *key, json_t **out_json);

struct hone__recording_head {  /* what stands outside of the measurements; in the arena */
  const char *kernel, *device; /* or NULL */
  double unit_ms;              /* of times; 0: each measurement says */
  const char *space_count;     /* configurations of the whole space, "52920"; or NULL */
  size_t *key_places;          /* Kernel Tuner: by parameter, its place in keys "16,1,4" */
  size_t key_count;
};

struct hone__recording_format {
  enum hone_recording_format id;
  const char *key; /* the member that holds the measurements, which no other format has */
  char bracket;    /* of that member */
  hone_status (*head)(struct hone__draft *draft, const struct hone__replay_json_text *text,
                      const struct hone__replay_json_members *members,
                      struct hone__recording_head *head);
  /* Its errors get their place from the caller. */
  hone_status (*element)(struct hone__draft *draft, struct hone__recording_head *head,
                         const struct hone__replay_json_span *span, const json_t *json);
};
extern const struct hone__recording_format hone__format_kernel_tuner, hone__format_t4,
    hone__format_ktt;

/* What a format calls an outcome. A word of no row is NO_RESULT, none at all (NULL) is OK. */
struct hone__recording_word {
  const char *word;
  enum hone_outcome outcome;
};
enum hone_outcome hone__replay_outcome_of_word(const struct hone__recording_word *words,
                                               size_t count, const char *word);

/* Of a member that is a number, else 0. */
double hone__replay_json_number(const json_t *object, const char *key);
/* "milliseconds", "Microseconds", "ms" ... in ms; 0: it is not a unit of time. */
double hone__unit_ms(const char *unit);
/* The unit that a file's head names; *unit_ms stays where it names none. */
hone_status hone__unit_read(const char *path, const json_t *metadata, const char *key,
                            double *unit_ms);

/* t1_space.c: what a T1 file says, into the draft. */
hone_status hone__draft_describe(struct hone__draft *draft, const char *path);
/* Whether the space that T1 describes has this row of the draft; and why not. */
bool hone__draft_allows(const struct hone__draft *draft, const uint32_t *row);
hone_status hone__draft_check(const struct hone__draft *draft, const uint32_t *row);

#endif
