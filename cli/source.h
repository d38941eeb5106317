/* source.h - the spec of a command: its files, and the changes by the command line. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "iree_options.h"
#include "options.h"
#include "message.h"
#include "output.h"

struct source {
  const char *problem, *partition;
  char *device; /* values of device.*, in the format of hone_space_options */
  struct word_list params, filters, shapes;
  struct iree_settings iree; /* if the command has IREE_OPTIONS */
  bool for_tuning;           /* prepare an .mlir file for compilation */
  const char *store;         /* where imported configurations are; NULL: the user\'s */
};

#define SOURCE_OPTIONS(type, field)                                                                \
  OPTION(                                                                                          \
      TEXT, "problem", "M=256,...",                                                                \
      "problem sizes; sizes that are not in the spec's list replace those of its first problem",   \
      .target = offsetof(type, field.problem)),                                                    \
      OPTION(LIST, "param", "NAME:VALUE",                                                          \
             "replace or add a parameter; NAME:[A,B] for several values; repeatable",              \
             .target = offsetof(type, field.params)),                                              \
      OPTION(LIST, "filter", "NAME=VALUE", "keep only these values; repeatable",                   \
             .target = offsetof(type, field.filters)),                                             \
      OPTION(LIST, "shapes", "FILE", "a spec with an outer mesh of shapes; repeatable",            \
             .target = offsetof(type, field.shapes), .takes_file = true),                          \
      OPTION(JOINED, "device", "K=V,...",                                                          \
             "values of device.K that replace the device's; the first may be a kind of GPU, "      \
             "such as sm_90",                                                                      \
             .target = offsetof(type, field.device), .words = source_device_kinds)
#define PARTITION_OPTION(type, field)                                                              \
  OPTION(TEXT, "partition", "I/N",                                                                 \
         "part I of N parts of the configurations, counted from 1; M:N: part M of N parts of "     \
         "the shapes, counted from 0",                                                             \
         .target = offsetof(type, field.partition))

/* Suggestions for --device and --devices. */
extern const char *const source_device_kinds[];
extern const char *const source_device_names[];

/* Loads the spec and prints its warnings. CLI_DONE, or an exit code after a message. */
enum exit_code source_load(const struct source *source, const struct word_list *files,
                           struct hone_spec **out_spec);

/* False after a message if one is not a command. */
bool source_check_workers(const struct word_list *workers);

/* " other.yaml --param A:1 --shapes s.yaml": the arguments with which `hone run FIRST_FILE` sees
 * the same spec.
 */
void source_print(const struct source *source, const struct word_list *files,
                  struct output *output);

#endif
