"""One headless Chromium for a whole test, by the protocol of its debugger over a pipe.

As a program: browser.py FOLDER. Each line of standard input is a JSON list, each answer a line:
  ["ask", FILE, SCRIPT]                the page's title after the script ran in it
  ["picture", FILE, PNG, W, H, DARK]   a picture of the window; DARK: "" or not
  ["print", FILE, PDF]                 the page on paper
  ["paper", FILE, SCRIPT]              as ask, in the style of paper, from a dark window
  ["resize", FILE, EXPRESSION, W, H, W2, H2]   its value in the first window and then in the second
An answer is "= " and the value, or "! " and what was on the console.
"""
import base64, json, os, subprocess, sys, time


class Browser:
    def __init__(self, folder):
        down, up = os.pipe(), os.pipe()
        self.write_end, self.read_end = down[1], up[0]
        self.number, self.buffer, self.noise = 0, b"", []

        def child():
            os.dup2(down[0], 13), os.dup2(up[1], 14)   # 3 and 4 may be among the pipes themselves
            os.dup2(13, 3), os.dup2(14, 4)
        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,1600",
             "--user-data-dir=" + folder, "--remote-debugging-pipe", "about:blank"],
            preexec_fn=child, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(down[0]), os.close(up[1])
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page"):
            self.call(domain + ".enable")

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.read_end, 65536)
            if not part: sys.exit("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if message.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.noise.append(message["params"])
        return message

    def call(self, method, **params):
        self.number += 1
        session = {"sessionId": self.session} if self.session else {}
        os.write(self.write_end, json.dumps({"id": self.number, "method": method, "params": params,
                                             **session}).encode() + b"\0")
        while (message := self.receive()).get("id") != self.number:
            pass
        if "error" in message: sys.exit("%s: %s" % (method, message["error"]))
        return message["result"]

    def open(self, address):
        self.call("Page.navigate", url=address)
        while self.receive().get("method") != "Page.loadEventFired":
            pass

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression)["result"].get("value")

    def until(self, expression):
        end = time.monotonic() + 30
        while not self.value(expression):
            if time.monotonic() > end:
                sys.exit("never: %s\n%s" % (expression, self.value("document.body.textContent.slice(0, 400)")))
            time.sleep(0.05)

    def media(self, kind, dark):
        self.call("Emulation.setEmulatedMedia", media=kind,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def window(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.media("", dark)

    def picture(self, path):
        self.save(path, self.call("Page.captureScreenshot", format="png"))

    def paper(self, path):
        self.save(path, self.call("Page.printToPDF"))

    def save(self, path, answer):
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))

    def end(self):
        self.process.kill()
        self.process.wait()


def ask(browser, page, script):
    browser.open("file://" + page)
    browser.call("Runtime.evaluate", expression="{" + script + "\n}")
    return browser.value("document.title")


def picture(browser, page, path, width, height, dark):
    browser.window(width, height, bool(dark))
    browser.open("file://" + page)
    browser.picture(path)


def print_page(browser, page, path):
    browser.open("file://" + page)
    browser.paper(path)


def paper(browser, page, script):
    browser.media("print", True)
    title = ask(browser, page, script)
    browser.media("", False)
    return title


def resize(browser, page, expression, width, height, other_width, other_height):
    browser.window(width, height)
    browser.open("file://" + page)
    first = browser.value(expression)
    browser.window(other_width, other_height)
    browser.until("%s !== %s" % (expression, json.dumps(first)))
    return "%s %s" % (first, browser.value(expression))


COMMANDS = {"ask": ask, "picture": picture, "print": print_page, "paper": paper, "resize": resize}

if __name__ == "__main__":
    browser = Browser(sys.argv[1])
    try:
        for line in sys.stdin:
            name, *rest = json.loads(line)
            said = COMMANDS[name](browser, *rest)
            noise, browser.noise = browser.noise, []
            print("! %s" % json.dumps(noise) if noise else "= %s" % (said or ""), flush=True)
    finally:
        browser.end()
