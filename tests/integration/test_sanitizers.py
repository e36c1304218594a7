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
# The sanitizer, the fault, and its message.
PLANTED = [
    ("thread", "race", "ThreadSanitizer: data race"),
    ("address,undefined", "overrun", "AddressSanitizer: heap-buffer-overflow"),
    ("address,undefined", "freed", "AddressSanitizer: heap-use-after-free"),
    ("address,undefined", "overflow", "runtime error: signed integer overflow"),
]


def case(sanitizer: str, *rest: str) -> object:
    """The thread sanitizer's library and programs take minutes to compile, too, and are left out."""
    marks = [pytest.mark.campaign] if sanitizer == "thread" else []
    return pytest.param(sanitizer, *rest, marks=marks)


@functools.cache
def library(sanitizer: str) -> Path:
    return sanitizers.library(sanitizer, jobs=2)


@pytest.mark.parametrize(
    ("sanitizer", "name"), [case(s, name) for s, names in PROGRAMS.items() for name in names]
)
def test_nothing_is_found(sanitizer: str, name: str) -> None:
    source = CPP / f"{name}.cpp"
    done = sanitizers.outcome(sanitizers.compiled(source, library(sanitizer), sanitizer))
    assert done.returncode in (0, 77), done.stdout[-2000:] + done.stderr[-6000:]
    assert "ERROR: " not in done.stderr
    assert "WARNING: ThreadSanitizer" not in done.stderr


@pytest.mark.parametrize(("sanitizer", "fault", "said"), [case(*planted) for planted in PLANTED])
def test_what_is_planted_is_noticed(sanitizer: str, fault: str, said: str) -> None:
    source = CPP / "planted" / "planted.cpp"
    done = sanitizers.outcome(sanitizers.compiled(source, library(sanitizer), sanitizer), fault)
    assert done.returncode != 0
    assert said in done.stderr
    if fault != "overflow":
        assert "libaten.so" in done.stderr
