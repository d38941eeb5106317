# The commands of all pages print what the pages say.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
root=$PWD

# `hone` of the pages: a tuning takes seconds, and a busy machine proves nothing.
mkdir "$TMP/bin"
cat >"$TMP/bin/hone" <<END
#!/bin/bash
case " \$* " in
" tune transpose.c ") exec "$HONE" "\$@" --problem N=256 --budget 3s ;;
" tune "*) exec "$HONE" "\$@" --budget 3s ;;
" export "*) exec "$HONE" "\$@" --force ;;
esac
exec "$HONE" "\$@"
END
chmod +x "$TMP/bin/hone"

pages=" README.md $(grep -lx '```console' docs/*.md | xargs) "
case_begin "the pages for newcomers have commands"
for page in docs/tutorial.md docs/c.md docs/json.md docs/recipes.md docs/from-kernel-tuner.md docs/from-shark.md docs/sim.md; do
  case $pages in *" $page "*) ;; *) fail "$page: $pages" ;; esac
done

for page in $pages; do
  if [ "$page" = docs/opencl.md ] && ! "$HONE" devices 2>/dev/null | grep -q '^opencl:'; then
    case_skip "$page" "there is no device of OpenCL"
    continue
  fi
  case_begin "$page"
  mkdir -p "$TMP/$page"
  cd "$TMP/$page" || exit 1
  ln -s "$root/examples" "$root/tests" .
  HONE_STORE=$TMP/$page/store.db PATH=$TMP/bin:$PATH run python3 "$root/tests/cli/pages.py" "$root/$page"
  [ "$STATUS" = 0 ] || fail "$OUT$ERR"
  cd "$root" || exit 1
done

case_begin "docs/from-shark.md: what is the same is taken, and what is called otherwise has this name"
takes() { # takes OPTION: some command that tunes or merges knows it
  local command
  for command in "iree tune" tune "iree merge"; do
    "$HONE" $command "$1" 2>&1 | grep -q "unknown option" || return 0
  done
  return 1
}
for option in $(sed -n '/^## Flags/,/^## Candidates/p' docs/from-shark.md | python3 -c '
import re, sys
for line in sys.stdin:
    cells = line.split("|")
    if len(cells) < 4: continue
    if " same" in cells[2]: print(*re.findall(r"`(--[a-z-]+)", cells[1]))
    print(*re.findall(r"`(--[a-z-]+)", cells[2]))' | tr ' ' '\n' | sort -u); do
  takes "$option" || echo "$option"
done >"$TMP/unknown"
expect_same "options that no command takes" "" "$(cat "$TMP/unknown")"

case_begin "docs/from-kernel-tuner.md, docs/from-shark.md: their commands are hone's"
grep -ho '`hone [a-z-]*\( [a-z-]*\)\?' docs/from-kernel-tuner.md docs/from-shark.md | tr -d '`' | sort -u | while read -r _ command sub; do
  [ "$command" = iree ] || sub=
  "$HONE" help "$command" ${sub:+"$sub"} >/dev/null 2>&1 || echo "$command $sub"
done >"$TMP/unknown"
expect_same "commands that are not there" "" "$(cat "$TMP/unknown")"

case_begin "docs/troubleshooting.md has every outcome"
expect_same "outcomes" "$(sed -n '/define HONE_OUTCOMES/,/^$/s/^  X([A-Z_]*, "\([a-z_]*\)".*/\1/p' include/hone.h | sort)" \
  "$(sed -n '/^## Outcomes/,/^## Messages/s/^| `\([a-z_]*\)` |.*/\1/p' docs/troubleshooting.md | sort)"

case_begin "the prose of hone-spec(5) explains the keys of docs/spec.md, and no others"
command python3 - docs/spec.md docs/man/hone-spec.5 <<'END' >"$TMP/unknown"
import re, sys
page, manual = (open(name).read() for name in sys.argv[1:])
manual = re.sub(r"(?s)begin keys.*end keys", "", manual)
keys = {key.split(".")[-1] for key in re.findall(r"(?m)^\| `([a-z0-9_.]+)` \|", page)}
lines = [line for line in manual.splitlines() if re.match(r"\.(It )?Ic ", line)]
named = {word for line in lines for word in re.findall(r"[a-z0-9_]+", line)}
items = {word for item in re.findall(r"(?m)^\.It Ic ([a-z0-9_, ]+)", manual) for word in re.findall(r"[a-z0-9_]+", item)}
print(*sorted(keys - named), *sorted(items - keys), sep="\n", end="")
END
expect_same "keys that one of them lacks" "" "$(cat "$TMP/unknown")"

case_begin "docs/json.md names keys that a report has"
mkdir "$TMP/json"
recording "$TMP/json/r.json" 'X=[1, 2, 4]' 'X * 1.0'
"$HONE" tune "$TMP/json/r.json" --format json -q >"$TMP/json/report.json" 2>/dev/null
command python3 - "$TMP/json/report.json" docs/json.md <<'END' || fail "docs/json.md differs from a report"
import json, re, sys
report = json.load(open(sys.argv[1]))
report = report[0] if isinstance(report, list) else report
report = report.get("runs", [report])[0]
known = set(report) | set(report["evaluations"][0])
page = open(sys.argv[2]).read().split("## One configuration")[0]
named = {k for row in re.findall(r"(?m)^\| (`[^|]*`) \|", page) for k in re.findall(r"`([a-z_]+)`", row)}
unknown = named - known
print(sorted(unknown)) if unknown else None
sys.exit(1 if unknown or len(named) < 30 else 0)
END

case_begin "links of pages lead somewhere"
expect_same "broken links" "" "$(
  for page in README.md docs/*.md; do
    grep -oE '\]\([A-Za-z0-9_./-]+[)#]' "$page" | sed 's/^](//; s/.$//' | while read -r target; do
      [ -e "$(dirname "$page")/$target" ] || echo "$page: $target"
    done
  done
)"

if has_terminals; then
case_begin "a recorded terminal: lines that are overwritten, colours, no scripts"
"$root/tools/record.py" "$TMP/out.svg" 40 5 "show" printf 'one\r\n\033[32mtwo\033[0m<&>\rTWO\033[K\r\n'
picture=$(cat "$TMP/out.svg")
expect_contains picture '>$ show</text>' "$picture"
expect_contains picture '>one</text>' "$picture"
expect_contains picture '>TWO</text>' "$picture"
case $picture in *"<script"* | *two*) fail "not what the terminal shows: $picture" ;; esac
command python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1]); m.parse("docs/tune.svg")' "$TMP/out.svg" || fail "no XML"
else
  case_skip "a recorded terminal: lines that are overwritten, colours, no scripts" "$NO_TERMINALS"
fi

cases_end
