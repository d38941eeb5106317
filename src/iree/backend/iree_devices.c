/* What IREE's runtime can run on, as iree-run-module lists it: "hip://GPU-ab12", one a line. */
#include "iree/backend/iree_backend.h"

#include "iree/toolset/toolset.h"

static const double listing_s = 20;

static void add_device(json_t *devices, const char *line, size_t length)
{
  json_t *facts = json_object();

  json_object_set_new(facts, "device", json_sprintf("iree:%.*s", (int)length, line));
  json_object_set_new(facts, "name", json_sprintf("%.*s", (int)length, line));
  json_object_set_new(
      facts, "kind",
      json_string(hone__iree_is_beside_cpu(json_string_value(json_object_get(facts, "device")))
                      ? "gpu"
                      : "cpu"));
  json_array_append_new(devices, facts);
}

static bool is_plain(const char *line, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (line[i] < '!' || line[i] > '~' || line[i] == ',') return false;
  return length > 0;
}

hone_status hone__iree_devices(json_t *devices)
{
  struct hone__iree_toolset toolset;
  struct hone__text text = {0};
  json_t *words = json_pack("[s]", "--list_devices");
  hone_status status;

  hone__iree_toolset_find(NULL, &toolset);
  status = hone__iree_need(&toolset, HONE__IREE_RUN);
  if (!status) status = hone__iree_run(&toolset, HONE__IREE_RUN, words, NULL, listing_s, &text);
  for (const char *line = text.data; line && *line;) {
    size_t length = strcspn(line, "\n");
    if (is_plain(line, length)) add_device(devices, line, length);
    line += length + (line[length] != '\0');
  }
  hone__text_release(&text);
  hone__iree_toolset_release(&toolset);
  json_decref(words);
  return status;
}
