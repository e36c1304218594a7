"""Diagnostics as SARIF 2.1.0: the rules that were broken, each result with its place, fingerprint and fix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote

from opgen import __version__
from opgen.diagnostics import Diagnostic, Edit, Severity, Span

Json = dict[str, object]

_LEVELS = {Severity.error: "error", Severity.warning: "warning", Severity.note: "note"}


def log(found: list[Diagnostic], fingerprints: Iterable[str], relative: Callable[[str], str]) -> Json:
    rules = [rule for code in sorted({d.code for d in found}) if (rule := _rule(code)) is not None]
    index = {str(r["id"]): i for i, r in enumerate(rules)}
    places = _Places(relative)
    results = [_result(d, f, index, places) for d, f in zip(found, fingerprints, strict=True)]
    driver = {"name": "opgen", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return {"$schema": schema, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> Json | None:
    if code.startswith("OPB"):
        from opgen.report import breaking_rule_text

        found = breaking_rule_text.find(code)
        if found is None:
            return None
        return _described(found.code, found.name, found.summary, breaking_rule_text.severity(found))
    from opgen.report import rule_text

    rule = rule_text.find(code)
    return None if rule is None else _described(rule.code, rule.name, rule.summary, rule.severity)


def _described(code: str, name: str, summary: str, severity: Severity) -> Json:
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": summary},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "help": {"text": f"`opgen explain {code}` shows examples."},
    }


def _result(d: Diagnostic, fingerprint: str, index: dict[str, int], places: _Places) -> Json:
    result: Json = {
        "ruleId": d.code,
        "level": _LEVELS[d.severity],
        "message": {"text": d.message if d.help is None else f"{d.message} ({d.help})"},
        "locations": [{"physicalLocation": places.physical(d.span)}],
        "partialFingerprints": {"opgen/v1": fingerprint},
    }
    if d.code in index:
        result["ruleIndex"] = index[d.code]
    if d.related:
        result["relatedLocations"] = [
            {"id": i, "physicalLocation": places.physical(r.span), "message": {"text": r.message}}
            for i, r in enumerate(d.related)
        ]
    if d.fix:
        change = {
            "artifactLocation": places.artifact(d.span.path),
            "replacements": [_replacement(edit) for edit in d.fix],
        }
        result["fixes"] = [{"artifactChanges": [change]}]
    return result


def _replacement(edit: Edit) -> Json:
    deleted: Json = {"deletedRegion": _region(edit.span)}
    return {**deleted, "insertedContent": {"text": edit.text}} if edit.text else deleted


def _region(span: Span) -> Json:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


class _Places:
    def __init__(self, relative: Callable[[str], str]):
        self.relative = relative

    def artifact(self, path: str) -> Json:
        """Returns a relative URI where the file is below the folder of the run, else an absolute one."""
        name = self.relative(path)
        return {"uri": Path(name).as_uri() if os.path.isabs(name) else quote(os.fsencode(name))}

    def physical(self, span: Span) -> Json:
        return {"artifactLocation": self.artifact(span.path), "region": _region(span)}
