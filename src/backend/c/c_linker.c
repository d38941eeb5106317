/* Of the compiler's plan only one form is understood: one command, of a linker or of gcc's
 * collect2, which starts one. Everything else is left to the compiler. */
#include "backend/c/c_linker.h"

#include <stdlib.h>

enum { MOST_KEPT = 8 }; /* commands: flags may be knobs */

struct kept {
  char *question;            /* the compiler's words */
  struct hone__words answer; /* object_mark and output_mark stand for the files; empty: not known */
};

static const char object_mark[] = "\x01object", output_mark[] = "\x01output";

static struct kept kept[MOST_KEPT];
static size_t next_kept;

/* ---- Words ---- */

static const char *replaced(const char *word, const char *from, const char *to)
{
  return strcmp(word, from) == 0 ? to : word;
}

static void add_replaced(struct hone__words *words, const struct hone__words *from,
                         const char *const files[2], const char *const by[2])
{
  for (size_t i = 0; i < from->count; i++)
    hone__words_add(words, replaced(replaced(from->data[i], files[0], by[0]), files[1], by[1]));
}

static char *question_of(const struct hone__words *words)
{
  struct hone__text text = {0};

  for (size_t i = 0; i < words->count; i++)
    hone__text_addf(&text, "%s\n", words->data[i]);
  return hone__text_take(&text);
}

static size_t count_of(const struct hone__words *words, const char *word)
{
  size_t count = 0;

  for (size_t i = 0; i < words->count; i++)
    count += strcmp(words->data[i], word) == 0;
  return count;
}

/* ---- The compiler's plan ---- */

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

/* The lines that begin with a blank are commands; false unless there is one. */
static bool find_command(const char *plan, struct hone__words *out_command)
{
  size_t found = 0;

  for (const char *line = plan; line && *line; line = strchr(line, '\n')) {
    struct hone__text text = {0};
    line += *line == '\n';
    if (*line != ' ') continue;
    hone__text_addn(&text, line, strcspn(line, "\n"));
    found++;
    hone_status_free(hone__words_split(out_command, text.data));
    hone__text_release(&text);
  }
  return found == 1 && out_command->count;
}

/* The plug-in is for objects of -flto, which are not linked here, and has a file of its own. A word
 * such as -fuse-ld=gold is for collect2 alone: to a linker, -f begins another option. */
static bool take_arguments(const struct hone__words *command, struct hone__words *out_words)
{
  for (size_t i = 1; i < command->count; i++) {
    const char *word = command->data[i];
    if (strcmp(word, "-plugin") == 0) i++;
    if (hone__starts_with(word, "-plugin")) continue;
    if (hone__starts_with(word, "-f")) return false;
    if (*word == '@') return false; /* a file with more words, which the compiler removes */
    hone__words_add(out_words, word);
  }
  return true;
}

/* collect2 starts the linker that the compiler would name. */
static bool take_linker(const char *program, const char *compiler, hone__c_linker_ask *ask,
                        const void *data, struct hone__words *out_words)
{
  struct hone__words question = {0};
  struct hone__text answer = {0};
  bool is_known = hone__starts_with(base_name(program), "ld");

  if (is_known) {
    hone__words_add(out_words, program);
  } else if (strcmp(base_name(program), "collect2") == 0) {
    hone__words_add(&question, compiler);
    hone__words_add(&question, "-print-prog-name=ld");
    is_known = ask(data, &question, &answer) && answer.length > 1 &&
               strcspn(answer.data, "\n") + 1 == answer.length;
    if (is_known) answer.data[answer.length - 1] = 0;
    if (is_known) hone__words_add(out_words, answer.data);
  }
  hone__words_release(&question);
  hone__text_release(&answer);
  return is_known;
}

/* Empty if the plan is not understood. */
static void plan(const struct hone__words *compiler, const char *const files[2],
                 hone__c_linker_ask *ask, const void *data, struct hone__words *out_answer)
{
  static const char *const marks[] = {object_mark, output_mark};
  struct hone__words question = {0}, command = {0}, words = {0};
  struct hone__text text = {0};

  hone__words_add_all(&question, hone__words_list(compiler));
  hone__words_add(&question, "-###");
  if (ask(data, &question, &text) && find_command(text.data, &command) &&
      count_of(&command, files[0]) == 1 && count_of(&command, files[1]) == 1 &&
      take_linker(command.data[0], compiler->data[0], ask, data, &words) &&
      take_arguments(&command, &words))
    add_replaced(out_answer, &words, files, marks);
  hone__text_release(&text);
  hone__words_release(&question);
  hone__words_release(&command);
  hone__words_release(&words);
}

/* ---- What is known ---- */

static const struct kept *find(const char *question)
{
  for (size_t i = 0; i < MOST_KEPT; i++)
    if (kept[i].question && strcmp(kept[i].question, question) == 0) return &kept[i];
  return NULL;
}

/* In the place of the oldest. */
static struct kept *place(char *question)
{
  struct kept *entry = &kept[next_kept++ % MOST_KEPT];

  free(entry->question);
  hone__words_release(&entry->answer);
  entry->question = question;
  return entry;
}

bool hone__c_linker_words(const struct hone__words *compiler, const char *object,
                          const char *output, hone__c_linker_ask *ask, const void *data,
                          struct hone__words *out_words)
{
  static const char *const marks[] = {object_mark, output_mark};
  const char *const files[] = {object, output};
  struct hone__words marked = {0};
  const struct kept *known;
  struct kept *entry;
  char *question;

  add_replaced(&marked, compiler, files, marks);
  question = question_of(&marked);
  hone__words_release(&marked);
  known = find(question);
  if (known) {
    free(question);
  } else {
    known = entry = place(question);
    plan(compiler, files, ask, data, &entry->answer);
  }
  add_replaced(out_words, &known->answer, marks, files);
  return known->answer.count > 0;
}
