"""State, containers, writes and dynamic numbers come back from archives that aten writes."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)

from aten import export  # noqa: E402
from special import Numbers, Pair, State, dtypes, everything, layouts, tied, views  # noqa: E402
from test_models import assert_agrees  # noqa: E402
from test_writing import archived, assert_same, export_of, through, written  # noqa: E402


@pytest.mark.parametrize("decomposed", [False, True])
def test_everything_comes_back(decomposed: bool) -> None:
    model, args, kwargs, options = everything()
    theirs = export_of(model, args, kwargs, **options)
    if decomposed:
        theirs = theirs.run_decompositions()
    ours, back, expected = through(theirs)
    assert_same(expected, back)
    assert back.module_call_graph[0].signature.in_spec == theirs.module_call_graph[0].signature.in_spec
    assert back.module_call_graph[0].signature.out_spec == theirs.module_call_graph[0].signature.out_spec
    module = ours.module()
    for runs in (1, 2):
        inputs = (torch.randn(7, 4), {"k": torch.randn(4)})
        copies = [(inputs[0], {"k": inputs[1]["k"].clone()}) for _ in range(3)]
        result = model(*inputs, **kwargs)
        again = back.module() if runs == 1 else again  # noqa: F821
        theirs_again = again(*copies[0], **kwargs)
        flat = torch.utils._pytree.tree_leaves(result)
        for one, other in zip(flat, torch.utils._pytree.tree_leaves(theirs_again), strict=True):
            assert one == other if not isinstance(one, torch.Tensor) else torch.equal(one, other)
        assert torch.equal(copies[0][1]["k"], inputs[1]["k"])
        mine = module(*copies[1], **kwargs)
        assert_agrees(mine["y"], result["y"])
        assert mine["list"][2:] == result["list"][2:]
        assert mine["same"] == result["same"]
        assert torch.equal(copies[1][1]["k"], inputs[1]["k"])
        assert ours.state_dict["count"].tolist() == model.count.tolist() == [float(runs)] * 3
        assert "count" in module.state_dict()
    assert type(theirs_again["pair"]) is Pair


def test_the_signature_is_pytorchs() -> None:
    model, args, kwargs, options = everything()
    theirs = export_of(model, args, kwargs, **options).run_decompositions()
    for ours in (export.load(archived(theirs)), export.from_exported_program(theirs)):
        got, expected = ours.graph_signature, theirs.graph_signature
        for name in (
            "user_inputs user_outputs parameters buffers non_persistent_buffers lifted_tensor_constants "
            "inputs_to_parameters inputs_to_buffers inputs_to_lifted_tensor_constants buffers_to_mutate "
            "parameters_to_mutate user_inputs_to_mutate"
        ).split():
            mine, other = getattr(got, name), getattr(expected, name)
            assert mine == (dict(other) if isinstance(mine, dict) else other), name
        assert str(got) == str(expected)
        assert [s.kind.name for s in got.input_specs] == [s.kind.name for s in expected.input_specs]
        assert str(ours.range_constraints) == str(
            {str(k): v for k, v in theirs.range_constraints.items()}
        ).replace("'", "'")
        assert list(ours.state_dict) == list(theirs.state_dict)
        assert set(ours.constants) == set(theirs.constants)


@pytest.mark.parametrize("change", [tied, views, dtypes, layouts])
@pytest.mark.parametrize("reader", ["archived", "exported"])
def test_state_comes_back(change: Any, reader: str) -> None:
    model, args = State(change), (torch.ones(2),)
    theirs = export_of(model, args)
    if reader == "archived":
        _, back, expected = through(theirs)
        assert_same(expected, back)
    else:
        back = written(export.from_exported_program(theirs))
    for got, wanted in zip(back.module()(*args), model(*args), strict=True):
        assert got.dtype is wanted.dtype
        assert torch.equal(got, wanted)


def test_shared_memory_stays_shared() -> None:
    for change, first, second in ((tied, "a", "b"), (views, "a", "b")):
        ours, back, _ = through(export_of(State(change), (torch.ones(2),)))
        states = [back.state_dict, ours.state_dict]
        for state in states:
            one, two = state[first], state[second]
            assert one.untyped_storage().data_ptr() == two.untyped_storage().data_ptr()
    assert len(list(through(export_of(State(tied), (torch.ones(2),)))[0].module().parameters())) == 1


def test_dynamic_numbers_come_back() -> None:
    shapes = {"x": {0: torch.export.Dim("rows", min=5, max=50)}, "n": torch.export.Dim.DYNAMIC}
    theirs = export_of(Numbers(), (torch.ones(6), 4), dynamic_shapes=shapes)
    ours, back, expected = through(theirs)
    assert_same(expected, back)
    for rows, n in ((6, 4), (9, 7)):
        result = Numbers()(torch.ones(rows), n)
        got = back.module()(torch.ones(rows), n)
        assert [got[1].shape, got[2]] == [result[1].shape, n]
        mine = ours(torch.ones(rows), n)
        assert [mine[0].item(), mine[2]] == [pytest.approx(got[0].item()), n]
        assert tuple(mine[1].shape) == result[1].shape
