# hone report --follow and hone tune --web: a run in a browser while it goes on.
. "$(dirname "$0")/lib.sh"
export HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
recording "$TMP/k.json" "A=range(1, 41)" "A / 10"
printf '%s\n' 'name: k' 'backend: sim' 'file: k.json' 'params: {A: "range(1, 41)"}' 'baseline: {A: 20}' >"$TMP/k.yaml"

serve() { # serve WORDS...: in the background; URL, SERVER
  : >"$TMP/serve.txt"
  "$HONE" report "$@" 2>"$TMP/serve.txt" &
  SERVER=$!
  wait_until grep -q 'live page: ' "$TMP/serve.txt"
  URL=$(sed -n 's/.*live page: //p' "$TMP/serve.txt")
}
stop() { kill "$SERVER"; wait "$SERVER"; STATUS=$?; expect_status 0; }
# get URL [METHOD [HOST]]: the status, and the first event or the length of the body
cat >"$TMP/get.py" <<'PY'
import http.client, sys, urllib.parse
url = urllib.parse.urlsplit(sys.argv[1])
connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
connection.request(sys.argv[2] if len(sys.argv) > 2 else "GET", url.path + ("?" + url.query if url.query else ""),
                   headers={"Host": sys.argv[3]} if len(sys.argv) > 3 else {})
answer = connection.getresponse()
is_stream = answer.getheader("Content-Type") == "text/event-stream"
print(answer.status, answer.readline().decode().strip() if is_stream else "page" if b"<html" in answer.read() else "text")
PY
get() { run python3 "$TMP/get.py" "$@"; }

case_begin "before the first run the page waits"
serve last --follow
get "$URL"
expect_out "200 page"
get "${URL}events"
expect_out '200 data: {"run": 0}'

case_begin "it has the newest run as soon as there is one"
"$HONE" tune "$TMP/k.yaml" -q --no-confirm >/dev/null 2>&1
has_run() { get "${URL}events"; [ "${OUT#*\"run\": 1, \"state\": \"finished\"}" != "$OUT" ]; }
wait_until has_run
get "$URL"
expect_out "200 page"

case_begin "nothing else is answered"
get "${URL}store.db"
expect_out "404 text"
get "$URL" POST
expect_contains "status" "501" "$OUT"
get "$URL" GET evil.example
expect_out "403 text"
get "$URL" GET localhost
expect_out "200 page"
stop

case_begin "elsewhere than on loopback there is a token"
serve 1 --follow --address 0.0.0.0:0
expect_contains "address" "/?token=" "$URL"
get "${URL/0.0.0.0/127.0.0.1}"
expect_out "200 page"
get "$(sed 's/0.0.0.0/127.0.0.1/; s/?.*//' <<<"$URL")"
expect_out "403 text"
get "${URL/0.0.0.0/127.0.0.1}0"
expect_out "403 text"
stop

case_begin "a tuning serves its own page, and takes it along when it ends"
{ cat "$TMP/k.yaml"; echo 'sim: {pace: 20}'; } >"$TMP/slow.yaml"
"$HONE" tune "$TMP/slow.yaml" --web --fresh --no-confirm >/dev/null 2>"$TMP/web.txt" &
TUNER=$!
wait_until grep -q 'live page: ' "$TMP/web.txt"
URL=$(sed -n 's/.*live page: //p' "$TMP/web.txt")
get "$URL"
expect_out "200 page"
is_second() { get "${URL}events"; [ "${OUT#*\"run\": 2}" != "$OUT" ]; }
wait_until is_second
kill -INT "$TUNER"
wait "$TUNER"
get "$URL"
expect_status 1

if command -v chromium >/dev/null; then
  case_begin "the page in a browser follows the run to its end"
  "$HONE" tune "$TMP/k.yaml" -q --no-confirm --fresh >/dev/null 2>&1
  serve last --follow
  cat >"$TMP/follow.py" <<'PY'
# A tuning while a page is open: it must show it without being asked, and the end of one that serves its own page.
import signal, subprocess, sys
from browser import Browser
url, hone, spec, slow, folder, shot = sys.argv[1:]
browser = Browser(folder)
badge = "(document.querySelector('.badge')||{textContent: ''}).textContent"
try:
    browser.open(url)
    browser.until(badge + ".includes('live: run 3, finished')")
    browser.until("!!document.querySelector('input[type=search]')")
    browser.value("document.querySelector('input[type=search]').value = 'A<5'")
    subprocess.run([hone, "tune", spec, "-q", "--fresh", "--strategy", "exhaustive"], stdout=subprocess.DEVNULL, check=True)
    browser.until(badge + ".includes('live: run 4, finished')")
    browser.until("!!document.querySelector('.lead') && document.querySelector('.lead').textContent.includes('A=1 is 20')")
    browser.until("document.getElementById('shown').textContent.includes('4 of 40')")
    browser.picture(shot)
    print("followed", browser.noise)
    tuner = subprocess.Popen([hone, "tune", slow, "--web=127.0.0.1:0", "--fresh", "--no-confirm"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    browser.open(next(line for line in tuner.stderr if "live page: " in line).split()[-1])
    browser.until(badge + ".includes('live: run 5, running')")
    browser.until("!!document.querySelector('.lead')")
    tuner.send_signal(signal.SIGINT)
    browser.until("[...document.querySelectorAll('dd')].some(item => item.textContent === 'interrupted')")
    browser.until(badge + ".startsWith('run 5, interrupted')")
    tuner.communicate()
    print("ended", tuner.returncode)
finally:
    browser.end()
PY
  mkdir -p "${HONE%/cli/hone}/screenshots"
  run env PYTHONPATH=tests/cli PYTHONDONTWRITEBYTECODE=1 python3 "$TMP/follow.py" "$URL" "$HONE" "$TMP/k.yaml" \
    "$TMP/slow.yaml" "$TMP/chromium" "${HONE%/cli/hone}/screenshots/live.png"
  expect_status 0
  expect_out "followed []
ended 130"
  stop
else
  case_skip "the page in a browser follows the run to its end" "chromium is not installed"
fi

case_begin "wrong use"
for words in "last --address 1" "last --follow -o $TMP/x.html" "1 2 --follow" "a.csv --follow"; do
  # shellcheck disable=SC2086
  run "$HONE" report $words
  expect_status 2
done
run "$HONE" report 1 --follow --address nowhere
expect_status 2
expect_err_contains "'nowhere' is not an address such as 127.0.0.1:8080"

cases_end
