"""Untrusted text in every option, configuration value and file: no raw control character reaches a terminal,
and no line is a command for a CI system.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from git_checkout import Checkout, needs_git
from opgen import config
from opgen.build import driver
from opgen.build import run as building
from opgen.commands import run
from opgen.commands.group import COMMANDS, cli
from opgen.explain import json_schema

HOSTILE = "a\x1b[31m\x07\x9b1m\x7f\r\u202e\u2028\n::error::x"
LINE = HOSTILE.replace("\n", "")
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]")
GOOD = "- func: f(Tensor self) -> Tensor\n  variants: function, method\n"
BAD = "- func: f(Tensr self) -> Tensor\n"
# The arguments of each command besides the hostile word.
BASES = {
    "validate": [("good.yaml",), ("bad.yaml",)],
    "dump": [("good.yaml",), ("bad.yaml",)],
    "generate": [("good.yaml", "--name", "x", "--extend", "aten"), ("bad.yaml", "--name", "x")],
    "build": [("good.yaml", "--name", "x", "--extend", "aten", "--backend", "cpu", "--no-python")],
    "breaking": [("bad.yaml", "--against", "good.yaml"), ("--against", "bad.yaml")],
    "dispatch": [("f", "good.yaml"), ("f", "bad.yaml")],
    "explain": [("f", "good.yaml"), ("f",)],
    "schema": [()],
    "init": [("new",), ()],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Changes to a folder in which nothing is compiled: CMake prints something hostile and fails."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(BAD)
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "native_functions.yaml").write_text(GOOD)
    monkeypatch.setattr(driver, "_prefixes", lambda product: [])
    monkeypatch.setattr(building, "_stream", lambda command, on_line: (1, LINE))
    return tmp_path


def require_harmless(capfd, *words: object) -> None:
    shown = capfd.readouterr()
    for text in shown:
        assert not OBEYED.search(text), (words, OBEYED.search(text), text)
        assert not re.search("^::error::x", text, re.MULTILINE), (words, text)
    assert "internal error" not in shown.err and "Traceback" not in shown.err, (words, shown.err)


def formats(command: click.Command) -> list[tuple[str, ...]]:
    """Returns the choices of --format; empty without the option."""
    choices = [p.type.choices for p in command.params if p.name == "format"]
    return [("--format", name) for name in choices[0]] if choices else [()]


def hostile_words(command: click.Command) -> Iterator[tuple[str, ...]]:
    """Yields the hostile word as each parameter's value, in its name, and where nothing is expected."""
    for param in command.params:
        if isinstance(param, click.Argument):
            yield (HOSTILE,)
        elif not param.is_flag:
            several = param.nargs if param.nargs > 0 else 1
            yield (param.opts[-1], *[HOSTILE] * several)
            yield (f"{param.opts[-1]}={HOSTILE}",)
        else:
            yield (f"{param.opts[-1]}={HOSTILE}",)
    yield (f"--{HOSTILE}",)
    yield (f"-{HOSTILE}",)
    yield (HOSTILE, HOSTILE, HOSTILE)


def test_every_command_has_its_bases():
    assert [*BASES] == [*COMMANDS]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("there", [False, True], ids=["no such file", "a file of that name"])
def test_options(folder, capfd, name, there):
    command = cli.get_command(None, name)
    if there:  # as far as allowed in a file name: no `/`
        Path(HOSTILE).write_text(f"- func: {json.dumps(HOSTILE)}\n")
    for base in BASES[name]:
        for format in formats(command):
            for words in hostile_words(command):
                run([name, *base, *words, *format])
                require_harmless(capfd, name, *base, *words, *format)
    for words in ((HOSTILE,), (f"--{HOSTILE}",)):
        run(words)
        require_harmless(capfd, words)


CONFIGURED = ("validate", "dump", "generate", "build", "breaking", "dispatch", "explain")
TEXT = json.dumps(HOSTILE)  # TOML's escapes are JSON's


def configurations() -> Iterator[str]:
    for key in config.KEYS:
        yield from (f"{key} = {TEXT}\n", f"{key} = [{TEXT}]\n", f"{key}.{TEXT} = 1\n")
    for key in config.BUILD_KEYS:
        yield from (f"[build]\n{key} = {TEXT}\n", f"[build]\n{key} = [{TEXT}]\n")
    for key in config.BREAKING_KEYS:
        yield from (f"[breaking]\n{key} = {TEXT}\n", f"[breaking]\n{key} = [{TEXT}]\n")
        yield f"[breaking.{key}]\n{TEXT} = {TEXT}\n"
    allow = dict.fromkeys(config.ALLOW_KEYS, '"OPB001"')
    for key in config.ALLOW_KEYS:
        values = {**allow, "expires": '"9.0"', key: TEXT}
        yield "[[breaking.allow]]\n" + "".join(f"{k} = {v}\n" for k, v in values.items())
    yield from (f"{TEXT} = 1\n", f"[{TEXT}]\n", f"[rules]\n{TEXT} = {TEXT}\n", f"[rules]\nOPG108 = {TEXT}\n")
    yield from (HOSTILE, f"name = '{HOSTILE}'\n", f'[{HOSTILE}]\nname = "x"\n')


@pytest.mark.parametrize("name", CONFIGURED)
def test_configurations(folder, capfd, name):
    for text in configurations():
        (folder / "opgen.toml").write_text(text)
        for base in BASES[name]:
            run([name, *base])
            require_harmless(capfd, name, *base, text)


def test_the_place_of_a_configuration(folder, capfd):
    below = folder / HOSTILE.replace("/", "")
    below.mkdir()
    (below / "native_functions.yaml").write_text(GOOD)
    for text in ("nam = 1\n", "[", "\0", "[rules]\nOPG108 = 'off'\n", "[[breaking.allow]]\nrule = 'x'\n"):
        (below / "opgen.toml").write_text(text)
        for name in CONFIGURED:
            arguments = [name, *(["f"] if name in ("dispatch", "explain") else []), str(below)]
            for format in formats(cli.get_command(None, name)):
                run([*arguments, *format])
                require_harmless(capfd, name, text)


def fields() -> Iterator[str]:
    """Yields entries with the hostile word as each value and key that the format has."""
    for field in (*json_schema.FILES["native_functions"]()["items"]["properties"], TEXT):
        for value in (TEXT, f"[{TEXT}]", f"{{{TEXT}: {TEXT}}}", f"{{CPU: {TEXT}}}"):
            yield f"- func: f(Tensor self) -> Tensor\n  {field}: {value}\n"


def others() -> Iterator[str]:
    """Yields entries of other files, with the word as an escape, and as it is."""
    for word in (TEXT, f"{TEXT} # opgen: ignore[{LINE}] x", f"'{HOSTILE}'"):
        yield f"- func: {word}\n"
        yield f"- tag: {word}\n  desc: {word}\n"
        yield f"- name: {word}\n  self: {word}\n"
        yield f"- name: f(Tensor self) -> Tensor\n  {word}: {word}\n"
        yield f"- name: f(Tensor self) -> Tensor\n  self: {word}\n"
        yield f"- ops: [{word}]\n  checks: [self > 0]\n"
        yield f"- ops: [f]\n  checks: [{word}]\n"
    for more in (f'"dispatch": {{{TEXT}: {TEXT}}}', f'"variants": [{TEXT}]', f'"python_module": {TEXT}'):
        yield f'[{{"schema": "f(Tensor self) -> Tensor", "tags": [{TEXT}], {more}}}]'
    yield f'[{{"schema": {TEXT}}}]'


READING = {
    "validate": ("schemas",),
    "dump": ("schemas",),
    "breaking": ("schemas", "--against", "good.yaml", "--strict", "--notes"),
    "dispatch": ("f", "schemas"),
    "explain": ("f", "schemas"),
    "generate": ("schemas", "--name", "x", "--extend", "aten", "--missing-kernels", "stub"),
}


@pytest.mark.parametrize(
    "file",
    [
        "native_functions.yaml",
        "tags.yaml",
        "derivatives.yaml",
        "checks.yaml",
        "docs.yaml",
        "deprecated.yaml",
    ],
)
def test_files(folder, capfd, file):
    texts = [*others(), *(fields() if file == "native_functions.yaml" else ())]
    for number, text in enumerate(texts):
        (folder / "schemas" / file).write_text(text)
        for name in ("validate", [*READING][number % len(READING)]):
            choices = formats(cli.get_command(None, name))
            for format in {choices[0], choices[number % len(choices)]}:
                run([name, *READING[name], *format])
                require_harmless(capfd, name, text, format)


@pytest.mark.parametrize("text", [HOSTILE, f"{HOSTILE} # {HOSTILE}", "f,\x1b[31m", "\udcff"])
def test_a_file_of_operators(folder, capfd, text):
    (folder / "ops").write_bytes(text.encode("utf-8", "surrogateescape"))
    for name in ("generate", "build"):
        assert run([name, *BASES[name][0], "--ops", "ops"]) == 2
        require_harmless(capfd, name, text)


def test_names_of_files_in_a_commit(tmp_path, monkeypatch, capfd):
    needs_git()
    monkeypatch.delenv("GIT_DIR", raising=False)
    checkout = Checkout(tmp_path / "checkout")
    below = checkout.folder / HOSTILE.replace("/", "")
    below.mkdir()
    (below / "native_functions.yaml").write_text(GOOD)
    checkout.commit(schemas__native_functions=GOOD)
    monkeypatch.chdir(checkout.folder)
    for path in ("a/native_functions.yaml", "a\x1b[31m/native_functions.yam", below.name):
        run(["breaking", "schemas", "--against", f"main:{path}"])
        require_harmless(capfd, path)


def test_progress(capfd):
    progress = building.Progress()
    progress.say(LINE)
    progress.step(1, 1, LINE)
    require_harmless(capfd)
