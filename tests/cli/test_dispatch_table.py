"""Computed dispatch tables against those of PyTorch's dispatcher."""

import gzip
import json

import pytest
from front import shared
from opgen.model import RUNTIME_KEYS, DispatchKey, alias_set
from opgen.model import dispatch_table as rules


@pytest.fixture(scope="module")
def cases():
    return json.loads(gzip.decompress(shared("oracle", "dispatch_cases.json.gz").read_bytes()))


def test_keys_and_alias_sets(cases):
    ours = [k.value for k in RUNTIME_KEYS if k.value in cases["runtime_keys"]]
    assert ours == cases["runtime_keys"]
    for alias, members in cases["alias_sets"].items():
        assert {k.value for k in alias_set(DispatchKey[alias])} == set(members)
    assert cases["fallbacks"].keys() == rules.FALLTHROUGHS | rules.FALLBACK_KERNELS


def kernel_of(key: str, slot: rules.Slot | None) -> list[str] | None:
    if slot is None:
        return None
    if slot.source is not None:
        return [f"fn_{slot.source}", slot.why.value]
    if slot.why is rules.Why.ambiguous:
        return ["ambiguous", slot.why.value]
    return ["fallthrough" if key in rules.FALLTHROUGHS else "fallback", slot.why.value]


@pytest.mark.parametrize("part", ["python_dispatcher", "extended"])
def test_tables(cases, part):
    keys = cases["python_dispatcher_runtime_keys"] if part == "python_dispatcher" else cases["runtime_keys"]
    for case in cases[part]:
        table = rules.compute({DispatchKey[k] for k in case["register"]})
        for key in keys:
            found = kernel_of(key, table.get(DispatchKey[key]))
            assert found == case["table"].get(key), (case["register"], key)


def test_hidden_registration():
    both = [DispatchKey["CompositeImplicitAutograd"], DispatchKey["CompositeExplicitAutograd"]]
    assert rules.hidden([*both, DispatchKey["CompositeExplicitAutogradNonFunctional"]]) != []
