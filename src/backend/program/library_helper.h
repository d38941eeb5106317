/* library_helper.h - what happens in the process that library_host.h starts. */
#ifndef HONE_BACKEND_PROGRAM_LIBRARY_HELPER_H
#define HONE_BACKEND_PROGRAM_LIBRARY_HELPER_H

/* `socket` points to the descriptor that calls come from; returns when none will come again. */
void hone__library_serve(void *start);

#endif
