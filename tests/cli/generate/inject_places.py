"""The places where input may contain text, and payloads that would end a literal or comment.

The places come from the tables of the reader, so payloads for new fields and options are added automatically.
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import click
from opgen.commands import generate
from opgen.explain import json_schema
from opgen.parse import schema_text

CANARY = "canary_7"
PAYLOADS = (
    f'"); {CANARY}(); //',
    f"'); {CANARY}() #",
    f"; }} int {CANARY}() {{ return 0",
    f"*/ {CANARY} /*",
    f"a// \\\n{CANARY}",  # no absolute path: it may be used as a folder to write
    f"\nint {CANARY};",
    f"\r{CANARY}\r\n{CANARY}",
    f"\u2028{CANARY}\u2029{CANARY}",
    f"\x0b{CANARY}\x0c{CANARY}\x85{CANARY}",
    f'\n#error "{CANARY}"\n',
    f'\n#include "{CANARY}"\n',
    f'_Pragma("GCC error {CANARY}")',
    f"??/\n{CANARY}??/",
    f"??/??/n{CANARY}",
    f')"; {CANARY}; R"(',
    f'R"x({CANARY})x"',
    f"\\n{CANARY}\\",
    f'\\"); {CANARY}(); //',
    f"\\u000a{CANARY}\\x0a{CANARY}\\012",
    f"\n% if {CANARY}:\n",
    f"\n## {CANARY}\n<%def name='{CANARY}()'>",
    f"<% {CANARY}() %>",
    f"${{{CANARY}()}}",
    f"$ENV{{{CANARY}}} $({CANARY}) `{CANARY}`",
    f'") \nmessage(FATAL_ERROR "{CANARY}")\n(',
    f"]] {CANARY} [[ ;{CANARY};",
    f'"""\n{CANARY}()\n"""',
    f"'''\nimport {CANARY}\n'''",
    f'", "{CANARY}": {{}}, "',
    f"{{{CANARY}}} {{0}} %({CANARY})s %s",
    f"../../{CANARY}",
    f"<script>{CANARY}</script>\x1b[31m",
    f"{CANARY} b",
    f"{CANARY}\u00e9",
    f"{CANARY}<T>::{CANARY}",
    f"= {CANARY}, int {CANARY}",
    f"-> {CANARY}",
)
KEY, ANY = "(a key)", "(the value of a key)"  # for a mapping whose keys are not fields
Steps = tuple[Any, ...]
# A formula is C++ by the file's author, as kernels are: it is meant to be compiled.
TRUSTED = json_schema.EXPRESSION


def seats(schema: dict[str, Any], path: Steps = ()) -> Iterator[Steps]:
    """Yields the paths of texts in what a JSON Schema describes."""
    choices = schema.get("anyOf", ())
    if any(
        TRUSTED in (s.get("description"), s.get("items", {}).get("description")) for s in (schema, *choices)
    ):
        return
    for choice in choices:
        yield from seats(choice, path)
    kind = schema.get("type")
    if kind in ("object", ["object", "null"]) or "properties" in schema:
        yield from _of_mapping(schema, path)
    elif kind in ("array", ["array", "null"]):
        yield from seats(schema.get("items", {"type": "string"}), (*path, 0))
    elif "anyOf" not in schema:
        yield path


def _of_mapping(schema: dict[str, Any], path: Steps) -> Iterator[Steps]:
    yield (*path, KEY)
    fields = schema.get("properties", {})
    if len(path) < 2:  # the fields of a file or an entry; below, all keys are of one kind
        for name, below in fields.items():
            yield from seats(below, (*path, name))
    elif fields:
        yield from seats(next(iter(fields.values())), (*path, ANY))
    for below in schema.get("patternProperties", {}).values():
        yield from seats(below, (*path, ANY))
    if isinstance(schema.get("additionalProperties"), dict):
        yield from seats(schema["additionalProperties"], (*path, ANY))


def of_files() -> dict[str, list[Steps]]:
    """Returns the places in each file that `generate` reads; deprecated.yaml is for comparisons."""
    read = {name: made for name, made in json_schema.FILES.items() if name != "deprecated"}
    return {name: list(dict.fromkeys(seats(made()))) for name, made in read.items()}


def of_options() -> list[str]:
    """Returns options of `opgen generate` that take a text; those of `build` go to CMake's command line."""
    options = (p for p in generate.command.params if isinstance(p, click.Option) and not p.is_flag)
    return [option.opts[0] for option in options if option.name != "config"]


def put(node: Any, path: Steps, make: Callable[[str], str]) -> Any:
    """Returns a copy of `node` with the text at `path`, which is created if missing, replaced by the result
    of `make`.
    """
    if not path:
        return make(node if isinstance(node, str) else "x")
    step, below = path[0], path[1:]
    if step == 0:
        items = list(node) if isinstance(node, list) and node else ["x"]
        return [put(items[0], below, make), *items[1:]]
    fields = dict(node) if isinstance(node, dict) else {}
    if step is KEY:
        old = next(iter(fields), "x")
        return {make(key) if key == old else key: value for key, value in {old: "x", **fields}.items()}
    name = next(iter(fields), "CPU") if step is ANY else step
    return {**fields, name: put(fields.get(name), below, make)}


def ranges(text: str) -> list[tuple[int, int]]:
    """Returns the ranges of all parts of a schema: those of its Layout and Parts."""
    found = []

    def visit(value: Any) -> None:
        if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                visit(getattr(value, field.name))
        elif isinstance(value, dict):
            visit(list(value.values()))
        elif isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            for item in value:
                visit(item)

    visit(schema_text.layout(text))
    return [(start, end) for start, end in found if end > start]


def mixed(old: str, payload: str, chance: random.Random) -> str:
    """Returns a text replaced by the payload, with the payload at its ends or inside of it, or in a part of a
    schema.
    """
    way = chance.randrange(5)
    parts = ranges(old) if "(" in old else []
    if parts and way > 1:
        literals = [(start, end) for start, end in parts if old[start] in "\"'"]
        start, end = chance.choice(literals if literals and chance.random() < 0.5 else parts)
        forms = (payload, json.dumps(payload), json.dumps(payload, ensure_ascii=False), f"'{payload}'")
        return old[:start] + chance.choice(forms) + old[end:]
    at = chance.randrange(len(old) + 1)
    return (payload, old + payload, payload + old, old[:at] + payload + old[at:], payload)[way]
