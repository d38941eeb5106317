# Names and messages of others hold what would disturb a terminal: it is escaped wherever text is printed,
# and stays what it is in JSON and CSV.
. "$(dirname "$0")/lib.sh"
export HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
export LC_ALL=C.UTF-8
RUN_TIMEOUT=100
unset NO_COLOR
cp tests/fault/steady.c tests/fault/steady.yaml "$TMP"
cd "$TMP" || exit 1
odd=$'a\e[31mb\u202ec\a\u2066d\u200fe\x9bf' # the last is no UTF-8, and a control character of 8 bits
shown='a\x1b[31mb\xe2\x80\xaec\x07\xe2\x81\xa6d\xe2\x80\x8fe\x9bf'
yaml='a\e[31mb\u202ec\ad'       # in a YAML text
yaml_shown='a\x1b[31mb\xe2\x80\xaec\x07d'

expect_harmless() { # nothing but line breaks and tabs below ' ', and nothing that turns text round
  local found
  found=$(python3 - "$TMP/stdout" "$TMP/stderr" <<'PY'
import re, sys
for name in sys.argv[1:]:
    text = open(name, "rb").read().decode("utf-8", "surrogateescape")
    for bad in sorted(set(re.findall(
            "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\udc80-\udcff]", text))):
        line = next(line for line in text.split("\n") if bad in line)
        print(ascii(bad), "in", ascii(line)[:300])
PY
  )
  [ -z "$found" ] || fail "on $COMMAND: $found"
}
harmless() { # harmless ARGUMENTS: of hone, whatever its status
  run "$HONE" "$@"
  expect_harmless
}

case_begin "files that are not there"
for command in "space" "tune" "run" "sweep" "show" "compare" "export" "import" "replay" "iree verify" \
  "iree dispatches" "iree merge" "report"; do
  harmless $command "$odd.yaml"
  [ "$STATUS" != 0 ] || fail "status 0"
done
harmless tune "$odd.yaml"
expect_err "hone: cannot open '$shown.yaml': no such file or directory"
harmless show --store "$odd.db"
expect_err_contains "no store '$shown.db'"

case_begin "words that are not known"
harmless "$odd"
expect_err_contains "$shown"
harmless tune "--$odd"
expect_err_contains "$shown"
harmless show last "--store=$odd/none.db"
harmless tune steady.yaml --strategy "$odd"
expect_err_contains "$shown"
harmless tune steady.yaml --problem "$odd=3"
harmless tune steady.yaml --param "$odd:3"
harmless tune steady.yaml --filter "$odd=3"
harmless cache "$odd"

case_begin "a spec, a kernel and a store with such names"
named=$'a\e[31mb\u202ec\a\u2066d\u200fe' # names of folders must be UTF-8
mkdir "$named"
spec="$named/spec $named.yaml" store="$named/$odd.db"
cp steady.c "$named/$(printf "$yaml").c"
{
  printf 'name: "%s"\nfile: "%s.c"\n' "$yaml" "$yaml"
  sed '1,2d; s/range(40)/range(3)/' steady.yaml
} >"$spec"
harmless space "$spec"
expect_out_contains "$yaml_shown"
harmless tune "$spec" --no-confirm --store "$store"
expect_status 0
expect_out_contains "$yaml_shown"
for command in "show" "show last" "show last --log" "show last -v" "show last --ratio"\
  "show last --best" "show last --plot bars" "show last --top 5%" "show last --correlation" \
  "compare last last"; do
  harmless $command --store "$store"
  expect_status 0
done
harmless run "$spec" --config KNOB=1
expect_status 0
harmless tune "$spec" --dry-run

case_begin "commands that are printed work"
run "$HONE" show last --store "$store"
again=$(sed -n 's/^ *\(hone show [0-9]* .*--log\b.*\)$/\1/p' <<<"$OUT" | head -n 1)
[ -n "$again" ] || fail "no command was printed: $OUT"
run bash -c "hone() { '$HONE' \"\$@\"; }; $again"
expect_status 0
expect_out_contains "phase: screen"

case_begin "JSON and CSV have the names as they are"
run "$HONE" show last --store "$store" --format json
expect_status 0
expect_same "name" "$(printf 'a\e[31mb\u202ec\ad')" \
  "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["name"])' "$TMP/stdout")"

run "$HONE" export last --store "$store" --format csv
expect_status 0
expect_contains "CSV" "$(printf 'a\e[31mb\u202ec\ad')" "$OUT"

if has_terminals; then
case_begin "on a terminal there is nothing but hone's own colours"
run python3 - "$HONE" "$spec" "$TMP/pty.db" <<'PY'
import os, pty, re, sys
hone, spec, store = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(hone, [hone, "tune", spec, "--no-confirm", "-v", "--color", "always", "--store", store])
said = b""
try:
    while part := os.read(terminal, 65536):
        said += part
except OSError: # how Linux says that the other end is closed
    pass
status = os.waitpid(pid, 0)[1]
text = said.decode("utf-8", "replace")
text = re.sub("\x1b\\[[0-9;]*m|\x1b\\[K|\r", "", text.replace("\x1b[31mb", "MARK"))
bad = set(re.findall("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]|MARK", text))
print(status, "KNOB" in text, ascii(sorted(bad)))
PY
expect_out "0 True []"
else
  case_skip "on a terminal there is nothing but hone's own colours" "$NO_TERMINALS"
fi

case_begin "values of parameters"
cat >values.yaml <<YAML
name: values
params: {T: ["$yaml", plain], L: [["$yaml"], [1]]}
YAML
for option in '' --list --count --sample=2; do
  harmless space values.yaml $option
  expect_status 0
done
run "$HONE" space values.yaml --list --format json
expect_harmless
expect_same "value" "$(printf 'a\e[31mb\u202ec\ad')" \
  "$(python3 -c 'import json, sys; print(json.loads(open(sys.argv[1]).readline())["T"])' "$TMP/stdout")"
run "$HONE" space values.yaml --list --format csv
expect_same "value" "$(printf 'a\e[31mb\u202ec\ad')" \
  "$(python3 -c 'import csv, sys; print(list(csv.DictReader(open(sys.argv[1])))[0]["T"])' "$TMP/stdout")"

case_begin "errors of a spec cite it"
printf 'name: x\nparams: {A: [1, 2]}\n"k\\e[31m%b": 3\n' '\u202e' >wrong.yaml
harmless tune wrong.yaml
expect_status 2
printf 'name: x\nparams: {A: [1, 2]}\nconstraints: ["A > zz\\e[31m%b"]\n' '\u202e' >wrong.yaml
harmless space wrong.yaml
expect_status 2

case_begin "what compilers say"
{
  printf '#if KNOB == 1\n#error "%b"\n#endif\n' 'e\0033[31mx\0342\0200\0256y'
  cat steady.c
} >bad.c
sed 's/steady\.c/bad.c/; s/range(40)/range(3)/; s/name: steady/name: bad/' steady.yaml >bad.yaml
harmless tune bad.yaml --no-confirm -v
expect_status 0
expect_err_contains 'e\x1b[31mx'
harmless show last -v
harmless run bad.yaml --config KNOB=1
expect_out_contains 'e\x1b[31mx'

case_begin "what programs print"
cat >talk.sh <<'SH'
printf 'a\033[31mb\342\200\256c\007\r\n'
printf 'warn\033]0;title\007\n' >&2
if [ "$A" = 1 ]; then exit 3; fi
echo '{"time_ms": 1.5, "note": "a\u001b[31mb"}'
SH
sed -i 's/"\$A"/"${A-$1}"/' talk.sh
printf 'name: talk\nfile: talk.sh\nparams: {A: [1, 2]}\n' >talk.yaml
harmless sweep talk.yaml -v --output-dir out
expect_err_contains '\x1b'
for option in '' -v --log --ratio --best "--plot bars"; do harmless show last $option; done
harmless run talk.yaml --config A=1

case_begin "workers that talk"
cat >launcher.sh <<'SH'
printf 'no\033[31m such\342\200\256 host\007\n' >&2
exit 255
SH
harmless tune steady.yaml --no-confirm --fresh --worker "sh launcher.sh $odd"
expect_status 1
expect_err_contains 'no\x1b[31m such'

cases_end
