/* replay_files.h - which files are meant, and what each is called. */
#ifndef HONE_REPLAY_REPLAY_FILES_H
#define HONE_REPLAY_REPLAY_FILES_H

#include "base/status.h"

struct hone__replay_paths { /* { 0 } */
  struct hone__replay_path {
    char *path;
    char *label;   /* the end of the path that no other has, without .json and .gz */
    bool is_named; /* by the user, not found in a folder */
  } * paths;
  size_t count, capacity;
};

/* Folders become all *.json and *.json.gz below them, sorted; a file that occurs twice is there
 * once. */
hone_status hone__replay_paths_find(const char *const *words, size_t count,
                                    struct hone__replay_paths *out_paths);
/* Drops the path from the list. */
void hone__replay_paths_drop(struct hone__replay_paths *paths, size_t path);
/* Once it is known which ones stay. */
void hone__replay_paths_label(struct hone__replay_paths *paths);
void hone__replay_paths_release(struct hone__replay_paths *paths);

#endif
