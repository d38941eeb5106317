/* t1_space.h - T1, the input of tuners in the FAIR format: a space as parameters and conditions. */
#ifndef HONE_REPLAY_T1_SPACE_H
#define HONE_REPLAY_T1_SPACE_H

#include "base/status.h"

/* A spec in YAML with its parameters and constraints; free(). The file may be in gzip. NOT_FOUND:
 * it has no parameters, so it is another kind of file. INVALID_SPEC says what cannot be read. */
hone_status hone__t1_space_text(const char *path, char **out_yaml);
/* The same of a text; `path` is for messages. The text is written to. */
hone_status hone__t1_space_parse(const char *path, char *text, size_t size, char **out_yaml);

#endif
