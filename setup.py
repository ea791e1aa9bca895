"""Builds the library behind the package with CMake, in build/release, or takes the one that CAIRN_LIBRARY names."""
import os
import pathlib
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

root = pathlib.Path(__file__).resolve().parent


def library():
    if "CAIRN_LIBRARY" in os.environ:
        return pathlib.Path(os.environ["CAIRN_LIBRARY"])
    build = root / "build" / "release"
    fresh = [] if (build / "CMakeCache.txt").exists() else ["-DCAIRN_TESTS=OFF"]
    subprocess.run(["cmake", "--preset", "release", *fresh], cwd=root, check=True)
    subprocess.run(["cmake", "--build", str(build), "--target", "cairn_python"], cwd=root, check=True)
    return build / "python" / "cairn" / "libcairn.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        shutil.copy2(library(), pathlib.Path(self.build_lib) / "cairn" / "libcairn.so")


class Binary(Distribution):
    def has_ext_modules(self):
        return True


commands = {"build_py": BuildWithLibrary}
try:
    from wheel.bdist_wheel import bdist_wheel

    class OfAnyPython(bdist_wheel):
        """The library has a C interface, so one wheel serves every Python 3 of the platform."""

        def get_tag(self):
            return "py3", "none", super().get_tag()[2]

    commands["bdist_wheel"] = OfAnyPython
except ImportError:
    pass

setup(version=(root / "VERSION").read_text().strip(), packages=["cairn"], package_dir={"cairn": "python/cairn"},
      package_data={"cairn": ["py.typed"]}, cmdclass=commands, distclass=Binary,
      options={"egg_info": {"egg_base": "build"}})
