/* The devices of IREE's runtime, as listed by iree-run-module: "hip://GPU-ab12", one per line. */
#include "iree/backend/iree_backend.h"

#include "iree/toolset/toolset.h"

static const double listing_s = 20;

static bool is_plain(const char *line, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (line[i] < '!' || line[i] > '~' || line[i] == ',') return false;
  return length > 0;
}

hone_status hone__iree_devices(struct hone__words *names)
{
  struct hone__iree_toolset toolset;
  struct hone__text text = {0};
  static const char *const words[] = {"--list_devices", NULL};
  hone_status status;

  hone__iree_toolset_find(NULL, &toolset);
  status = hone__iree_need(&toolset, HONE__IREE_RUN);
  if (!status) status = hone__iree_run(&toolset, HONE__IREE_RUN, words, NULL, listing_s, &text);
  for (const char *line = text.data; line && *line;) {
    size_t length = strcspn(line, "\n");
    if (is_plain(line, length)) hone__iree_word(names, "%.*s", (int)length, line);
    line += length + (line[length] != '\0');
  }
  hone__text_release(&text);
  hone__iree_toolset_release(&toolset);
  return status;
}
