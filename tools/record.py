#!/usr/bin/env python3
"""record.py OUT.svg COLUMNS ROWS PROMPT COMMAND...: runs a command on a terminal of that size and draws what it shows as an SVG,
below a line "$ PROMPT".

The picture plays in a browser, without scripts: each line of the screen is shown from the second in which it appeared to the one
in which it changed. Where motion is not wanted, it is the last screen.
"""
import html
import os
import pty
import re
import select
import struct
import sys
import termios
import time
import fcntl

COLORS = {31: "#e5534b", 32: "#57ab5a", 33: "#c69026", 34: "#539bf5", 36: "#39c5cf"}
LINE, CHAR, PAD, HOLD = 17, 8.05, 12, 6.0
SPEED = 3.0  # seconds of the run that take a second of the picture


def record(columns, rows, command):
    """[(seconds, bytes)] of what the command writes."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS=str(columns), LINES=str(rows))
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    chunks, began = [], time.monotonic()
    while True:
        select.select([fd], [], [])
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        chunks.append((time.monotonic() - began, data))
    os.waitpid(pid, 0)
    return chunks


class Screen:
    """What hone needs of a terminal: lines, carriage returns, erasing, colours."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines, self.row, self.column, self.style = [[]], 0, 0, ""

    def put(self, char):
        if self.column >= self.columns:
            self.feed()
            self.column = 0
        line = self.lines[self.row]
        while len(line) <= self.column:
            line.append((" ", ""))
        line[self.column] = (char, self.style)
        self.column += 1

    def feed(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append([])

    def escape(self, numbers, kind):
        first = int(numbers.split(";")[0] or 0) if numbers.replace(";", "").isdigit() or not numbers else 0
        if kind == "K":
            if first == 2:
                self.lines[self.row] = []
            elif first == 0:
                del self.lines[self.row][self.column:]
        elif kind == "A":
            self.row = max(0, self.row - max(first, 1))
        elif kind == "G":
            self.column = max(first, 1) - 1
        elif kind == "J":
            del self.lines[self.row + 1:]
            del self.lines[self.row][self.column:]
        elif kind == "m":
            for number in [int(n or 0) for n in numbers.split(";")] if re.fullmatch(r"[\d;]*", numbers) else []:
                if number == 0:
                    self.style = ""
                elif number == 1:
                    self.style += "font-weight:bold;"
                elif number == 2:
                    self.style += "opacity:.6;"
                elif number in COLORS:
                    self.style += f"fill:{COLORS[number]};"

    def write(self, text):
        at = 0
        while at < len(text):
            found = re.compile("\x1b\\[([?\\d;]*)([A-Za-z])").match(text, at)
            if found:
                self.escape(found[1], found[2])
                at = found.end()
                continue
            char, at = text[at], at + 1
            if char == "\n":
                self.feed()
            elif char == "\r":
                self.column = 0
            elif char >= " ":
                self.put(char)

    def shown(self):
        last = self.lines[:-1] if not self.lines[-1] else self.lines
        return [tuple(line) for line in last[-self.rows:]]


def spans(line):
    out, style, text = [], None, ""
    for char, own in list(line) + [("", None)]:
        if own != style:
            if text:
                out.append((style, text))
            style, text = own, ""
        text += char
    return "".join(f'<tspan style="{s}">{html.escape(t)}</tspan>' if s else html.escape(t) for s, t in out)


def visits(chunks, columns, rows, prompt):
    """{(row, line): [(from, to)]}, the end, and the last screen."""
    screen, seen, open_, end = Screen(columns, rows), {}, {}, 0.0
    screen.write(prompt + "\r\n")
    for when, data in [(0.0, b"")] + chunks:
        when /= SPEED
        screen.write(data.decode("utf-8", "replace"))
        now = dict(enumerate(screen.shown()))
        for row in set(open_) | set(now):
            if row in open_ and open_[row][0] != now.get(row):
                line, since = open_.pop(row)
                seen.setdefault((row, line), []).append((since, when))
            if row in now and row not in open_:
                open_[row] = (now[row], when)
        end = when
    for row, (line, since) in open_.items():
        seen.setdefault((row, line), []).append((since, end + HOLD))
    return seen, end + HOLD, screen.shown()


def draw(chunks, columns, rows, prompt):
    seen, total, last = visits(chunks, columns, rows, prompt)
    width, height = int(columns * CHAR + 2 * PAD), int(rows * LINE + 2 * PAD)
    styles, texts = [], []
    for number, ((row, line), times) in enumerate(sorted(seen.items(), key=lambda item: item[1][0])):
        body = spans(line).rstrip()
        if not body:
            continue
        frames, before = "", 0.0
        for since, to in times:
            a, b = 100 * since / total, 100 * to / total
            if a > before:
                frames += f"{before:.2f}%,{max(a - .01, 0):.2f}%{{opacity:0}}"
            frames += f"{a:.2f}%,{min(b, 100):.2f}%{{opacity:1}}"
            before = b + .01
        if before < 100:
            frames += f"{before:.2f}%,100%{{opacity:0}}"
        is_last = row < len(last) and last[row] == line
        styles.append(f"@keyframes k{number}{{{frames}}}.k{number}{{animation:k{number} {total:.1f}s infinite;opacity:{int(is_last)}}}")
        y = PAD + (row + .8) * LINE
        texts.append(f'<text class="k{number}" x="{PAD}" y="{y:.1f}" xml:space="preserve">{body}</text>')
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">
<title>{html.escape(prompt)}</title>
<style>text{{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d1d7e0}}
{"".join(styles)}
@media (prefers-reduced-motion){{text{{animation:none!important}}}}</style>
<rect width="100%" height="100%" rx="8" fill="#1c2128"/>
{chr(10).join(texts)}
</svg>
"""


def main():
    out, columns, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    prompt, command = "$ " + sys.argv[4], sys.argv[5:]
    picture = draw(record(columns, rows, command), columns, rows, prompt)
    with open(out, "w", encoding="utf-8") as file:
        file.write(picture)


if __name__ == "__main__":
    main()
