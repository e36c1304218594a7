"""The configuration: opgen.toml, or [tool.opgen] in pyproject.toml, in the nearest folder above the input.

Its keys are the commands' options, without the dashes before them; `schemas` stands for FILE. The table
`[rules]` gives rules their levels. `[build]` has options of `opgen build` alone. `[breaking]` is for
`opgen breaking`: its options, `[breaking.rules]`, and a `[[breaking.allow]]` for each break that is accepted.
Paths count from the file's folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from opgen import locate
from opgen.config.file import OWN_FILE, SHARED_FILE, find, key_lines, own_table, read_text
from opgen.config.keys import ALLOW_KEYS, BREAKING_KEYS, BUILD_KEYS, KEYS, OPTIONAL, Kind, fits
from opgen.diagnostics import InputError, Rule, Severity, did_you_mean, shown

__all__ = [
    "ALLOW_KEYS",
    "BREAKING_KEYS",
    "BUILD_KEYS",
    "KEYS",
    "LEVELS",
    "OWN_FILE",
    "SHARED_FILE",
    "Config",
    "Kind",
    "Named",
    "fail",
    "find",
    "levels",
    "parsed",
    "read",
]

LEVELS: Mapping[str, Severity | None] = {**{s.name: s for s in Severity}, "off": None}


@dataclass(frozen=True, slots=True)
class Config:
    """`values` are those of the keys that name options; `levels` has the level of each rule, by code or name.
    `build` and `breaking` are tables, the latter as written. `lines` finds a key's line by its dotted name; a
    table in a list has its index (`breaking.allow.0`).
    """

    path: Path | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    levels: Mapping[str, str] = field(default_factory=dict)
    breaking: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    build: Mapping[str, object] = field(default_factory=dict)

    def place(self, key: str) -> str:
        """Returns `file:line` of a key; of the table that contains it where its own line is unknown."""
        while key and key not in self.lines:
            key = key.rpartition(".")[0]
        return f"{self.path}:{self.lines.get(key, 1)}"


def read(path: Path) -> Config:
    """Returns the configuration in `path`. Raises InputError with every fault and its line."""
    path = path / OWN_FILE if path.is_dir() else path
    return parsed(path, read_text(path))


def parsed(path: Path, text: str) -> Config:
    """Like read(), for a file with this text."""
    table = own_table(path, text)
    if table is None:
        raise InputError(f"{shown(str(path))}: there is no table [tool.opgen]")
    prefix = "tool.opgen." if path.name == SHARED_FILE else ""
    lines = {key.removeprefix(prefix): line for key, line in key_lines(text) if key.startswith(prefix)}
    bare = Config(path, lines=lines)
    faults = [*_faults(bare, table, KEYS, ""), *_level_faults(bare, table.get("rules"), "rules")]
    if isinstance(table.get("build"), dict):
        faults += _faults(bare, table["build"], BUILD_KEYS, "build.")
    if isinstance(table.get("breaking"), dict):
        faults += _breaking_faults(bare, table["breaking"])
    fail(faults)
    values: dict[str, Any] = {key: _value(KEYS[key], given, path.parent) for key, given in table.items()}
    levels, breaking, build = (values.pop(name, {}) for name in ("rules", "breaking", "build"))
    build = {key: _value(BUILD_KEYS[key], given, path.parent) for key, given in build.items()}
    return Config(path, values, levels, breaking, lines, build)


class Named(Protocol):
    """The code and name of a rule."""

    @property
    def code(self) -> str: ...

    @property
    def name(self) -> str: ...


def levels(config: Config, rules: Iterable[Named], table: str = "rules") -> dict[str, Severity | None]:
    """Returns the level that `table` of the configuration gives to each of `rules` that it names, by code;
    None is off.

    Raises InputError for unknown rules, and for those whose level is fixed.
    """
    rules = list(rules)
    by_name = {r.name: r for r in rules} | {r.code: r for r in rules}
    given = config.levels if table == "rules" else config.breaking.get("rules", {})
    found: dict[str, Severity | None] = {}
    faults = []
    for word, level in given.items():
        rule = by_name.get(word)
        where = config.place(f"{table}.{word}")
        if rule is None:
            help = _other_table(word, table) or did_you_mean(word, by_name)
            faults.append(_with_help(f"{where}: there is no rule '{word}'", help))
        elif isinstance(rule, Rule) and not rule.ignorable and LEVELS[level] is not rule.severity:
            why = "it is about what no library can be made of, or what cannot be read"
            faults.append(f"{where}: the level of {rule.code} {rule.name} is fixed: {why}")
        elif rule.code in found and found[rule.code] is not LEVELS[level]:
            faults.append(f"{where}: {rule.code} {rule.name} has two levels; give it one")
        else:
            found[rule.code] = LEVELS[level]
    fail(faults)
    return found


def _other_table(word: str, table: str) -> str | None:
    own, other = ("OPG", "breaking") if table == "rules" else ("OPB", "validate")
    if not re.match(r"OP[BG]\d", word) or word.startswith(own):
        return None
    return f"rules of `opgen {other}` stand in [{'breaking.rules' if other == 'breaking' else 'rules'}]"


def fail(faults: Iterable[str]) -> None:
    """Raises InputError with all of them, if there are any."""
    text = "\nopgen: ".join(map(shown, faults))
    if text:
        raise InputError(text)


def _faults(config: Config, table: dict[str, Any], keys: Mapping[str, Kind], prefix: str) -> Iterator[str]:
    for key, value in table.items():
        where = config.place(prefix + key)
        if key not in keys:
            yield _with_help(f"{where}: there is no key '{prefix}{key}'", did_you_mean(key, keys))
        elif not fits(keys[key], value):
            yield f"{where}: '{prefix}{key}' must be {keys[key].value}, but it is {_shown(value)}"


def _breaking_faults(config: Config, table: dict[str, Any]) -> Iterator[str]:
    yield from _faults(config, table, BREAKING_KEYS, "breaking.")
    yield from _level_faults(config, table.get("rules"), "breaking.rules")
    allowed = table.get("allow")
    known = allowed if isinstance(allowed, list) and fits(Kind.tables, allowed) else ()
    for number, entry in enumerate(known):
        prefix = f"breaking.allow.{number}."
        yield from _faults(config, entry, ALLOW_KEYS, prefix)
        for key in ALLOW_KEYS:
            if key not in entry and key not in OPTIONAL:
                yield f"{config.place(prefix + key)}: this accepted break needs '{key}'"


def _level_faults(config: Config, table: object, name: str) -> Iterator[str]:
    for rule, level in table.items() if isinstance(table, dict) else ():
        if not isinstance(level, str) or level not in LEVELS:
            help = did_you_mean(level, LEVELS) if isinstance(level, str) else None
            known = ", ".join(LEVELS)
            yield _with_help(f"{config.place(f'{name}.{rule}')}: {_shown(level)} is no level ({known})", help)


def _value(kind: Kind, value: Any, folder: Path) -> object:
    if kind is Kind.path:
        return _path(folder, value)
    if kind is Kind.paths:
        return [_path(folder, item) for item in ([value] if isinstance(value, str) else value)]
    if kind is Kind.texts:
        return [value] if isinstance(value, str) else value
    return value


def _path(folder: Path, text: str) -> str:
    """Returns the path, which is relative to the file's folder, relative to the working folder."""
    return str(locate.near(Path(os.path.abspath(folder / text))))


def _shown(value: object) -> str:
    return f"the text '{value}'" if isinstance(value, str) else f"{value!r}"[:80]


def _with_help(message: str, help: str | None) -> str:
    return f"{message}; {help}" if help else message
