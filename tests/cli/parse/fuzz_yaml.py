"""Random functions, tags, derivatives, checks and docs files, mutated from valid ones; the properties that
must hold.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import fuzz_schemas
from front import ROOT
from opgen import pipeline
from opgen.api import dump
from opgen.commands import run
from opgen.diagnostics import Report, Span
from opgen.explain import table
from opgen.parse.functions import FIELDS
from opgen.report import text_format

TAGS = "- tag: core\n  desc: One of the core operators.\n- tag: pointwise\n  desc: Element by element.\n"
DERIVATIVES = (
    "- name: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor\n"
    "  self: handle_r_to_c(self.scalar_type(), grad)\n  other: grad * alpha\n  result: self_t + other_t\n"
    "- name: mul.Tensor(Tensor self, Tensor other) -> Tensor\n  self, other: grad * other\n"
)
CHECKED = (
    b"- func: pool(Tensor self, int[2] kernel_size, int[2] stride=[], int dim=0) -> Tensor\n"
    b"- func: pick(Tensor self, int dim, Tensor index) -> Tensor\n"
)
CHECKS = (
    "- ops: [pool]\n  checks:\n  - dim(self) in 3, 4\n  - len(kernel_size) in 1, 2\n  - kernel_size > 0\n"
    "- ops: [pick]\n  checks:\n  - dtype(index) in Int, Long\n  - values(index) in size(self, dim)\n"
    "  - dim in dims(self) + 1\n  - device(index) may be cpu\n"
)
DOCS = "- pool: Greatest element of each window.\n  formula: max(x)\n- pick: Elements at index.\n"
# fmt: off
SNIPPETS = (
    "[]", "{}", "null", "~", "''", '""', "True", "no", "010", "-", "- ", "? ", ": ", "[a, {b: c}]", "{a: b}",
    "!!python/object/apply:os.system [id]", "!x ", "&a ", "*a", "<<: *a", "|\n", ">\n   ", "|+2\n", "#", "'",
    "\n---\n", "\n...\n", "%YAML 1.1\n---\n", "\t", "\r", "\r\n", "\ufeff", "\u202e", "\x00", "\x85",
    "\udcff", "\u2028", "[" * 40, "{" * 40, "a" * 300, "CPU, CUDA: f", "1e999", "f::g::h", "../../x", "${x}",
    ", ", ",,", "  ", "func", "\n", "\n- ", "\n  ", "# opgen: ignore[OPG108] why\n", "# opgen: ignore[", "::",
    "\u200b", "a -> int b, int c", "scale (Float, Half)", "Composite", "_out", "self: grad\n",
)
# fmt: on


@cache
def entries() -> list[str]:
    """Returns the entries of this repository's own files."""
    texts = [
        (ROOT / "schemas" / "native_functions.yaml").read_text(),
        (ROOT / "tests" / "golden" / "native_functions.yaml").read_text(),
    ]
    return [e for text in texts for e in re.findall(r"^- func: .*?\n(?=^-|^#|^$|\Z)", text, re.M | re.S)]


class Input(NamedTuple):
    functions: bytes
    tags: bytes | None = None
    derivatives: bytes | None = None
    checks: bytes | None = None
    docs: bytes | None = None


def make(chance: random.Random) -> Input:
    functions = "".join(chance.choice(entries()) for _ in range(chance.randint(1, 4)))
    which = chance.random()
    if which < 0.1:
        return Input(functions.encode(), tags=_mutated(chance, TAGS))
    if which < 0.2:
        return Input(functions.encode(), derivatives=_mutated(chance, DERIVATIVES))
    if which < 0.25:
        return Input(CHECKED, checks=_mutated(chance, CHECKS))
    if which < 0.3:
        return Input(CHECKED, docs=_mutated(chance, DOCS))
    return Input(_mutated(chance, functions))


def _mutated(chance: random.Random, text: str) -> bytes:
    for _ in range(chance.randint(1, 5)):
        text = chance.choice(MUTATIONS)(chance, text)
    data = text.encode("utf-8", "surrogateescape")
    if chance.random() < 0.1 and data:
        at = chance.randrange(len(data))
        data = data[:at] + chance.randbytes(chance.randint(1, 4)) + data[at + chance.randint(0, 3) :]
    return data.decode("utf-8", "replace").encode("utf-16") if chance.random() < 0.005 else data


def _two(chance: random.Random, text: str) -> tuple[int, int]:
    start, end = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
    return start, min(end, start + 60)


def _insert(chance: random.Random, text: str) -> str:
    at, _ = _two(chance, text)
    return text[:at] + chance.choice(SNIPPETS) + text[at:]


def _delete(chance: random.Random, text: str) -> str:
    start, end = _two(chance, text)
    return text[:start] + text[end:]


def _repeat(chance: random.Random, text: str) -> str:
    start, end = _two(chance, text)
    return text[:end] + text[start:end] * chance.choice((1, 1, 1, 30)) + text[end:]


def _splice(chance: random.Random, text: str) -> str:
    other = chance.choice(entries())
    return text[: chance.randrange(len(text) + 1)] + other[chance.randrange(len(other)) :]


def _lines(chance: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines.insert(other, lines[at])
        case 1:
            del lines[at]
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines[at] = chance.choice((" ", "  ", "- ", "\t")) + lines[at]
    return "".join(lines)


def _value(chance: random.Random, text: str) -> str:
    found = list(re.finditer(r"(?<=: )[^\n]*", text))
    if not found:
        return text + chance.choice(SNIPPETS)
    place = chance.choice(found)
    return text[: place.start()] + chance.choice(SNIPPETS) + text[place.end() :]


def _field(chance: random.Random, text: str) -> str:
    value = chance.choice((*SNIPPETS, fuzz_schemas.schema(chance), "function, method", "[core, core]"))
    line = f"  {chance.choice((*FIELDS, 'op', 'kernels', 'zzz'))}: {value}\n"
    at = text.find("\n", chance.randrange(len(text) + 1)) + 1
    return text[:at] + line + text[at:]


def _schema(chance: random.Random, text: str) -> str:
    return re.sub(r"(?<=func: )[^\n]*", lambda _: fuzz_schemas.mutated(chance), text, count=1)


MUTATIONS = (_insert, _insert, _delete, _repeat, _splice, _lines, _value, _field, _schema)


class Files:
    """A folder for the current file, in memory if possible."""

    def __init__(self) -> None:
        shm = Path("/dev/shm")
        self._folder = tempfile.TemporaryDirectory(dir=shm if shm.is_dir() else None)
        self.folder = Path(self._folder.name)

    def write(self, given: Input) -> Path:
        for name in ("tags", "derivatives", "checks", "docs"):
            data, beside = getattr(given, name), self.folder / f"{name}.yaml"
            beside.unlink(missing_ok=True)
            if data is not None:
                beside.write_bytes(data)
        file = self.folder / "native_functions.yaml"
        file.write_bytes(given.functions)
        return file


_files: list[Files] = []


def holds(given: Input, commands: bool = False) -> None:
    """Checks a file. Raises AssertionError, or whatever loading should not have raised."""
    if not _files:
        _files.append(Files())
    file = _files[0].write(given)
    for lenient in (False, True) if len(given.functions) % 4 == 0 else (False,):
        program, report = pipeline.load(file, lenient=lenient, checked=not lenient)
        found = report.sorted()
        for diagnostic in found:
            for span in (diagnostic.span, *(related.span for related in diagnostic.related)):
                assert_inside(span, report, str(file))
        text_format.text(report, "")
        if lenient or not report.failed:
            dump.text(program)
            for function in program.functions[:1]:
                table.as_text(table.of(function.qualified_name, function, program, ()))
    if commands:
        _commands(file)


def assert_inside(span: Span, report: Report, path: str) -> None:
    assert 1 <= span.line <= span.end_line and span.column >= 1 and span.end_column >= 1, span
    assert (span.line, span.column) <= (span.end_line, span.end_column), span
    if span.path not in report.sources:  # invalid text, or a file that was not read
        return
    lines = report.sources[span.path]()
    assert span.end_line <= len(lines), span
    for number, column in ((span.line, span.column), (span.end_line, span.end_column)):
        length = len(lines[number - 1])
        assert column <= length + 2, f"{span}: the line has {length} characters"


def _commands(file: Path) -> None:
    for command in (
        ["validate", str(file)],
        ["dump", str(file)],
        ["dispatch", "add.Tensor", str(file)],
        ["breaking", str(file), "--against", str(file)],
        ["breaking", str(file), "--against", str(ROOT / "tests" / "golden"), "--format", "json"],
    ):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as told:
            code = run(command)
        assert code in (0, 1, 2), f"{command[0]} ended with {code}: {told.getvalue()[-500:]}"
