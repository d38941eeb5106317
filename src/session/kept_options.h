/* kept_options.h - the options of a run in the store. */
#ifndef HONE_SESSION_KEPT_OPTIONS_H
#define HONE_SESSION_KEPT_OPTIONS_H

#include "session/session.h"

struct hone__kept_objective {
  const char *name;
  bool maximise;
};
struct hone__aim { /* the objective of the verdict, where it is not time */
  const char *metric;
  bool maximise;
};
struct hone__kept_options { /* in the store's format */
  double margin;
  const char *devices, *file, *settings;
  int64_t finalists, screen_samples;
  size_t evaluations;
  bool cap, keep_slower;
  struct hone__kept_objective *objectives;
  const struct hone__aim *aim; /* NULL: time */
  size_t objectives_count;
};
/* In the arena. */
const char *hone__kept_options_text(struct hone__arena *arena,
                                    const struct hone__kept_options *options);

/* Lives as long as the session. */
const char *hone__kept_options_print(struct hone__session *session);
/* The kernel's file in such a text; free(). NULL: it names none. */
char *hone__kept_options_file(const char *options);

#endif
