"""data-apis' array-api-tests pass, but for the exceptions listed with their reasons."""

from __future__ import annotations

import importlib.util

import array_suite as suite
import pytest

NEEDED = ("hypothesis", "ndindex", "pytest_jsonreport")
MISSING = [n for n in NEEDED if importlib.util.find_spec(n) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not suite.SUITE.exists(), reason=f"the suite is not there: {suite.SUITE}"),
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)} (extra 'test')"),
]


@pytest.mark.parametrize("namespace", suite.NAMESPACES)
def test_what_fails_is_listed(namespace: str) -> None:
    found = suite.run(namespace, examples=3)
    assert len(found) > 1300
    assert suite.unlisted(namespace, found) == []
