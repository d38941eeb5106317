/* command_text.h - a command line as text, to be stored and repeated. */
#ifndef CLI_COMMAND_TEXT_H
#define CLI_COMMAND_TEXT_H

/* "hone tune gemm.yaml --seed 7": `name` and the words, quoted for a shell; a word equal to `word`
 * becomes `instead` (NULL: none does). "--fresh", "--wait" and "--no-wait" are left out, so that
 * the repeated command continues the run. The caller frees it. */
char *command_text(const char *name, char **argv, const char *word, const char *instead);

#endif
