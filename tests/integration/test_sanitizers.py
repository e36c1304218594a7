"""The C++ tests with sanitizers, and faults inside the library that these must find."""

from __future__ import annotations

import functools
import shutil
from pathlib import Path

import pytest
import sanitizers
from sanitizers import CPP, PROGRAMS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs GCC's sanitizers"),
]
# The sanitizer, and its message.
PLANTED = {
    "race": ("thread", "ThreadSanitizer: data race"),
    "overrun": ("address,undefined", "AddressSanitizer: heap-buffer-overflow"),
    "freed": ("address,undefined", "AddressSanitizer: heap-use-after-free"),
    "overflow": ("address,undefined", "runtime error: signed integer overflow"),
}


@functools.cache
def library(sanitizer: str) -> Path:
    return sanitizers.library(sanitizer, jobs=2)


@pytest.mark.parametrize(
    ("sanitizer", "name"), [(s, name) for s, names in PROGRAMS.items() for name in names]
)
def test_nothing_is_found(sanitizer: str, name: str) -> None:
    source = CPP / f"{name}.cpp"
    done = sanitizers.outcome(sanitizers.compiled(source, library(sanitizer), sanitizer))
    assert done.returncode in (0, 77), done.stdout[-2000:] + done.stderr[-6000:]
    assert "ERROR: " not in done.stderr
    assert "WARNING: ThreadSanitizer" not in done.stderr


@pytest.mark.parametrize("fault", PLANTED)
def test_what_is_planted_is_noticed(fault: str) -> None:
    sanitizer, said = PLANTED[fault]
    source = CPP / "planted" / "planted.cpp"
    done = sanitizers.outcome(sanitizers.compiled(source, library(sanitizer), sanitizer), fault)
    assert done.returncode != 0
    assert said in done.stderr
    if fault != "overflow":
        assert "libaten.so" in done.stderr
