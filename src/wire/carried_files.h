/* carried_files.h - the files that a job reads, sent with it to a host that lacks them.
 *
 * Fields that are added to the head of a job. The files are the last bytes of its payload, one
 * after the other. The worker writes them into a folder of its own, at the same places below it,
 * and changes the paths of these files, and of folders that have some, in its messages.
 */
#ifndef HONE_WIRE_CARRIED_FILES_H
#define HONE_WIRE_CARRIED_FILES_H

#include "wire/record.h"

struct hone__wire_file {
  const char *path; /* absolute, as the driver has it */
  size_t size;
  int64_t time_ns; /* of its last change, since 1970: digests of folders cover it */
  bool is_program;
};

struct hone__wire_files {
  struct hone__wire_file *files;
  const char **roots; /* absolute folders: all files are below one of them */
  size_t files_count, roots_count;
};

extern const struct hone__record_type hone__wire_files_type;

/* The size of all. */
size_t hone__wire_files_size(const struct hone__wire_files *files);

/* ---- Paths in messages ---- */

/* A copy in which the paths of the files are those below `folder`. */
struct hone__packed *hone__wire_files_move(const struct hone__wire_files *files,
                                           const struct hone__packed *packed, const char *folder);
/* The other way round: the message and the text name files as the driver does. */
void hone__wire_files_restore(struct hone__packed *packed, const char *folder);
void hone__wire_files_restore_text(struct hone__text *text, const char *folder);

#endif
