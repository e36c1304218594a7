"""A selection of operators takes all files that it needs to link."""

from __future__ import annotations

import pytest
from opgen import locate, pipeline
from opgen.select import selection, sources
from opgen.template_views import names


@pytest.fixture(scope="module")
def shipped():
    return pipeline.load(locate.share() / "schemas", checked=False)[0]


@pytest.fixture(scope="module")
def files():
    found = sources.runtime_sources(locate.share(), "small")
    return [f for f in found if not f.origin.startswith("cuda/")]


def test_stubs_that_are_called_are_defined_and_registered(shipped, files):
    """Each operator alone: a stub that no file defines is an error of the linker, one without a kernel an
    error of the first call.
    """
    known = frozenset(names.base(f) for f in shipped.functions)
    defined = {stub for file in files for stub in file.stubs}
    registered = {stub for file in files for stub in file.registers}
    base = {
        name.partition(".")[0].removesuffix("_")
        for name in selection.base_operators(locate.share() / "schemas")
    }
    missing = set()
    for operator in sorted(known):
        taken, _ = sources.close(files, {operator} | (base & known), known)
        called = {stub for file in taken for stub in file.stub_calls}
        missing |= {(operator, s) for s in (called & defined) - {s for f in taken for s in f.stubs}}
        missing |= {(operator, s) for s in (called & registered) - {s for f in taken for s in f.registers}}
    assert not missing
    assert len(known) > 500 and len(defined) > 100
