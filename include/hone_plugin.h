/* hone_plugin.h - the interface of a plug-in: a shared library that builds, checks and measures
 * configurations for Hone.
 *
 * A spec names it: `file: my_plugin.so` and `run: {mode: plugin}`. Hone loads it in a separate
 * process, started once per slot, never in the process of `hone tune`; that process reads the
 * requests of hone-serve(7) and calls these functions. A call that crashes or hangs costs one
 * candidate and one start. The library defines:
 *
 *   hone_plugin_describe   required: called once, first
 *   hone_plugin_build      optional: makes what `hone_plugin_run` needs
 *   hone_plugin_run        required: checks (`samples` is 0) or measures
 *
 * Each returns 0, or a number that is reported as a crash of the candidate. All memory belongs to
 * the caller, and is valid during the call. Structs may grow at their end: `size` is what the
 * caller has. Calls come one at a time, in one thread. What the library prints is kept as text of
 * the candidate.
 */
#ifndef HONE_PLUGIN_H
#define HONE_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HONE_PLUGIN_VERSION = 1, HONE_PLUGIN_MOST_METRICS = 32 };

enum hone_plugin_type {
  HONE_PLUGIN_BOOL, /* `integer` is 0 or 1 */
  HONE_PLUGIN_INT,
  HONE_PLUGIN_FLOAT, /* `real` */
  HONE_PLUGIN_TEXT
};

struct hone_plugin_value {
  const char *name;
  enum hone_plugin_type type;
  int64_t integer;
  double real;
  const char *text;
};

struct hone_plugin_start {
  size_t size;
  const char *role;                        /* "builder" or "measurer" */
  const char *device;                      /* "program:gpu1"; NULL: none */
  const char *gpu;                         /* "1"; NULL: none */
  const char *spec;                        /* its name */
  int64_t seed;                            /* for inputs */
  const struct hone_plugin_value *problem; /* sizes */
  size_t problem_count;
};

struct hone_plugin_description { /* filled in by the plug-in */
  size_t size;
  uint32_t version; /* HONE_PLUGIN_VERSION */
  char name[64];
  bool checks;        /* hone_plugin_run checks answers */
  double heartbeat_s; /* 0 */
};

struct hone_plugin_request {
  size_t size;
  const char *key; /* equal for requests that can use the same build */
  const struct hone_plugin_value *config, *problem, *derived;
  size_t config_count, problem_count, derived_count;
  const char *object; /* build: the file to write, if one is needed; run: that file; or NULL */
  size_t samples;     /* 0: check the answer; else the number of times to measure */
  double timeout_s;   /* 0: none */
};

struct hone_plugin_reply { /* filled in by the plug-in */
  size_t size;
  char outcome[32];    /* "": ok; else one of hone-serve(7): "compile_error", "wrong_result" ... */
  char text[2048];     /* why; or "" */
  double *samples_ns;  /* `samples` places */
  size_t sample_count; /* how many are filled in */
  struct hone_plugin_metric {
    char name[64];
    double value;
  } metrics[HONE_PLUGIN_MOST_METRICS];
  size_t metric_count;
};

int hone_plugin_describe(const struct hone_plugin_start *start,
                         struct hone_plugin_description *description);
int hone_plugin_build(const struct hone_plugin_request *request, struct hone_plugin_reply *reply);
int hone_plugin_run(const struct hone_plugin_request *request, struct hone_plugin_reply *reply);

/* The value of this name; NULL: there is none. */
static inline const struct hone_plugin_value *
hone_plugin_find(const struct hone_plugin_value *values, size_t count, const char *name)
{
  for (size_t i = 0; i < count; i++) {
    const char *own = values[i].name, *other = name;
    while (*own && *own == *other)
      own++, other++;
    if (*own == *other) return &values[i];
  }
  return 0;
}

/* An integer of the configuration; `fallback` if there is none of this name. */
static inline int64_t hone_plugin_int(const struct hone_plugin_request *request, const char *name,
                                      int64_t fallback)
{
  const struct hone_plugin_value *value =
      hone_plugin_find(request->config, request->config_count, name);

  return value ? value->integer : fallback;
}

#ifdef __cplusplus
}
#endif

#endif
