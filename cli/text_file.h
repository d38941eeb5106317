/* text_file.h - files that hone writes for people and other programs. */
#ifndef CLI_TEXT_FILE_H
#define CLI_TEXT_FILE_H

#include <stdbool.h>

/* Replaces the file in one step, and makes the folders on the way: who reads it sees the old text
 * or the new one. What is no plain file (a pipe, /dev/stdout) is written to. False after a message.
 */
bool text_file_write(const char *path, const char *text);
/* The same; NULL and "-" are standard output. */
bool text_file_print(const char *path, const char *text);
/* All of the text into an open file; false: errno says why. */
bool text_file_put(int file, const char *text);
/* Makes the folder, with those on the way; false after a message, also if nothing can be made in
 * it. */
bool text_file_make_folder(const char *path);
/* The same, for this process alone, or for all that share it, until
 * the descriptor is closed; -1 after a message. */
int text_file_claim_folder(const char *path, bool shared);
/* Of a file that may not be there; false after a message. */
bool text_file_remove(const char *path);

#endif
