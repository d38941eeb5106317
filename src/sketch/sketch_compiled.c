#include "sketch/sketch.h"

#include "backend/c/c_backend.h"
#include "base/folder.h"

#include <stdlib.h>

bool hone__sketch_is_open(const struct hone__sketch *sketch)
{
  bool open = !sketch->has_prototype;

  for (size_t i = 0; i < sketch->prototype.count; i++) {
    const struct hone__parameter *parameter = &sketch->prototype.parameters[i];
    bool has_structs = parameter->is_pointer && parameter->members;
    open = open || (!parameter->has_element && !sketch->structs[i].count && !has_structs);
  }
  return open;
}

static bool find(struct hone__sketch *sketch, const struct hone__kernel_candidate *candidate,
                 struct hone__prototype *out)
{
  char *folder = hone__c_debug_compile(&(struct hone__kernel_setup){0}, candidate);
  bool is_found = folder && hone__c_debug_find(folder, candidate, candidate->entry, sketch->entry,
                                               &sketch->arena, out);

  if (folder) hone__folder_remove(folder);
  free(folder);
  return is_found;
}

/* They also have the sizes of arrays, `float a[n][k]`, and clang knows members of members. */
static void keep_known(const struct hone__prototype *source, struct hone__prototype *found)
{
  for (size_t i = 0; source->count == found->count && i < found->count; i++) {
    const struct hone__parameter *known = &source->parameters[i];
    struct hone__parameter *own = &found->parameters[i];
    if (known->members && !own->members)
      *own = *known;
    else
      own->text = known->text;
  }
}

void hone__sketch_ask_compiler(struct hone__sketch *sketch)
{
  bool is_c = sketch->language == HONE__SKETCH_C;
  struct hone__words flags = {0};
  struct hone__kernel_candidate candidate = {.language = is_c ? "c" : "c++",
                                             .compiler = is_c ? "cc" : "c++",
                                             .includes = sketch->folders,
                                             .includes_count = sketch->folder_count};
  struct hone__text entry = {0};
  struct hone__prototype found;
  char *source = NULL;

  if (!hone__sketch_is_open(sketch) && hone__sketch_has_output(sketch)) return;
  if (!(source = hone__realpath(sketch->path))) return;
  hone__sketch_print_entry(sketch, true, &entry);
  hone__words_add(&flags, "-march=native"); /* as the spec has it: for intrinsics */
  hone__sketch_define_bodies(sketch, &flags);
  candidate.flags = (const char **)flags.data;
  candidate.flags_count = flags.count;
  candidate.source = source;
  candidate.entry = entry.data;
  sketch->is_refused = !find(sketch, &candidate, &found);
  if (!sketch->is_refused) {
    keep_known(&sketch->prototype, &found);
    sketch->prototype = found;
    sketch->has_prototype = true;
    hone__sketch_find_sizes(sketch);
  }
  hone__words_release(&flags);
  hone__text_release(&entry);
  free(source);
}
