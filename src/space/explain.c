/* Why, and why not: configurations given as text, constraints one by one, what each of them costs,
 * and which of them contradict each other. */
#include "space/explanation.h"
#include "space/listed.h"

#include "hone_text.h"
#include "spec/yaml_scalar.h"

#include <math.h>
#include <stdlib.h>

/* ---- "BM=64,BN=32" ---- */

struct given {
  const char *name;
  const char *text;
};

struct assignment {
  struct hone__arena arena;
  struct given *pairs;
  size_t count;
};

/* The next comma outside brackets and quotes, or the end. */
static const char *find_comma(const char *p)
{
  int depth = 0;
  char quote = 0;

  for (; *p && (*p != ',' || depth > 0 || quote); p++) {
    if (quote) {
      if (*p == quote) quote = 0;
    } else if ((*p == '"' || *p == '\'') && p[-1] == '=') {
      quote = *p; /* a value in quotes; elsewhere a quote is a letter */
    } else {
      depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
    }
  }
  return p;
}

/* A leading `$` of a name is optional. */
static hone_status read_assignment(const char *text, struct assignment *out)
{
  size_t capacity = 0;

  *out = (struct assignment){0};
  for (const char *start = text, *end; *text; start = end + 1) {
    const char *sign;
    start += strspn(start, " $");
    end = *start ? find_comma(start + 1) : start;
    sign = memchr(start, '=', (size_t)(end - start));
    if (!sign || sign == start)
      return hone__error(HONE_INVALID_ARGUMENT,
                         "bad configuration '%s': expected NAME=VALUE,NAME=VALUE", text);
    for (size_t i = 0; i < out->count; i++)
      if (strlen(out->pairs[i].name) == (size_t)(sign - start) &&
          memcmp(out->pairs[i].name, start, (size_t)(sign - start)) == 0)
        return hone__error(HONE_INVALID_ARGUMENT, "'%s' is given twice", out->pairs[i].name);
    HONE__GROW(out->pairs, out->count, capacity);
    out->pairs[out->count++] = (struct given){
        .name = hone__arena_strndup(&out->arena, start, (size_t)(sign - start)),
        .text = hone__arena_strndup(&out->arena, sign + 1, (size_t)(end - sign) - 1)};
    if (!*end) break;
  }
  return NULL;
}

static void release_assignment(struct assignment *assignment)
{
  free(assignment->pairs);
  hone__arena_release(&assignment->arena);
}

static const char *find_given(const struct assignment *assignment, const char *name)
{
  for (size_t i = 0; i < assignment->count; i++)
    if (strcmp(assignment->pairs[i].name, name) == 0) return assignment->pairs[i].text;
  return NULL;
}

/* A value is meant by how it prints; numbers also by what they are (64 and 64.0). */
static bool find_value(struct assignment *assignment, const struct hone__domain *domain,
                       const char *text, uint32_t *out_index)
{
  struct hone__text printed = {0};
  bool found = false;

  if (hone__domain_find(domain, hone__string(text), out_index)) return true;
  if (hone__domain_find(domain, hone__evaluate_word(&assignment->arena, text), out_index))
    return true;
  if (hone__domain_find(domain, hone__yaml_resolve(text, &assignment->arena), out_index))
    return true; /* yes, off, true ... */
  for (uint32_t i = 0; !domain->is_range && i < domain->count && !found; i++) {
    printed.length = 0;
    hone__value_print(domain->values[i], &printed);
    found = strcmp(printed.data ? printed.data : "", text) == 0;
    *out_index = i;
  }
  hone__text_release(&printed);
  return found;
}

static bool group_has(const struct hone__solved_group *group, const char *name)
{
  for (size_t i = 0; i < group->count; i++)
    if (strcmp(group->domains[i].name, name) == 0) return true;
  return false;
}

static hone_status check_names(const struct hone_space *space, const struct assignment *given)
{
  for (size_t i = 0; i < given->count; i++) {
    struct hone_nearest nearest = {.word = given->pairs[i].name};
    bool known = false;
    for (size_t g = 0; g < space->group_count && !known; g++) {
      known = group_has(&space->groups[g], nearest.word);
      for (size_t k = 0; k < space->groups[g].count; k++)
        hone_nearest_try(&nearest, space->groups[g].domains[k].name);
    }
    if (!known)
      return hone__error(HONE_NOT_FOUND, "unknown parameter '%s'%s%s%s", nearest.word,
                         nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                         nearest.best ? "'?" : "");
  }
  return NULL;
}

/* How well a group fits what was given: names that it lacks, then names that it misses. */
static size_t misfit(const struct hone__solved_group *group, const struct assignment *given)
{
  size_t lacks = 0, misses = 0;

  for (size_t i = 0; i < given->count; i++)
    lacks += !group_has(group, given->pairs[i].name);
  for (size_t i = 0; i < group->count; i++)
    misses += group->domains[i].count != 1 && !find_given(given, group->domains[i].name);
  return lacks * 1000 + misses;
}

static bool group_parse(const struct hone__solved_group *group, struct assignment *given,
                        uint32_t *values)
{
  for (size_t i = 0; i < group->count; i++) {
    const char *text = find_given(given, group->domains[i].name);
    values[i] = 0;
    if (text && !find_value(given, &group->domains[i], text, &values[i])) return false;
  }
  return true;
}

/* How many of the values are none of this group's. */
static size_t count_strangers(const struct hone__solved_group *group, struct assignment *given)
{
  size_t strangers = 0;
  uint32_t index;

  for (size_t i = 0; i < group->count; i++) {
    const char *text = find_given(given, group->domains[i].name);
    strangers += text && !find_value(given, &group->domains[i], text, &index);
  }
  return strangers;
}

/* The group that fits best; a missing parameter is then an error that names it. */
static hone_status pick_group(const struct hone_space *space, struct assignment *given,
                              size_t *out_group)
{
  size_t best = 0, least = SIZE_MAX, strangers = 0;

  for (size_t g = 0; g < space->group_count; g++) {
    size_t m = misfit(&space->groups[g], given), s = 0;
    if (m > least || (m == least && !strangers)) continue;
    s = count_strangers(&space->groups[g], given);
    if (m == least && s >= strangers) continue;
    least = m;
    strangers = s;
    best = g;
  }
  *out_group = best;
  if (space->group_count == 0) return hone__error(HONE_NOT_FOUND, "the space has no parameters");
  for (size_t i = 0; least && i < space->groups[best].count; i++) {
    const struct hone__domain *domain = &space->groups[best].domains[i];
    if (domain->count != 1 && !find_given(given, domain->name))
      return hone__error(HONE_INVALID_ARGUMENT, "the configuration gives no value for '%s'",
                         domain->name);
  }
  for (size_t i = 0; least && i < given->count; i++)
    if (!group_has(&space->groups[best], given->pairs[i].name))
      return hone__error(HONE_NOT_FOUND,
                         "no group has all of these parameters: '%s' is in another group",
                         given->pairs[i].name);
  return NULL;
}

static void print_values(const struct hone__domain *domain, struct hone__text *text)
{
  const uint32_t most = 12;

  if (domain->is_range) {
    hone__text_addf(text, "%lld to %lld", (long long)domain->range.start,
                    (long long)hone__domain_value(domain, domain->count - 1).integer);
    return;
  }
  for (uint32_t i = 0; i < domain->count && i < most; i++) {
    if (i) hone__text_add(text, ", ");
    hone__value_print(domain->values[i], text);
  }
  if (domain->count > most) hone__text_addf(text, " ... (%u values)", domain->count);
}

static hone_status no_such_value(const struct hone__solved_group *group, struct assignment *given)
{
  struct hone__text text = {0};
  hone_status status = NULL;
  uint32_t index;

  for (size_t i = 0; i < group->count && !status; i++) {
    const char *wanted = find_given(given, group->domains[i].name);
    if (!wanted || find_value(given, &group->domains[i], wanted, &index)) continue;
    print_values(&group->domains[i], &text);
    status = hone__error(HONE_NOT_FOUND, "'%s' has no value %s; its values are %s",
                         group->domains[i].name, wanted, text.data ? text.data : "none");
  }
  hone__text_release(&text);
  return status;
}

hone_status hone_space_parse(const struct hone_space *space, const char *text, uint32_t *row)
{
  struct assignment given;
  size_t best;
  hone_status status = read_assignment(text, &given);

  if (!status) status = check_names(space, &given);
  if (!status) status = pick_group(space, &given, &best);
  if (!status) {
    bool found = false;
    for (size_t g = 0; g < space->group_count && !found; g++) { /* the first that is legal */
      if (misfit(&space->groups[g], &given)) continue;
      row[0] = (uint32_t)g;
      found = group_parse(&space->groups[g], &given, row + 1) && hone__space_is_legal(space, row);
    }
    row[0] = found ? row[0] : (uint32_t)best;
    if (!found && !group_parse(&space->groups[best], &given, row + 1))
      status = no_such_value(&space->groups[best], &given);
  }
  release_assignment(&given);
  return status;
}

/* ---- Explaining ---- */

/* Here every parameter is a variable, also one with a single value: any value may be asked about.
 */
struct explainer {
  const struct hone_space *space;
  const struct hone__solved_group *group;
  struct hone__setup setup;
  struct hone__spec_program program;
  struct hone_value *values; /* of the parameters */
  uint32_t *derived;
  size_t derived_count;
  struct hone_explanation *explanation;
  struct hone__arena *arena;
};

static enum hone__meaning resolve(void *data, const char *name, uint32_t *out_node)
{
  struct explainer *e = data;
  struct hone_value value;

  for (size_t i = e->group->count; i-- > 0;) {
    if (strcmp(e->group->domains[i].name, name) != 0) continue;
    *out_node = hone__spec_program_variable(&e->program, (uint32_t)i, HONE__T_ANY);
    return HONE__MEANS_NODE;
  }
  for (size_t i = 0; i < e->derived_count; i++) {
    if (strcmp(e->space->spec->derived[i].name, name) != 0) continue;
    *out_node = e->derived[i];
    return HONE__MEANS_NODE;
  }
  if (!hone__setup_lookup(&e->setup, name, &value)) return HONE__MEANS_ABSENT;
  *out_node = hone__spec_program_constant(&e->program, value);
  return HONE__MEANS_NODE;
}

static uint32_t compile(struct explainer *e, const struct hone__formula *formula)
{
  struct hone__compilation compiler = {.program = &e->program, .resolve = resolve, .data = e};
  uint32_t node = hone__compile(&compiler, formula->expr);

  free(compiler.defects);
  return node;
}

static struct hone_value run(struct explainer *e, uint32_t node)
{
  struct hone_value *values = hone__alloc(e->program.count * sizeof *values), result;

  hone__spec_program_run(&e->program, node, e->values, values);
  result = values[node];
  free(values);
  return result;
}

static bool was_named(const char *text, const char *name)
{
  size_t length = strlen(name);

  for (const char *p = text; p && (p = strstr(p, name)); p++)
    if ((p == text || p[-1] == ' ') && p[length] == '=') return true;
  return false;
}

/* "BM=96, M=256": every name once, in the order of the expression. */
static void print_names(struct explainer *e, const struct hone__expr *expr, struct hone__text *text)
{
  struct hone__syntax_error error;
  struct hone_value value;

  if (expr->kind == HONE__EXPR_NAME && !was_named(text->data, expr->name)) {
    struct hone__formula name = {.text = expr->name};
    name.expr = hone__expression_parse(expr->name, e->arena, &error);
    value = run(e, compile(e, &name));
    if (value.type == HONE__FAULT && value.integer == HONE__FAULT_NAME)
      return; /* of another group */
    hone__text_addf(text, "%s%s=", text->length ? ", " : "", expr->name);
    if (value.type == HONE__FAULT)
      hone__text_add(text, hone__fault_text((enum hone__fault)value.integer));
    else
      hone__value_print(value, text);
  }
  for (size_t i = 0; i < expr->count && expr->kind != HONE__EXPR_FOR; i++)
    print_names(e, expr->args[i], text);
  for (size_t i = 0; i < expr->clause_count; i++)
    print_names(e, expr->clauses[i].expr, text);
}

static void add_reason(struct explainer *e, enum hone_constraint_state state,
                       const char *constraint, const char *values)
{
  struct hone_explanation *x = e->explanation;

  x->reasons[x->reason_count++] =
      (struct hone__reason){.state = state, .constraint = constraint, .values = values};
  if (state == HONE_FAILS || state == HONE_FAULTS_THERE) x->legal = false;
}

static void explain_value(struct explainer *e, struct assignment *given, size_t param)
{
  const struct hone__domain *domain = &e->group->domains[param];
  const char *text = find_given(given, domain->name);
  struct hone__text list = {0};
  uint32_t index = 0;

  if (!text || find_value(given, domain, text, &index)) {
    e->values[param] = domain->count ? hone__domain_value(domain, index) : hone__int(0);
    return;
  }
  e->values[param] = hone__evaluate_word(e->arena, text);
  print_values(domain, &list);
  add_reason(e, HONE_FAILS, NULL,
             hone__arena_printf(e->arena, "%s=%s is not a value of '%s': %s", domain->name, text,
                                domain->name, list.data ? list.data : "it has none"));
  hone__text_release(&list);
}

static void explain_constraint(struct explainer *e, const struct hone__formula *formula)
{
  struct hone__text names = {0};
  struct hone_value value = run(e, compile(e, formula));
  enum hone_constraint_state state = HONE_HOLDS;

  if (value.type == HONE__FAULT)
    state = value.integer == HONE__FAULT_NAME ? HONE_DOES_NOT_APPLY : HONE_FAULTS_THERE;
  else if (!hone__value_truth(value))
    state = HONE_FAILS;
  print_names(e, formula->expr, &names);
  if (state == HONE_FAULTS_THERE)
    hone__text_addf(&names, "%s%s", names.length ? ": " : "",
                    hone__fault_text((enum hone__fault)value.integer));
  add_reason(e, state, formula->text, hone__arena_strdup(e->arena, names.data ? names.data : ""));
  hone__text_release(&names);
}

static void explain_built(struct explainer *e)
{
  const struct hone_spec *spec = e->space->spec;

  for (size_t i = 0; i < spec->built_count; i++) {
    const struct hone__formula *formula = &spec->built[i];
    if (!formula->name && hone__applies(formula->file, formula->alternative, e->group->group))
      add_reason(e, HONE_AFTER_BUILD, formula->text, "checked after the build");
  }
}

static void explain_listing(struct explainer *e)
{
  const struct hone__listing *listing = e->group->group->listing;

  if (listing && !hone__space_listing_has(listing, e->group, e->values))
    add_reason(e, HONE_FAILS, NULL,
               hone__arena_printf(e->arena, "it is not among the %zu configurations that were %s",
                                  listing->count, listing->what));
}

static void explain_all(struct explainer *e, struct assignment *given)
{
  const struct hone_spec *spec = e->space->spec;

  e->explanation->legal = true;
  e->explanation->reasons = hone__arena_alloc(
      e->arena, (e->group->count + spec->constraint_count + spec->built_count + 2) *
                    sizeof *e->explanation->reasons);
  e->values = hone__arena_alloc(e->arena, (e->group->count + 1) * sizeof *e->values);
  e->derived = hone__arena_alloc(e->arena, (spec->derived_count + 1) * sizeof *e->derived);
  for (size_t i = 0; i < e->group->count; i++)
    explain_value(e, given, i);
  explain_listing(e);
  for (size_t i = 0; i < spec->derived_count; i++) {
    e->derived[i] = compile(e, &spec->derived[i]);
    e->derived_count++;
  }
  for (size_t i = 0; i < spec->constraint_count; i++)
    if (hone__applies(spec->constraints[i].file, spec->constraints[i].alternative, e->group->group))
      explain_constraint(e, &spec->constraints[i]);
  explain_built(e);
}

hone_status hone_space_explain(const struct hone_space *space, const char *text,
                               struct hone_explanation **out_explanation)
{
  struct hone_explanation *own = hone__alloc(sizeof *own);
  struct explainer e = {.space = space, .explanation = own, .arena = &own->arena};
  struct assignment given;
  size_t group = 0;
  hone_status status = read_assignment(text, &given);

  *out_explanation = NULL;
  if (!status) status = check_names(space, &given);
  if (!status) status = pick_group(space, &given, &group);
  if (!status) status = hone__setup_init(&e.setup, space->spec, &space->options, e.arena);
  if (!status) {
    e.group = &space->groups[group];
    own->group = group;
    explain_all(&e, &given);
  }
  release_assignment(&given);
  hone__spec_program_release(&e.program);
  if (status)
    hone_explanation_free(own);
  else
    *out_explanation = own;
  return status;
}

void hone_explanation_free(struct hone_explanation *explanation)
{
  if (!explanation) return;
  hone__arena_release(&explanation->arena);
  free(explanation);
}

bool hone_explanation_is_legal(const struct hone_explanation *explanation)
{
  return explanation->legal;
}

size_t hone_explanation_group(const struct hone_explanation *explanation)
{
  return explanation->group;
}

size_t hone_explanation_count(const struct hone_explanation *explanation)
{
  return explanation->reason_count;
}

enum hone_constraint_state hone_explanation_state(const struct hone_explanation *explanation,
                                                  size_t reason)
{
  return reason < explanation->reason_count ? explanation->reasons[reason].state
                                            : HONE_DOES_NOT_APPLY;
}

const char *hone_explanation_constraint(const struct hone_explanation *explanation, size_t reason)
{
  return reason < explanation->reason_count ? explanation->reasons[reason].constraint : NULL;
}

const char *hone_explanation_values(const struct hone_explanation *explanation, size_t reason)
{
  return reason < explanation->reason_count ? explanation->reasons[reason].values : NULL;
}

size_t hone_space_constraint_count(const struct hone_space *space)
{
  return space->spec->constraint_count;
}

const char *hone_space_constraint(const struct hone_space *space, size_t constraint)
{
  return constraint < space->spec->constraint_count ? space->spec->constraints[constraint].text
                                                    : NULL;
}

/* ---- What each constraint costs ---- */

struct hone_constraint_stats {
  size_t count;
  struct {
    double alone, last;
  } shares[];
};

static hone_status count_without(const struct hone_space *space, const bool *skip,
                                 struct hone__space_effort *effort, double *out_count)
{
  struct hone_space *other;
  hone_status status = hone__space_build(space->spec, &space->options, skip, effort, &other);

  if (status) return status;
  *out_count = other->legal_real;
  hone_space_free(other);
  return NULL;
}

/* A constraint may fault where others no longer reject: such a configuration counts as rejected by
 * those others, so the share is not known. */
static hone_status share(hone_status status, double part, double whole, double *out_share)
{
  *out_share = whole > 0 ? part / whole : 0;
  if (hone_status_code(status) != HONE_INVALID_SPEC) return status;
  hone_status_free(status);
  *out_share = NAN;
  return NULL;
}

hone_status hone_space_stats(const struct hone_space *space,
                             struct hone_constraint_stats **out_stats)
{
  size_t count = space->spec->constraint_count;
  struct hone_constraint_stats *stats = hone__alloc(sizeof *stats + count * sizeof *stats->shares);
  bool *skip = hone__alloc(count + 1);
  struct hone__space_effort effort = {0};
  hone_status status = NULL;

  *out_stats = NULL;
  stats->count = count;
  for (size_t i = 0; i < count && !status; i++) {
    double whole = space->cartesian_real, left = 0;
    memset(skip, 1, count);
    skip[i] = false;
    status = count_without(space, skip, &effort, &left);
    status = share(status, whole - left, whole, &stats->shares[i].alone);
    if (status) break;
    memset(skip, 0, count);
    skip[i] = true;
    status = count_without(space, skip, &effort, &left);
    status = share(status, left - space->legal_real, whole, &stats->shares[i].last);
  }
  free(skip);
  if (status)
    free(stats);
  else
    *out_stats = stats;
  return status;
}

double hone_constraint_stats_alone(const struct hone_constraint_stats *stats, size_t constraint)
{
  return constraint < stats->count ? stats->shares[constraint].alone : NAN;
}

double hone_constraint_stats_last(const struct hone_constraint_stats *stats, size_t constraint)
{
  return constraint < stats->count ? stats->shares[constraint].last : NAN;
}

void hone_constraint_stats_free(struct hone_constraint_stats *stats)
{
  free(stats);
}

/* ---- Conflicts ---- */

struct search {
  const struct hone_space *space;
  bool *skip;
  struct hone__space_effort effort;
};

/* In steps, so that the same spec gives the same answer on every machine: a second or two. */
static const uint64_t most_effort = 20 * 1000 * 1000;

static bool has_effort(const struct search *s)
{
  return s->effort.steps_used < most_effort;
}

/* A set whose space faults or is too large is not known to be contradictory. */
static bool is_contradictory(struct search *s)
{
  double count = 1;
  hone_status status = count_without(s->space, s->skip, &s->effort, &count);

  s->effort.steps_used += 1000 + 20 * s->space->spec->constraint_count; /* compiling */
  if (!status) return count == 0;
  hone_status_free(status);
  return false;
}

/* Tries all sets of `size` constraints from `first` on, added to those chosen. */
static bool find_set(struct search *s, size_t first, size_t size)
{
  size_t count = s->space->spec->constraint_count;

  if (size == 0) return is_contradictory(s);
  for (size_t i = first; i + size <= count && has_effort(s); i++) {
    s->skip[i] = false;
    if (find_set(s, i + 1, size - 1)) return true;
    s->skip[i] = true;
  }
  return false;
}

static size_t sets_of(size_t count, size_t size)
{
  size_t sets = 1;

  for (size_t i = 0; i < size && sets < 1000000; i++)
    sets = sets * (count - i) / (i + 1);
  return sets;
}

/* Small sets first, as long as there are few of them; then what is left after dropping one after
 * the other: it cannot be made smaller, though another may be. */
hone_status hone_space_conflict(const struct hone_space *space, size_t **out_constraints,
                                size_t *out_count)
{
  size_t count = space->spec->constraint_count, used = 0;
  struct search s = {
      .space = space, .skip = hone__alloc(count + 1), .effort = {.steps_each = 200000}};
  bool found = false;

  *out_constraints = hone__alloc((count + 1) * sizeof **out_constraints);
  memset(s.skip, 1, count);
  found = space->whole > 0; /* a part of it may be empty; nothing contradicts */
  for (size_t size = 0; size <= count && sets_of(count, size) <= 2000; size++)
    if (!found && has_effort(&s)) found = find_set(&s, 0, size);
  if (!found) {
    memset(s.skip, 0, count);
    s.effort.steps_used = 0;
    for (size_t i = 0; i < count && has_effort(&s); i++) {
      s.skip[i] = true;
      if (!is_contradictory(&s)) s.skip[i] = false;
    }
  }
  for (size_t i = 0; i < count; i++)
    if (!s.skip[i]) (*out_constraints)[used++] = i;
  *out_count = used;
  free(s.skip);
  return NULL;
}
