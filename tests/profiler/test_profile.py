"""Recorded operators: their names, counts, shapes, memory and nesting, with PyTorch's profiler as the
oracle."""

from __future__ import annotations

import itertools
import os
import threading
from collections import Counter
from typing import Any

import aten
import profiled_programs
import pytest
from aten.profiler import ProfilerActivity, profile, record_function

PROGRAMS = pytest.mark.parametrize("program", profiled_programs.PROGRAMS, ids=lambda f: f.__name__)


def measured(library: Any, program: Any, **options: Any) -> Any:
    given = profiled_programs.inputs(library)
    with library.profiler.profile(activities=[library.profiler.ProfilerActivity.CPU], **options) as found:
        program(library, *given)
    return found


def outermost(found: Any) -> list[Any]:
    """The operators that the program, or a node of the backward pass, calls; but for the accumulation of
    gradients, which copies what PyTorch detaches."""

    def is_outer(event: Any) -> bool:
        parent = event.cpu_parent.name if event.cpu_parent else ""
        is_accumulation = parent.endswith("AccumulateGrad")
        return event.name.startswith("aten::") and not (parent.startswith("aten::") or is_accumulation)

    return [event for event in found.events() if is_outer(event)]


@PROGRAMS
def test_names_and_counts(program: Any) -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = measured(aten, program), measured(torch, program)
    assert [e.name for e in outermost(ours)] == [e.name for e in outermost(theirs)]
    averages = {e.key: e.count for e in ours.key_averages()}
    counted = Counter(e.name for e in ours.events())
    assert averages == dict(counted)


@PROGRAMS
def test_shapes(program: Any) -> None:
    torch = pytest.importorskip("torch")
    ours = measured(aten, program, record_shapes=True)
    theirs = measured(torch, program, record_shapes=True)
    assert [(e.name, e.input_shapes) for e in outermost(ours)] == [
        (e.name, e.input_shapes) for e in outermost(theirs)
    ]
    assert all(e.input_shapes == [] for e in measured(aten, program).events())


@pytest.mark.parametrize("program", profiled_programs.PROGRAMS[:4] + profiled_programs.PROGRAMS[5:7])
def test_memory(program: Any) -> None:
    torch = pytest.importorskip("torch")
    ours = measured(aten, program, profile_memory=True)
    theirs = measured(torch, program, profile_memory=True)
    assert [(e.name, e.cpu_memory_usage) for e in outermost(ours)] == [
        (e.name, e.cpu_memory_usage) for e in outermost(theirs)
    ]
    assert sum(e.self_cpu_memory_usage for e in ours.events()) == 0  # nothing of the programs is kept


def test_memory_of_known_allocations() -> None:
    sizes = (3, 1000, 40_000, 2_000_000)
    with profile(profile_memory=True) as found, record_function("all"):
        kept = [aten.empty(n) for n in sizes]
        dropped = aten.zeros(500)
        with record_function("inner"):
            del dropped
    events = {e.name: e for e in found.events()}
    assert [e.self_cpu_memory_usage for e in found.events() if e.name == "aten::empty"] == [
        4 * n for n in sizes
    ]
    assert events["aten::zeros"].cpu_memory_usage == 2000
    assert events["inner"].self_cpu_memory_usage == -2000
    assert events["all"].cpu_memory_usage == 4 * sum(sizes)
    assert events["all"].self_cpu_memory_usage == 0
    with profile(profile_memory=True) as found:
        del kept
    assert [e.name for e in found.events()] == ["[memory]"] * 4
    assert found.key_averages()[0].cpu_memory_usage == -4 * sum(sizes)
    aten.ones(3).add_(1)


def test_time_and_nesting() -> None:
    found = measured(aten, profiled_programs.trained)
    events = found.events()
    for event in events:
        inner = sum(child.cpu_time_total for child in event.cpu_children)
        assert event.self_cpu_time_total == pytest.approx(event.cpu_time_total - inner)
        assert event.self_cpu_time_total >= 0
        for child in event.cpu_children:
            assert child.cpu_parent is event
            assert event.time_range.start <= child.time_range.start
            assert child.time_range.end <= event.time_range.end
    roots = [e for e in events if e.cpu_parent is None]
    for before, after in itertools.pairwise(roots):
        assert before.time_range.end <= after.time_range.start
    assert events.self_cpu_time_total == pytest.approx(sum(e.cpu_time_total for e in roots))
    linear = next(e for e in events if e.name == "aten::linear")
    assert [c.name for c in linear.cpu_children] == ["aten::t", "aten::matmul"]
    assert [c.name for c in linear.cpu_children[1].cpu_children] == ["aten::mm"]


def test_nodes_of_backward() -> None:
    torch = pytest.importorskip("torch")

    def nodes(library: Any) -> list[tuple[str, str | None]]:
        events = measured(library, profiled_programs.trained).events()
        found = [e for e in events if "Backward" in e.name or "AccumulateGrad" in e.name]
        short = [(e.name, e.cpu_parent.name if e.cpu_parent else "") for e in found]
        return [(a.replace("torch::autograd::", ""), b.replace("torch::autograd::", "")) for a, b in short]

    assert nodes(aten) == nodes(torch)
    events = measured(aten, profiled_programs.trained).events()
    product = next(e for e in events if e.name == "aten::mul" and e.cpu_parent)
    assert product.cpu_parent.name in ("MulBackward0", "ExpBackward0")


def test_ranges() -> None:
    @record_function("recursive")
    def down(n: int) -> None:
        aten.neg(x)
        if n:
            down(n - 1)
            aten.exp(x)

    x = aten.ones(2)
    down(1)  # nothing is recorded
    with profile() as found:
        down(2)
        with pytest.raises(KeyError), record_function("failing"):
            raise KeyError
        with pytest.raises(RuntimeError), record_function("bad"):
            aten.mm(x, x)
        aten.neg(x)
    names = [(e.name, e.cpu_parent.name if e.cpu_parent else None) for e in found.events()]
    assert names[:2] == [("recursive", None), ("aten::neg", "recursive")]
    assert names[-4:] == [("failing", None), ("bad", None), ("aten::mm", "bad"), ("aten::neg", None)]
    recursive = [e for e in found.events() if e.name == "recursive"]
    assert len(recursive) == 3 and recursive[1].cpu_parent is recursive[0] and recursive[2].is_user_annotation


def test_results_and_errors_are_those_without_it() -> None:
    x = aten.rand(3, 4, dtype=aten.float64)

    def calls() -> list[Any]:
        y, w = x.clone(), x[0].clone()
        y.index_put_([aten.tensor([0, 2]), None], w)
        norm = aten.native_layer_norm(x, [4], w, None, 1e-5)
        grads = aten.ops.aten.native_layer_norm_backward(
            x, x, [4], norm[1], norm[2], w, None, [True, True, False]
        )
        split = aten.split(x, [1, 2])
        out = aten.empty(0, dtype=aten.float64)
        same = aten.mul(x, 2, out=out)
        aten._foreach_add_([y], 1.5)
        kinds = [aten.full((2,), 1 + 2j), x.to(aten.float16), aten.einsum("ij,kj->ik", x, x), x.sort(0)[1]]
        assert same is out and y.add_(1) is y and x.view(12)._base is x
        return [t.tolist() for t in (*split, *norm, *grads[:2], out, y, *kinds)] + [grads[2] is None]

    expected = calls()
    with profile(record_shapes=True, profile_memory=True) as found:
        assert calls() == expected
        with pytest.raises(RuntimeError, match="mm"):
            aten.mm(x, x)
    assert {"aten::index_put_", "aten::_foreach_add_", "aten::einsum"} <= {e.name for e in found.events()}


def test_kernels_of_python_and_modes() -> None:
    lib = aten.library.Library("profiled", "DEF")
    lib.define("twice(Tensor x) -> Tensor")
    lib.impl("twice", lambda x: aten.mul(x, 2), "CompositeExplicitAutograd")
    with profile() as found:
        aten.ops.profiled.twice(aten.ones(2))
        with aten.inference_mode():
            aten.ones(2).neg()
    names = [(e.name, e.cpu_parent.name if e.cpu_parent else None) for e in found.events()]
    assert ("profiled::twice", None) in names and ("aten::mul", "profiled::twice") in names
    assert names[-1] == ("aten::neg", None)
    lib._destroy()


def test_threads_record_for_themselves() -> None:
    x = aten.ones(2)
    found: list[list[str]] = []

    def other() -> None:
        aten.exp(x)
        with profile() as inner:
            aten.sin(x)
        found.append([e.name for e in inner.events()])

    with profile() as outer:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        aten.neg(x)
    assert [e.name for e in outer.events()] == ["aten::neg"] and found == [["aten::sin"]]


def test_forked_processes_do_not_go_on() -> None:
    with profile(profile_memory=True) as found:
        child = os.fork()
        if child == 0:
            aten.ones(2).neg()
            os._exit(1 if aten._C._profiler_enabled() or aten._C._profiler_begin("x") != -1 else 0)
        assert os.waitpid(child, 0)[1] == 0
        aten.ones(2).exp()
    assert found.events()[-1].name in ("aten::exp", "[memory]")


def test_a_recording_ends_within_other_scopes() -> None:
    x, keys = aten.ones(2), aten._C._tls_keys()
    outer = profile()
    outer.start()
    with aten.inference_mode():
        aten.neg(x)
        outer.stop()
    aten.exp(x)  # the scope restored the key, and nothing is recorded
    assert [e.name for e in outer.events()] == ["aten::neg"]
    assert aten._C._tls_keys() == keys and not aten._C._profiler_enabled()
    with profile() as found:
        inner = record_function("open")
        inner.__enter__()
        aten.neg(x)
    inner.__exit__()
    assert [(e.name, e.cpu_time_total > 0) for e in found.events()] == [("open", True), ("aten::neg", True)]


def test_mistakes() -> None:
    with profile() as found:
        with pytest.raises(RuntimeError, match="already enabled"), profile():
            pass
        aten.ones(1).neg()
    assert found.events()[-1].name == "aten::neg"
    with pytest.raises(AssertionError, match="before accessing events"):
        profile().events()
    for option in ("with_stack", "with_flops", "with_modules"):
        with pytest.raises(NotImplementedError, match=option):
            profile(**{option: True})
    with pytest.warns(UserWarning, match="CUDA: the kernels of devices are not recorded"):
        profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])
    with pytest.raises(AssertionError, match="No valid profiler activities"):
        profile(activities=[])
    with pytest.raises(RuntimeError, match="not running"):
        aten._C._profiler_stop()
