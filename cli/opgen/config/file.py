"""The text of a configuration file: where it lies, its table, the lines of its keys."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from opgen import locate
from opgen.diagnostics import InputError, shown

OWN_FILE, SHARED_FILE = "opgen.toml", "pyproject.toml"
MAX_BYTES = 1 << 20


def find(start: Path) -> Path | None:
    """Returns the file that configures `start`: the nearest, with opgen.toml before pyproject.toml."""
    start = Path(os.path.abspath(start))
    for folder in [start, *start.parents]:
        if (folder / OWN_FILE).is_file():
            return locate.unnamed(locate.near(folder / OWN_FILE), "--config")
        shared = locate.near(folder / SHARED_FILE)
        if not shared.is_file():
            continue
        text = read_text(shared)
        if "opgen" in text and own_table(locate.unnamed(shared, "--config"), text) is not None:
            return shared
    return None


def read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise InputError(f"{shown(str(path))}: the file is larger than {MAX_BYTES >> 20} MiB")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{shown(str(path))}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{shown(str(path))}: the file is not UTF-8") from None


def own_table(path: Path, text: str) -> dict[str, Any] | None:
    """Returns opgen's own part of the file; None when a shared file has none."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        whole: dict[str, Any] = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        message = str(error).partition(" (at ")[0]
        where = f"{path}:{':'.join(place.groups()) if place else 1}"
        raise InputError(shown(f"{where}: {message}")) from None
    except RecursionError:
        raise InputError(f"{shown(str(path))}:1: nested too deep") from None
    if path.name != SHARED_FILE:
        return whole
    tool = whole.get("tool")
    own = tool.get("opgen") if isinstance(tool, dict) else None
    return own if isinstance(own, dict) else None


def key_lines(text: str) -> Iterator[tuple[str, int]]:
    """Yields (dotted name, line) of tables and keys, as far as a line-by-line scan finds them."""
    table = last = ""
    listed: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*(\[{1,2})\s*([^\[\]]+?)\s*\]{1,2}\s*(#.*)?$", line)
        key = re.match(r"""\s*([\w.-]+|"[^"]*"|'[^']*')\s*=""", line)
        if header:
            table = last = re.sub(r"""["'\s]""", "", header[2])
            if header[1] == "[[":
                table = f"{table}.{listed.setdefault(table, 0)}"
                listed[last] += 1
            yield table, number
        elif key:
            last = f"{table}.{key[1].strip(chr(34) + chr(39))}".removeprefix(".")
            yield last, number
        if not header and (key is None or "[" in line):
            for _ in re.finditer(r"\{\s*\w+\s*=", line):
                yield f"{last}.{listed.setdefault(last, 0)}", number
                listed[last] += 1
