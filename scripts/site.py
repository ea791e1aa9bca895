#!/usr/bin/env python3
"""Builds the documentation as a site, every link checked: scripts/site.py; then open build/site/html/index.html

The pages stay where they read well in the repository; mkdocs gets a copy of them, beside what they link to.
"""
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
if not shutil.which("mkdocs"):
    sys.exit("the site is built by mkdocs: apt-get install mkdocs-material")
pages = root / "build/site/pages"
shutil.rmtree(pages, ignore_errors=True)


def copy(path):
    target = pages / path.relative_to(root)
    if not target.exists() and path.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


for page in [*root.glob("*.md"), *(root / "docs").rglob("*.md")]:
    copy(page)
    for link in re.findall(r"\]\(([^)\s#:]+)[)#\s]|(?:src|href)=\"([^\"#:]+)\"", page.read_text()):
        copy((page.parent / (link[0] or link[1])).resolve())
done = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--config-file", root / "mkdocs.yml"])
if done.returncode == 0:
    print(f"{(root / 'build/site/html/index.html').relative_to(root)}")
sys.exit(done.returncode)
