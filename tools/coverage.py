#!/usr/bin/env python3
"""coverage.py [-u] BUILD: functions of src/ that ran, by folder, in a build with -Db_coverage=true.

  meson setup build-coverage -Dtests=enabled -Db_coverage=true
  meson test -C build-coverage --suite unit
  tools/coverage.py build-coverage        # `folder called total` per line; -u lists functions that never ran
"""
import collections
import json
import pathlib
import subprocess
import sys


def functions(build):
    """(file, function, ran) for each function of each object; one without a .gcda never ran."""
    notes = sorted((build / "src").rglob("*.gcno"))
    # Its status tells of counts that belong to an older object, too: those are left out.
    output = subprocess.run(["gcov", "--json-format", "--stdout", *map(str, notes)],
                            capture_output=True, check=False, text=True).stdout
    decoder, at = json.JSONDecoder(), 0
    while at < len(output):
        report, at = decoder.raw_decode(output, at)
        while at < len(output) and output[at].isspace():
            at += 1
        for file in report["files"]:
            for function in file["functions"]:
                yield file["file"], function["name"], function["execution_count"] > 0


def main():
    unused = "-u" in sys.argv
    build = pathlib.Path(sys.argv[-1])
    ran = collections.defaultdict(bool)
    for file, name, called in functions(build):
        path = file.partition("src/")[2]
        if path.endswith(".c"):
            ran[path, name] |= called
    called, total = collections.Counter(), collections.Counter()
    for (path, name), was_called in sorted(ran.items()):
        folder = str(pathlib.PurePath(path).parent)
        total[folder] += 1
        called[folder] += was_called
        if unused and not was_called:
            print(path, name)
    if not unused:
        for folder in sorted(total):
            print(f"{folder:24} {called[folder]:4} {total[folder]:4}")


if __name__ == "__main__":
    main()
