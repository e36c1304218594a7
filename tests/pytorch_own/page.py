"""docs/development/pytorch-tests.md: what PyTorch's own test files come to with this library."""

from __future__ import annotations

import datetime
import json
from collections import Counter, defaultdict
from pathlib import Path

from reasons import ELSEWHERE, reason_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "development" / "pytorch-tests.md"
HEAD = """\
# PyTorch's own tests

PyTorch's tests of its Python layer, with this library as their `torch`. The test files are not part of this
project; who has PyTorch's source tree runs them by

    python tests/pytorch_own/pytorch_own.py --tests PYTORCH/test

which goes on where an earlier run stopped, and writes this page at the end. `--file test_optim.py` takes one
file, `--again failed` repeats what failed, and `--check` runs what failed with PyTorch itself. It takes
hours.

The results below are those of the files of PyTorch {files}, with the test helpers (`torch.testing._internal`)
of PyTorch {helpers}, on the CPU. The helpers are PyTorch's own Python files; `tests/pytorch_own/stubs.py`
lists the names that they and the tests import and this library doesn't have. Gradients are not
checked in batches, and files may hold all modules of `torch.nn`. A test fails that takes longer than {limit}
seconds, or than `--limit`. The page was written on {date}, and its reasons are those of that day.

- *passed* and *skipped* are what the test says; most skipped tests need CUDA or other devices.
- *explained* failures have one of the reasons of the second table.
- *open* failures have none, and are listed by name.
- Tests that a stopped run hasn't reached are not counted.

"""


def write(tests: Path, results: Path, helpers: str, limit: float) -> None:
    """Writes the page from the kept results."""
    read = {path.stem: json.loads(path.read_text()) for path in sorted(results.glob("*.json"))}
    PAGE.write_text(text(read, _version(tests), helpers, limit), encoding="utf-8")


def text(results: dict[str, dict[str, dict[str, str]]], files: str, helpers: str, limit: float) -> str:
    rows, groups = [], defaultdict(Counter)
    unexplained: dict[str, list[str]] = {}
    for file, tests in results.items():
        path = f"{file.replace('.', '/')}.py"
        failed = {
            name: _reason(name, result, helpers)
            for name, result in tests.items()
            if result["what"] == "failed"
        }
        for reason in failed.values():
            groups[reason][path] += 1
        unexplained[path] = [name for name, reason in failed.items() if reason is None]
        kinds = Counter(result["what"] for result in tests.values())
        rest = len(unexplained[path])
        rows.append((path, len(tests), kinds["passed"], kinds["skipped"], len(failed) - rest, rest))
    groups.pop(None, None)
    parts = [HEAD.format(files=files, helpers=helpers, limit=f"{limit:.0f}", date=datetime.date.today())]
    parts.append("| file | tests | passed | skipped | explained | open |\n|---|---|---|---|---|---|\n")
    rows.append(("all", *(sum(row[i] for row in rows) for i in range(1, 6))))
    parts += [f"| {' | '.join(map(str, row))} |\n" for row in rows]
    parts.append("\n## Explained\n\n| tests | reason | in |\n|---|---|---|\n")
    for reason, counts in sorted(groups.items(), key=lambda group: -group[1].total()):
        where = ", ".join(f"{path} {count}" for path, count in counts.most_common(3))
        parts.append(f"| {counts.total()} | {reason} | {where}{', ...' * (len(counts) > 3)} |\n")
    parts.append("\n## Open\n")
    for path, names in unexplained.items():
        if names:
            parts.append(
                f"\n{path}:\n\n" + "".join(f"- {name}: {_first(results, path, name)}\n" for name in names)
            )
    return "".join(parts)


def _reason(name: str, result: dict[str, str], helpers: str) -> str | None:
    if result.get("pytorch", "passed") != "passed":
        return ELSEWHERE.format(version=helpers)
    return reason_of(name, result["text"])


def _first(results: dict[str, dict[str, dict[str, str]]], path: str, name: str) -> str:
    line = results[path.removesuffix(".py").replace("/", ".")][name]["text"].split("\n")[0]
    return "`" + line[:120].replace("`", "'").replace("|", "/") + "`"


def _version(tests: Path) -> str:
    try:
        return (tests.parent / "version.txt").read_text().strip()
    except OSError:
        return "an unknown version"
