"""A process to fork from."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest


@pytest.fixture(scope="session")
def in_clean_process() -> Iterator[Callable[..., Any]]:
    """Returns a function that calls another in a new process: PyTorch's backward fails in the child of a
    process that has run it, as other tests may have.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield lambda function, *arguments: pool.submit(function, *arguments).result()
