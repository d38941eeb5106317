/* build_folder.h - a folder for one build, in which its compiler works.
 *
 *   enter, run, take, leave. The names in it are always the same: equal code gives equal bytes.
 */
#ifndef HONE_BUILD_BUILD_FOLDER_H
#define HONE_BUILD_BUILD_FOLDER_H

#include "wire/message.h"
#include "proc/child.h"

struct hone__build_folder {     /* { 0 } */
  char *folder, *object, *deps; /* deps: for the list of files that were read */
};

/* False: the answer says why. */
bool hone__build_folder_enter(struct hone__build_folder *folder, const char *object,
                              struct hone__answer *answer);
void hone__build_folder_leave(struct hone__build_folder *folder); /* all that is in it is removed */

/* A path in the folder; free(). */
char *hone__build_folder_path(const struct hone__build_folder *folder, const char *name);

/* `words`, a list that ends with NULL, are executed; false: there are none. `without`: a variable
 * that the compiler must not see, or NULL. */
bool hone__build_folder_run(const struct hone__build_folder *folder, const char *const *words,
                            const char *directory, double timeout_s, const char *without,
                            struct hone__child_result *out_result, struct hone__answer *answer);
/* The object becomes the answer's payload; false: there is none, and the answer says so. */
bool hone__build_folder_take(const struct hone__build_folder *folder, const char *program,
                             const struct hone__child_result *result, struct hone__answer *answer);

/* How long a build may take: as the job says, else as the setup does; not above 0: it does not. */
double hone__build_timeout_s(double of_job, double of_setup);
/* Where it runs: the folder that is wanted, on a host that does not have it that of the source.
 * free(). */
char *hone__build_directory(const char *wanted, const char *source);

#endif
