/* yaml_writer.h - scalars that hone, kbench and every reader of YAML 1.1 take as they are meant. */
#ifndef HONE_EXPORT_YAML_WRITER_H
#define HONE_EXPORT_YAML_WRITER_H

#include "base/text.h"

/* A text: in quotes where it would be read as something else. Bytes that are not UTF-8 become
 * U+FFFD. */
void hone__export_yaml_write_text(struct hone__text *text, const char *value);

/* A parameter's value, as Python prints it. Texts are evaluated when they are read, [["2*8"]] is
 * not: so that is how a text is written that could be evaluated. */
void hone__export_yaml_write_value(struct hone__text *text, const char *value);

#endif
