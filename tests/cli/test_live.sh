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
  case_begin "the page in a browser follows the run"
  "$HONE" tune "$TMP/k.yaml" -q --no-confirm --fresh >/dev/null 2>&1
  serve last --follow
  cat >"$TMP/follow.py" <<'PY'
# Two tunings while a page is open: it must show the second without being asked. The page reports through its title,
# which is read by the protocol of the browser's own debugger, over a pipe.
import json, os, subprocess, sys, time
url, hone, spec, folder, shot = sys.argv[1:]
down, up = os.pipe(), os.pipe()
def child():
    os.dup2(down[0], 3); os.dup2(up[1], 4)
ends = sorted({down[0], up[1]})
for end in ends: os.set_inheritable(end, True)
browser = subprocess.Popen(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,1600",
                            "--user-data-dir=" + folder, "--remote-debugging-pipe", "about:blank"],
                           preexec_fn=child, close_fds=False, stderr=subprocess.DEVNULL)
number, buffer, noise = 0, b"", []
def receive():
    global buffer
    while b"\0" not in buffer: buffer += os.read(up[0], 65536)
    text, buffer = buffer.split(b"\0", 1)
    return json.loads(text)
def call(method, session=None, **params):
    global number
    number += 1
    os.write(down[1], json.dumps({"id": number, "method": method, "params": params,
                                  **({"sessionId": session} if session else {})}).encode() + b"\0")
    while True:
        message = receive()
        if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"): noise.append(message["params"])
        if message.get("id") == number: return message["result"]
try:
    target = call("Target.createTarget", url="about:blank")["targetId"]
    session = call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    call("Runtime.enable", session); call("Log.enable", session)
    call("Page.navigate", session, url=url)
    def text(expression):
        return call("Runtime.evaluate", session, expression=expression)["result"].get("value")
    def until(expression):
        end = time.monotonic() + 30
        while not text(expression):
            if time.monotonic() > end: sys.exit("never: " + expression + "\n" + str(text("document.body.textContent.slice(0, 400)")))
            time.sleep(0.05)
    badge = "(document.querySelector('.badge')||{textContent: ''}).textContent"
    until(badge + ".includes('live: run 3, finished')")
    until("!!document.querySelector('input[type=search]')")
    call("Runtime.evaluate", session, expression="document.querySelector('input[type=search]').value = 'A<5'")
    subprocess.run([hone, "tune", spec, "-q", "--fresh", "--strategy", "exhaustive"], stdout=subprocess.DEVNULL, check=True)
    until(badge + ".includes('live: run 4, finished')")
    until("!!document.querySelector('.lead') && document.querySelector('.lead').textContent.includes('A=1 is 20')")
    until("document.getElementById('shown').textContent.includes('4 of 40')")
    import base64
    open(shot, "wb").write(base64.b64decode(call("Page.captureScreenshot", session, format="png")["data"]))
    print("followed", noise)
finally:
    browser.kill(); browser.wait()
PY
  mkdir -p "${HONE%/cli/hone}/screenshots"
  run python3 "$TMP/follow.py" "$URL" "$HONE" "$TMP/k.yaml" "$TMP/chromium" "${HONE%/cli/hone}/screenshots/live.png"
  expect_status 0
  expect_out "followed []"
  stop
else
  case_skip "the page in a browser follows the run" "chromium is not installed"
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
