"""The golden generation: every page of a library of the twelve operators in native_functions.yaml, CPU and
CUDA.

Run as a program, it rewrites `expected/`; read the diff before you commit it.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "expected"
# Hand-written files whose imports the stubs repeat.
NAMED_IN_STUBS = ("python/aten/__init__.py", "python/aten/nn/functional.py")


def generated() -> dict[str, bytes]:
    """Returns path -> bytes of the rendered files, without hand-written files, which are copied."""
    from opgen import locate, pipeline
    from opgen.render import library
    from opgen.select import sources
    from opgen.template_views import library as views

    program, report = pipeline.load(HERE / "native_functions.yaml")
    assert not report.failed, report.sorted()
    share = locate.share()
    given = sources.user_sources([HERE / "functors"], "golden")
    given += [s for s in sources.runtime_sources(share, "golden") if s.origin in NAMED_IN_STUBS]
    options = views.LibraryOptions("golden", cuda=True, stubs=True)
    files = library.files(views.build_library(program, given, options), share / "templates")
    return {f.path: f.content for f in files if f.origin.startswith("templates/")}


def expected() -> dict[str, bytes]:
    return {f.relative_to(EXPECTED).as_posix(): f.read_bytes() for f in EXPECTED.rglob("*") if f.is_file()}


def main() -> int:
    found = generated()
    shutil.rmtree(EXPECTED, ignore_errors=True)
    for path, content in found.items():
        target = EXPECTED / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    print(f"{len(found)} files in {EXPECTED}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
