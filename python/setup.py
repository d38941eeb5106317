"""Takes the program `hone` along into the wheel, where a portable one was built.

It is $HONE_WHEEL_PROGRAM, else dist/hone of the checkout around this folder (`make dist-binary`). An empty
HONE_WHEEL_PROGRAM takes none: the package then finds the program when it is used. A wheel with the program depends on
the machine, but on no version of Python, and has the command `hone`.
"""
import os
import shutil

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

FOLDER = os.path.dirname(os.path.abspath(__file__))


def find_portable_program():
    chosen = os.environ.get("HONE_WHEEL_PROGRAM")
    if chosen is not None:
        if chosen and not os.access(chosen, os.X_OK):
            raise SystemExit(f"HONE_WHEEL_PROGRAM: '{chosen}' is not an executable file")
        return os.path.abspath(chosen) if chosen else None
    root = os.path.dirname(FOLDER)
    if not os.path.exists(os.path.join(root, "meson.build")):
        return None
    path = os.path.join(root, "dist", "hone")
    return path if os.access(path, os.X_OK) else None


PROGRAM = find_portable_program()


class BuildWithProgram(build_py):
    def run(self):
        super().run()
        target = os.path.join(self.build_lib, "hone", "bin", "hone")
        if os.path.exists(target):  # of an earlier build
            os.remove(target)
        if PROGRAM and not getattr(self, "editable_mode", False):
            self.mkpath(os.path.dirname(target))
            shutil.copyfile(PROGRAM, target)
            os.chmod(target, 0o755)


class WheelWithProgram(bdist_wheel):
    def get_tag(self):
        if not PROGRAM:
            return super().get_tag()
        return "py3", "none", super().get_tag()[2]


class MachineDistribution(Distribution):
    def has_ext_modules(self):
        return PROGRAM is not None


setup(
    cmdclass={"build_py": BuildWithProgram, "bdist_wheel": WheelWithProgram},
    distclass=MachineDistribution,
    entry_points={"console_scripts": ["hone = hone.__main__:main"] if PROGRAM else []},
)
