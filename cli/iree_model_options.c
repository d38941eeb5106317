/* A target may be a name or flags of the compiler, of which there are hundreds: words with their
 * prefixes are removed before the command's options are read.
 */
#include "iree_model_options.h"

#include "hone_iree.h"

#include <stdlib.h>

void iree_model_settings_init(struct iree_model_settings *settings)
{
  *settings = (struct iree_model_settings){0};
  settings->seed = 42;
}

/* ---- Flags among the words ---- */

static const struct option *find_option(const struct option *options, const char *word)
{
  size_t length = strcspn(word + 2, "=");

  for (; options->kind; options++) {
    const char *const names[] = {options->name, options->alias};
    for (size_t i = 0; i < 2; i++)
      if (names[i] && strlen(names[i]) == length && strncmp(names[i], word + 2, length) == 0)
        return options;
  }
  return NULL;
}

static bool is_flag(const struct option *options, const char *word)
{
  return strncmp(word, "--iree-", 7) == 0 && !find_option(options, word);
}

/* The next word is its value, whatever its form. */
static bool takes_next(const struct option *options, const char *word)
{
  const struct option *option;

  if (strncmp(word, "--", 2) != 0 || !word[2] || strchr(word, '=')) return false;
  option = find_option(options, word);
  return option && option->takes_dashes;
}

char **iree_model_take_flags(const struct option *options, char **argv, struct word_list *out_flags)
{
  size_t count = 0, used = 0;
  bool is_value = false, is_over = false;
  char **left;

  while (argv[count])
    count++;
  left = check_memory(calloc(count + 1, sizeof *left));
  for (size_t i = 0; i < count; i++) {
    is_over = is_over || (!is_value && strcmp(argv[i], "--") == 0);
    if (!is_over && !is_value && is_flag(options, argv[i]))
      word_list_add(out_flags, argv[i]);
    else
      left[used++] = argv[i];
    is_value = !is_over && !is_value && takes_next(options, argv[i]);
  }
  return left;
}

/* ---- For the library ---- */

static bool fill_target(const struct word_list *words, const char **target,
                        struct iree_texts *texts)
{
  for (size_t i = 1; i < words->count; i++) {
    if (strncmp(words->words[i], "--", 2) == 0) {
      iree_texts_add_flag(texts, words->words[i]);
    } else if (*target) {
      message_error("two targets, '%s' and '%s': give one", *target, words->words[i]);
      return false;
    } else {
      *target = words->words[i];
    }
  }
  return true;
}

static void add_flags(struct iree_texts *texts, const struct word_list *more)
{
  for (size_t i = 0; i < more->count; i++)
    iree_texts_add_flag(texts, more->words[i]);
}

static void fill_parameters(const struct word_list *parameters, struct iree_model_texts *texts)
{
  texts->owned = check_memory(calloc(parameters->count + 1, sizeof *texts->owned));
  for (size_t i = 0; i < parameters->count; i++) {
    static const char flag[] = "--parameters=";
    size_t size = sizeof flag + strlen(parameters->words[i]);
    texts->owned[i] = check_memory(malloc(size));
    memcpy(texts->owned[i], flag, sizeof flag);
    memcpy(texts->owned[i] + sizeof flag - 1, parameters->words[i],
           strlen(parameters->words[i]) + 1);
    word_list_add(&texts->run_flags, texts->owned[i]);
  }
}

static char *value_of(const char *flag, const char *prefix)
{
  size_t length = strlen(prefix);

  return strncmp(flag, prefix, length) == 0 ? check_memory(strdup(flag + length)) : NULL;
}

/* A line of --model-benchmark-flags-file. Hone itself sets the module and how it is measured. */
static void add_run_flag(void *data, const char *flag)
{
  struct iree_model_texts *texts = data;
  char *value;

  if (strncmp(flag, "--module=", 9) == 0 || strncmp(flag, "--benchmark_", 12) == 0) {
    message_note("'%s' is left out: Hone chooses what is measured and how", flag);
  } else if ((value = value_of(flag, "--input=")) != NULL) {
    iree_texts_own(&texts->iree, value);
    word_list_add(&texts->inputs, value);
  } else if ((value = value_of(flag, "--function=")) != NULL) {
    iree_texts_own(&texts->iree, value);
    texts->function = value;
  } else if ((value = value_of(flag, "--device=")) != NULL) {
    iree_texts_own(&texts->iree, value);
    texts->device = value;
  } else {
    value = check_memory(strdup(flag));
    iree_texts_own(&texts->iree, value);
    word_list_add(&texts->run_flags, value);
  }
}

/* Options come before the file. */
static bool fill_call(const struct iree_model_settings *settings,
                      struct hone_iree_model_options *options, struct iree_model_texts *texts)
{
  const struct word_list *inputs = settings->inputs.count ? &settings->inputs : &texts->inputs;

  if (settings->run_flags_file &&
      !iree_flags_file_read(settings->run_flags_file, add_run_flag, texts))
    return false;
  options->function = settings->function ? settings->function : texts->function;
  options->device = settings->device ? settings->device : texts->device;
  options->inputs = inputs->words;
  options->input_count = inputs->count;
  options->run_flags = texts->run_flags.words;
  options->run_flag_count = texts->run_flags.count;
  return true;
}

bool iree_model_settings_fill(const struct iree_model_settings *settings,
                              const struct word_list *words, const struct word_list *flags,
                              struct hone_iree_model_options *options,
                              struct iree_model_texts *texts)
{
  *texts = (struct iree_model_texts){0};
  hone_iree_model_options_init(options);
  if (!iree_settings_fill(&settings->iree, &texts->options, &texts->iree)) return false;
  if (!fill_target(words, &texts->options.target, &texts->iree)) return false;
  add_flags(&texts->iree, flags);
  fill_parameters(&settings->parameters, texts);
  texts->options.flags = texts->iree.flags.words;
  texts->options.flag_count = texts->iree.flags.count;
  options->iree = &texts->options;
  options->dims = settings->dims.words;
  options->dim_count = settings->dims.count;
  options->seed = settings->seed;
  options->folder = settings->keep;
  return fill_call(settings, options, texts);
}

void iree_model_texts_release(struct iree_model_texts *texts)
{
  for (char **text = texts->owned; text && *text; text++)
    free(*text);
  free(texts->owned);
  word_list_release(&texts->run_flags);
  word_list_release(&texts->inputs);
  iree_texts_release(&texts->iree);
}
