/* A reference becomes a variable that holds an object, and functions of references call those of
 * objects. Macros replace the word of the type alone, so that lines keep their places. */
#include "backend/simt/simt_references.h"

#include "base/file.h"
#include "build/source_text.h"

#include <stdlib.h>

enum { MOST_SOURCE_BYTES = 16 << 20 };

#define FETCH(name, dimensions, parameters, values)                                                \
  "template <typename HoneT, int HoneM> __device__ inline typename hone_texel<HoneT, HoneM>::"     \
  "read " name "(hone_texture<HoneT, " dimensions ", HoneM> t, " parameters ")\n"                  \
  "{ return " name "<typename hone_texel<HoneT, HoneM>::read>(t.object, " values "); }\n"

static const char texture_words[] =
    "template <typename HoneT, int> struct hone_texel { typedef HoneT read; };\n"
    "template <typename HoneT, int = 1, int = 0> struct hone_texture\n"
    "{ %sTextureObject_t object; };\n" FETCH("tex1Dfetch", "1", "int x", "x")
        FETCH("tex1D", "1", "float x", "x") FETCH("tex2D", "2", "float x, float y", "x, y")
            FETCH("tex3D", "3", "float x, float y, float z",
                  "x, y, z") "#define texture __device__ hone_texture\n";

/* The mode of reading 1: integers of 8 and 16 bits are read as fractions. */
#define FRACTIONS(type, vector)                                                                    \
  "template <> struct hone_texel<" type vector ", 1> { typedef float" vector " read; };\n"
#define ALL_FRACTIONS(vector)                                                                      \
  FRACTIONS("char", vector)                                                                        \
  FRACTIONS("uchar", vector) FRACTIONS("short", vector) FRACTIONS("ushort", vector)

static const char fraction_words[] = FRACTIONS("char", "") FRACTIONS("signed char", "")
    FRACTIONS("unsigned char", "") FRACTIONS("short", "") FRACTIONS("unsigned short", "")
        ALL_FRACTIONS("1") ALL_FRACTIONS("2") ALL_FRACTIONS("4");

/* With and without what happens outside of the surface. */
#define ACCESS(number, parameters, values)                                                         \
  "template <typename HoneT, typename... HoneM> __device__ inline void surf" number                \
  "Dwrite(HoneT value, hone_surface<void, " number "> s, " parameters ", HoneM... mode)\n"         \
  "{ surf" number "Dwrite(value, s.object, " values ", mode...); }\n"                              \
  "template <typename HoneT, typename... HoneM> __device__ inline void surf" number                \
  "Dread(HoneT *value, hone_surface<void, " number "> s, " parameters ", HoneM... mode)\n"         \
  "{ surf" number "Dread(value, s.object, " values ", mode...); }\n"                               \
  "template <typename HoneT, typename... HoneM> __device__ inline HoneT surf" number               \
  "Dread(hone_surface<void, " number "> s, " parameters ", HoneM... mode)\n"                       \
  "{ HoneT value; surf" number "Dread(&value, s.object, " values ", mode...); return value; }\n"

static const char surface_words[] =
    "template <typename = void, int = 1> struct hone_surface { %sSurfaceObject_t object; "
    "};\n" ACCESS("1", "int x", "x") ACCESS("2", "int x, int y", "x, y")
        ACCESS("3", "int x, int y, int z", "x, y, z") "#define surface __device__ hone_surface\n";

struct found {
  bool textures, surfaces, fractions;
};

static void look(const char *path, struct found *found)
{
  char *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, MOST_SOURCE_BYTES, &text, &size);
  struct hone__text clean = {0};

  if (!status && (strstr(text, "texture") || strstr(text, "surface")))
    hone__build_source_normalise(text, size, &clean);
  if (clean.data) {
    found->textures |= strstr(clean.data, "texture<") || strstr(clean.data, "texture <");
    found->surfaces |= strstr(clean.data, "surface<") || strstr(clean.data, "surface <");
    found->fractions |= strstr(clean.data, "ReadModeNormalizedFloat") != NULL;
  }
  hone__text_release(&clean);
  free(text);
  hone_status_free(status); /* the compiler will complain */
}

void hone__simt_references_add(const char *source, const struct hone__pairs *files,
                               const char *prefix, struct hone__text *out_words)
{
  struct found found = {0};

  look(source, &found);
  for (size_t i = 0; i < files->count; i++)
    look(files->data[i].name, &found);
  if (found.textures) hone__text_addf(out_words, texture_words, prefix);
  if (found.textures && found.fractions) hone__text_add(out_words, fraction_words);
  if (found.surfaces) hone__text_addf(out_words, surface_words, prefix);
}
