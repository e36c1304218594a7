"""Untrusted files: a diagnostic within a second and with bounded memory, whatever they contain."""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import re
import resource
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from front import checked
from opgen.commands import run

SECONDS = 1.0  # CPU seconds, on a processor that does `work` in WORK_SECONDS
RUNS = 5
WORK_SECONDS = 0.0125
MEMORY = 512 << 20  # in addition to the process's memory and the size of the input

ENTRY = "- func: f(Tensor self) -> Tensor\n"


class Outcome(NamedTuple):
    code: int
    seconds: float
    text: str


def work() -> float:
    """Returns the CPU seconds of typical Python work: other processes make a core half as fast."""
    begun = time.process_time()
    counts: dict[str, int] = {}
    for i in range(100_000):
        word = str(i % 1000)
        counts[word] = counts.get(word, 0) + 1
    return time.process_time() - begun


def outcome(folder: Path, *arguments: object, size: int = 0) -> Outcome:
    """Runs the command in a child with limits of memory and time; seconds are CPU seconds. A run that took
    too long is repeated: what shares the core's caches and its other thread slows some runs down, not all.
    """
    best = _outcome(folder, *arguments, size=size)
    for _ in range(RUNS - 1):
        if best.seconds < SECONDS:
            break
        best = min(best, _outcome(folder, *arguments, size=size), key=lambda o: o.seconds)
    return best


def _outcome(folder: Path, *arguments: object, size: int) -> Outcome:
    before = work()
    said = folder / "said.txt"
    child = os.fork()
    if child == 0:
        _child(said, list(map(str, arguments)), MEMORY + size)
    _, status, usage = os.wait4(child, 0)
    assert os.WIFEXITED(status), f"killed by signal {os.WTERMSIG(status)}"
    text = said.read_text(errors="replace")
    assert "Traceback" not in text and "internal error" not in text, text[-2000:]
    slowness = max(1.0, (before + work()) / 2 / WORK_SECONDS)
    return Outcome(os.WEXITSTATUS(status), (usage.ru_utime + usage.ru_stime) / slowness, text)


def _child(said: Path, arguments: list[str], memory: int) -> None:
    code = 99
    gc.freeze()  # objects of the parent: collecting them is not part of the command's work
    with contextlib.suppress(BaseException):
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
        resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))
        resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
        sys.stdout = sys.stderr = open(said, "w", errors="backslashreplace")  # noqa: SIM115
        os.dup2(sys.stdout.fileno(), 1)
        os.dup2(sys.stdout.fileno(), 2)
        code = run(arguments)
        sys.stdout.flush()
    os._exit(code)


def bomb() -> str:
    levels = "abcdefghijklmnopqrstuvwxyz"
    return "- &a [x, x]\n" + "".join(
        f"- &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in itertools.pairwise(levels)
    )


def numbered(text: str, count: int, separator: str = ", ") -> str:
    return separator.join(text.replace("#", str(i)) for i in range(count))


MIB = 1 << 20
# Contents of the file -> the code that `validate` must report.
FILES: dict[str, tuple[str | bytes, str]] = {
    "alias bomb": (bomb(), "OPG006"),
    "merge keys": ("- &a {func: f() -> ()}\n- <<: *a\n", "OPG006"),
    "python tag": ("- !!python/object/apply:os.system ['id']\n", "OPG007"),
    "binary tag": ("- func: !!binary Zg==\n", "OPG007"),
    "own tag directive": ("%TAG ! tag:x,2000:\n---\n- !y f\n", "OPG007"),
    "unknown version": ("%YAML 9.9\n---\n- func: f() -> ()\n", "OPG001"),
    "documents": ("---\n" + ENTRY + "---\n" + ENTRY, "OPG001"),
    "a million documents": ("---\n" * 1_000_000, "OPG001"),
    "same key": (ENTRY + "  tags: core\n  tags: core\n", "OPG008"),
    "null key": ("- ? \n  : x\n", "OPG203"),
    "key that is a list": ("- ? [a]\n  : x\n", "OPG001"),
    "deep flow": ("- func: " + "[" * 50_000, "OPG005"),
    "deep mappings": ("- " + "{a: " * 50_000, "OPG005"),
    "deep blocks": ("- " * 50_000, "OPG005"),
    "deep schema": ("- func: f(" + "[" * 50_000 + "\n", "OPG109"),
    "deep parentheses": ("- func: f" + "(" * 50_000 + "\n", "OPG109"),
    "deep type": ("- func: f(int" + "[]" * 30_000 + " x) -> ()\n", "OPG109"),
    "zeros": (b"\0" * MIB, "OPG003"),
    "zero in a name": ("- func: f\0(Tensor self) -> Tensor\n", "OPG003"),
    "bytes": (b"\xff" * MIB, "OPG002"),
    "latin-1": ("- func: f\u00e9(Tensor self) -> Tensor\n".encode("latin-1"), "OPG002"),
    "utf-16": (ENTRY.encode("utf-16"), "OPG002"),
    "utf-32": (ENTRY.encode("utf-32"), "OPG002"),
    "surrogate": (b"- func: f\xed\xa0\x80() -> ()\n", "OPG002"),
    "overlong": (b"- func: f\xc0\xaf() -> ()\n", "OPG002"),
    "two marks of order": (b"\xef\xbb\xbf\xef\xbb\xbf" + ENTRY.encode(), "OPG003"),
    "escape sequence": ("- func: f(Tensor self) -> Tensor # \x1b[2J\n", "OPG003"),
    "bidirectional": ("- func: f(Tensor self) -> Tensor # \u202e\n", "OPG003"),
    "isolate": ("- func: f\u2066(Tensor self) -> Tensor\n", "OPG003"),
    "zero width": ("- func: f\u200bg(Tensor self) -> Tensor\n", "OPG003"),
    "soft hyphen": ("- func: f\u00adg(Tensor self) -> Tensor\n", "OPG003"),
    "line separator": ("- func: f(Tensor self) -> Tensor # \u2028- func: g() -> ()\n", "OPG003"),
    "cyrillic letter": ("- func: \u0430dd(Tensor self) -> Tensor\n", "OPG101"),
    "full-width letter": ("- func: \uff41dd(Tensor self) -> Tensor\n", "OPG101"),
    "cyrillic argument": ("- func: f(Tensor s\u0435lf) -> Tensor\n", "OPG104"),
    "arabic digit": ("- func: f(int[\u0662] x) -> ()\n", "OPG109"),
    "escaped control": ('- func: "f(Tensor self) -> Tensor\\u202e"\n', "OPG122"),
    "one line": ("- func: f(" + "x" * (7 * MIB) + ") -> ()\n", "OPG125"),
    "one word": ("x" * (7 * MIB), "OPG004"),
    "one comment": ("#" + "x" * (7 * MIB) + "\n- func: f( -> ()\n", "OPG104"),
    "empty lines": ("\n" * (7 * MIB) + "- x\n", "OPG201"),
    "dashes": ("- \n" * (2 * MIB), "OPG004"),
    "commas": ("[" + "," * (7 * MIB), "OPG001"),
    "quotes": ("- 'x\n" * 200_000, "OPG001"),
    "tabs": ("\t" * MIB, "OPG001"),
    "values": ("- [" + "a," * (3 * MIB) + "]", "OPG004"),
    "too large": ("x" * (9 * MIB), "OPG004"),
    "entries": (numbered("- func: op#(Tensor self, int dim=0) -> Tensor\n", 100_000, ""), "OPG004"),
    "the same entry": (ENTRY * 5000, "OPG011"),
    "bad entries": ("- func: f(Tensr x) -> ()\n" * 30_000, "OPG011"),
    "bad fields": ("- func: f() -> ()\n  varants: x\n" * 30_000, "OPG011"),
    "carriage returns": ("- func: f() -> ()\r" * 5000, "OPG011"),
    "ignore comments": ("- func: f(Tensr x) -> () # opgen: ignore[OPG108]\n" * 25_000, "OPG011"),
    "comments only": ("# opgen: ignore[OPG108] why\n" * 200_000 + "- x\n", "OPG201"),
    "keys": (ENTRY + "  dispatch:\n" + numbered("    K#: f\n", 100_000, ""), "OPG010"),
    "tags": (ENTRY + f"  tags: [{numbered('t#', 100_000)}]\n", "OPG004"),
    "variants": (ENTRY + f"  variants: {numbered('x', 100_000)}\n", "OPG004"),
    "some variants": (ENTRY + f"  variants: {numbered('x', 5000)}\n", "OPG011"),
    "autogen": (ENTRY + f"  autogen: {numbered('f#.out', 100_000)}\n", "OPG004"),
    "some autogen": (ENTRY + f"  autogen: {numbered('f#.out', 1500)}\n", "OPG"),
    "precomputed": (ENTRY + f"  precomputed:\n  - a -> {numbered('int f#', 100_000)}\n", "OPG004"),
    "dtypes": (ENTRY + f"  ufunc_inner_loop: x ({numbered('d#', 100_000)})\n", "OPG004"),
    "module": (ENTRY + "  python_module: " + "a." * 500_000 + "\n", "OPG004"),
    "kernel": (ENTRY + "  dispatch: {CPU: " + "a::" * 500_000 + "x}\n", "OPG004"),
    "some namespaces": (ENTRY + "  dispatch: {CPU: " + "a::" * 5000 + "x}\n", "OPG214"),
    "folded": ("- func: >\n" + "    f(Tensr x,\n" * 100_000, "OPG125"),
    "arguments": (f"- func: f({numbered('Tensr a#', 4000)}) -> ()\n", "OPG108"),
    "returns": (f"- func: f() -> ({numbered('Tensr a#', 4000)})\n", "OPG108"),
    "string": ('- func: f(str x="' + "\\\\" * 30_000 + ") -> ()\n", "OPG118"),
    "numbers": (f"- func: f(int[] x=[{numbered('1', 20_000, ',')}], Tensr y) -> ()\n", "OPG108"),
    "long number": (f"- func: f(int x={'9' * 60_000}) -> ()\n", "OPG118"),
    "long size": (f"- func: f(int[{'9' * 60_000}] x) -> ()\n", "OPG110"),
    "long name": (f"- func: {'f' * 60_000}(Tensr x) -> ()\n", "OPG108"),
}


@pytest.mark.parametrize("name", FILES)
def test_files(tmp_path, name):
    content, code = FILES[name]
    data = content.encode("utf-8") if isinstance(content, str) else content
    file = tmp_path / "functions.yaml"
    file.write_bytes(data)
    checked_ = outcome(tmp_path, "validate", file, "--format", "concise", size=len(data))
    assert checked_.code == 1 and f"[{code}" in checked_.text, checked_.text[:2000]
    dumped = outcome(tmp_path, "dump", file, size=len(data))
    asked = outcome(tmp_path, "dispatch", "f", file, size=len(data))
    assert dumped.code in (0, 1) and asked.code == 1
    assert max(checked_.seconds, dumped.seconds, asked.seconds) < SECONDS
    assert len(checked_.text) < 2 * len(data) + MIB


@pytest.mark.parametrize("option", ["--tags", "--derivatives"])
def test_the_files_beside_are_no_more_trusted(tmp_path, option):
    (tmp_path / "functions.yaml").write_text(ENTRY)
    for name, (content, code) in FILES.items():
        if code in ("OPG002", "OPG003", "OPG004", "OPG005", "OPG006", "OPG007") and len(content) < MIB:
            data = content.encode("utf-8") if isinstance(content, str) else content
            (tmp_path / "other.yaml").write_bytes(data)
            arguments = ("validate", tmp_path / "functions.yaml", option, tmp_path / "other.yaml")
            found = outcome(tmp_path, *arguments, "--format", "concise", size=len(data))
            if found.code == 2 and "No such option" in found.text:
                pytest.skip(f"validate has no {option}")
            assert found.code == 1 and found.seconds < SECONDS and "other.yaml" in found.text, name


def test_time_grows_with_the_size_alone(tmp_path):
    seconds = []
    for count in (5000, 20_000):
        file = tmp_path / "functions.yaml"
        file.write_text(numbered("- func: op#(Tensor self, int dim=0) -> Tensor\n", count, ""))
        found = outcome(tmp_path, "validate", file, size=file.stat().st_size)
        assert found.code == 0
        seconds.append(found.seconds)
    assert seconds[1] < 10 * seconds[0] + 0.2


# -- not a regular file ------------------------------------------------------------------------------------


def test_places_that_are_no_files(tmp_path):
    fifo, loop, folder = tmp_path / "fifo", tmp_path / "loop", tmp_path / "folder"
    os.mkfifo(fifo)
    loop.symlink_to(loop)
    folder.mkdir()
    good = tmp_path / "good.yaml"
    good.write_text(ENTRY)
    places = (fifo, loop, folder, tmp_path / "none", "x" * 5000, "/proc/self/mem", "\udcff", "a\nb", "")
    begun = time.monotonic()
    for place in places:
        for command in (("validate",), ("dump",), ("dispatch", "f")):
            found = outcome(tmp_path, *command, place)
            assert found.code == 2 and len(found.text.splitlines()) < 6, (place, found)
        assert outcome(tmp_path, "validate", good, "--tags", place or "/").code == 2
    assert outcome(tmp_path, "validate", "/dev/zero").code == 1
    assert outcome(tmp_path, "validate", "/dev/null").code == 0
    assert time.monotonic() - begun < 60


def test_a_pipe_is_read_when_somebody_writes_to_it(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = os.fork()
    if writer == 0:
        end = os.open(fifo, os.O_WRONLY)  # waits for the reader
        os.write(end, b"- func: f(Tensr x) -> ()\n")
        os._exit(0)
    reader = os.open(fifo, os.O_RDONLY)  # keeps the pipe open until the command reads it
    try:
        found = outcome(tmp_path, "validate", fifo, "--format", "concise")
    finally:
        os.close(reader)
        os.waitpid(writer, 0)
    assert found.code == 1 and "OPG108" in found.text


def test_names_of_files_cannot_write_to_the_terminal(tmp_path):
    file = tmp_path / "a\x1b[31m\n\u202e.yaml"
    file.write_text("- func: f(Tensr x) -> ()\n")
    for format in ("text", "concise"):
        said = outcome(tmp_path, "validate", file, "--format", format).text
        assert "\x1b" not in said.replace(str(file), "") and "a\\x1b[31m\\n\\u202e.yaml:1:11" in said


@pytest.mark.parametrize("format", ["text", "concise", "json", "github", "gitlab", "junit", "sarif"])
def test_every_format_tells_of_any_file(tmp_path, format):
    for name in ("\udcff", "a b\n<&'\"]]>\x07", "::error::"):
        folder = tmp_path / os.fsencode(name).decode("latin-1").replace("/", "")
        folder.mkdir(exist_ok=True)
        file = tmp_path / f"{name}.yaml"
        file.write_text(
            "- func: f(Tensr x, int y=\"<&]]>'\") -> ()\n- tags: ['::set-output::', \U0001f600]\n"
        )
        assert outcome(tmp_path, "validate", file, "--format", format).code == 1
        assert outcome(tmp_path, "validate", file, "--format", format, "-o", tmp_path / "out").code == 1


def test_messages_hold_no_raw_characters():
    """A character that a YAML escape puts into a name is escaped on the terminal, too."""
    _, found = checked('- func: "f\\e[31m(Tensor self) -> Tensor"\n  python_module: "\\a\\u202e"\n')
    from opgen.diagnostics import Report
    from opgen.report.text_format import concise

    text = concise(Report(found), "")
    assert len(found) >= 2 and re.search(r"\\u\{1b\}", text) and "\x1b" not in text and "\u202e" not in text
