#include "options.h"

#include "hone_text.h"
#include "message.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists of words ---- */

void word_list_add(struct word_list *list, const char *word)
{
  list->words = check_memory(realloc(list->words, (list->count + 1) * sizeof *list->words));
  list->words[list->count++] = word;
}

void word_list_release(struct word_list *list)
{
  free(list->words);
  *list = (struct word_list){0};
}

void options_release(const struct option *options, void *target)
{
  for (; options->kind; options++) {
    void *field = (char *)target + options->target;
    if (options->kind == OPTION_LIST) word_list_release(field);
    if (options->kind != OPTION_JOINED) continue;
    free(*(char **)field);
    *(char **)field = NULL;
  }
}

/* ---- Values ---- */

static bool read_number(const char *text, uint64_t *out_number)
{
  char *end;
  unsigned long long number;

  if (!isdigit((unsigned char)*text)) return false;
  errno = 0;
  number = strtoull(text, &end, 10);
  if (errno || *end) return false;
  *out_number = number;
  return true;
}

static bool read_integer(const char *text, int64_t *out_number)
{
  char *end;
  long long number;

  if (!isdigit((unsigned char)text[*text == '-'])) return false;
  errno = 0;
  number = strtoll(text, &end, 10);
  if (errno || *end) return false;
  *out_number = number;
  return true;
}

static bool read_size(const char *text, size_t *out_size)
{
  static const char letters[] = "KMGT";
  char *end;
  const char *letter;
  double size;

  if (!isdigit((unsigned char)*text)) return false;
  size = strtod(text, &end);
  if (*end && (letter = strchr(letters, toupper((unsigned char)*end)))) {
    for (const char *p = letters; p <= letter; p++)
      size *= 1024;
    end++;
    if (*end == 'i') end++;
  }
  if (*end == 'B') end++;
  if (*end || size < 1 || size >= 9e18) return false;
  *out_size = (size_t)size;
  return true;
}

static double time_unit(const char *unit, size_t length)
{
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"", 1},   {"us", 1e-6}, {"ms", 1e-3}, {"s", 1},
               {"m", 60}, {"min", 60},  {"h", 3600},  {"d", 86400}};

  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strlen(units[i].name) == length && memcmp(units[i].name, unit, length) == 0)
      return units[i].seconds;
  return 0;
}

/* Numbers with units, one after the other: 1h30m. */
bool option_read_time(const char *text, double *out_seconds)
{
  double seconds = 0, number, unit;
  char *end;

  do {
    size_t digits = strspn(text, "0123456789."), length;
    if (digits == 0) return false;
    number = strtod(text, &end);
    if (end != text + digits) return false;
    length = strcspn(end, "0123456789.");
    unit = time_unit(end, length);
    if (unit == 0) return false;
    seconds += number * unit;
    text = end + length;
  } while (*text);
  if (!(seconds > 0 && seconds < 1e10)) return false;
  *out_seconds = seconds;
  return true;
}

/* For each kind, the last one counts. */
static bool read_budget(const char *text, struct budget *budget)
{
  bool is_count = *text && strspn(text, "0123456789") == strlen(text);

  if (!is_count) return option_read_time(text, &budget->seconds);
  return read_number(text, &budget->count) && budget->count > 0;
}

static bool read_percent(const char *text, double *out_share)
{
  size_t digits = strspn(text, "0123456789.");
  char *end;
  double percent = strtod(text, &end);

  if (digits == 0 || end != text + digits || percent > 1000) return false;
  if (*end == '%') end++;
  if (*end) return false;
  *out_share = percent / 100;
  return true;
}

static bool read_choice(const struct option *option, const char *text, int *out_choice)
{
  for (int i = 0; option->words[i]; i++) {
    if (strcmp(option->words[i], text) != 0) continue;
    *out_choice = i;
    return true;
  }
  return false;
}

static void complain_of_choice(const struct option *option, const char *text)
{
  struct hone_nearest nearest = {.word = text};
  char list[256] = "";

  for (size_t i = 0; option->words[i]; i++) {
    size_t used = strlen(list);
    const char *before = i == 0 ? "" : option->words[i + 1] ? ", " : " or ";
    snprintf(list + used, sizeof list - used, "%s%s", before, option->words[i]);
    hone_nearest_try(&nearest, option->words[i]);
  }
  if (nearest.best)
    message_error("'--%s' is %s, not '%s'; did you mean '%s'?", option->name, list, text,
                  nearest.best);
  else
    message_error("'--%s' is %s, not '%s'", option->name, list, text);
}

static void join(char **joined, const char *text)
{
  size_t length = *joined ? strlen(*joined) + 1 : 0;

  *joined = check_memory(realloc(*joined, length + strlen(text) + 1));
  if (length) (*joined)[length - 1] = ',';
  strcpy(*joined + length, text);
}

static bool store_value(const struct option *option, const char *text, void *field)
{
  switch (option->kind) {
  case OPTION_TEXT: *(const char **)field = text; return true;
  case OPTION_MAYBE: *(const char **)field = text ? text : ""; return true;
  case OPTION_JOINED: join(field, text); return true;
  case OPTION_LIST: word_list_add(field, text); return true;
  case OPTION_NUMBER:
    if (read_number(text, field)) return true;
    message_error("'--%s' needs a non-negative number, not '%s'", option->name, text);
    return false;
  case OPTION_INTEGER:
    if (read_integer(text, field)) return true;
    message_error("'--%s' needs a number, not '%s'", option->name, text);
    return false;
  case OPTION_SIZE:
    if (read_size(text, field)) return true;
    message_error("'--%s' needs a size such as 512M or 2G, not '%s'", option->name, text);
    return false;
  case OPTION_TIME:
    if (option_read_time(text, field)) return true;
    message_error("'--%s' needs a time such as 500ms, 60s, 5m or 1h30m, not '%s'", option->name,
                  text);
    return false;
  case OPTION_BUDGET:
    if (read_budget(text, field)) return true;
    message_error("'--%s' needs a time such as 500ms, 60s, 5m or 1h30m, or a number of "
                  "configurations, not '%s'",
                  option->name, text);
    return false;
  case OPTION_PERCENT:
    if (read_percent(text, field)) return true;
    message_error("'--%s' needs a percentage such as 1 or 0.5, not '%s'", option->name, text);
    return false;
  case OPTION_CHOICE:
    if (read_choice(option, text, field)) return true;
    complain_of_choice(option, text);
    return false;
  default: *(bool *)field = !option->clears; return true;
  }
}

static bool check_only_one(const struct option *option, char *target)
{
  const struct option **given = (const struct option **)(void *)(target + option->only_one);

  if (!option->only_one) return true;
  if (*given && *given != option) {
    message_error("'--%s' and '--%s' cannot be combined: choose one", (*given)->name, option->name);
    return false;
  }
  *given = option;
  return true;
}

/* ---- Words of the command line ---- */

struct reader {
  const struct option *options;
  char **next; /* the words after the one at hand */
  void *target;
  const char
      *wanted; /* only search for this option, without storing or reporting anything; or NULL */
  bool is_found;
};

bool option_needs_value(const struct option *option)
{
  return option->argument && option->kind != OPTION_MAYBE;
}

static bool look(struct reader *reader, const struct option *option, const char *value)
{
  if (strcmp(option->name, reader->wanted) == 0) reader->is_found = true;
  if (option_needs_value(option) && !value && *reader->next) reader->next++;
  return true;
}

static bool take(struct reader *reader, const struct option *option, const char *value)
{
  if (reader->wanted) return look(reader, option, value);
  if (option->kind == OPTION_MOVED) {
    message_error("'--%s' is not supported: %s", option->name, option->help);
    return false;
  }
  if (option_needs_value(option) && !value) {
    value = *reader->next;
    if (!value || (value[0] == '-' && value[1] == '-' && !option->takes_dashes)) {
      message_error("'--%s' needs a value: --%s %s", option->name, option->name, option->argument);
      return false;
    }
    reader->next++;
  }
  return check_only_one(option, reader->target) &&
         store_value(option, value, (char *)reader->target + option->target);
}

static bool is_option(const struct option *option)
{
  return option->kind != OPTION_HEADING;
}

static bool has_name(const struct option *option, const char *name)
{
  return is_option(option) &&
         (strcmp(option->name, name) == 0 || (option->alias && strcmp(option->alias, name) == 0));
}

static const struct option *find_long(const struct option *options, const char *name)
{
  for (; options->kind; options++)
    if (has_name(options, name)) return options;
  return NULL;
}

static const struct option *find_word(const struct option *options, const char *word)
{
  for (; options->kind; options++)
    if (options->word && strcmp(options->word, word) == 0) return options;
  return NULL;
}

static const struct option *find_letter(const struct option *options, char letter)
{
  for (; options->kind; options++)
    if (is_option(options) && options->letter == letter) return options;
  return NULL;
}

/* True only in a search for one option. */
static bool unknown_name(const struct reader *reader, const char *name)
{
  struct hone_nearest nearest = {.word = name};

  if (reader->wanted) return true;
  for (const struct option *option = reader->options; option->kind; option++)
    if (is_option(option) && option->kind != OPTION_MOVED) hone_nearest_try(&nearest, option->name);
  if (nearest.best)
    message_error("unknown option '--%s'; did you mean '--%s'?", name, nearest.best);
  else
    message_error("unknown option '--%s'", name);
  return false;
}

static bool take_long(struct reader *reader, const char *word)
{
  size_t length = strcspn(word, "=");
  const char *value = word[length] ? word + length + 1 : NULL;
  const struct option *option;
  char name[256];

  snprintf(name, sizeof name, "%.*s", (int)length, word);
  option = find_long(reader->options, name);
  if (!option) return unknown_name(reader, name);
  if (option->argument || !value || reader->wanted || option->kind == OPTION_MOVED)
    return take(reader, option, value);
  message_error("'--%s' takes no value", name);
  return false;
}

/* -qv, -f json, -fjson */
static bool take_letters(struct reader *reader, const char *letters)
{
  for (; *letters; letters++) {
    const struct option *option = find_letter(reader->options, *letters);
    if (!option && reader->wanted) continue;
    if (!option) {
      message_error("unknown option '-%c'", *letters);
      return false;
    }
    if (option->argument) return take(reader, option, letters[1] ? letters + 1 : NULL);
    if (!take(reader, option, NULL)) return false;
  }
  return true;
}

/* -cc: a whole word comes before letters. */
static bool take_short(struct reader *reader, const char *word)
{
  const struct option *option = find_word(reader->options, word);

  return option ? take(reader, option, NULL) : take_letters(reader, word);
}

static bool read_words(struct reader *reader, struct word_list *words)
{
  bool only_words = false, good = true;

  while (*reader->next && good) {
    const char *word = *reader->next++;
    if (only_words || word[0] != '-' || !word[1]) {
      if (words) word_list_add(words, word);
    } else if (strcmp(word, "--") == 0) {
      only_words = true;
    } else if (word[1] == '-') {
      good = take_long(reader, word + 2);
    } else {
      good = take_short(reader, word + 1);
    }
  }
  return good;
}

bool options_parse(const struct option *options, char **argv, void *target,
                   struct word_list *out_words)
{
  struct reader reader = {.options = options, .next = argv, .target = target};

  return read_words(&reader, out_words);
}

bool options_mention(const struct option *options, char **argv, const char *name)
{
  struct reader reader = {.options = options, .next = argv, .wanted = name};

  read_words(&reader, NULL);
  return reader.is_found;
}

size_t option_synopsis(const struct option *option, char *buffer, size_t size)
{
  const char *separator = option_needs_value(option) ? " " : "[=";
  char before[32] = "    ";

  if (option->letter)
    snprintf(before, sizeof before, "-%c, ", option->letter);
  else if (option->word)
    snprintf(before, sizeof before, "-%s, ", option->word);
  if (!option->argument) return (size_t)snprintf(buffer, size, "%s--%s", before, option->name);
  return (size_t)snprintf(buffer, size, "%s--%s%s%s%s", before, option->name, separator,
                          option->argument, option_needs_value(option) ? "" : "]");
}
