"""A test fails as well if a kernel writes, or returns memory, where its declaration doesn't say so."""

import pytest
import quadratic

if hasattr(quadratic, "check_schemas"):
    tensors = quadratic  # a library of its own
else:
    import aten as tensors


@pytest.fixture(autouse=True)
def declarations_are_checked():
    with tensors.check_schemas():
        yield
