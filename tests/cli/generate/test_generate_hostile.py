"""Hostile text for each value of a project is rejected, or only occurs inside quotes in the tree."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from front import ROOT, checked
from inject import outside_of_quotes
from inject_places import CANARY
from mako import parsetree
from mako.lexer import Lexer
from opgen import locate, pipeline
from opgen.parse import schema_text
from test_generate_command import GOLDEN

PAYLOADS = (
    f'"); {CANARY}(); //',
    f"x; }} int {CANARY}() {{ return 0; ",
    f"${{{CANARY}}}",
    f"a\nint {CANARY};",
    f"*/ {CANARY} /*",
    f"$({CANARY})",
    f"../../{CANARY}",
    f"{CANARY} b",
    f"{CANARY}\u00e9",
    f'"""\n{CANARY}()',
    f"a\\\n{CANARY}",
)
TEXT = (GOLDEN / "native_functions.yaml").read_text()


def values(text: str) -> Iterator[tuple[int, int]]:
    """Yields the ranges of values, keys and items of lists in a functions file."""
    for match in re.finditer(r"^(?:- |  +)([\w, ]+): (.*)$", text, re.MULTILINE):
        yield match.span(1)
        if match[1] != "func" and match[2]:
            yield match.span(2)
    for match in re.finditer(r"(?<=^  - ).+$|(?<=[\[ ])'?\w+'?(?=[,\]].*\]$)", text, re.MULTILINE):
        yield match.span()


def parts(text: str) -> Iterator[tuple[int, int]]:
    """Yields the ranges of names, types, annotations and defaults in its schemas."""
    for match in re.finditer(r"(?<=^- func: ).*$", text, re.MULTILINE):
        layout = schema_text.layout(match[0])
        found = [layout.namespace, layout.name, layout.overload]
        for part in (*layout.arguments.values(), *layout.returns):
            found += [part.type, part.alias, part.name, part.default]
        for start, end in found:
            if end > start:
                yield match.start() + start, match.start() + end


def attacked() -> Iterator[str]:
    """Yields the golden file, each time with one payload in one place; every third payload for a place."""
    for place, (start, end) in enumerate(values(TEXT)):
        for payload in PAYLOADS[place % 3 :: 3]:
            yield TEXT[:start] + json.dumps(payload, ensure_ascii=False) + TEXT[end:]
    for place, (start, end) in enumerate(parts(TEXT)):
        line = TEXT.rfind("\n", 0, start) + 1
        after = TEXT.find("\n", end)
        head = line + len("- func: ")
        for number, payload in enumerate(PAYLOADS[place % 3 :: 3]):
            as_string = (json.dumps(payload), f"'{payload}'", payload)[number % 3]
            schema = TEXT[head:start] + as_string + TEXT[end:after]
            yield TEXT[:head] + json.dumps(schema, ensure_ascii=False) + TEXT[after:]


def test_every_place_of_the_format(tmp_path):
    """The payloads that are accepted are strings, as defaults of `str` arguments."""
    tried, passed = 0, []
    for text in attacked():
        tried += 1
        if not any(d.severity.name == "error" for d in checked(text)[1]):
            passed.append(text)
    assert tried > 1000 and 0 < len(passed) < 30
    for number, text in enumerate(passed):
        file = tmp_path / "functions.yaml"
        file.write_text(text)
        out = tmp_path / f"out{number}"
        request = pipeline.Request(file, out, "golden", kernels=(GOLDEN / "functors",), extend="aten")
        pipeline.generate(request)
        assert_inside_quotes(out)


def assert_inside_quotes(out: Path) -> None:
    found = 0
    for file in out.rglob("*"):
        if file.is_file():
            assert CANARY not in file.name
            text = file.read_text()
            found += CANARY in text
            assert CANARY not in outside_of_quotes(text, file.name), file
    assert found


def test_what_is_outside_of_quotes():
    text = f'f("a\\"{CANARY}", 1); // {CANARY}\n'
    assert CANARY not in outside_of_quotes(text, "x.h")
    for broken in (f'f(""); {CANARY}();', f'// "\n{CANARY}', f"// a \\\n{CANARY}"):
        assert CANARY in outside_of_quotes(broken, "x.h")


def nodes(node: parsetree.Node) -> Iterator[parsetree.Node]:
    yield node
    for child in node.get_children():
        yield from nodes(child)


@pytest.mark.parametrize(
    "template", sorted((ROOT / "templates").rglob("*.mako")), ids=lambda f: f.relative_to(ROOT).as_posix()
)
def test_no_template_gets_round_the_filter(template):
    """Mako does not filter what follows `| n`, and what functions of its context print."""
    for node in nodes(Lexer(template.read_text(), str(template)).parse()):
        assert not isinstance(node, parsetree.Code), f"code on line {node.lineno}"
        if isinstance(node, parsetree.Expression):
            assert not node.escapes, f"a filter on line {node.lineno}"
            assert not re.search(r"\b(context|capture|caller)\b", node.text), f"line {node.lineno}"
        if isinstance(node, parsetree.Tag):
            assert not {"filter", "expression_filter", "buffered"} & node.attributes.keys()


def test_the_filter_is_there():
    from opgen.render.pages import lookup

    assert lookup(locate.share() / "templates").template_args["default_filters"] == ["only_atoms"]
