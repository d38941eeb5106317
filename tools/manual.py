#!/usr/bin/env python3
"""manual.py OUTPUT PAGE...: the pages of docs/man and of docs as plain text, in one C file.

`hone help spec` prints them where there is no man, and no page was installed. It knows the macros of
mdoc(7) that these pages use, and fails for any other, so that none is left out in silence. Markdown stays as it is, without
comments and with the texts of links alone. Some pages of docs have another name: hone-spec(5) is `spec`, and commands have theirs."""
import os
import re
import sys
import textwrap

WIDTH = 79
OTHER_NAMES = {"spec": "keys", "cluster": "clusters", "iree": "iree-models"}
STEP = 6  # of displays and of lists of width Ds
PLAIN = {"Ar", "Cm", "Em", "Ev", "Ic", "Li", "No", "Pa", "Sy", "Vt", "Sx", "Dv", "Ft"}
AROUND = {"Pq": "()", "Op": "[]", "Sq": "''", "Dq": '""', "Ql": "''"}
INLINE = PLAIN | set(AROUND) | {"Fl", "Xr", "Ns", "Ta", "Nm", "Po", "Pc", "Fn"}
CLOSING, OPENING = set(".,;:!?)]"), set("([")
GLUE = "\0"  # no space here


def unescape(text):
    return (text.replace(r"\&", "").replace(r"\(dq", '"').replace(r"\-", "-")
            .replace(r"\e", "\\"))


def split(line):
    """Arguments as (text, is quoted)."""
    found = re.findall(r'"((?:[^"]|"")*)"|(\S+)', line)
    return [(q.replace('""', '"'), True) if not w else (w, False) for q, w in found]


class Page:
    def __init__(self, path):
        self.path, self.name = path, ""
        self.lines, self.words = [], []
        self.lists, self.indent = [], 0
        self.literal, self.hanging = False, ""
        self.synopsis, self.after_heading = False, 0

    # ---- Inside a line

    def words_of(self, args):
        out, i = [], 0
        while i < len(args):
            text, quoted = args[i]
            if quoted or text not in INLINE:
                out += self.plain(text)
                i += 1
                continue
            i, words = self.macro(text, args, i + 1)
            out += words
        return out

    def plain(self, text):
        if text in CLOSING:
            return [GLUE, text]
        return [text, GLUE] if text in OPENING else [unescape(text)]

    def own(self, args, i):
        """The arguments of a macro: up to the next one."""
        end = i
        while end < len(args) and (args[end][1] or args[end][0] not in INLINE):
            end += 1
        return end

    def macro(self, name, args, i):
        if name in AROUND:
            end = len(args)
            while end > i and not args[end - 1][1] and args[end - 1][0] in CLOSING:
                end -= 1
            first, last = AROUND[name]
            inside = self.words_of(args[i:end])
            after = [GLUE] if inside[-1:] == [GLUE] else []
            return end, [first, GLUE] + inside + [GLUE, last] + after
        if name == "Ns":
            return i, [GLUE]
        if name in ("Po", "Pc"):
            return i, ["(", GLUE] if name == "Po" else [GLUE, ")"]
        if name == "Ta":
            return i, ["\t"]
        end = self.own(args, i)
        own = args[i:end]
        if name == "Nm":
            return end, self.words_of(own) if own and own[0][0] not in CLOSING else \
                [self.name] + self.words_of(own)
        if name == "Xr":
            rest = self.words_of(own[2:])
            return end, ["%s(%s)" % (own[0][0], own[1][0])] + rest
        if name == "Fn":
            inside = ", ".join(unescape(text) for text, _ in own[1:] if text not in CLOSING)
            return end, ["%s(%s)" % (own[0][0], inside)] + \
                self.words_of([a for a in own[1:] if a[0] in CLOSING])
        if name == "Fl":
            return end, [w for text, quoted in own or [("", True)]
                         for w in (self.plain(text) if text in CLOSING else ["-" + unescape(text)])]
        if name == "Ar" and not own:
            return end, ["file", "..."]
        return end, self.words_of(own)

    @staticmethod
    def join(words):
        text, glued = "", True
        for word in words:
            if word == GLUE:
                glued = True
                continue
            text += ("" if glued else " ") + word
            glued = False
        return text

    # ---- Lines

    def flush(self):
        text, self.words = self.join(self.words), []
        if not text and not self.hanging:
            return
        head, self.hanging = self.hanging, ""
        space = " " * self.indent
        if head and (len(head) + 1 > self.indent or not text):
            self.lines.append(head)
            head = ""
        if not text:
            return
        wrapped = textwrap.wrap(text, WIDTH, initial_indent=space, subsequent_indent=space,
                                break_long_words=False, break_on_hyphens=False)
        if head:
            wrapped[0] = head + wrapped[0][len(head):]
        self.lines += wrapped

    def blank(self):
        self.flush()
        if self.lines and self.lines[-1] and len(self.lines) > self.after_heading:
            self.lines.append("")

    def begin_list(self, args):
        self.flush()
        kind = args[0][0]
        words = [text for text, _ in args]
        width = STEP
        if "-width" in words and words[words.index("-width") + 1] != "Ds":
            width = len(unescape(words[words.index("-width") + 1])) + 2
        if kind == "-column":
            columns = [unescape(t) for t, _ in args[1:] if t not in ("-offset", "indent", "-compact")]
            width = [len(c) + 2 for c in columns]
        if "-offset" in words:
            self.indent += STEP
        self.lists.append((kind, width, "-compact" in words, self.indent, "-offset" in words))
        if "-compact" not in words and kind != "-column":
            self.blank()

    def item(self, args):
        kind, width, compact, indent, _ = self.lists[-1]
        if not compact and kind != "-column":
            self.blank()
        self.flush()
        if kind == "-column":
            self.row(args, width, indent)
            return
        head = "-" if kind in ("-bullet", "-dash") else self.join(self.words_of(args))
        self.indent = indent + (2 if head == "-" and kind != "-tag" else width)
        self.hanging = " " * indent + head

    def row(self, args, widths, indent):
        cells = self.join(self.words_of(args)).split("\t")
        line = " " * indent
        for i, cell in enumerate(cells[:-1]):
            line += cell.strip().ljust(widths[i] if i < len(widths) else 0)
        begin = len(line)
        self.lines += textwrap.wrap(cells[-1].strip(), WIDTH, initial_indent=line,
                                    subsequent_indent=" " * begin, break_long_words=False,
                                    break_on_hyphens=False) or [line.rstrip()]

    def end_list(self):
        self.flush()
        _, _, _, indent, has_offset = self.lists.pop()
        self.indent = indent - (STEP if has_offset else 0)

    def block(self, name, rest, args):
        if name in ("Dd", "Os", "Dt"):
            pass
        elif name in ("Sh", "Ss"):
            self.blank()
            self.synopsis = rest == "SYNOPSIS"
            self.lines.append(("" if name == "Sh" else "  ") + unescape(rest))
            self.indent, self.after_heading = 4, len(self.lines)
        elif name == "Nd":
            self.words += ["-", unescape(rest)]
        elif name == "Pp":
            self.blank()
        elif name == "Dl":
            self.flush()
            self.lines.append(" " * (self.indent + STEP) + self.join(self.words_of(args)))
        elif name == "Bd":
            self.blank()
            self.literal = True
        elif name == "Ed":
            self.literal = False
        elif name == "Bl":
            self.begin_list(args)
        elif name == "It":
            self.item(args)
        elif name == "El":
            self.end_list()
        else:
            return False
        return True

    def macro_line(self, line, number):
        name, _, rest = line[1:].partition(" ")
        args = split(rest)
        if self.block(name, rest.strip(), args):
            return
        if name not in INLINE:
            sys.exit("%s:%d: manual.py does not know the macro '%s'" % (self.path, number, name))
        if name == "Nm" and args and not self.name:
            self.name = rest
        if name == "Nm" and self.synopsis:
            self.flush()
        self.words += self.words_of([(name, False)] + args)

    def render(self):
        for number, line in enumerate(open(self.path, encoding="utf-8").read().splitlines(), 1):
            if self.literal and line != ".Ed":
                self.lines.append((" " * (self.indent + STEP) + unescape(line)).rstrip())
            elif line.startswith('.\\"'):
                continue
            elif line.startswith("."):
                self.macro_line(line, number)
            else:
                self.words += [unescape(word) for word in line.split()]
        self.flush()
        return self.lines


def read_markdown(path):
    text = open(path, encoding="utf-8").read()
    text = re.sub(r"<!--.*?-->\n", "", text)
    return re.sub(r"!?\[([^\]\n]*)\]\(([^)\s]*)\)", r"\1", text).splitlines()


def page_of(path):
    """The name and the lines of a page."""
    name, suffix = os.path.basename(path).rsplit(".", 1)
    if suffix == "md":
        return OTHER_NAMES.get(name, name), read_markdown(path)
    return name, Page(path).render()


def quote(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") + '\\n"'


def main():
    output, pages = sys.argv[1], sys.argv[2:]
    with open(output, "w", encoding="utf-8") as file:
        file.write('/* Made by tools/manual.py from docs/man. */\n#include "manual.h"\n\n')
        file.write("const struct manual_page manual_pages[] = {\n")
        for path in pages:
            name, lines = page_of(path)
            file.write('    {"%s",\n     %s},\n' % (name, "\n     ".join(quote(line) for line in lines)))
        file.write("    {NULL, NULL},\n};\n")


main()
