"""Differences that random programs have found, each as a reduced program that shows it; all are fixed."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: there is nothing to compare with")

from tools.programs import runner
from tools.programs.machine import Program

LEAF = "t0 = lib.arange(6.).reshape(2, 3).clone().requires_grad_()"
IMAGES = "t0 = lib.arange(8.).reshape(1, 2, 2, 2).contiguous(memory_format=lib.channels_last)"
COMPLEX = "t0 = lib.tensor([1 + 2j, -1j])"

FOUND = {
    "out= of what has no gradient takes arguments that require grad": (
        LEAF,
        "t1 = lib.zeros(2, 3, dtype=lib.bool); lib.eq(t0, t0, out=t1)",
        "t2 = lib.tensor(0); lib.argmax(t0, out=t2)",
        "t3 = lib.zeros(2, 3); lib.abs(t0, out=t3)",
    ),
    "a view of inference mode is one even where recording is on": (
        LEAF,
        "t1 = t0 * 1",
        "with lib.inference_mode(), lib.enable_grad(): t2 = t1[1:]",
        "with lib.no_grad(): t2.add_(1)",
    ),
    "a view that was not recorded accumulates no gradient": (
        LEAF,
        "with lib.no_grad(): t1 = (t0 * 1).view(6)",
        "(t1.view(2, 3) * 2).sum().backward()",
    ),
    "output_nr is no question about history": (
        LEAF,
        "t1 = t0 * 1; t2 = t1.unbind(1)[0]; t1.mul_(2)",
        "t3 = t2.output_nr",
    ),
    "negative numbers with a fraction fit no unsigned type": (
        "t0 = lib.zeros(2, dtype=lib.uint8)",
        "t0.fill_(-1)",
        "t0.fill_(-1.5)",
        "t1 = lib.full([2], -1.5, dtype=lib.uint8)",
    ),
    "errors of complex arguments": (
        COMPLEX,
        *(f"t0.{call}" for call in ("clamp(0, 1)", "clamp_min(1)", "sign()", "sort()", "topk(1)", "min(0)")),
        "t0.argmax()",
        "lib.tensor([True]).argmin()",
    ),
    "~ of what is not integral": (COMPLEX, "~t0", "~lib.ones(2)", "t1 = ~lib.tensor([True, False])"),
    "mean into integers": (
        "t0 = lib.ones(2, 3)",
        "lib.mean(t0, 0, out=lib.tensor([0, 0, 0]))",
        "t2 = lib.zeros(3); lib.mean(t0.to(lib.complex64), 0, out=t2)",
    ),
    "mean of nothing": ("t0 = lib.zeros(0, dtype=lib.complex64).mean(); t1 = lib.zeros(0).mean()",),
    "cumsum into elements that share a place": (
        "t0 = lib.ones(2, 3); t1 = lib.ones(()).expand(2, 3)",
        "lib.cumsum(t0, 1, out=t1)",
        "t1.cumsum_(0)",
    ),
    "roll keeps the memory format": (
        IMAGES,
        "t1 = t0.roll(1, -1)",
        "t2 = t0.roll((1, 1), (1, 2))",
        "t3 = t0.roll(0, 1)",
    ),
    "integers are no data of what requires grad": (LEAF, "t0.data = lib.zeros(2, 3, dtype=lib.int64)"),
    "requires_grad of results is not set": (
        LEAF,
        "t1 = t0 * 1",
        "t1.requires_grad = True",
        "t1.requires_grad_()",
    ),
    "a gradient of another dtype has no history": (
        LEAF,
        "t1 = lib.ones(2, 3, dtype=lib.float64, requires_grad=True)",
        "t0.backward(t1)",
    ),
    "a backward that is refused changes nothing": (
        LEAF,
        "t1 = t0 * 1j; t2 = t0 * 2",
        "t1.sum().backward(inputs=[t2])",
    ),
    "slices of everything": (
        LEAF,
        "t1 = t0[:, ::1]; t2 = t0[0:9, ...]; t3 = t0[:]",
        "t4 = t0 * 1; t4[0:] = 0",
        "t5 = t0 * 1; t5[:, :] = t0",
        "t6 = t0[::-1]",
    ),
    "what is put at indices may have more dimensions of size 1 in front": (
        LEAF,
        "t1 = lib.zeros(2, 3); t1[lib.tensor([0, 1])] = lib.ones(1, 1, 2, 3)",
        "t2 = lib.zeros(1, 1, 3); t2[lib.tensor([0, 0, 0]), -1] = lib.ones(1, 1, 3)",
        "t3 = t0 * 1; t3[lib.tensor([1]), lib.tensor([2])] = lib.full([1, 1, 1], 5.)",
    ),
    "a number of another dtype behind a mask": (
        LEAF,
        "t1 = lib.tensor([False, True, True]); t2 = lib.tensor(7, dtype=lib.uint8)",
        "t3 = t0 * 1; t3[:, t1] = t2",
        "t4 = lib.ones(3); t4[t1] = t2; t4[t1] = lib.ones(1, dtype=lib.float64)",
        "t4[lib.tensor([0])] = t2",
        "t4[t1] = lib.tensor([1, 2])",
    ),
    "a leaf whose data got another shape": (
        LEAF,
        "t1 = t0 * 1; t2 = t0.sum(); t3 = t0.sum()",
        "t4 = lib.ones(2, 3, requires_grad=True); t5 = (t4 * 2).sum()",
        "t0.data = lib.ones(3, 2, 1)",
        "t2.backward()",
        "t0.data = lib.ones(1, 2, 3)",
        "t3.backward()",
        "t4.data = lib.ones(2, 2, 3); t5.backward()",
    ),
    "hooks of a root that leads to no input": (
        LEAF,
        "t1 = t0 * 2; t2 = lib.ones(2, 3, requires_grad=True); t1.retain_grad()",
        "t3 = t1.register_hook(lambda g: log.append(g.clone()))",
        "t4 = lib.autograd.grad(t1.sum(), [t2], allow_unused=True)",
        "t5 = t1.sum(); t6 = t5.register_hook(lambda g: log.append(g.clone()))",
        "t7 = lib.autograd.grad(t5, [t2], allow_unused=True)",
        "t8 = lib.autograd.grad([t5, t0.sum()], [t2], allow_unused=True)",
    ),
    "a root that got another shape behind its history's back": (
        LEAF,
        "t1 = t0.prod(-1)",
        "with lib.no_grad(): t1.unsqueeze_(-1)",
        "t1.backward(lib.ones_like(t1))",
    ),
    "complex gradients of what overlaps": (
        "t0 = lib.tensor([1 + 2j, -1j], requires_grad=True)",
        "t1 = t0[:1].expand(3).as_strided((2, 3), (0, 0))",
        "t1.sum().abs().backward()",
    ),
    "relu keeps the sign of zero": ("t0 = lib.full([20], -0.0)", "t1 = 1 / t0.relu()", "t2 = 1 / t0.relu_()"),
    "stack looks at dim before it looks at sizes": (
        "t0 = lib.ones(2, 3); t1 = lib.ones(())",
        "t2 = lib.stack([t0, t1], 3)",
        "t3 = lib.stack([t0, t1], -4)",
        "t4 = lib.stack([t0, t1], 2)",
    ),
    "products with a vector, or of a matrix and a batch": (
        "t0 = lib.ones(2, 3, requires_grad=True); t1 = lib.ones(3); t2 = lib.ones(4, 3, 5)",
        "with lib.no_grad(): t3 = t0 @ t1",
        "t6 = t0.detach() @ t2; t7 = t1 @ t2; t8 = t2.mT @ t1",
    ),
}


@pytest.mark.parametrize("quiet", [False, True], ids=["", "quiet"])
@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, quiet: bool, in_clean_process: Any) -> None:
    difference = in_clean_process(runner.replay, Program(FOUND[name], quiet))
    assert difference is None, f"after {difference.step}: {difference}"
