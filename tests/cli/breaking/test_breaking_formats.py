"""The output of `opgen breaking` for programs: each format meets its reader's requirements; the changelog."""

import copy
import json
import xml.etree.ElementTree as ElementTree

import pytest
from breaking_pair import ALL, NEW, OLD, printed
from format_schemas import FINDING, GITLAB, JUNIT, OWN, SARIF

AUDIENCES = ["cpp", "abi", "python", "graph-bc", "graph-fc", "backend"]


def test_json(folder, capsys):
    jsonschema = pytest.importorskip("jsonschema")
    expected = copy.deepcopy(OWN)
    more = {
        "breaks": {"type": "array", "items": {"enum": AUDIENCES}, "uniqueItems": True},
        "bump": {"enum": ["none", "minor", "major"]},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
        **{name: {"type": "string"} for name in ("before", "after", "operator")},
        "operators": {"type": "array", "items": {"type": "string"}},
        **{name: {"type": ["string", "null"]} for name in ("worked", "fails", "accepted")},
    }
    fields = {**FINDING, **more}
    items = {"properties": fields, "required": list(fields), "additionalProperties": False}
    expected["properties"]["diagnostics"]["items"] = items
    expected["properties"]["summary"]["properties"]["bump"] = {"const": "major"}
    record = json.loads(printed("json", capsys))
    jsonschema.validate(record, expected)
    assert record["summary"] == {"errors": 2, "warnings": 1, "bump": "major"}
    assert len({d["fingerprint"] for d in record["diagnostics"]}) == len(ALL)


def test_what_is_gone_is_shown_at_one_column(folder, capsys):
    """A removed operator is shown in the new file, as the old file's lines are not in the checkout."""
    (ran,) = json.loads(printed("sarif", capsys))["runs"]
    (gone,) = (r for r in ran["results"] if r["ruleId"] == "OPB101")
    (place,) = gone["locations"]
    region = place["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (1, 2)


@pytest.mark.parametrize("notes", [[], ["--notes"]])
def test_the_formats_of_tools(folder, capsys, notes):
    jsonschema = pytest.importorskip("jsonschema")
    number = 4 if notes else 3
    sarif = json.loads(printed("sarif", capsys, *notes))
    jsonschema.validate(sarif, SARIF)
    (ran,) = sarif["runs"]
    rules = [rule["id"] for rule in ran["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in ran["results"])
    assert len(ran["results"]) == number
    expected = copy.deepcopy(GITLAB)
    expected["items"]["properties"]["fingerprint"]["pattern"] = "^[0-9a-f]+$"
    gitlab = json.loads(printed("gitlab", capsys, *notes))
    jsonschema.validate(gitlab, expected)
    assert len({issue["fingerprint"] for issue in gitlab}) == number
    assert len(printed("github", capsys, *notes).splitlines()) == number
    suite = ElementTree.fromstring(printed("junit", capsys, *notes)).find("testsuite")
    assert suite.get("name") == "opgen breaking" and suite.get("failures") == "2"
    for element in suite.iter():
        assert element.attrib.keys() <= JUNIT[element.tag][0] | JUNIT[element.tag][1]


def test_without_findings_the_formats_are_whole(folder, capsys):
    (folder / "new.yaml").write_text(OLD)
    assert json.loads(printed("json", capsys))["summary"] == {"errors": 0, "warnings": 0, "bump": "none"}
    assert json.loads(printed("gitlab", capsys)) == []
    assert json.loads(printed("sarif", capsys))["runs"][0]["results"] == []
    assert ElementTree.fromstring(printed("junit", capsys)).find("testsuite").get("failures") == "0"
    assert printed("github", capsys) == printed("concise", capsys) == ""


def test_annotations_stand_in_the_new_file(folder, capsys):
    """A removed operator is annotated at the entry before it, since platforms don't know the old file's
    lines.
    """
    (folder / "new.yaml").write_text("# one\n# two\n" + NEW)
    gone = [line for line in printed("github", capsys).splitlines() if "op-removed" in line]
    assert len(gone) == 1 and gone[0].startswith("::error file=new.yaml,line=3,endLine=3,")
    (folder / "new.yaml").write_text("- func: other(int n) -> Tensor\n")
    lines = {line.split(",")[1] for line in printed("github", capsys).splitlines()}
    assert lines == {"line=1"}


def test_fingerprints_stay_when_lines_move(folder, capsys):
    def prints() -> set[str]:
        return {d["fingerprint"] for d in json.loads(printed("json", capsys))["diagnostics"]}

    before = prints()
    (folder / "old.yaml").write_text("# a comment\n" + OLD + "- func: h(Tensor self) -> Tensor\n")
    (folder / "new.yaml").write_text("- func: h(Tensor self) -> Tensor\n\n" + NEW)
    assert prints() == before


CHANGELOG = """\
# Changes of the operators

new.yaml against old.yaml: needs a major version.

## Major version

### Breaks C++ callers, C++ binaries, Python callers, saved programs, kernels registered elsewhere

- `blur`: the operator 'blur' is gone (OPB101 op-removed)
  - before: `blur(Tensor self) -> Tensor`
"""


def test_changelog(folder, capsys):
    text = printed("markdown", capsys)
    assert text.startswith(CHANGELOG)
    assert text.index("## Major version") < text.index("`scale`") < text.index("## Minor version")
    assert text.index("## Minor version") < text.index("`pick`")
    (folder / "new.yaml").write_text(OLD)
    assert printed("markdown", capsys).endswith("needs no new version.\n")
