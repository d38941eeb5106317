/* c_type.h - which element type a type of C, OpenCL or CUDA is, by its words. */
#ifndef HONE_BASE_C_TYPE_H
#define HONE_BASE_C_TYPE_H

#include "base/element.h"

/* "const unsigned int" is u32, "float" f32, "size_t" u64; qualifiers and address spaces do not
 * count. `text` has no pointer. False for what only a compiler can know (other typedefs, structs)
 * and for types without an element ("long double"). */
bool hone__element_of_c_type(const char *text, size_t length, enum hone__element *out_element);

#endif
