"""pages.py PAGE...: runs the commands of documents in the current folder, and compares what they print.

A block after `<!-- file: NAME -->` becomes a file. In a block ```console the lines after `$ ` are commands, which share the
folder, and the others their output. A line `...` stands for any number of lines. Numbers stand for any number, units of time
for any unit, bars for any bar, blanks for any blanks, and the three verdicts for each other, since machines differ. A line may go on in
the next one of the output, where the program breaks lines at the width of the terminal. A command without lines after it
must end with status 0. A block after `<!-- not run: WHY -->` is not run.
"""
import re
import subprocess
import sys

VERDICT = r"(IMPROVED|NO IMPROVEMENT|INCONCLUSIVE|no verdict)"


def blocks(text):
    """(line, kind, name, lines) of each block."""
    mark, kind, start, lines = "", None, 0, []
    for number, line in enumerate(text.split("\n"), 1):
        if kind is None and line.startswith("```"):
            kind, start, lines = line[3:].strip() or "text", number, []
        elif kind is not None and line.startswith("```"):
            yield start, kind, mark, lines
            mark, kind = "", None
        elif kind is not None:
            lines.append(line)
        elif line.startswith("<!-- "):
            mark = line[5:].split(" -->")[0]
        elif line.strip():
            mark = ""


def pattern(line):
    """What matches an expected line."""
    parts = re.split(r"(\d[\d.]*)( (?:ns|us|ms|s)\b)?|(IMPROVED|NO IMPROVEMENT|INCONCLUSIVE)|(\s+)|([█░]+)", line.strip())
    out = ""
    for i in range(0, len(parts), 6):
        out += re.escape(parts[i])
        if i + 5 < len(parts):
            number, unit, verdict, blank, bar = parts[i + 1:i + 6]
            if number:
                out += r"[\d.]+" + (r" (ns|us|ms|s)" if unit else "")
            else:
                out += VERDICT if verdict else "[█░]+" if bar else r"\s+"
    return out


def fits(expected, printed):
    """Whether the lines are the expected ones: None, or the first expected line that is not there."""
    at = 0
    skip = False
    for line in expected:
        if line.strip() == "...":
            skip = True
            continue
        if line.strip().startswith("IMPROVED:"):  # the rest depends on the verdict
            line = "IMPROVED:"
            rx = re.compile(r"\s*" + VERDICT + r":?.*$")
        else:
            rx = re.compile(r"\s*" + pattern(line) + r"\s*$")
        found = next((k for k in range(at, len(printed)) if rx.match(printed[k])), None)
        if found is None or (not skip and found != at):
            return line
        at, skip = found + 1, False
    return None if skip or not any(line.strip() for line in printed[at:]) else "(no more lines)"


def commands(lines):
    command, expected = None, []
    for line in lines:
        if line.startswith("$ "):
            if command:
                yield command, expected
            command, expected = line[2:], []
        elif command and command.endswith("\\"):
            command += "\n" + line
        elif command:
            expected.append(line)
    if command:
        yield command, expected


def run(page, line, command, expected):
    child = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    wrong = fits(expected, child.stdout.split("\n")) if expected else child.returncode and f"exit status 0, not {child.returncode}" or None
    if wrong is None:
        return True
    print(f"{page}:{line}: $ {command}\n  expected: {wrong}\n  printed:\n" + child.stdout)
    return False


def main(pages):
    good, count = True, 0
    for page in pages:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for line, kind, mark, lines in blocks(text):
            if mark.startswith("file: "):
                with open(mark[6:], "w", encoding="utf-8") as out:
                    out.write("\n".join(lines) + "\n")
            elif kind == "console" and not mark.startswith("not run"):
                for command, expected in commands(lines):
                    good &= run(page, line, command, expected)
                    count += 1
    print(f"{count} commands")
    return 0 if good else 1


sys.exit(main(sys.argv[1:]))
