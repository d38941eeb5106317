# What documents say of the tree and of the program is so: folders, files, functions, commands, strategies.
. "$(dirname "$0")/lib.sh"

pages="README.md CONTRIBUTING.md $(echo docs/*.md)"

case_begin "the table of folders has every room, and no other"
expect_same "folders" \
  "$(find src -name '*.[ch]' -printf '%h/\n' | LC_ALL=C sort -u)" \
  "$(sed -n '/^| folder | contents/,/^$/s/^| `\(src\/[^`]*\)`.*/\1/p' docs/architecture.md | LC_ALL=C sort)"

case_begin "every message has a row in docs/messages.md or docs/troubleshooting.md, and every row a message"
expect_same "messages and rows" "" "$(tools/messages.py --check)"

case_begin "a message without a row is found, and a row without a message, a general row, and two rows"
tool=$PWD/tools/messages.py
mkdir -p "$TMP/tree/src" "$TMP/tree/cli" "$TMP/tree/docs" "$TMP/tree/python/hone"
cat >"$TMP/tree/src/a.c" <<'END'
hone_status hone__error(enum hone_code code, const char *format, ...) HONE__PRINTF(2, 3);
/* hone__error(1, "only a comment") */
status = hone__error(HONE_IO, "cannot open the box '%s': " /* in two parts */
                     "%zu key%s are missing", path, count);
static const char *const reasons[] = {"the box is not there", "SELECT id FROM runs"};
if (bad) return hone__error(HONE_IO, is_old ? "the box is too old" : "the box is too new");
END
echo 'raise ValueError(f"a box of {size} inches")' >"$TMP/tree/python/hone/a.py"
printf '| %s | x |\n' '`cannot ...`' '`the box is not there`' '`the box is too old`, `the box is too old`' '`no lid`' >"$TMP/tree/docs/messages.md"
: >"$TMP/tree/docs/troubleshooting.md"
cd "$TMP/tree" || exit 1
run "$tool" --check
cd - >/dev/null || exit 1
expect_status 1
expect_same "lines" "src/a.c:3: | \`cannot open the box '...': ... keys are missing\` | what it means and what to do |
src/a.c:6: | \`the box is too new\` | what it means and what to do |
python/hone/a.py:1: | \`a box of ... inches\` | what it means and what to do |
docs/messages.md:3: \`the box is too old\` has a row in docs/messages.md:3 already
docs/messages.md:4: no message is \`no lid\`" \
  "$(sed "s/ no row of.*//" <<<"$OUT" | sed '/:$/{N;s/\n/ /}')"

case_begin "sources that documents name are there"
expect_same "missing files" "" "$(
  for page in $pages; do
    grep -oE '`(src|cli|tests|tools|include|bench)/[A-Za-z0-9_/.-]+`' "$page" | tr -d '`' | while read -r path; do
      case $path in
      *NAME* | *PART*) ;; # of a file that somebody is going to write
      *) [ -e "$path" ] || echo "$page: $path" ;;
      esac
    done
  done
)"

case_begin "sources that documents name without their folder are there"
expect_same "missing files" "" "$(
  for page in CONTRIBUTING.md docs/architecture.md; do
    grep -oE '`[a-z0-9_]+(/[a-z0-9_]+)*\.[ch]`' "$page" | tr -d '`' | sort -u | while read -r name; do
      [ -e "$name" ] || find src cli tests include bench -path "*/$name" | grep -q . || echo "$page: $name"
    done
  done
)"

# A word in `...` of this page is a file without its suffix, a folder, or a name that the sources have. `hone__x_` with
# nothing after it is a prefix.
case_begin "names in docs/architecture.md are there"
find src cli include tests tools bench python examples docs -name '*.*' -type f | sed -E 's/\.[A-Za-z0-9.]+$//' >"$TMP/stems"
find src cli include tests tools bench python examples docs -type d >>"$TMP/stems"
grep -rhoE '[A-Za-z_][A-Za-z0-9_]*' src cli include --include='*.[ch]' | sort -u >"$TMP/names"
expect_same "missing names" "" "$(
  grep -oE '`[a-z_][a-z0-9_/]*`' docs/architecture.md | tr -d '`' | sort -u | grep -vE '^hone__?x$|_$' |
    grep -vxFf "$TMP/names" | while read -r name; do
    grep -qE "(^|/)${name%/}\$" "$TMP/stems" || echo "$name"
  done
)"

# The blocks of "Call trees": what stands in front of two blanks, and everything that begins with hone_.
case_begin "functions of the flows exist"
expect_same "missing functions" "" "$(
  sed -n '/^## Call trees/,/^## How a kernel/p' docs/architecture.md | sed -n '/^```/,/^```/p' >"$TMP/flows"
  {
    grep -oE 'hone_[a-z0-9_]+' "$TMP/flows"
    sed -E 's/^ +//; s/  +.*//' "$TMP/flows" | grep -E '^[a-z_]+(, [a-z_]+)*$' | tr -d ' ' | tr , '\n'
  } | sort -u | while read -r name; do
    grep -rqE "(^|[ *])$name\(" src cli --include='*.c' || echo "$name"
  done
)"

case_begin "functions of the flows call those below them"
run tools/check-flows.py
expect_status 0
expect_out ""

case_begin "a call that the sources do not have is found"
mkdir -p "$TMP/flows-tree/src/a" "$TMP/flows-tree/cli" "$TMP/flows-tree/docs"
printf '%s\n' 'static int inner(void)' '{' '  return hone__b();' '}' 'int hone__a(void)' '{' '  return inner();' '}' \
  >"$TMP/flows-tree/src/a/a.c"
printf '%s\n' 'int hone__b(void)' '{' '  return 1;' '}' 'int hone__c(void)' '{' '  return 2; /* hone__a */' '}' >"$TMP/flows-tree/src/a/b.c"
printf '%s\n' '# Page' '' '## Call trees' '' '```' 'cli/x.c' '  hone__a        a.c' '    hone__b      what it does' \
  '    hone__c' '  hone__c' '    hone__a' '```' '' '## Next' >"$TMP/flows-tree/docs/architecture.md"
run tools/check-flows.py "$TMP/flows-tree"
expect_status 1
expect_out "hone__a does not call hone__c
hone__c does not call hone__a"

case_begin "docs/commands.md lists the commands of hone help"
commands=$("$HONE" help | sed -n '/^commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' | grep -v '^help$' | sort)
# A worker is started by hone itself: its help does not name it.
expect_same "commands" "$(printf '%s\nworker\n' "$commands" | sort)" \
  "$(sed -n 's/^| `hone \([a-z]*\)` |.*/\1/p' docs/commands.md | sort -u)"

case_begin "hone(1) lists the commands of hone help, and each has a page"
expect_same "commands" "$(printf '%s\nhelp\ncompletion\n' "$commands" | sort)" \
  "$(sed -n '1,/^\.Sh OPTIONS/s/^\.It Cm \([a-z]*\).*/\1/p' docs/man/hone.1 | sort)"
for command in $commands; do
  [ -e "docs/man/hone-$command.1" ] || fail "there is no docs/man/hone-$command.1"
done

case_begin "docs/search.md lists the strategies"
run "$HONE" replay tests/data/replay/synthetic_bowl.json --strategy none
known=$(printf '%s' "$ERR" | sed -n "s/.*known strategies: \([a-z, ]*\).*/\1/p" | tr -d ' ' | tr , '\n' | sort)
[ -n "$known" ] || fail "no strategies are named: $ERR"
expect_same "strategies" "$known" \
  "$(sed -n 's/^| `\([a-z]*\)`.*/\1/p' docs/search.md | sort -u)"

case_begin "seconds of fuzzing are those of the scripts"
check=$(sed -n 's/.*FUZZ_SECONDS:=\([0-9]*\).*/\1/p' tools/check.sh)
fuzz=$(sed -n 's/.*FUZZ_SECONDS:-\([0-9]*\).*/\1/p' tools/fuzz.sh)
expect_contains CONTRIBUTING.md "each parser for $check seconds (\`FUZZ_SECONDS\`); \`make fuzz\` takes $fuzz" \
  "$(cat CONTRIBUTING.md)"

case_begin "restarts of a confirmation are those of the sources"
words=(none one two three four five six seven eight nine)
restarts() { echo "${words[$(sed -n "s/^  $1 = \([0-9]\),/\1/p" src/tune/contest_time.c)]}"; }
sentence="at least $(restarts RESTARTS_ON_CPU) restarts for kernels on CPUs, $(restarts RESTARTS) for programs, $(restarts RESTARTS_ON_DEVICE) on GPUs"
for page in docs/measuring.md docs/man/hone-tune.1; do
  expect_contains "$page" "$sentence" "$(tr -s ' \n' ' ' <"$page")"
done

cases_end
