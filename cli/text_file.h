/* text_file.h - files that hone writes for people and other programs. */
#ifndef CLI_TEXT_FILE_H
#define CLI_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces the file in one step, and creates its folders: readers see the old text or the new one.
 * A special file (a pipe, /dev/stdout) is written directly. False after a message.
 */
bool text_file_write(const char *path, const char *text);
/* Creates its folders, before there is something to write; false after a message, also if it could
 * not be written. */
bool text_file_prepare(const char *path);
/* As text_file_write; NULL and "-" are standard output. */
bool text_file_print(const char *path, const char *text);
/* Writes all bytes into an open file; false: see errno. */
bool text_file_put(int file, const char *bytes, size_t size);
/* Creates the folder and its parents; false after a message, also if it is not writable. */
bool text_file_make_folder(const char *path);
/* The same, locked for this process alone, or for all that share it, until the descriptor is
 * closed; -1 after a message. */
int text_file_claim_folder(const char *path, bool shared);
/* Removes a file that may not exist; false after a message. */
bool text_file_remove(const char *path);

#endif
