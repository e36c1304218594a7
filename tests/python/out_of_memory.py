"""Programs in which one allocation after the other fails; run by test_out_of_memory.py with the library that
makes them fail preloaded. Prints a line of JSON for each program.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import aten

MOST = 2000
fail_allocation = ctypes.CDLL(None).fail_allocation
fail_allocation.restype, fail_allocation.argtypes = ctypes.c_long, [ctypes.c_long]
F = aten.nn.functional


def matrix(*size: int) -> aten.Tensor:
    return aten.arange(float(aten.ones(size).numel())).view(size).sin()


def trained() -> Any:
    w, x = matrix(4, 3).requires_grad_(), matrix(5, 4)
    loss = F.softmax(aten.tanh(x @ w), -1).pow(2).sum()
    loss.backward()
    return w.grad.tolist()


def deep_graph() -> Any:
    x = matrix(2).requires_grad_()
    y = x
    for _ in range(40):
        y = y * 0.9 + x
    y.sum().backward()
    return x.grad.tolist()


def branching_graph() -> Any:
    """The graph is freed without a backward pass: nodes wait for each other."""
    x = matrix(2).requires_grad_()
    return aten.stack([x * float(i) for i in range(30)]).sum(0).tolist()


def hooks() -> Any:
    x = matrix(3).requires_grad_()
    y = x * 2
    y.register_hook(lambda g: g * 3)
    y.retain_grad()
    y.sum().backward()
    return x.grad.tolist(), y.grad.tolist()


class Doubled(aten.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * 2 + 0 * x


def python_function() -> Any:
    x = matrix(3).requires_grad_()
    Doubled.apply(x).sum().backward()
    return x.grad.tolist()


def views_written() -> Any:
    x = matrix(4, 4)
    x.t()[1:, ::2].mul_(2)
    x[0] = x[1]
    x[x > 0.5] = 0
    return x.tolist()


def errors() -> Any:
    texts = []
    for bad in (lambda: aten.ones(2) @ aten.ones(3), lambda: aten.add(None, 1), lambda: aten.ones(2)[5]):
        try:
            bad()
        except (RuntimeError, TypeError, IndexError) as error:
            texts.append(str(error))
    return texts


def double_backward() -> Any:
    x = matrix(3).requires_grad_()
    (g,) = aten.autograd.grad((x**3).sum(), x, create_graph=True)
    return aten.autograd.grad(g.sum(), x)[0].tolist()


def shared_memory() -> Any:
    """Uses no NumPy, which ends the process itself when its array interface finds no memory (2.4)."""
    t = matrix(6)
    return aten.from_dlpack(t.mul_(2)).add_(1).tolist(), t.tolist()


def printed() -> Any:
    return repr(matrix(30, 3)), str(aten.ops.aten.add.Tensor._schema)


PROGRAMS: dict[str, Callable[[], Any]] = {
    "add": lambda: (matrix(3) + matrix(3)).tolist(),
    "data": lambda: aten.tensor([[1, 2.5], [3, 4]]).tolist(),
    "matmul": lambda: (matrix(70, 70) @ matrix(70, 70)).sum().item(),
    "convolution": lambda: F.conv2d(matrix(1, 2, 9, 9), matrix(3, 2, 3, 3), padding=1).sum().item(),
    "sort": lambda: [t.tolist() for t in matrix(40).sort()],
    "topk": lambda: aten.topk(matrix(40), 3).values.tolist(),
    "index": lambda: matrix(5, 5)[aten.tensor([1, 3]), :2].tolist(),
    "cat": lambda: aten.cat([matrix(2, 2)] * 9).sum().item(),
    "reduce": lambda: matrix(20, 20).std(0).tolist(),
    "fft": lambda: aten.fft.fft(matrix(30)).abs().sum().item(),
    "einsum": lambda: aten.einsum("ij,jk->i", matrix(3, 4), matrix(4, 5)).tolist(),
    "attention": lambda: F.scaled_dot_product_attention(*[matrix(1, 2, 5, 8)] * 3).sum().item(),
    "trained": trained,
    "deep_graph": deep_graph,
    "branching_graph": branching_graph,
    "hooks": hooks,
    "python_function": python_function,
    "double_backward": double_backward,
    "views_written": views_written,
    "errors": errors,
    "shared_memory": shared_memory,
    "printed": printed,
}


def attempt(program: Callable[[], Any], k: int) -> tuple[bool, str | None]:
    """Returns whether an allocation failed, and what is wrong with the outcome."""
    fail_allocation(k)
    try:
        program()
        problem = None
    except (MemoryError, RuntimeError, SystemError) as error:
        problem = None if "INTERNAL ASSERT" not in str(error) else str(error)[:200]
    except BaseException as error:
        problem = f"{type(error).__name__}: {error}"[:200]
    try:
        return fail_allocation(0) == 0, problem
    except (MemoryError, ctypes.ArgumentError):  # the failed allocation was this call's own
        fail_allocation(0)
        return False, problem


def child(program: Callable[[], Any], first: int, expected: Any, out: int) -> None:
    """Writes the k of each attempt, and its problem."""
    for k in range(first, MOST + 1):
        os.write(out, f"\n{k} ".encode())
        failed, problem = attempt(program, k)
        if problem is None and program() != expected:
            problem = "the program computes something else afterwards"
        if problem:
            os.write(out, problem.replace("\n", " ").encode())
        if not failed:
            os.write(out, b"\ndone")
            return
        gc.collect()
    os.write(out, b"\ndone")


def judged(program: Callable[[], Any]) -> dict[str, Any]:
    """Returns how many allocations were made to fail, and the problems."""
    expected = program()
    first, problems = 1, []
    while True:
        with tempfile.TemporaryFile() as log:
            pid = os.fork()
            if pid == 0:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                try:
                    child(program, first, expected, log.fileno())
                finally:
                    os._exit(0)
            _, status = os.waitpid(pid, 0)
            log.seek(0)
            lines = [line.partition(b" ") for line in log.read().split(b"\n")[1:]]
        problems += [f"{k.decode()}: {text.decode()}" for k, _, text in lines if text]
        if lines and lines[-1][0] == b"done":
            return {"failed": int(lines[-2][0]) - 1, "problems": problems}
        last = int(lines[-1][0]) if lines else first
        problems.append(f"{last}: wait status {status}")
        first = last + 1


def main() -> None:
    for name in sys.argv[1:] or PROGRAMS:
        print(json.dumps({"program": name, **judged(PROGRAMS[name])}), flush=True)


if __name__ == "__main__":
    main()
