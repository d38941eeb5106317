# The commands of the pages for newcomers print what the pages say.
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

for page in README.md docs/tutorial.md; do
  case_begin "$page"
  mkdir -p "$TMP/$page"
  cd "$TMP/$page" || exit 1
  HONE_STORE=$TMP/$page/store.db PATH=$TMP/bin:$PATH run python3 "$root/tests/cli/pages.py" "$root/$page"
  [ "$STATUS" = 0 ] || fail "$OUT$ERR"
  cd "$root" || exit 1
done

case_begin "a recorded terminal: lines that are overwritten, colours, no scripts"
"$root/tools/record.py" "$TMP/out.svg" 40 5 "show" printf 'one\r\n\033[32mtwo\033[0m<&>\rTWO\033[K\r\n'
picture=$(cat "$TMP/out.svg")
expect_contains picture '>$ show</text>' "$picture"
expect_contains picture '>one</text>' "$picture"
expect_contains picture '>TWO</text>' "$picture"
case $picture in *"<script"* | *two*) fail "not what the terminal shows: $picture" ;; esac
command python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1]); m.parse("docs/tune.svg")' "$TMP/out.svg" || fail "no XML"

cases_end
