"""tap.py FILE: runs the unit tests of a file and reports them in TAP. $TEST_CASE chooses those with the text in their names.

What a test prints goes to standard error, so that it is no line of TAP. The store and the cache are in a temporary
folder unless the file names its own.
"""
import importlib.util
import os
import shutil
import sys
import tempfile
import time
import traceback
import unittest


def failure(err):
    """The message first: a report of many lines may be cut."""
    return "".join([*traceback.format_exception_only(*err[:2]), *traceback.format_exception(*err)[:-1]])


class TapResult(unittest.TestResult):
    def __init__(self, out):
        super().__init__()
        self.out = out
        self.number = 0
        self.good = True
        self.began = time.monotonic()

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def line(self, test, good, directive="", text=""):
        self.number += 1
        self.good = self.good and good
        name = test.shortDescription() or test.id().split(".", 1)[-1]
        seconds = time.monotonic() - self.began
        taken = f" ({seconds:.1f} s)" if seconds >= 1 and not directive else ""
        print(f"{'ok' if good else 'not ok'} {self.number} - {name.replace('#', ' ')}{taken}{directive}", file=self.out)
        for each in text.rstrip().splitlines():
            print(f"# {each}", file=self.out)
        self.out.flush()

    def addSuccess(self, test):
        self.line(test, True)

    def addSkip(self, test, reason):
        self.line(test, True, f" # SKIP {reason}")

    def addFailure(self, test, err):
        self.line(test, False, text=failure(err))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err:
            self.line(subtest, False, text=failure(err))

    def addExpectedFailure(self, test, err):
        self.line(test, True)

    def addUnexpectedSuccess(self, test):
        self.line(test, False, text="it was expected to fail")


def cases(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from cases(one)
        else:
            yield one


def load(path):
    name = os.path.splitext(os.path.basename(path))[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return unittest.defaultTestLoader.loadTestsFromModule(module)


def main(path):
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    name = os.path.splitext(os.path.basename(path))[0][len("test_"):]
    folder = tempfile.mkdtemp(prefix="hone-test-")
    os.environ["HONE_STORE"] = os.path.join(folder, "store.db")
    os.environ["HONE_CACHE"] = os.path.join(folder, "cache")
    owner = os.getpid()
    result = TapResult(out)
    try:
        try:
            suite = load(path)
        except unittest.SkipTest as reason:
            print(f"1..1\nok 1 - {name} # SKIP {reason}", file=out, flush=True)
            return 0
        wanted = os.environ.get("TEST_CASE", "")
        chosen = [one for one in cases(suite)
                  if wanted in one.id() or wanted in (one.shortDescription() or "")]
        unittest.TestSuite(chosen).run(result)
        print(f"1..{result.number}", file=out, flush=True)
    finally:
        if os.getpid() == owner:  # not in what a test has forked
            shutil.rmtree(folder, ignore_errors=True)
    return 0 if result.good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
