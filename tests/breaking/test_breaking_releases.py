"""Releases of PyTorch against each other: manually known changes are found, findings differ in their places
and fingerprints, and every disagreement with PyTorch's own checker is one of its known errors.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from functools import cache
from pathlib import Path

import pytest
import yaml
from front import pytorch_yaml, shared
from opgen import pipeline
from opgen.breaking import Finding, compare
from opgen.model import Program

ROOT = Path(__file__).parents[2]

PAIRS = [("2.1.2", "2.10.0"), ("2.10.0", "2.13"), ("2.13", "2.15.0")]
MOST_READINGS = 6  # of both files by libyaml, which takes a quarter of the time of a comparison


@cache
def release(version: str) -> Program:
    if version != "2.13":
        return pipeline.load(shared("data", "pytorch", version), lenient=True, checked=False)[0]
    functions = pytorch_yaml()
    derivatives = functions.parents[2] / "autograd" / "derivatives.yaml"
    return pipeline.load(functions, derivatives_file=derivatives, lenient=True, checked=False)[0]


@cache
def between(old: str, new: str) -> tuple[Finding, ...]:
    return compare(release(old), release(new))


def rules(old: str, new: str, operator: str) -> set[str]:
    return {f.rule.name for f in between(old, new) if f.operator == operator}


# From 2.1.2 to 2.10.0: operator, and the rules that must find something.
BY_HAND = {
    "can_cast": {"arg-renamed"},
    "sym_constrain_range_for_size": {"default-added"},
    "_scaled_mm": {
        *("kwargs-reordered", "arg-made-positional", "type-made-required", "return-count-changed"),
        "default-removed",
    },
    "rrelu_with_noise": {"alias-mutation-added"},
    "_flash_attention_forward": {"return-renamed"},
    "_scaled_dot_product_flash_attention": {"return-renamed", "dispatch-key-lost"},
    "kthvalue": {"type-int-to-symint"},
    "fbgemm_linear_fp16_weight_fp32_activation": {"type-made-optional"},
    "scaled_dot_product_attention": {"kwarg-added-defaulted-end"},
    "pixel_shuffle": {"tag-core-lost"},
    "roll": {"tag-core-lost"},
    "_efficient_attention_backward": {"args-swapped-same-type"},
}


@pytest.mark.parametrize("operator", BY_HAND)
def test_what_was_found_by_hand(operator):
    assert BY_HAND[operator] <= rules("2.1.2", "2.10.0", operator)


def test_what_was_written_out_is_no_change():
    assert not rules("2.1.2", "2.10.0", "cudnn_batch_norm.out")


def test_named_tensors_left_with_all_overloads_that_no_line_names():
    gone = [f for f in between("2.10.0", "2.13") if f.in_baseline]
    names = [f.rule.name for f in gone]
    assert (names.count("overload-removed"), names.count("generated-overload-removed")) == (101, 8)
    assert {f.operator for f in gone if f.rule.name == "op-removed"} == {
        *("rename", "rename_", "align_to", "align_as", "align_tensors", "refine_names"),
    }
    lost = {f.operator for f in between("2.10.0", "2.13") if f.rule.name == "dispatch-key-lost"}
    assert lost == {"amax.out", "amin.out", "aminmax.out", "var.correction"}


@pytest.mark.parametrize("pair", [*PAIRS, ("2.13", "2.1.2")])
def test_findings_are_in_order_and_told_apart(pair):
    found = between(*pair)
    assert len({f.fingerprint for f in found}) == len(found)
    places = [(f.in_baseline, f.span) for f in found]
    assert places == sorted(places)


@pytest.mark.parametrize("pair", PAIRS)
def test_what_is_marked_stands_where_the_finding_says(pair):
    """Marks of findings about schemas equal the text at the finding's place; fields may be spelled
    differently.
    """
    lines = Path(release(pair[1]).path).read_text(encoding="utf-8").splitlines()
    checked = 0
    for f in between(*pair):
        if "0" <= f.rule.code[3] <= "6" and not f.in_baseline and f.span.line == f.span.end_line:
            marked = [f.after.text[start:end] for start, end in f.after.marks]
            text = lines[f.span.line - 1][f.span.column - 1 : f.span.end_column - 1]
            if f.operator in {g.qualified_name for g in release(pair[1]).functions if not g.is_generated}:
                assert not marked or any(text in mark for mark in marked), f
                checked += 1
    assert checked > 10


def test_a_pair_takes_no_longer_than_it_may():
    """Reading both versions and comparing them costs a few times what a plain YAML reader in C takes for the
    files, at the best of five: seconds depend on the machine, and on what else runs.
    """
    folders = [shared("data", "pytorch", version) for version in ("2.1.2", "2.10.0")]
    files = [file.read_bytes() for folder in folders for file in sorted(folder.rglob("*.yaml"))]
    ratios = []
    while len(ratios) < 5 and (not ratios or min(ratios) >= MOST_READINGS):
        started = time.process_time()
        base, new = (pipeline.load(folder, lenient=True, checked=False)[0] for folder in folders)
        assert compare(base, new)
        compared = time.process_time()
        for file in files:
            yaml.load(file, Loader=yaml.CSafeLoader)
        ratios.append((compared - started) / (time.process_time() - compared))
    assert min(ratios) < MOST_READINGS, ratios


def test_where_pytorchs_checker_says_otherwise_it_is_known_to_be_wrong():
    pytest.importorskip("torch")
    spec = importlib.util.spec_from_file_location("releases", ROOT / "benchmarks" / "breaking_releases.py")
    releases = importlib.util.module_from_spec(spec)
    sys.modules["releases"] = releases
    spec.loader.exec_module(releases)
    folders = (shared("data", "pytorch", version) for version in ("2.1.2", "2.10.0"))
    row = releases.compared(*folders, shared("oracle", "bc_oracle.py"))
    assert row.unexplained == []
    assert row.verdicts[True, True] > 20
