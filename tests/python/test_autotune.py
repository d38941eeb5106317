"""Functions that are tuned when they are first called: real tunings of plain Python functions."""
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
from unittest import mock

import hone

FOLDER = tempfile.mkdtemp(prefix="hone-test-")
os.environ["HONE_STORE"] = os.path.join(FOLDER, "store.db")
os.environ["HONE_CACHE"] = os.path.join(FOLDER, "cache")


def wait(n, *, MS):
    """Its time is known, also on a busy machine: MS milliseconds."""
    time.sleep(MS * 1e-3)
    return n + 1


@contextlib.contextmanager
def without_program(**others):
    """Nothing can be started; other variables are set, too."""
    before = dict(os.environ)
    os.environ.update(others, HONE_PROGRAM="/does/not/exist")
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def run_script(text, **options):
    """A program of its own, with the same store."""
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(text)], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, **options)


def processes_of(token):
    """Processes whose environment has the token."""
    found = []
    for pid in os.listdir("/proc"):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if token.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


def folders_of(pid):
    """The folders for files of a tuning that a process has locked."""
    paths = [os.readlink(entry.path) for entry in os.scandir(f"/proc/{pid}/fd") if os.path.exists(entry.path)]
    return sorted(os.path.dirname(path) for path in paths if path.endswith("/owner"))


def tearDownModule():
    shutil.rmtree(FOLDER, ignore_errors=True)


class Calls(unittest.TestCase):
    def test_first_call_tunes_and_later_ones_do_not(self):
        tuned = hone.autotune(params={"MS": [8, 2, 4]}, key=["n"])(wait)
        self.assertEqual(tuned(1), 2)
        result = tuned.result()
        self.assertEqual((result.verdict, result.config, result.measured), ("IMPROVED", {"MS": 2}, True))
        self.assertTrue(1 < result.interval[0] <= result.speedup <= result.interval[1], result)
        with without_program():
            self.assertEqual((tuned(1), tuned(n=1)), (2, 2))

    def test_another_process_finds_the_result(self):
        script = """
            import hone, time
            @hone.autotune(params={"MS": [9, 2]}, key=["n"], name="shared")
            def shared(n, *, MS):
                time.sleep(MS * 1e-3)
                return n
            shared(5)
            print("measured" if shared.result().measured else "found", shared.best(5))
        """
        first, _ = run_script(script).communicate()
        self.assertIn("measured {'MS': 2}", first)
        second, _ = run_script(script).communicate()
        self.assertIn("found {'MS': 2}", second)

    def test_each_problem_has_its_own_result(self):
        tuned = hone.autotune(params={"MS": [3, 1]}, key=["n"], budget=2)(wait)
        tuned(10), tuned(11)
        self.assertEqual(len(tuned._results), 2)
        bucketed = hone.autotune(params={"MS": [3, 1]}, key=lambda n: n // 100, budget=2)(wait)
        bucketed(10), bucketed(11)
        self.assertEqual(len(bucketed._results), 1)

    def test_knobs_that_the_caller_gives_are_not_tuned(self):
        tuned = hone.autotune(params={"MS": [3, 1]})(wait)
        self.assertEqual(tuned(1, MS=2), 2)
        self.assertEqual(tuned._results, {})

    def test_threads_tune_once(self):
        tuned = hone.autotune(params={"MS": [4, 2]}, key=["n"])(wait)
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(tuned(77))) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertEqual((answers, len(tuned._results)), ([78] * 4, 1))

    def test_methods_closures_and_values_of_any_type(self):
        class Thing:
            scale = 3

            @hone.autotune(configs=[{"SHAPE": (8, 1), "WAY": None}, {"SHAPE": (1, 2), "WAY": "a b"}], key=["n"])
            def run(self, n, *, SHAPE, WAY):
                assert isinstance(SHAPE, tuple) and WAY in (None, "a b")
                return wait(n, MS=SHAPE[0]) * self.scale

        self.assertEqual(Thing().run(2), 9)
        self.assertEqual(Thing.run.result().config, {"SHAPE": (1, 2), "WAY": "a b"})

    def test_a_closure_in_another_process(self):
        def make(step):
            def add(n, *, MS):
                return wait(n, MS=MS) + step
            return add

        tuned = hone.autotune(params={"MS": [6, 2]}, isolation="spawn")(make(10))
        self.assertEqual(tuned(1), 12)
        self.assertEqual(tuned.result().config, {"MS": 2})

    def test_another_tuned_function_in_another_process(self):
        """In a script: a function that is sent by value, which calls one that is tuned, and an attribute of its name."""
        output, _ = run_script("""
            import hone, time
            @hone.autotune(params={"B": [1, 2]})
            def inner(n, *, B):
                return n + 1
            class Library:
                outer = staticmethod(lambda n: n * 2)
            library = Library.outer
            @hone.autotune(params={"MS": [3, 1]}, isolation="spawn", budget=2)
            def outer(n, *, MS):
                time.sleep(MS * 1e-4)
                return inner(library.__call__(n)) if not hasattr(n, "outer") else n.outer
            print("answer", outer(20))
        """).communicate()
        self.assertIn("answer 41", output)


class Answers(unittest.TestCase):
    def test_a_candidate_may_do_anything(self):
        @hone.autotune(params={"DO": ["ok", "wrong", "crash", "raise", "exit", "hang", "fork"]}, timeout=2.0)
        def bad(n, *, DO):
            if DO == "wrong":
                return n + 2
            if DO == "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            if DO == "raise":
                raise ValueError("no such thing")
            if DO == "exit":
                os._exit(3)
            if DO == "hang":
                time.sleep(100)
            if DO == "fork" and os.fork() == 0:
                time.sleep(1000)
            return wait(n, MS=3)

        self.assertEqual(bad(1), 2)
        rows = {row["DO"]: row for row in bad.result().rows()}
        self.assertEqual({name: rows[name]["outcome"] for name in ("ok", "wrong", "crash", "raise", "exit", "hang")},
                         {"ok": "ok", "wrong": "wrong_result", "crash": "crash", "raise": "launch_failure",
                          "exit": "crash", "hang": "hang"})
        self.assertIn("ValueError: no such thing", rows["raise"]["evidence"])
        self.assertIn("the result is 3, expected 2", rows["wrong"]["evidence"])

    def test_the_reference_decides(self):
        @hone.autotune(params={"ADD": [1, 2, 3]}, reference=lambda n: n + 2, baseline={"ADD": 2})
        def add(n, *, ADD):
            return wait(n, MS=ADD) - 1 + ADD

        add(1)
        outcomes = {row["ADD"]: row["outcome"] for row in add.result().rows()}
        self.assertEqual(outcomes, {1: "wrong_result", 2: "ok", 3: "wrong_result"})

    def test_a_reference_that_fails_is_an_error(self):
        def broken(n):
            raise ValueError("cannot do that")

        tuned = hone.autotune(params={"MS": [1, 2]}, reference=broken)(wait)
        with self.assertRaisesRegex(hone.HoneError, "the reference failed: ValueError: cannot do that"):
            tuned(1)

    def test_data_that_is_written_is_checked_and_stays_the_users(self):
        @hone.autotune(params={"HOW": ["all", "half"]}, restore=["data"], key=["n"])
        def increase(data, n, *, HOW):
            for i in range(n if HOW == "all" else n // 2):
                data[i] += 1

        data = [1.0] * 64
        increase(data, 64)
        self.assertEqual(data, [2.0] * 64)
        self.assertEqual({row["HOW"]: row["outcome"] for row in increase.result().rows()},
                         {"all": "ok", "half": "wrong_result"})


class Errors(unittest.TestCase):
    def check(self, text, kind=hone.HoneError, **options):
        with self.assertRaisesRegex(kind, text):
            hone.autotune(**options)(wait)(1)

    def test_what_is_given_is_checked(self):
        self.check("'MSS' is not a parameter of wait; did you mean 'MS'", params={"MSS": [1]})
        self.check("nothing to tune", params={})
        self.check("the list is empty", configs=[])
        self.check("'MS' has no values", params={"MS": []})
        self.check("needs a list of values", params={"MS": 5})
        self.check("the baseline names 'NS'", params={"MS": [1]}, baseline={"NS": 1})
        self.check("did you mean 'budget'", TypeError, params={"MS": [1]}, budgett=3)
        self.check("'m' is not a parameter of wait", params={"MS": [1]}, key=["m"])
        self.check("the same names", configs=[{"MS": 1}, {"MS": 1, "n": 2}])
        self.check("error: expected a value, found the end", params={"MS": [1, 2]}, constraints="MS >")

    def test_what_cannot_be_sent_is_told(self):
        lock = threading.Lock()

        def hold(n, *, MS):
            with lock:
                return n

        tuned = hone.autotune(params={"MS": [1, 2]}, isolation="spawn")(hold)
        with self.assertRaisesRegex(hone.HoneError, "cannot send what is tuned to another process: .*lock"):
            tuned(1)

    def test_a_program_that_is_missing_is_told(self):
        tuned = hone.autotune(params={"MS": [1, 2]})(wait)
        with without_program(), self.assertRaisesRegex(hone.HoneError, "not an executable file"):
            tuned(123)


class Modes(unittest.TestCase):
    def tearDown(self):
        os.environ.pop("HONE_AUTOTUNE", None)
        os.environ.pop("HONE_WISDOM", None)

    def test_modes(self):
        make = hone.autotune(params={"MS": [7, 1]}, key=["n"], name="modes")
        os.environ["HONE_AUTOTUNE"] = "off"
        self.assertEqual(make(wait)._config((900,), {}), {"MS": 7})
        os.environ["HONE_AUTOTUNE"] = "lookup"
        self.assertEqual(make(wait)._config((900,), {}), {"MS": 7})
        os.environ["HONE_AUTOTUNE"] = "require"
        with self.assertRaisesRegex(hone.NotTunedError, "HONE_AUTOTUNE=require"):
            make(wait)(900)
        os.environ["HONE_AUTOTUNE"] = "on"
        make(wait)(900)
        for mode in ("lookup", "require"):
            os.environ["HONE_AUTOTUNE"] = mode
            self.assertEqual(make(wait)._config((900,), {}), {"MS": 1})
        os.environ["HONE_AUTOTUNE"] = "sometimes"
        with self.assertRaisesRegex(hone.HoneError, "off, lookup, on, require"):
            make(wait)(900)

    def test_wisdom_is_shipped(self):
        make = hone.autotune(params={"MS": [7, 1]}, key=["n"], name="wise")
        tuned = make(wait)
        tuned(41), tuned(42)
        file = os.path.join(FOLDER, "wisdom.json")
        tuned.export(file)
        with without_program(HONE_WISDOM=file):
            for n in (41, 42):
                self.assertEqual(make(wait)._config((n,), {}), {"MS": 1})
        with open(file, "w") as broken:
            broken.write("{")
        os.environ["HONE_WISDOM"] = file
        with self.assertRaisesRegex(hone.HoneError, "not a wisdom file"):
            make(wait)(41)

    def test_exports(self):
        tuned = hone.autotune(params={"MS": [7, 1]}, key=["n"])(wait)
        tuned(51)
        self.assertIn("#define", tuned.export(format="header"))
        self.assertIn("MS", tuned.export(format="csv"))


SLOW = """
    import hone, os, time
    @hone.autotune(params={"MS": list(range(1, 200))}, key=["n"], progress=lambda event: print("event", flush=True))
    def slow(n, *, MS):
        time.sleep(0.02)
        return n
    try:
        slow(1)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


class Ends(unittest.TestCase):
    def start(self):
        token = f"HONE_TEST_TOKEN={os.getpid()}-{time.monotonic_ns()}"
        name, value = token.split("=")
        script = run_script(SLOW, env=dict(os.environ, **{name: value}), start_new_session=True)
        for line in script.stdout:
            if "event" in line and len(processes_of(token)) > 3:
                break
        return script, token

    def wait_until_gone(self, token):
        for _ in range(200):
            if not processes_of(token):
                return
            time.sleep(0.05)
        self.fail(f"still there: {processes_of(token)}")

    def test_an_interrupt_ends_it_in_good_order(self):
        script, token = self.start()
        os.kill(script.pid, signal.SIGINT)
        output, _ = script.communicate(timeout=60)
        self.assertIn("interrupted", output)
        self.wait_until_gone(token)

    def test_nothing_is_left_of_a_killed_program(self):
        script, token = self.start()
        folders = folders_of(script.pid)
        self.assertEqual(len(folders), 2, folders)  # of the arguments, and of the socket
        os.kill(script.pid, signal.SIGKILL)
        script.communicate()
        self.wait_until_gone(token)
        hone.autotune(params={"MS": [1, 2]})(wait)(1)  # the next program that tunes removes them
        self.assertEqual([path for path in folders if os.path.exists(path)], [])

    def test_nothing_is_left_of_an_error(self):
        tuned = hone.autotune(params={"MS": [1, 2]})(wait)
        with mock.patch("hone._autotune.versions", side_effect=OSError), self.assertRaises(OSError):
            tuned(7)
        self.assertEqual(folders_of(os.getpid()), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
