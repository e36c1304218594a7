"""Every aten operator of the installed PyTorch: its registrations and its computed table, against ours.

PyTorch's dispatcher reports for each operator which kernels are registered, from which source file, and the
resulting table. Kernels that the functions file declares are in the files Register<Key>.cpp; the others come
from other generators (autograd, tracing, functionalization) or were registered by hand.
"""

import collections
import importlib.util
import json
import re
import subprocess
import sys

import pytest
from front import pytorch_yaml, shared
from opgen import pipeline
from opgen.expand import registrations
from opgen.model import DispatchKey, parse_key
from opgen.model import dispatch_table as rules

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch (extra 'oracle')"),
]
# For torch 2.13.0: the sources of kernels that no functions file declares, and the number of operators with
# such a kernel in the table.
ELSEWHERE = {
    "tracing": ("TraceType", 3101),
    "autograd": ("/VariableType", 2364),
    "registered from Python": (".py", 1338),
    "functionalization": ("RegisterFunctionalization|FunctionalizeFallback", 1330),
    "ADInplaceOrView": ("ADInplaceOrView", 1093),
    "batching": ("functorch/|Batching|VmapMode", 1014),
    "autocast": ("autocast_mode", 209),
    "conjugate, negative, zero": ("(Conjugate|Negate|ZeroTensor)Fallback", 92),
}
_DECLARED = re.compile(r"build/aten/src/ATen/Register(?!Functionalization)(\w+?)(?:_\d+)?\.cpp:\d+\Z")


@pytest.fixture(scope="module")
def aten(tmp_path_factory):
    out = tmp_path_factory.mktemp("dispatcher") / "aten.json"
    script = shared("oracle", "dispatch_oracle.py")
    subprocess.run(
        [sys.executable, script, "aten", "-o", out], check=True, capture_output=True, cwd=out.parent
    )
    return json.loads(out.read_text())


@pytest.fixture(scope="module")
def program():
    return pipeline.load(pytorch_yaml())[0]


def pytorchs_table(record) -> dict[str, tuple[str | None, str]]:
    """Returns the (place of registration, rule) of each runtime key; the place is None for an ambiguous slot
    and a fallback.
    """
    rows = {}
    for entry, keys in record["table"].items():
        place, rule = re.fullmatch(r"(?:fallthrough )?(.*) \[([a-z ]+)\]", entry).groups()
        ambiguous = rule == rules.Why.ambiguous.value
        rows.update(dict.fromkeys(keys.split(), (None if ambiguous else place, rule)))
    return {**rows, **dict.fromkeys(record["backend_fallback"].split(), (None, rules.Why.fallback.value))}


def our_table(places: dict[DispatchKey, str]) -> dict[str, tuple[str | None, str]]:
    slots = rules.compute(places)
    return {k.value: (places[s.source] if s.source else None, s.why.value) for k, s in slots.items()}


def registered(record) -> dict[DispatchKey, str]:
    """Returns the place of the effective kernel of each key: the first."""
    return {parse_key(key): entries[0]["at"] for key, entries in record["registrations"].items()}


def declared(record) -> dict[DispatchKey, str]:
    """Returns the place of the kernel that the functions file declares for each key, even if it is
    overridden.
    """
    places = [(key, e["at"]) for key, entries in record["registrations"].items() for e in entries]
    return {parse_key(key): at for key, at in places if _DECLARED.search(at)}


def test_tables_follow_from_the_registrations(aten):
    for name, record in aten.items():
        assert our_table(registered(record)) == pytorchs_table(record), name


def ours(function, program, built) -> dict[DispatchKey, str]:
    return {k: f"declared for {k}" for k in registrations.of(function, program) if k in built}


def test_declared_registrations_are_those_of_the_dispatcher(aten, program):
    built = {key for record in aten.values() for key in declared(record)}
    assert len(built) >= 17
    for function in program.functions:
        found = declared(aten[f"aten::{function.qualified_name}"])
        assert ours(function, program, built).keys() == found.keys(), function.qualified_name


def test_what_the_file_alone_says_of_the_tables(aten, program):
    """Where the table of the declared kernels differs from PyTorch's, a kernel from another source is in the
    table.
    """
    built = {key for record in aten.values() for key in declared(record)}
    operators: collections.Counter[str] = collections.Counter()
    for function in program.functions:
        record = aten[f"aten::{function.qualified_name}"]
        places = declared(record)
        mine = our_table({key: places[key] for key in ours(function, program, built)})
        theirs = pytorchs_table(record)
        assert mine.keys() <= theirs.keys()
        others = {at or "nowhere" for key, (at, rule) in theirs.items() if mine.get(key) != (at, rule)}
        causes = {at: {c for c, (part, _) in ELSEWHERE.items() if re.search(part, at)} for at in others}
        assert all(causes.values()), (function.qualified_name, causes)
        operators.update(set().union(*causes.values()))
    import torch

    if torch.__version__.startswith("2.13.0"):
        assert operators == {cause: count for cause, (_, count) in ELSEWHERE.items()}
