/* build_folder.h - a folder for one build, in which its compiler works.
 *
 * enter, run, take, leave. The names in it are always the same, because equal code must give equal
 * bytes.
 */
#ifndef HONE_BUILD_BUILD_FOLDER_H
#define HONE_BUILD_BUILD_FOLDER_H

#include "wire/message.h"
#include "proc/child.h"

struct hone__build_folder {     /* { 0 } */
  char *folder, *object, *deps; /* deps: for the list of files that were read */
};

/* False: the answer has the reason. */
bool hone__build_folder_enter(struct hone__build_folder *folder, const char *object,
                              struct hone__answer *answer);
void hone__build_folder_leave(struct hone__build_folder *folder); /* removes its content */

/* A path in the folder; free(). */
char *hone__build_folder_path(const struct hone__build_folder *folder, const char *name);

/* Executes `words`, which end with NULL; false: there are none. `idle_s`: see hone__child_options.
 * `without`: a variable to hide from the compiler, or NULL. */
bool hone__build_folder_run(const struct hone__build_folder *folder, const char *const *words,
                            const char *directory, double timeout_s, double idle_s,
                            const char *without, struct hone__child_result *out_result,
                            struct hone__answer *answer);
/* Makes the object the answer's payload; false: there is none, and the answer has the failure. */
bool hone__build_folder_take(const struct hone__build_folder *folder, const char *program,
                             const struct hone__child_result *result, struct hone__answer *answer);

/* The limit of a build: from the job, else from the setup; 0 or less means not given. */
double hone__build_timeout_s(double of_job, double of_setup);
/* Where it runs: the `wanted` folder, or that of the source on a host that lacks it. free(). */
char *hone__build_directory(const char *wanted, const char *source);

#endif
