/* own_file.h - the file of this program, which the library starts as worker. */
#ifndef CLI_OWN_FILE_H
#define CLI_OWN_FILE_H

/* Lent for ever. */
const char *own_file(void);

#endif
