/* export_formats.h - hone export: formats that the library writes of runs, and files for output. */
#ifndef CLI_EXPORT_FORMATS_H
#define CLI_EXPORT_FORMATS_H

#include "command.h"
#include "hone_export.h"

struct export_output {
  const char *path; /* NULL and "-": standard output; a folder: the file that the format names */
  bool check;       /* write nothing; say whether the file has this text */
};
/* Writes or checks. `name`: of the file in a folder, or NULL. */
enum exit_code export_output_write(const struct export_output *output, const char *name,
                                   const char *text);

struct export_formats {
  struct export_output output;
  const char *store, *config;
  enum hone_format format;
  bool force;
};
/* The words are runs. */
enum exit_code export_formats_write(const struct export_formats *formats,
                                    const struct word_list *words);

#endif
