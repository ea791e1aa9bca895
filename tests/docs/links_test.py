#!/usr/bin/env python3
"""What the documentation points at is there: links_test.py SOURCE

Relative links and images with their anchors, files of the repository named in `backticks`, and a place for every page
in the site's contents (mkdocs.yml).
"""
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1]).resolve()
FOLDERS = "src|apps|tests|docs|scenarios|scripts|bench|packaging|cmake"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?: \"[^\"]*\")?\)|<(?:img|a) [^>]*(?:src|href)=\"([^\"]+)\"")
NAMED = re.compile(rf"`((?:{FOLDERS})/[\w./-]*\w\.\w+)`")


def prose(text):
    """The page without its code blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)


def anchors(text):
    """Of the headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ +(.*?) *#*$", prose(text), re.M)
    slugs = {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", h.lower()).strip()) for h in headings}
    return slugs | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


faults = []
pages = sorted(SOURCE.glob("*.md")) + sorted((SOURCE / "docs").rglob("*.md"))
for page in pages:
    name, text = page.relative_to(SOURCE).as_posix(), page.read_text()
    for match in LINK.finditer(prose(text)):
        link = match[1] or match[2]
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            faults.append(f"{name}: link to {link}: there is no such file")
        elif not target.is_relative_to(SOURCE):
            faults.append(f"{name}: link to {link} leaves the repository")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text()):
            faults.append(f"{name}: link to {link}: the page has no such heading")
    for file in NAMED.findall(text):
        if not (SOURCE / file).exists():
            faults.append(f"{name}: names {file}, which is not there")

contents = set(re.findall(r"[\w./-]+\.md", (SOURCE / "mkdocs.yml").read_text()))
for page in pages:
    if page.relative_to(SOURCE).as_posix() not in contents:
        faults.append(f"mkdocs.yml: {page.relative_to(SOURCE)} has no place in nav")
faults += [f"mkdocs.yml: there is no {page}" for page in sorted(contents) if not (SOURCE / page).exists()]

print("\n".join(faults) if faults else f"links of {len(pages)} pages: ok")
sys.exit(1 if faults else 0)
