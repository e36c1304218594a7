"""Compares `opgen breaking` with PyTorch's own checker over releases of PyTorch.

    python benchmarks/breaking_releases.py RELEASES --oracle bc_oracle.py -o docs/reference/breaking-rules.md

RELEASES is a folder with one folder per release, named by its version, with the native_functions.yaml,
tags.yaml, derivatives.yaml and deprecated.yaml that its wheel has under torchgen/packaged. Each release is
compared with the next one. If PyTorch's verdict on a declared overload differs from ours, a rule of its
checker that is known to be wrong has to explain it; otherwise the exit status is 1. With -o, the tables
replace that section of the page.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from opgen import pipeline
from opgen.breaking import Audience, Finding, OldSignature, compare, deprecated
from opgen.diagnostics import Report
from opgen.model import Program
from opgen.parse import source, yaml_source

TITLE = "\n## Releases of PyTorch\n"
GRAPHS = (Audience.graph_bc, Audience.graph_fc)

# Changes that PyTorch's checker can find: changes of existing operators' schemas.
UNSEEN = ("OPB0", "OPB105", "OPB106", "OPB107", "OPB306", "OPB7", "OPB8", "OPB9")

ONE_TYPE = "to it int, SymInt and the enumerations are one type"
GIVEN = "it takes any new argument with a default for forward compatible; a program that gives it is not"
NO_RESULTS = "its forward check does not look at results"
NO_REMOVALS = "its forward check does not look at arguments that are gone, or given otherwise"
# Our rules for breaks that it misses.
MISSED = {
    (Audience.graph_bc, "type-symint-to-int"): ONE_TYPE,
    (Audience.graph_bc, "type-int-to-enum"): ONE_TYPE,
    (Audience.graph_bc, "return-type-changed"): ONE_TYPE,
    (Audience.graph_fc, "type-int-to-symint"): ONE_TYPE,
    (Audience.graph_fc, "type-int-to-enum"): ONE_TYPE,
    (Audience.graph_fc, "arg-added-defaulted-end"): GIVEN,
    (Audience.graph_fc, "kwarg-added-defaulted-end"): GIVEN,
    (Audience.graph_fc, "out-variant-arg-inserted"): GIVEN,
    (Audience.graph_fc, "arg-removed-required"): NO_REMOVALS,
    (Audience.graph_fc, "arg-made-positional"): NO_REMOVALS,
    (Audience.graph_fc, "return-type-changed"): NO_RESULTS,
    (Audience.graph_fc, "return-made-required"): NO_RESULTS,
    (Audience.graph_fc, "returns-swapped"): NO_RESULTS,
    (Audience.graph_fc, "alias-view-removed"): NO_RESULTS,
}

NAMES = "it takes the names of results for a part of graphs; only Python's named tuples have them"
GONE = "no new program can hold what is gone"
GENERATED = "it takes an overload that is generated now for gone"
WHOLE = "saved programs give the argument in a form that is still taken"
LETTERS = "it compares the letters of alias sets"
# Our rules that explain its false positives.
FALSE_ALARMS = {
    (Audience.graph_bc, "return-renamed"): NAMES,
    (Audience.graph_bc, "return-names-added"): NAMES,
    (Audience.graph_bc, "return-names-removed"): NAMES,
    (Audience.graph_bc, "type-widened"): WHOLE,
    (Audience.graph_bc, "list-size-removed"): WHOLE,
    (Audience.graph_fc, "op-removed"): GONE,
    (Audience.graph_fc, "overload-removed"): GONE,
    (Audience.graph_fc, "default-removed"): WHOLE,
    (Audience.graph_fc, "arg-made-keyword-only"): WHOLE,
}


@dataclass(frozen=True)
class Release:
    version: str
    program: Program
    deprecated: Sequence[OldSignature] | None


@dataclass
class Row:
    """A pair of releases. There are two verdicts on graphs for each overload; `verdicts` counts them by
    whether a break was found (by us, by PyTorch). `unjudged` are overloads that PyTorch cannot read.
    """

    pair: str
    findings: tuple[Finding, ...]
    seconds: float
    judged: int = 0
    unjudged: int = 0
    verdicts: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    explained: Counter[str] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", type=Path)
    parser.add_argument("--oracle", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    folders = sorted((p for p in given.releases.iterdir() if p.is_dir()), key=_version)
    rows = [compared(old, new, given.oracle) for old, new in itertools.pairwise(folders)]
    text = "\n".join(_tables(rows)) + "\n"
    if given.output:
        page = given.output.read_text(encoding="utf-8").partition(TITLE)[0]
        given.output.write_text(page + TITLE + text, encoding="utf-8")
    else:
        print(text, end="")
    for row in rows:
        for line in row.unexplained:
            print(f"{row.pair}: unexplained: {line}", file=sys.stderr)
    return 1 if any(row.unexplained for row in rows) else 0


def _version(folder: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in folder.name.split("."))


def compared(old: Path, new: Path, oracle: Path) -> Row:
    gc.unfreeze()
    gc.collect()
    started = time.process_time()
    base, current = _release(old), _release(new)
    found = compare(
        base.program,
        current.program,
        deprecated=(base.deprecated, current.deprecated),
    )
    row = Row(f"{old.name} → {new.name}", found, time.process_time() - started)
    _judge(row, base.program, current.program, _verdicts(old, new, oracle))
    return row


def _release(folder: Path) -> Release:
    program, _ = pipeline.load(folder, lenient=True, checked=False)
    file, report = folder / "deprecated.yaml", Report()
    text = source.read(str(file), report) if file.is_file() else None
    signatures = deprecated.read(yaml_source.items(text, report)) if text is not None else None
    return Release(folder.name, program, signatures)


def _verdicts(old: Path, new: Path, oracle: Path) -> Mapping[str, Mapping]:
    """Returns PyTorch's verdicts by overload, without unchanged ones."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "verdicts.json"
        files = [str(f / "native_functions.yaml") for f in (old, new)]
        command = [sys.executable, str(oracle), *files, "-o", str(out)]
        subprocess.run(command, check=True, capture_output=True)
        found = json.loads(out.read_text(encoding="utf-8"))["verdicts"]
    return {v["op"].removeprefix("aten::"): v for v in found}


def _judge(row: Row, base: Program, new: Program, verdicts: Mapping[str, Mapping]) -> None:
    by_operator: dict[str, list[Finding]] = {}
    for found in row.findings:
        if not found.rule.code.startswith(UNSEEN):
            by_operator.setdefault(found.operator, []).append(found)
    for function in base.functions:
        name = function.qualified_name
        if function.is_generated:
            continue
        theirs = verdicts.get(name, {"bc": True, "fc": True})
        generated = theirs.get("verdict") == "removed" and name in new.by_name
        if theirs["bc"] is None:
            row.unjudged += 1
            continue
        ours = by_operator.get(name, []) + ([] if "." not in name else _of_all(by_operator, name))
        for audience, fine in zip(GRAPHS, (theirs["bc"], theirs["fc"]), strict=True):
            _compare(row, f"{audience.value} of {name}", audience, ours, not fine, theirs, generated)


def _of_all(by_operator: Mapping[str, list[Finding]], name: str) -> list[Finding]:
    """Returns the findings of all overloads of the operator."""
    found = by_operator.get(name.partition(".")[0], ())
    return [f for f in found if f.rule.name in ("op-removed", "op-renamed")]


def _compare(
    row: Row,
    what: str,
    audience: Audience,
    ours: list[Finding],
    flagged: bool,
    theirs: Mapping,
    generated: bool,
) -> None:
    breaking = [f.rule.name for f in ours if audience in f.breaks]
    row.judged += 1
    row.verdicts[bool(breaking), flagged] += 1
    if bool(breaking) == flagged:
        return
    known = FALSE_ALARMS if flagged else MISSED
    names = [f.rule.name for f in ours] if flagged else breaking
    reason = next((known[audience, n] for n in names if (audience, n) in known), None)
    if flagged and generated:
        reason = GENERATED
    if reason is None and flagged and not ours and _only_letters(theirs):
        reason = LETTERS
    if reason is None:
        row.unexplained.append(f"{what}: {'PyTorch' if flagged else breaking}: {theirs}")
    else:
        row.explained[reason] += 1


def _only_letters(theirs: Mapping) -> bool:
    changes = {change[0] for change in theirs.get("changes", ())}
    return bool(changes) and changes <= {"arg-alias", "return-alias"}


def _tables(rows: Sequence[Row]) -> Iterator[str]:
    yield INTRODUCTION
    yield from _summary(rows)
    yield "\nFindings by rule, by the release that they came with:\n"
    yield from _by_rule(rows)
    yield "\nThe verdicts on which the two differ:\n"
    yield from _reasons(rows)


INTRODUCTION = """
Each release against the one before it, by `benchmarks/breaking_releases.py`: CPU seconds to read both and
compare them, findings, and how many of them break whom. Then what PyTorch's own checker can see, which is the
declared schemas, for saved programs in both directions: how many verdicts were compared, where both find a
break, only we do, only PyTorch does, and where no known error of its checker explains the difference.
"""


def _summary(rows: Sequence[Row]) -> Iterator[str]:
    compared = ("verdicts", "both", "only we", "only PyTorch", "unexplained")
    yield from _head("pair", "s", "findings", *(a.value for a in Audience), *compared)
    for row in rows:
        audiences = [sum(a in f.breaks for f in row.findings) for a in Audience]
        both, ours, theirs = (row.verdicts[key] for key in ((True, True), (True, False), (False, True)))
        shares = (row.judged, both, ours, theirs, len(row.unexplained))
        yield _line(row.pair, f"{row.seconds:.2f}", len(row.findings), *audiences, *shares)


def _by_rule(rows: Sequence[Row]) -> Iterator[str]:
    counts = [Counter((f.rule.code, f.rule.name) for f in row.findings) for row in rows]
    yield from _head("code", "rule", *(row.pair.rpartition(" ")[2] for row in rows))
    for code, name in sorted({key for count in counts for key in count}):
        yield _line(code, name, *(count[code, name] or "" for count in counts))


def _reasons(rows: Sequence[Row]) -> Iterator[str]:
    total: Counter[str] = sum((row.explained for row in rows), Counter())
    yield from _head("verdicts", "where PyTorch's checker says otherwise, and why it is wrong")
    for reason, count in total.most_common():
        yield _line(count, reason)


def _head(*cells: str) -> Iterable[str]:
    return _line(*cells), "|" + "---|" * len(cells)


def _line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    raise SystemExit(main())
