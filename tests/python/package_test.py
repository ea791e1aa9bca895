#!/usr/bin/env python3
"""The Python package as pip installs it, its types, and the scripts of docs/notebooks: package_test.py SOURCE LIBRARY"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, LIBRARY = (pathlib.Path(a).resolve() for a in sys.argv[1:3])


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def has(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0


def check_page():
    """The ```python blocks of docs/python.md run, one after the other, in a folder of their own."""
    page = (SOURCE / "docs/python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert len(blocks) > 5
    return "\n".join(blocks)


for needed in ("numpy", "pip", "setuptools", "wheel"):
    if not has(needed):
        print(f"skipped: Python's {needed} is missing (apt-get install python3-{needed})")
        sys.exit(77)
with tempfile.TemporaryDirectory(prefix="cairn_python_") as folder:
    scratch = pathlib.Path(folder)
    source = scratch / "source"  # pip writes beside what it installs
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "VERSION", "README.md"):
        shutil.copy2(SOURCE / name, source / name)
    shutil.copytree(SOURCE / "python", source / "python", ignore=shutil.ignore_patterns("__pycache__"))
    (source / "build").mkdir()
    run(sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", "--target",
        scratch / "site", source, env={**os.environ, "CAIRN_LIBRARY": str(LIBRARY)})
    environment = {**os.environ, "PYTHONPATH": str(scratch / "site"), "MPLBACKEND": "Agg"}
    environment.pop("CAIRN_LIBRARY", None)
    version = run(sys.executable, "-c", "import cairn; print(cairn.__version__, cairn.__file__)", env=environment, cwd=folder)
    assert version.startswith((SOURCE / "VERSION").read_text().strip()) and str(scratch) in version, version
    assert (scratch / "site/cairn/py.typed").exists()
    for script in sorted((SOURCE / "docs/notebooks").glob("*.py")):
        if "import matplotlib" in script.read_text() and not has("matplotlib"):
            print(f"left out {script.name}: matplotlib is missing (apt-get install python3-matplotlib)")
            continue
        run(sys.executable, script, "--quiet", env=environment, cwd=folder)
    [cost] = json.loads(run(sys.executable, SOURCE / "bench/callbacks.py", "--sizes", "20", "--pieces", "1", "--every", "10", "--json",
                            env=environment, cwd=folder))
    assert cost["grains"] == 20 and cost["contacts"] > 20, cost
    shutil.copytree(SOURCE / "scenarios", scratch / "scenarios")
    run(sys.executable, "-c", check_page(), env=environment, cwd=folder)
    if has("mypy"):
        run(sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", scratch / "mypy", "-p", "cairn",
            env=environment, cwd=scratch / "site")
    else:
        print("types are not checked: mypy is missing (apt-get install mypy)")
