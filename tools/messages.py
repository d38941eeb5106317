#!/usr/bin/env python3
"""messages.py: the messages of the sources, and the rows of the pages that explain them.

    tools/messages.py            prints every message with its place
    tools/messages.py --check    fails for a message without a row, and for a row without a message

A message is a text that a person can see when something is wrong or worth knowing:

  - the format of a function that is declared with HONE__PRINTF or CLI_PRINTF, and what HELPERS names;
  - any other text of the sources that reads as a sentence: tables, reasons, notes. What is printed as a
    result, help or generated code is no message: NOT_MESSAGES, FIELDS and FILES name it;
  - of the Python package, the texts of exceptions and warnings.

In a row, `...` stands for what differs. Parts that continue another text, as in '; did you mean', need no row."""
import ast
import glob
import re
import sys

PAGES = ["docs/messages.md", "docs/troubleshooting.md"]

# Functions of one or a few files that take the text of a message.
HELPERS = set("""add_defect advise bad bad_value bad_values explain fail fail_order fail_samples give_up gave_up
    hone__because hone__build_fail hone__gpu_refuse hone__iree_attempt_fail hone__kernel_record_fail hone__kernel_verdict_set
    hone__mlir_fail hone__opencl_is_ok hone__replay_json_error hone__scan_fail hone__simt_fails hone__smt_unknown
    hone__space_formula_error hone__store_damaged hone__wire_device_facts_note hone__wisdom_fail hone__yaml_stop leave
    look_at_compiler no_place problem refuse refuse_baseline report too_long unexpected unknown_name warn wrong FAIL
    hone__model_note hone__model_warn hone__slot_lost kill_runner drop drop_entries hone__pool_dismiss""".split())
# Functions whose texts are results, help, code, names, or words of a sentence that has a row.
NOT_MESSAGES = set("""HONE__RULE_DOC WAIT_OPTIONS COMPILING OPTION HEADING HONE__BUG HONE__ASSERT HONE__ASSERT_SLOW HONE__RECORD_TYPE _Static_assert
    output_format output_text output_styled output_raw table_format table_cell print_heading printf fprintf fputs puts
    strstr strcmp strncmp starts_with begins has has_word line_has memfd_create sqlite3_prepare_v2 execute hone__store_statement
    hone__iree_word hone__words_add add_comment begin_step print_step print_show_step print_again add_run_step add_step
    add_count_card hone__dispatches_step hone__model_title hone__model_work_path hone__simt_files hone__path_error command_text
    hone__digest_add_text judge""".split())
FIELDS = {"section", "usage", "about", "summary", "examples", "help"}
# Files that print results, pages or code: only the functions above make messages there.
FILES = re.compile("|".join("""
    cli/(completion|help|manual|picture|quote|replay_html|report_text)
    src/report/(bars|chart|live_page|page|scatter)
    src/sketch/ src/tune/(attempt_json|plan) src/session/(identity|plausible) src/source/debug_info src/build/(diagnosis|macro)
    src/store/(evaluations|migrations|store_merge) src/export/(best_yaml|header_export|kbench_text|tune_report)
    src/backend/simt/simt_(host_headers|references) src/backend/(cuda/cuda|hip/hip|opencl/opencl)_own
    src/iree/dispatch/dispatch_fill src/iree/model/model_csv src/iree/operation/operation_words
    """.split()))
TOKEN = re.compile(r"""/\*.*?\*/|//[^\n]*|"((?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)*'|([A-Za-z_]\w*)?\s*\(|\.(\w+)\ =
                   |[\[{)\]},;]|PRI[a-zA-Z]\d+""", re.S | re.X)
SPECIFIER = re.compile(r"%%|%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|j|z|t)?[diouxXeEfgGcspaA]")
WORD = re.compile(r"(?<![\w./%<>=_{}\\-])[A-Za-z']{2,}(?![\w/=(_-])")
# What libraries and compilers say: Hone shows another text, or looks for it in their output.
FOREIGN = re.compile(r"(found|did not find|could not find|could not open|cannot open shared) "
                     r"|(block|mapping) (sequence|values|keys)|LLVM ERROR|PLEASE submit|out of memory allocating|cc1"
                     r"|virtual memory|internal compiler|signal terminated|(file|command) not found|IREE compiler"
                     r"|unknown attribute|unable to locate|ATTACH|x if condition|numa:")
CODE = re.compile(r"\\n.*\\n|==|\[\d|[{}<>$#@]\S|^[A-Z][a-z]+ |^[<#]|::|\w_\w+ \w+_\w"
                  r"|^(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|ORDER|JOIN|FROM|WHERE)\b")


def literals_of(text):
    """Each text of a file as (offset, text, calls around it as (name, argument), the field that it initialises)."""
    stack, field, parts, begin, end = [], "", [], 0, 0
    for match in TOKEN.finditer(text):
        token = match.group()
        is_next = parts and text[end:match.start()].strip() in ("", "\\")
        if token[0] == "/":  # a comment
            end = match.end() if is_next else end
            continue
        is_part = match.group(1) is not None or token.startswith("PRI") and token[-1] != "("
        if parts and not (is_part and is_next):
            yield begin, "".join(parts), [tuple(call) for call in stack if call[0]], field
            parts = []
        if is_part:
            begin = begin if parts else match.start()
            parts.append("u" if match.group(1) is None else match.group(1))
            end = match.end()
            continue
        if token[-1] in "([{":
            name = match.group(2) or ""
            stack.append(["" if name in ("if", "while", "for", "switch", "return", "sizeof") else name, 1])
        elif token in ")]}" and stack:
            stack.pop()
        elif token == "," and stack:
            stack[-1][1] += 1
        if token[-1] == "=":
            field = match.group(3)
        elif token in ";{}":
            field = ""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def format_functions(texts):
    """The functions that are declared to take a format, and which argument it is."""
    found = {}
    for text in texts:
        for match in re.finditer(r"(?:HONE__|CLI_)PRINTF\((\d+), [1-9]", text):
            names = re.findall(r"(\w+)\((?!\()", text[max(0, match.start() - 400):match.start()].rpartition(";")[2])
            if names:
                found[names[-1]] = int(match.group(1))
    return found


def shown(text):
    """A format as a row shows it: `argument%s are` is the plural of a word."""
    out, end = "", 0
    text = text.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")
    for match in SPECIFIER.finditer(text):
        is_plural = match.group() == "%s" and match.start() > end and re.search(r"[a-z]$", text[:match.start()]) \
            and re.match(r" [a-z]", text[match.end():])
        out += text[end:match.start()] + ("s" if is_plural else "..." if match.group() != "%%" else "%")
        end = match.end()
    return re.sub(r"(\.\.\.)+", "...", out + text[end:]).strip()


def is_message(text, calls, field, formats, prints):
    words = WORD.findall(SPECIFIER.sub(" ", text))
    name, at = calls[-1] if calls else ("", 0)
    if name in formats and name not in NOT_MESSAGES:
        return at == formats[name] and len(words) >= 1
    if prints or any(call in NOT_MESSAGES for call, _ in calls) or field in FIELDS:
        return False
    if re.match(r"[\s;,:()|]", text.replace("\\n", " ")) or CODE.search(text) or FOREIGN.match(text):
        return False
    if name in HELPERS:
        return len(words) >= 2
    return len(words) >= 3 and " " in text and not any(call in formats for call, _ in calls)


def sources():
    return sorted(glob.glob("src/**/*.[ch]", recursive=True) + glob.glob("cli/*.[ch]"))


def c_messages(literals):
    """The messages of the sources; every text goes into the list of literals, too."""
    texts = {path: read(path) for path in sources()}
    formats = format_functions(texts.values())
    for path, text in texts.items():
        prints = bool(FILES.match(path))
        for offset, literal, calls, field in literals_of(text):
            literals.append(literal)
            if is_message(literal, calls, field, formats, prints):
                yield path, text.count("\n", 0, offset) + 1, shown(literal)


def python_text(node):
    """A constant or an f-string as a row shows it; '' for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return SPECIFIER.sub("...", node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(python_text(part) if isinstance(part, ast.Constant) else "..." for part in node.values)
    if isinstance(node, ast.BinOp):
        return python_text(node.left) + python_text(node.right)
    return python_text(node.value) if isinstance(node, ast.Subscript) else ""


def python_messages():
    for path in sorted(glob.glob("python/hone/*.py")):
        tree = ast.parse(read(path))
        for node in ast.walk(tree):
            call = node.exc if isinstance(node, ast.Raise) else node
            if not isinstance(call, ast.Call):
                continue
            name = ast.unparse(call.func)
            if not (isinstance(node, ast.Raise) or name in ("warnings.warn", "logger.warning") or name.endswith(("Error", "Failure"))):
                continue
            for argument in call.args[:2]:
                text = re.sub(r"(\.\.\.)+", "...", python_text(argument)).replace("\n", " ").strip()
                if " " in text:
                    yield path, argument.lineno, text


def messages(literals):
    return [*c_messages(literals), *sorted(set(python_messages()))]


class Row:
    """A pattern of a page, with what it means."""

    def __init__(self, page, line, pattern, meaning):
        self.page, self.line, self.pattern, self.meaning = page, line, pattern, meaning
        self.letters = letters(pattern)
        self.part = max(pattern.split("..."), key=len)  # a quick test, before the expression
        self.expression = re.compile(".*".join(map(re.escape, pattern.split("..."))), re.S)

    def covers(self, text):
        """True if it is the text, or says enough of it: a general pattern must not hide a new message."""
        return bool(self.expression.fullmatch(text)) and (self.letters >= 12 or 2 * self.letters >= letters(text))


def letters(text):
    return sum(c.isalpha() for c in text)


def rows():
    for page in PAGES:
        for number, line in enumerate(read(page).splitlines(), 1):
            cells = re.split(r"(?<!\\) \| ", line.strip("| \n"))
            if line.startswith("| `") and len(cells) == 2:
                for pattern in re.findall(r"`([^`]+)`", cells[0]):
                    yield Row(page, number, pattern, cells[1])


def is_somewhere(row, literals):
    """True if some text of the sources, or a part of one, is like this."""
    return any(row.part in text and row.expression.search(shown(text)) for text in literals)


def check():
    """Prints what is missing and what is too much; returns how much that is."""
    literals, used, seen, wrong = [], set(), {}, 0
    table = list(rows())
    for path, line, text in messages(literals):
        covering = [row for row in table if row.part in text and row.covers(text)]
        used.update(covering)
        if not covering:
            wrong += 1
            print(f"{path}:{line}: no row of {PAGES[0]} has this message; add one:\n| `{text}` | what it means and what to do |")
    for row in table:
        if row not in used and not is_somewhere(row, literals):
            wrong += 1
            print(f"{row.page}:{row.line}: no message is `{row.pattern}`")
        if row.pattern in seen:
            wrong += 1
            print(f"{row.page}:{row.line}: `{row.pattern}` has a row in {seen[row.pattern]} already")
        seen[row.pattern] = f"{row.page}:{row.line}"
    return wrong


def main():
    if sys.argv[1:] == ["--check"]:
        sys.exit(check() > 0)
    for path, line, text in messages([]):
        print(f"{path}:{line}: {text}")


if __name__ == "__main__":
    main()
