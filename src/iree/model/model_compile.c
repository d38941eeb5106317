/* The compiler's input, and its words. */
#include "iree/model/model_dump.h"

#include "base/paths.h"
#include "base/utf8.h"
#include "iree/model/model_import.h"
#include "iree/operation/target.h"
#include "hone_iree.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONGEST_ERROR = 400, LONGEST_NAME = 80 };
static const double compile_s = 4 * 3600.0;

char *hone__model_path(const struct hone__model *model, const char *name)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s/%s", model->folder, name);
  return hone__text_take(&text);
}

/* ---- Compiling ---- */

/* The first line with an error in it; "" if there is none. */
static char *find_error(const struct hone__child_result *result)
{
  const char *errors = result->errors.data ? result->errors.data : "",
             *line = strstr(errors, "error: ");
  size_t length;

  if (!line) return hone__strdup("");
  while (line > errors && line[-1] != '\n')
    line--;
  length = strcspn(line, "\n");
  return hone__strndup(line, length < LONGEST_ERROR ? length : LONGEST_ERROR);
}

/* An error in a dispatch has its place in a dump: the dispatch's name is more informative. */
static void explain(const struct hone__model *model, const struct hone__child_result *result,
                    const char *error, struct hone__text *text)
{
  const char *words = strstr(error, "error: "), *name = strstr(error, "configured_");

  if (!words) {
    hone__iree_reason(result, text);
    return;
  }
  if (hone__starts_with(error, model->folder) && name && name < words)
    hone__text_addf(text, "%.*s: ", (int)strcspn(name + strlen("configured_"), "."),
                    name + strlen("configured_"));
  hone__text_add(text, words + strlen("error: "));
}

/* Advice for common omissions. */
static const char *advise(const struct hone__model *model)
{
  const char *target = model->options->target;

  if (target && strcmp(target, "vulkan") == 0)
    return "; 'vulkan:NAME' names the GPU, such as vulkan:ampere or vulkan:rdna3";
  return "";
}

/* The names of dumps begin with those of functions. */
static bool is_no_file_name(const struct hone__text *reason)
{
  return reason->data && strstr(reason->data, "while dumping to ") &&
         strstr(reason->data, ": No such file or directory");
}

/* "model.mlir:5:10: error: ..."; line 0 is not a place. */
static bool has_place(const struct hone__model *model, const char *error)
{
  size_t length = strlen(model->path);

  return hone__starts_with(error, model->path) && hone__starts_with(error + length, ":") &&
         !hone__starts_with(error + length, ":0:");
}

/* "onnx.If" of an operation of an import that the compiler does not know, or not in this form. */
static bool find_unsupported(const struct hone__text *reason, char name[LONGEST_NAME])
{
  static const char before[] = "\"torch.operator\"", mark[] = "name = \"";
  const char *at = reason->data ? strstr(reason->data, before) : NULL;
  size_t length;

  at = at ? strstr(at, mark) : NULL;
  if (!at) return false;
  at += strlen(mark);
  length = strcspn(at, "\"");
  if (!length || length >= LONGEST_NAME) return false;
  memcpy(name, at, length);
  name[length] = '\0';
  return true;
}

static hone_status judge(const struct hone__model *model, const struct hone__child_result *result)
{
  const char *target = model->options->target ? model->options->target : "";
  const char *for_word = *target ? " for " : "";
  struct hone__text reason = {0};
  char *error, name[LONGEST_NAME];
  hone_status status;

  if (result->end == HONE__CHILD_EXITED && result->code == 0) return NULL;
  error = find_error(result);
  explain(model, result, error, &reason);
  if (result->end == HONE__CHILD_NOT_STARTED)
    status = hone__error(HONE_IO, "cannot start iree-compile: %s", reason.data);
  else if (find_unsupported(&reason, name))
    status = hone__error(HONE_INVALID_SPEC,
                         "%s: error: it does not compile%s%s: IREE %s does not support '%s' in the "
                         "form that the model has",
                         model->path, for_word, target, model->tools.version, name);
  else if (is_no_file_name(&reason))
    status = hone__error(HONE_INVALID_SPEC,
                         "%s: error: the name of a function has a '/', but its dispatches are "
                         "dumped to files of this name: rename the function",
                         model->path);
  else if (has_place(model, error))
    status = hone__error(HONE_INVALID_SPEC, "%s\nit does not compile%s%s", error, for_word, target);
  else
    status = hone__error(HONE_INVALID_SPEC, "%s: error: it does not compile%s%s: %s%s", model->path,
                         for_word, target, reason.data ? reason.data : "?", advise(model));
  hone__text_release(&reason);
  free(error);
  return status;
}

hone_status hone__model_compile(struct hone__model *model, const char *const *more_words,
                                const char *output)
{
  struct hone__child_result result = {0};
  struct hone__words words = {0};
  hone_status status = hone__iree_need(&model->tools, HONE__IREE_COMPILE);

  if (!status) {
    hone__words_add(&words, model->source);
    hone__words_add_all(&words, hone__words_list(&model->words));
    hone__words_add_all(&words, more_words);
    hone__words_add(&words, "-o");
    hone__words_add(&words, output);
    hone__iree_child(&model->tools, HONE__IREE_COMPILE, hone__words_list(&words), NULL, compile_s,
                     &result);
    status = judge(model, &result);
    hone__child_result_release(&result);
  }
  hone__words_release(&words);
  return status;
}

/* ---- What is compiled ---- */

static void add_flags(struct hone__model *model)
{
  for (size_t i = 0; i < model->options->flag_count; i++)
    hone__words_add(&model->words, model->options->flags[i]);
}

/* Words are written into specs and files of JSON. */
static hone_status check_words(const struct hone__model *model)
{
  const struct hone_iree_options *options = model->options;
  const char *wrong = hone__utf8_is_text(model->path) ? NULL : model->path;

  for (size_t i = 0; i < options->flag_count; i++)
    if (!hone__utf8_is_text(options->flags[i])) wrong = options->flags[i];
  if (access(model->path, R_OK)) return hone__path_error("open", model->path);
  if (!wrong) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT, "'%s' is not valid UTF-8", wrong);
}

static hone_status import(struct hone__model *model, const struct hone_iree_model_options *options)
{
  char *source = NULL;
  hone_status status =
      hone__model_import(&model->tools, model->path, options, model->folder, &source);

  if (status) return status;
  free(model->source);
  model->source = source;
  return NULL;
}

hone_status hone__model_open(struct hone__model *model, const char *path,
                             const struct hone_iree_model_options *of_model, const char *folder)
{
  const struct hone_iree_options *options = of_model->iree;
  hone_status status;

  *model = (struct hone__model){.path = path, .options = options, .backend = "", .driver = ""};
  model->folder = hone__strdup(folder);
  model->source = hone__strdup(path);
  model->target = hone__strdup("");
  status = check_words(model);
  if (status) return status;
  hone__iree_toolset_find(options->iree_dir, &model->tools);
  status = hone__iree_need(&model->tools, HONE__IREE_COMPILE);
  if (!status) status = hone__iree_need_feature(&model->tools, HONE__IREE_HAS_TUNER_ATTRIBUTES);
  if (!status) status = import(model, of_model);
  if (!status && options->target)
    status = hone__iree_target_words(&model->tools, options->target, &model->words);
  if (!status) add_flags(model);
  return status;
}

static void release_executable(struct hone__model_executable *executable)
{
  free(executable->name);
  free(executable->entry);
  free(executable->configured);
  free(executable->benchmark);
}

void hone__model_release(struct hone__model *model)
{
  for (size_t i = 0; i < model->count; i++)
    release_executable(&model->executables[i]);
  free(model->executables);
  hone__mlir_release(&model->flow);
  hone__words_release(&model->words);
  hone__iree_toolset_release(&model->tools);
  free(model->target);
  free(model->module);
  free(model->source);
  free(model->folder);
  *model = (struct hone__model){0};
}

/* ---- Flow ---- */

static const struct {
  const char *backend, *driver;
} drivers[] = {{"llvm-cpu", "local-sync"}, {"vmvx", "local-sync"},     {"rocm", "hip"},
               {"cuda", "cuda"},           {"vulkan-spirv", "vulkan"}, {"metal-spirv", "metal"}};

/* That of the first device. */
static void read_target(struct hone__model *model)
{
  struct hone__iree_target target = {0};
  struct hone__text why = {0};

  if (hone__iree_target_read(&model->flow, &target, &why)) {
    free(model->target);
    model->target = hone__strdup(target.arch ? target.arch : "");
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
      if (!target.backend || strcmp(drivers[i].backend, target.backend) != 0) continue;
      model->backend = drivers[i].backend;
      model->driver = drivers[i].driver;
      if (model->options->threads > 1 && strcmp(model->driver, "local-sync") == 0)
        model->driver = "local-task";
    }
  }
  hone__text_release(&why);
}

hone_status hone__model_flow(struct hone__model *model)
{
  char *path = hone__model_path(model, "flow.mlir");
  static const char *const more[] = {"--compile-to=flow",
                                     /* weights are not needed */
                                     "--mlir-elide-elementsattrs-if-larger=16",
                                     "--mlir-elide-resource-strings-if-larger=16", NULL};
  hone_status status = hone__model_compile(model, more, path);

  if (!status) status = hone__mlir_read(&model->flow, path);
  if (!status) read_target(model);
  free(path);
  return status;
}
