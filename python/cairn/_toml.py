"""Scenarios as TOML text. Internal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Iterator

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy as Python's."""
    return value.tolist() if hasattr(value, "tolist") else value


def value_text(value: Any) -> str:
    value = _plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)  # the shortest text that reads back as the same bits
    if isinstance(value, str):
        escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
        return '"' + "".join(escapes.get(c, c if c >= " " else f"\\u{ord(c):04x}") for c in value) + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(v) for v in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {value_text(v)}" for k, v in value.items()) + "}"
    raise TypeError(f"a scenario holds numbers, texts, true or false, lists and dicts; found {type(value).__name__}: {value!r}")


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a key of a scenario is a text; found {type(key).__name__}: {key!r}")
    return key if _BARE.fullmatch(key) else value_text(key)


def _is_section(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_sections(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)


def _lines(section: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Tables within a section as dotted keys, which merge where a table in braces would replace (docs/changes.md)."""
    for key, value in section.items():
        if isinstance(value, Mapping) and value and all(_BARE.fullmatch(str(k)) for k in value):
            yield from _lines(value, prefix + _key(key) + ".")
        else:
            yield f"{prefix}{_key(key)} = {value_text(value)}"


def document(sections: Mapping[str, Any]) -> str:
    """{"run": {"step": 1e-4}, "grain": [{...}, {...}]} as [run] and [[grain]] sections."""
    lines = [f"{_key(k)} = {value_text(v)}" for k, v in sections.items() if not _is_section(v) and not _is_sections(v)]
    for key, value in sections.items():
        if _is_section(value):
            lines += [f"[{_key(key)}]", *_lines(value)]
        elif _is_sections(value):
            for one in value:
                lines += [f"[[{_key(key)}]]", *_lines(one)]
    return "\n".join(lines) + "\n"
