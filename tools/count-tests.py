#!/usr/bin/env python3
"""count-tests.py [--cases] TESTLOG.json: sums the TAP lines of a Meson test run.

Shows each program, and the output of those that failed; with --cases every case. The last line is
"PASSED FAILED SKIPPED". A program that ends badly, too early, or without a test counts as one more
failed test; where $TEST_CASE chooses cases, a program may have none of them.
"""
import json
import os
import re
import sys


def count(stdout, returncode):
    passed = failed = skipped = 0
    plan = None
    for line in stdout.splitlines():
        if found := re.match(r"1\.\.(\d+)", line):
            plan = int(found[1])
        elif found := re.match(r"(not )?ok\b(.*)", line):
            if re.search(r"#\s*skip", found[2], re.IGNORECASE):  # cmocka says "not ok # SKIP"
                skipped += 1
            elif found[1]:
                failed += 1
            else:
                passed += 1
    may_be_empty = bool(os.environ.get("TEST_CASE"))
    finished = plan is not None and plan == passed + failed + skipped and (plan > 0 or may_be_empty)
    if not finished or (returncode != 0 and failed == 0):
        failed += 1
    return passed, failed, skipped


def main():
    totals = [0, 0, 0]
    for line in open(sys.argv[-1], encoding="utf-8"):
        test = json.loads(line)
        counts = count(test["stdout"], test["returncode"])
        totals = [total + one for total, one in zip(totals, counts)]
        if "--cases" in sys.argv:
            for each in re.findall(r"^(?:not )?ok\b.*", test["stdout"], re.MULTILINE):
                print("  " + each)
        passed, failed, skipped = counts
        print(f"  {'FAIL' if failed else 'ok':4} {test['name']}: {passed} passed, {failed} failed"
              f"{f', {skipped} skipped' if skipped else ''} ({test['duration']:.1f} s)")
        if failed:
            print(f"       {test['result']}, exit status {test['returncode']}")
            for text in (test["stdout"], test.get("stderr", "")):
                lines = [each for each in text.splitlines() if not each.startswith("ok ")]
                for each in lines[-60:]:
                    print("       " + each)
    print(*totals)


main()
