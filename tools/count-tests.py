#!/usr/bin/env python3
"""count-tests.py TESTLOG.json: sums the TAP lines of a Meson test run.

Shows each program, and the output of those that failed. The last line is "PASSED FAILED SKIPPED".
A program that ends badly, too early, or without a test counts as one more failed test.
"""
import json
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
    finished = plan is not None and plan == passed + failed + skipped and plan > 0
    if not finished or (returncode != 0 and failed == 0):
        failed += 1
    return passed, failed, skipped


def main():
    totals = [0, 0, 0]
    for line in open(sys.argv[1], encoding="utf-8"):
        test = json.loads(line)
        counts = count(test["stdout"], test["returncode"])
        totals = [total + one for total, one in zip(totals, counts)]
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
