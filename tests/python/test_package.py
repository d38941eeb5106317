"""The package: how it finds the program, and what is in a wheel and in a source distribution."""
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from unittest import mock

from hone import HoneError, __version__
from hone import _program

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = os.path.join(ROOT, "python")

KERNEL = """
/*@hone
params: {UNROLL: [1, 2]}
args:
  - {name: n, type: i32, value: 1000}
  - {name: x, type: f32, shape: [1000], fill: uniform}
  - {name: y, type: f32, shape: [1000], role: out}
*/
void twice(int n, const float *x, float *y)
{
  for (int i = 0; i < n; i += UNROLL)
    for (int j = 0; j < UNROLL; j++) y[i + j] = 2 * x[i + j];
}
"""


def portable_program():
    """A program that runs from any folder, or None."""
    path = os.path.join(ROOT, "dist", "hone")
    return path if os.access(path, os.X_OK) else None


def run(*words, **environment):
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "HONE_PROGRAM")}
    return subprocess.run(words, cwd="/", env={**variables, **environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hone-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def script(self, text, name="hone"):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path


class Finding(Folder):
    def find(self, **environment):
        with mock.patch.dict(os.environ, environment):
            return _program.find_program()

    def test_the_variable_comes_first(self):
        path = self.script(f"#!/bin/sh\necho 'hone {__version__} (test)'\n")
        self.assertEqual(self.find(HONE_PROGRAM=path), path)
        with self.assertRaisesRegex(HoneError, "HONE_PROGRAM: '/nowhere' is not an executable file"):
            self.find(HONE_PROGRAM="/nowhere")

    def test_another_version_is_refused(self):
        path = self.script("#!/bin/sh\necho 'hone 99.1.0'\n")
        with self.assertRaisesRegex(HoneError, "has version 99.1.0, but this package needs 0.1"):
            self.find(HONE_PROGRAM=path)
        path = self.script("#!/bin/sh\necho 'a program that sharpens knives'\n", "other")
        with self.assertRaisesRegex(HoneError, "is not Hone's: a program that sharpens"):
            self.find(HONE_PROGRAM=path)

    def test_path_without_commands_of_pip(self):
        own = self.script("#!/usr/bin/env python3\nimport hone.__main__\n")
        with mock.patch.object(_program, "_PACKAGE", "/nowhere/python/hone"), \
                mock.patch("sysconfig.get_path", return_value=self.folder):
            with self.assertRaisesRegex(HoneError, "'hone' was not found(.|\n)*make wheel"):
                self.find(HONE_PROGRAM="", PATH=self.folder)
            os.remove(own)
            real = self.script(f"#!/bin/sh\necho 'hone {__version__}'\n")
            self.assertEqual(self.find(HONE_PROGRAM="", PATH=f"/usr/nothing:{self.folder}"), real)

    def test_a_checkout_uses_its_builds(self):
        for name in ("include", "python/hone", "dist"):
            os.makedirs(os.path.join(self.folder, name))
        for name in ("meson.build", "include/hone.h"):
            open(os.path.join(self.folder, name), "w").close()
        path = self.script(f"#!/bin/sh\necho 'hone {__version__}'\n", "dist/hone")
        with mock.patch.object(_program, "_PACKAGE", os.path.join(self.folder, "python", "hone")):
            self.assertEqual(self.find(HONE_PROGRAM=""), path)

    def test_the_module_is_the_command(self):
        environment = {**os.environ, "PYTHONPATH": SOURCE}
        done = subprocess.run([sys.executable, "-m", "hone", "--version"], env=environment, stdout=subprocess.PIPE, text=True)
        self.assertRegex(done.stdout, rf"^hone {re.escape(__version__)}")
        done = subprocess.run([sys.executable, "-m", "hone", "nonsense"], env=environment, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        done = subprocess.run([sys.executable, "-m", "hone"], env={**environment, "HONE_PROGRAM": "/nowhere"},
                              stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "hone: HONE_PROGRAM: '/nowhere' is not an executable file\n"))


class Building(Folder):
    def build(self, kind, program):
        """`kind`: build_wheel or build_sdist. The path of what was built, from a copy of the sources."""
        copy = os.path.join(self.folder, "source")
        if not os.path.exists(copy):
            shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        out = os.path.join(self.folder, "out")
        code = f"import sys; from setuptools import build_meta; build_meta.{kind}({out!r})"
        done = subprocess.run([sys.executable, "-c", code], cwd=copy, env={**os.environ, "HONE_WHEEL_PROGRAM": program},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        names = [name for name in os.listdir(out) if name.endswith(".whl" if kind == "build_wheel" else ".tar.gz")]
        return os.path.join(out, names[0])

    def install(self, wheel):
        python = os.path.join(self.folder, "venv", "bin", "python")
        subprocess.run([sys.executable, "-m", "venv", os.path.join(self.folder, "venv")], check=True)
        done = run(python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
        self.assertEqual(done.returncode, 0, done.stdout)
        return python

    def test_versions_are_the_same(self):
        with open(os.path.join(ROOT, "meson.build")) as file:
            self.assertEqual(re.search(r"version: '([^']*)'", file.read())[1], __version__)

    def test_a_wheel_with_the_program(self):
        program = portable_program()
        if not program:
            self.skipTest("there is no portable program: 'make dist-binary' builds it")
        wheel = self.build("build_wheel", program)
        self.assertRegex(os.path.basename(wheel), r"^hone_tuner-[0-9.]+-py3-none-linux_\w+\.whl$")
        mode = zipfile.ZipFile(wheel).getinfo("hone/bin/hone").external_attr >> 16
        self.assertTrue(mode & stat.S_IXUSR)
        python = self.install(wheel)
        for words in ([python, "-m", "hone"], [os.path.join(os.path.dirname(python), "hone")]):
            done = run(*words, "--version", PATH="/nowhere")
            self.assertRegex(done.stdout, rf"^hone {re.escape(__version__)}")
        source = os.path.join(self.folder, "twice.c")
        with open(source, "w") as file:
            file.write(KERNEL)
        done = run(python, "-m", "hone", "tune", source, "--no-confirm", "--evals", "1")
        self.assertIn("evaluated    2 of 2", done.stdout)

    def test_a_wheel_without_the_program(self):
        wheel = self.build("build_wheel", "")
        self.assertTrue(wheel.endswith("-py3-none-any.whl"))
        names = zipfile.ZipFile(wheel).namelist()
        self.assertFalse([name for name in names if name.startswith("hone/bin") or name.endswith("entry_points.txt")])
        self.assertIn("hone/py.typed", names)
        python = self.install(wheel)
        done = run(python, "-m", "hone", "--version", PATH="/nowhere")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the program 'hone' was not found", done.stdout)
        self.assertIn("HONE_PROGRAM=/path/to/hone", done.stdout)
        done = run(python, "-m", "hone", "--version", HONE_PROGRAM=_program.find_program())
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_source_distribution_is_complete(self):
        path = self.build("build_sdist", "")
        with tarfile.open(path) as archive:
            names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
        modules = {f"hone/{name}" for name in os.listdir(os.path.join(SOURCE, "hone"))
                   if not name.startswith(("__pycache__", "bin"))}
        self.assertEqual(modules - names, set())
        self.assertTrue({"setup.py", "pyproject.toml", "README.md", "PKG-INFO"} <= names)


if __name__ == "__main__":
    unittest.main()
