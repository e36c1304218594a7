"""2,000 forged DLPack capsules; the fuzzer notices wrong behaviour."""

from __future__ import annotations

import os
import random
import re
import signal
import time

import aten
import dlpack_fuzz
import dlpack_mutants
import pytest
from dlpack_fuzz import Forged
from dlpack_mutants import Mutant, fault, make


def test_mutants() -> None:
    assert dlpack_fuzz.batch(20, 0, 2000) == []


def test_mutants_are_neither_all_good_nor_all_bad() -> None:
    made = [make(random.Random(f"dlpack 1 {i}")) for i in range(2000)]
    assert {change for m in made for change in m.changed} == {c.__name__ for c in dlpack_mutants.CHANGES}
    faults = [fault(m, Forged(m).base) for m in made]
    assert 400 < sum(not f for f in faults) < 1600
    kinds = {"version", "dtype", "device", "geometry", "extent", "data", "address", "alignment"}
    assert set(faults) == kinds | {None}


def valid(**fields: object) -> Mutant:
    given = {
        "versioned": True,
        "name": dlpack_mutants.VERSIONED,
        "code": 2,
        "bits": 32,
        "shape": [2],
        "ndim": 1,
    }
    return Mutant(**{**given, "strides": None, **fields})


@pytest.mark.parametrize(
    ("behave", "says"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "mutant 1: .*wait status 9"),
        (lambda: time.sleep(60), "mutant 1: .*wait status 14"),
        (lambda: 1 / 0, "mutant 1: .*ZeroDivisionError"),
    ],
)
def test_each_problem_is_found_once(behave, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = iter((None, behave))
    monkeypatch.setattr(dlpack_fuzz, "holds", lambda m: (next(tried, None) or (lambda: None))())
    monkeypatch.setattr(dlpack_fuzz, "SECONDS", 1)
    problems = dlpack_fuzz.batch(1, 0, 2)
    assert len(problems) == 1 and re.search(says, problems[0]), problems


def test_what_is_taken_wrongly_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dlpack_fuzz, "fault", lambda m, base: "fault that aten doesn't see")
    with pytest.raises(AssertionError, match="accepted in spite of its fault"):
        dlpack_fuzz.holds(valid())
    monkeypatch.setattr(dlpack_fuzz, "fault", lambda m, base: None)
    with pytest.raises(AssertionError, match="refused"):
        dlpack_fuzz.holds(valid(ndim=-1))
    monkeypatch.setattr(aten, "from_dlpack", lambda capsule: aten.zeros(3))
    with pytest.raises(AssertionError):
        dlpack_fuzz.holds(valid())


@pytest.mark.parametrize("device", [(2**32 + 1, 0), (1, 2**32), (1, 0, 0), (2**70, 0), "ab"])
def test_a_device_that_is_asked_for(device: object) -> None:
    with pytest.raises(TypeError, match=r"'dl_device': expected \(type, id\), got "):
        aten.ones(3).__dlpack__(dl_device=device)
