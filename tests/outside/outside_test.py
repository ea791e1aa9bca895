#!/usr/bin/env python3
"""The library and the package as their users meet them: outside_test.py SOURCE BUILD

Installs the build into a prefix that is then moved, and uses it by find_package, by pkg-config and by add_subdirectory;
makes the Debian package and runs the program out of it. What is told in docs/library.md must stand in main.cpp.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
HERE = SOURCE / "tests/outside"


def run(*command, **options):
    words = [str(c) for c in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def missing(*tools):
    gone = [tool for tool in tools if not shutil.which(tool)]
    if gone:
        print(f"left out for want of {', '.join(gone)}")
    return gone


def plain(text):
    """Without the indentation and blank lines that a page and a program do not share."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def check_tutorial():
    page = (SOURCE / "docs/library.md").read_text()
    for language, file in (("cpp", "main.cpp"), ("cmake", "CMakeLists.txt")):
        blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)
        assert blocks, f"docs/library.md shows no {language}"
        text = plain((HERE / file).read_text())
        for block in blocks:
            assert plain(block) in text, f"docs/library.md shows what tests/outside/{file} does not have:\n{block}"


def check_no_paths(folder):
    """Nothing installed may tell where it was built."""
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for place in (SOURCE / "src", SOURCE / "docs", SOURCE / "third_party", BUILD):  # a short SOURCE may be a word
                assert str(place).encode() not in content, f"{path.relative_to(folder)} names {place}"


def check_program(prefix, scratch):
    cairn = prefix / "bin/cairn"
    assert "velocity_verlet_predicted" in run(cairn, "schemes")
    scenario = prefix / "share/cairn/scenarios/billiards.toml"
    run(cairn, "run", scenario, "--out", scratch / "billiards", "--set", "run.end=0.01", "--quiet")
    assert (scratch / "billiards/summary.json").exists()
    check_completion(prefix, cairn, scratch)
    manual = (prefix / "share/man/man1/cairn.1").read_text()
    assert manual == run(cairn, "man") and ".SS cairn sweep" in manual


def check_completion(prefix, cairn, scratch):
    """As far as the shells are there: what they complete, or at least that they can read their scripts."""
    bash = prefix / "share/bash-completion/completions/cairn"
    for typed, expected in (("resu", "resume"), ("run --thr", "--threads"), ("run --set contact.fric", "contact.friction="),
                            ("run --set contact.law=kuw", "kuwabara_kono"), ("new pou", "pour"), ("run nothing", "")):
        script = ('. "$1"; COMP_LINE="cairn $3"; COMP_POINT=${#COMP_LINE}; _cairn "$2"; echo "${COMPREPLY[@]}"')
        completed = run("bash", "-c", script, "bash", bash, cairn, typed).strip()
        assert completed == expected, f"'cairn {typed}' is completed to '{completed}'"
    if not missing("zsh"):
        run("zsh", "-n", prefix / "share/zsh/site-functions/_cairn")
    if not missing("fish"):
        script = f"source {prefix}/share/fish/vendor_completions.d/cairn.fish; complete -C 'cairn run --thr'"
        path = {**os.environ, "PATH": f"{cairn.parent}:{os.environ['PATH']}", "HOME": str(scratch)}
        assert run("fish", "-c", script, env=path).startswith("--threads"), "fish"


def check_find_package(prefix, scratch):
    run("cmake", "-G", "Ninja", "-S", HERE, "-B", scratch / "found", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
    run("cmake", "--build", scratch / "found")
    print(run(scratch / "found/outside"), end="")


def check_pkg_config(prefix, scratch):
    if missing("pkg-config", "g++"):
        return
    where = {**os.environ, "PKG_CONFIG_PATH": str(next(prefix.glob("lib*/**/pkgconfig")))}
    flags = run("pkg-config", "--cflags", "--libs", "cairn", env=where).split()
    run("g++", "-Wall", "-Wextra", "-Werror", HERE / "main.cpp", *flags, "-o", scratch / "by_pkg_config")
    run(scratch / "by_pkg_config")


def check_subdirectory(scratch):
    """As part of another project, which CMake refuses to configure without a target cairn::cairn; and without tests."""
    run("cmake", "-G", "Ninja", "-S", HERE, "-B", scratch / "part", f"-DCAIRN_SOURCE={SOURCE}", "-DBUILD_SHARED_LIBS=ON")
    assert "test_" not in run("cmake", "--build", scratch / "part", "--target", "help")


def check_package(scratch):
    if missing("dpkg-deb", "dpkg-shlibdeps", "file"):
        return
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    packages = []
    for folder in (scratch / "package", scratch / "again"):
        run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", folder, env=environment)
        packages += folder.glob("cairn_*.deb")
    assert len(packages) == 2, packages
    assert packages[0].read_bytes() == packages[1].read_bytes(), "a second package is another"
    version = (SOURCE / "VERSION").read_text().strip()
    assert re.fullmatch(rf"cairn_{re.escape(version)}_\w+\.deb", packages[0].name), packages[0].name
    depends = run("dpkg-deb", "-f", packages[0], "Depends")
    assert "libstdc++6" in depends, depends
    for line in run("dpkg-deb", "-c", packages[0]).splitlines():
        assert re.match(r"(d|-)rw[x-]r-[x-]r-[x-] root/root ", line), line
    root = scratch / "root"
    run("dpkg-deb", "-x", packages[0], root)
    for path in ("include/cairn/cairn.hpp", "lib/libcairn.a", "share/doc/cairn/copyright", "share/doc/cairn/README.md"):
        assert (root / "usr" / path).exists(), path
    check_no_paths(root)
    check_program(root / "usr", scratch)
    check_python_package(scratch)


def check_python_package(scratch):
    package, = (scratch / "package").glob("python3-cairn_*.deb")
    assert "python3-numpy" in run("dpkg-deb", "-f", package, "Depends")
    root = scratch / "python_root"
    run("dpkg-deb", "-x", package, root)
    check_no_paths(root)
    place = {**os.environ, "PYTHONPATH": str(root / "usr/lib/python3/dist-packages")}
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode != 0:
        return print("the Python package is left out for want of numpy")
    schemes = run(python, "-c", "import cairn; print(cairn.__file__, len(cairn.schemes()))", env=place).split()
    assert schemes[0].startswith(str(root)) and int(schemes[1]) > 50, schemes


os.umask(0o022)  # the package's folders are made with it
with tempfile.TemporaryDirectory(prefix="cairn_outside_") as folder:
    scratch = pathlib.Path(folder)
    check_tutorial()
    run("cmake", "--install", BUILD, "--prefix", scratch / "installed")
    prefix = (scratch / "installed").rename(scratch / "moved")
    check_no_paths(prefix)
    check_find_package(prefix, scratch)
    check_pkg_config(prefix, scratch)
    check_subdirectory(scratch)
    check_package(scratch)
