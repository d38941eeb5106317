/* Texts with expressions in them, cut into pieces once: words, values, and conditions that know the
 * piece after their `${end}`. */
#include "spec/loader.h"

enum {
  NAMES = HONE__NAMES_PROBLEM | HONE__NAMES_DEVICE | HONE__NAMES_PARAMS | HONE__NAMES_DERIVED,
  MOST_TEXTS = 1000, /* names of them, in all */
  MOST_DEPTH = 50,   /* of conditions in conditions */
  MOST_PIECES = 100000
};

struct cutter {
  struct hone__loader *loader;
  const struct hone__node *node;
  struct hone__formula whole; /* the template's own place */
  struct hone__template *template;
  size_t open[MOST_DEPTH]; /* pieces that wait for their end */
  size_t depth;
  const char *rest; /* what is not cut yet */
  bool is_wrong;
};

/* ---- Places ---- */

/* In a block scalar lines stand as they are written, below the indicator and after an indent. */
static bool find_in_block(const struct cutter *cutter, size_t offset, struct hone__place *out_place)
{
  const char *text = cutter->node->text, *line = text;
  struct hone__place place = {cutter->node->place.line + 1, 1};
  const char *end, *copy;

  if (!hone__source_has(cutter->loader->source, cutter->node->place, "|")) return false;
  for (const char *p = text; p < text + offset; p++) {
    if (*p != '\n') continue;
    line = p + 1;
    place.line++;
  }
  end = strchr(line, '\n');
  copy = hone__arena_strndup(&cutter->loader->diagnostics->arena, line,
                             end ? (size_t)(end - line) : strlen(line));
  for (; place.column < 200; place.column++) {
    if (!hone__source_has(cutter->loader->source, place, copy)) continue;
    place.column += (uint32_t)(text + offset - line);
    *out_place = place;
    return true;
  }
  return false;
}

/* An expression inside the template. */
static struct hone__formula formula_at(const struct cutter *cutter, const char *begin,
                                       const char *end)
{
  struct hone__formula formula = cutter->whole;
  size_t offset = (size_t)(begin - cutter->node->text);
  struct hone__place place;

  formula.text = hone__arena_strndup(&cutter->loader->spec->arena, begin, (size_t)(end - begin));
  if (formula.one_line) {
    formula.place.column += (uint32_t)offset;
  } else if (find_in_block(cutter, offset, &place)) {
    formula.place = place;
    formula.one_line = true;
  }
  return formula;
}

static bool complain(struct cutter *cutter, const char *at, const char *message)
{
  struct hone__formula formula = formula_at(cutter, at, at);

  hone__report(cutter->loader->diagnostics, HONE__ERROR, cutter->loader->source, formula.place,
               "%s", message);
  cutter->is_wrong = true;
  return false;
}

/* ---- Pieces ---- */

static struct hone__piece *add_piece(struct cutter *cutter, enum hone__piece_kind kind)
{
  struct hone__template *template = cutter->template;

  template->pieces = hone__loader_room(cutter->loader, template->pieces, template->count,
                                       sizeof *template->pieces);
  template->pieces[template->count].kind = kind;
  return &template->pieces[template->count++];
}

/* Up to the next expression; of `$$` the second `$` is dropped. */
static void cut_words(struct cutter *cutter)
{
  const char *begin = cutter->rest, *end = begin;
  struct hone__piece *piece;
  bool is_double;

  while (*end && !(end[0] == '$' && (end[1] == '{' || end[1] == '$')))
    end++;
  is_double = end[0] == '$' && end[1] == '$';
  cutter->rest = end + 2 * is_double;
  if (end + is_double == begin) return;
  piece = add_piece(cutter, HONE__PIECE_WORDS);
  piece->words = begin;
  piece->length = (size_t)(end + is_double - begin);
}

/* The brace that closes an expression: quotes hide others. NULL: there is none. */
static const char *find_brace(const char *text)
{
  char quote = 0;

  for (; *text; text++) {
    if (quote && *text == '\\' && text[1])
      text++;
    else if (quote && *text == quote)
      quote = 0;
    else if (!quote && (*text == '\'' || *text == '"'))
      quote = *text;
    else if (!quote && *text == '}')
      return text;
  }
  return NULL;
}

static bool is_word(const char *begin, const char *end, const char *word)
{
  return (size_t)(end - begin) == strlen(word) && memcmp(begin, word, strlen(word)) == 0;
}

static bool close_condition(struct cutter *cutter, const char *at)
{
  if (cutter->depth == 0) return complain(cutter, at, "'${end}' without an '${if ...}' before it");
  cutter->template->pieces[cutter->open[--cutter->depth]].end = cutter->template->count;
  return true;
}

static bool open_condition(struct cutter *cutter, const char *at)
{
  if (cutter->depth == MOST_DEPTH) return complain(cutter, at, "conditions are nested too deeply");
  cutter->open[cutter->depth++] = cutter->template->count;
  return true;
}

static bool cut_expression(struct cutter *cutter)
{
  const char *dollar = cutter->rest, *begin = dollar + 2, *end = find_brace(begin);
  struct hone__formula formula;
  bool is_if;

  if (!end) return complain(cutter, dollar, "unterminated '${': '}' is missing");
  cutter->rest = end + 1;
  if (is_word(begin, end, "end")) return close_condition(cutter, dollar);
  is_if = hone__starts_with(begin, "if ");
  if (is_if) begin += strlen("if ");
  if (is_if && !open_condition(cutter, dollar)) return false;
  formula = formula_at(cutter, begin, end);
  if (!hone__loader_parse(cutter->loader, &formula, NAMES)) cutter->is_wrong = true;
  add_piece(cutter, is_if ? HONE__PIECE_IF : HONE__PIECE_VALUE)->formula = formula;
  return true;
}

static bool cut(struct cutter *cutter)
{
  bool ok = true;

  for (cutter->rest = cutter->node->text; *cutter->rest && ok;) {
    if (cutter->template->count >= MOST_PIECES)
      return complain(cutter, cutter->rest, "too many expressions in one text");
    if (hone__starts_with(cutter->rest, "${"))
      ok = cut_expression(cutter);
    else
      cut_words(cutter);
  }
  if (!ok || cutter->depth == 0) return ok && !cutter->is_wrong;
  hone__report(cutter->loader->diagnostics, HONE__ERROR, cutter->loader->source,
               cutter->template->pieces[cutter->open[cutter->depth - 1]].formula.place,
               "this condition has no '${end}'");
  return false;
}

/* ---- Texts of a mapping ---- */

static bool find_name(struct hone__loader *loader, const struct hone__node *key, size_t *out_name)
{
  struct hone_spec *spec = loader->spec;

  for (*out_name = 0; *out_name < spec->text_name_count; ++*out_name)
    if (strcmp(spec->text_names[*out_name], key->text) == 0) return true;
  if (spec->text_name_count == MOST_TEXTS) {
    hone__loader_error(loader, key, "more than %d texts", MOST_TEXTS);
    return false;
  }
  spec->text_names =
      hone__loader_room(loader, spec->text_names, spec->text_name_count, sizeof *spec->text_names);
  spec->text_names[spec->text_name_count++] = key->text;
  return true;
}

static bool check_name(struct hone__loader *loader, const struct hone__node *key)
{
  const struct hone_spec *spec = loader->spec;
  bool is_derived = false;

  for (size_t i = 0; i < spec->derived_count; i++)
    is_derived = is_derived || strcmp(spec->derived[i].name, key->text) == 0;
  if (!*key->text)
    hone__loader_error(loader, key, "a text has no name");
  else if (is_derived || hone__spec_has_param(spec, key->text))
    hone__loader_error(loader, key, "'%s' is already a parameter or a derived value", key->text);
  else
    return true;
  return false;
}

static void load_template(struct hone__loader *loader, const struct hone__pair *pair)
{
  struct hone_spec *spec = loader->spec;
  struct hone__template template = {.file = loader->file, .alternative = loader->alternative};
  struct cutter cutter = {.loader = loader, .node = pair->value, .template = &template};

  if (!check_name(loader, pair->key) || !find_name(loader, pair->key, &template.name)) return;
  if (pair->value->kind != HONE__SCALAR) {
    hone__loader_error(loader, pair->value, "'%s' must be text, found %s", pair->key->text,
                       hone__node_kind_name(pair->value));
    return;
  }
  cutter.whole = hone__formula_at(loader, pair->value);
  if (!cut(&cutter)) return;
  spec->templates =
      hone__loader_room(loader, spec->templates, spec->template_count, sizeof template);
  spec->templates[spec->template_count++] = template;
}

void hone__templates_load(struct hone__loader *loader, const struct hone__node *node)
{
  if (node->kind != HONE__MAPPING) {
    hone__loader_error(loader, node, "'texts' must be a mapping of names to texts, found %s",
                       hone__node_kind_name(node));
    return;
  }
  for (size_t i = 0; i < node->count; i++)
    load_template(loader, &node->pairs[i]);
}

const struct hone__template *hone__spec_group_template(const struct hone_spec *spec,
                                                       const struct hone__spec_group *group,
                                                       size_t name)
{
  const struct hone__template *found = NULL;

  for (size_t i = 0; i < spec->template_count; i++) {
    const struct hone__template *template = &spec->templates[i];
    if (template->name != name) continue;
    if (!hone__applies(template->file, template->alternative, group)) continue;
    if (!found || template->alternative) found = template;
  }
  return found;
}
