"""The formats for tools meet their readers' requirements (format_schemas.py)."""

import io
import json
import os
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from format_schemas import GITLAB, JUNIT, OWN, SARIF
from opgen.commands import run
from opgen.diagnostics import Diagnostic, Edit, Related, Report, Severity, Span
from opgen.report import formats

jsonschema = pytest.importorskip("jsonschema")

NASTY = "50% of 'a', \"b\": <c> & d;\r\nnext ::error::line, \x1b[31m \ufffe"


def diagnostic(
    message=NASTY, path="sub dir/a,b:c%.yaml", line=3, severity=Severity.error, **more
) -> Diagnostic:
    span = Span(path, line, 5, line, 9)
    return Diagnostic("OPG108", "unknown-type", severity, span, message, "write, a: b%", **more)


def report(*diagnostics: Diagnostic) -> Report:
    return Report(list(diagnostics))


REPORTS = {
    "none": report(),
    "nasty": report(diagnostic()),
    "severities": report(*(diagnostic(f"m{s}", severity=s) for s in Severity)),
    "related": report(diagnostic(related=(Related(Span("b.yaml", 1, 1, 1, 4), "first, here"),))),
    "fix": report(diagnostic(fix=(Edit(Span("sub dir/a,b:c%.yaml", 3, 5, 3, 9), "x"), ))),
    "deletion": report(diagnostic(fix=(Edit(Span("sub dir/a,b:c%.yaml", 3, 5, 3, 9), ""), ))),
    "several lines": report(Diagnostic("OPG104", "x", Severity.error, Span("a.yaml", 1, 9, 2, 3), "m")),
    "twice": report(diagnostic("same", line=3), diagnostic("same", line=4)),
}  # fmt: skip


@pytest.fixture(params=REPORTS)
def some(request) -> Report:
    return REPORTS[request.param]


def printed(report: Report, format: str, tmp_path: Path) -> str:
    target = tmp_path / "out"
    formats.write(report, format, target, "subject")
    return target.read_text(encoding="utf-8")


# -- our own ------------------------------------------------------------------


def test_json(some, tmp_path):
    record = json.loads(printed(some, "json", tmp_path))
    jsonschema.validate(record, OWN)
    assert record["version"] == 1
    assert record["summary"]["errors"] == some.count(Severity.error)
    assert [d["message"] for d in record["diagnostics"]] == [d.message for d in some.sorted()]


# -- SARIF --------------------------------------------------------------------


def test_sarif(some, tmp_path):
    record = json.loads(printed(some, "sarif", tmp_path))
    jsonschema.validate(record, SARIF)
    (found,) = record["runs"]
    rules = found["tool"]["driver"]["rules"]
    for result, d in zip(found["results"], some.sorted(), strict=True):
        if "ruleIndex" in result:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert unquote(place["artifactLocation"]["uri"]) == d.span.path
        assert urlsplit(place["artifactLocation"]["uri"]).scheme == ""
        region = tuple(place["region"][end] for end in ("startLine", "startColumn", "endLine", "endColumn"))
        assert region == tuple(d.span[1:])
        related = [
            (r["message"]["text"], r["physicalLocation"]["artifactLocation"]["uri"])
            for r in result.get("relatedLocations", ())
        ]
        assert related == [(r.message, r.span.path) for r in d.related]
    inserted = "insertedContent" in json.dumps(record)
    assert inserted == any(edit.text for d in some.diagnostics for edit in d.fix)


def test_sarif_names_files_elsewhere_by_absolute_uris(tmp_path):
    found = report(diagnostic("m", path="/elsewhere/a b.yaml"))
    record = json.loads(printed(found, "sarif", tmp_path))
    place = record["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "file:" + "///elsewhere/a%20b.yaml"


# -- GitLab -------------------------------------------------------------------


def test_gitlab(some, tmp_path):
    record = json.loads(printed(some, "gitlab", tmp_path))
    jsonschema.validate(record, GITLAB)
    prints = [issue["fingerprint"] for issue in record]
    assert len(set(prints)) == len(prints) == len(some.diagnostics)


@pytest.mark.parametrize("format", ["gitlab", "sarif"])
def test_fingerprints_stay_when_lines_above_change(format, tmp_path):
    def prints(text: str) -> list[str]:
        (tmp_path / "f.yaml").write_text(text)
        run(["validate", str(tmp_path / "f.yaml"), "--format", format, "-o", str(tmp_path / "out")])
        return re.findall(r'"(?:fingerprint|opgen/v1)": "(\w+)"', (tmp_path / "out").read_text())

    bad = "- func: f(Tensr self) -> Tensor\n- func: g(Tensr self) -> Tensor\n"
    before = prints(bad)
    assert len(set(before)) == 2
    assert prints(f"# a comment\n\n- func: h(Tensor self) -> Tensor\n{bad}") == before
    assert prints(bad.replace("Tensr", "Tenor"))[0] not in before


def test_paths_are_those_of_the_folder_of_the_run(tmp_path, monkeypatch, capsys):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "f.yaml").write_text("- func: f(Tensr self) -> Tensor\n")
    monkeypatch.chdir(tmp_path)
    for given in ("./sub/f.yaml", f"{tmp_path}/sub/f.yaml", "sub/../sub/f.yaml"):
        run(["validate", given, "--format", "gitlab"])
        assert json.loads(capsys.readouterr().out)[0]["location"]["path"] == "sub/f.yaml"
        run(["validate", given, "--format", "github"])
        assert capsys.readouterr().out.startswith("::error file=sub/f.yaml,")


# -- JUnit --------------------------------------------------------------------


def test_junit(some, tmp_path):
    root = ElementTree.parse(io.StringIO(printed(some, "junit", tmp_path))).getroot()
    assert root.tag in ("testsuites", "testsuite")
    for element in root.iter():
        needed, possible, children = JUNIT[element.tag]
        assert needed <= element.attrib.keys() <= needed | possible
        assert {child.tag for child in element} <= children
        assert all(v.isdigit() for k, v in element.attrib.items() if k in ("tests", "failures", "errors"))
    (suite,) = root.iter("testsuite")
    assert int(suite.get("tests")) == len(list(suite.iter("testcase"))) == max(1, len(some.diagnostics))
    assert int(suite.get("failures")) == len(list(suite.iter("failure"))) == some.count(Severity.error)


# -- GitHub -------------------------------------------------------------------


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """Parses a workflow command as the runner does: properties up to '::', then the message."""
    match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
    properties = dict(item.split("=", 1) for item in match[2].split(","))

    def plain(text: str, more: dict[str, str]) -> str:
        for escaped, c in {"%0D": "\r", "%0A": "\n", **more, "%25": "%"}.items():
            text = text.replace(escaped, c)
        return text

    properties = {k: plain(v, {"%3A": ":", "%2C": ","}) for k, v in properties.items()}
    return match[1], properties, plain(match[3], {})


def test_github(some, tmp_path):
    text = printed(some, "github", tmp_path)
    lines = text.split("\n")[:-1]
    for line, d in zip(lines, some.sorted(), strict=True):
        kind, properties, message = parsed(line)
        assert kind == {"error": "error", "warning": "warning", "note": "notice"}[d.severity.name]
        assert properties.keys() <= {"file", "line", "endLine", "col", "endColumn", "title"}
        assert properties["file"] == d.span.path and properties["line"] == str(d.span.line)
        assert ("col" in properties) == (d.span.line == d.span.end_line)
        assert message == (d.message if d.help is None else f"{d.message}\n{d.help}")


# -- people -------------------------------------------------------------------


def test_text_and_concise_say_each_and_escape_what_a_terminal_would_obey(some, tmp_path):
    for format in ("text", "concise"):
        text = printed(some, format, tmp_path)
        assert "\x1b" not in text and "\r" not in text
        assert text.count("OPG") == len(some.diagnostics)
    assert len(printed(some, "concise", tmp_path).splitlines()) == len(some.diagnostics)


def test_text_says_what_fix_would_mend(tmp_path, capsys):
    (tmp_path / "f.yaml").write_text("- func: f(Tensor self,int n) -> Tensor\n")
    assert run(["validate", str(tmp_path / "f.yaml")]) == 1
    assert capsys.readouterr().out.endswith("1 error; `opgen validate --fix` fixes 1\n")


def test_a_path_that_is_no_text(tmp_path):
    name = os.fsdecode(b"\xff.yaml")
    for format in formats.NAMES:
        printed(report(diagnostic("m", path=name)), format, tmp_path)
