"""`opgen breaking --write-allow`: accepting, in the configuration, what fails now."""

from __future__ import annotations

import json
from pathlib import Path

from opgen import config
from opgen.breaking.verdict import Verdict
from opgen.diagnostics import InputError, Severity, shown
from opgen.edit.files import replace_file
from opgen.report import streams


def write(verdict: Verdict, reason: str, expires: str | None, found: config.Config) -> config.Config:
    """Appends a table for each rule and operator to the configuration file, which is created if missing;
    returns its new text. Raises InputError where that would be no valid configuration.
    """
    failing = [j for j in verdict.judged if j.severity is Severity.error]
    items = dict.fromkeys((j.finding.rule.name, operator) for j in failing for operator in j.operators)
    path = found.path or Path(config.OWN_FILE)
    if not items:
        streams.say(f"opgen: nothing fails, so {shown(str(path))} is as it was")
        return found
    prefix = "tool.opgen." if path.name == config.SHARED_FILE else ""
    written = _append(path, "".join(_table(prefix, *item, reason, expires) for item in items))
    streams.say(f"opgen: {shown(str(path))}: {len(items)} more accepted")
    return written


def _table(prefix: str, rule: str, item: str, reason: str, expires: str | None) -> str:
    values = {"rule": rule, "item": item, "reason": reason, "expires": expires}
    lines = [f"{key} = {_quoted(value)}\n" for key, value in values.items() if value is not None]
    return f"\n[[{prefix}breaking.allow]]\n{''.join(lines)}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _append(path: Path, text: str) -> config.Config:
    """Appends to the file atomically, and only if the result can be read."""
    before = path.read_bytes() if path.exists() else b""
    separator = b"" if not before or before.endswith(b"\n") else b"\n"
    after = before + separator + text.encode()
    try:
        written = config.parsed(path, after.decode("utf-8-sig"))
    except InputError as error:
        streams.emit(text)
        why = f"these tables cannot be added to {shown(str(path))}, where 'allow' may be a list in brackets"
        raise InputError(f"{error}\nopgen: {why}; it is as it was") from None
    path.touch()
    replace_file(path, before, after)
    return written
