"""Errors: types that can't be instantiated, lists modified while they are read, subinterpreters."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import aten
import pytest


def survives(body: Callable[[], Any]) -> bool:
    """Whether a child process that runs `body` ends by itself; exceptions don't count."""
    child = os.fork()
    if child == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            body()
        except Exception:
            pass
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def types() -> list[type]:
    """Returns all types of the package, including those of a recorded graph."""

    def below(c: type) -> Iterator[type]:
        for t in type.__subclasses__(c):
            yield t
            yield from below(t)

    x = aten.ones(2).requires_grad_()
    made = (x * 2).grad_fn, x.register_hook(lambda g: g)
    ours = {t for t in below(object) if str(vars(t).get("__module__", "")).startswith("aten")}
    found = sorted(ours, key=str)
    assert len(found) > 30 and all(made)
    return found


MAKERS: dict[str, Callable[[type], Any]] = {
    "called": lambda t: t(),
    "new": lambda t: t.__new__(t),
    "object.__new__": object.__new__,
}


def crashing(how: str) -> list[type]:
    return [t for t in types() if not survives(lambda t=t: use(MAKERS[how](t)))]


@pytest.mark.parametrize("how", list(MAKERS))
def test_an_object_made_from_nothing_is_refused_or_works(how: str) -> None:
    """In a process of its own: forks of one that has collected all tests take a quarter of a second."""
    code = f"import test_refusals; print(test_refusals.crashing({how!r}))"
    folder = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr


def use(o: Any) -> None:
    for name in dir(o):
        try:
            getattr(o, name)
        except Exception:
            continue
    for action in (repr, hash, str, bool, iter, len, lambda o: o == o, lambda o: o(aten.ones(1))):
        try:
            action(o)
        except Exception:
            continue
    del o
    gc.collect()


@pytest.mark.parametrize("t", [type(aten.ops.aten.add), type(aten.ops.aten.add.Tensor)])
def test_operators_are_only_found(t: type) -> None:
    with pytest.raises(TypeError, match="cannot create"):
        t()


class Index:
    """An integer with a side effect when it is read."""

    def __init__(self, action: Callable[[], Any]) -> None:
        self.action = action

    def __index__(self) -> int:
        self.action()
        return 1

    def __float__(self) -> float:
        return float(self.__index__())


CHANGES: dict[str, Callable[[list[Any]], Any]] = {
    "cleared": lambda rows: rows.clear(),
    "row cleared": lambda rows: rows[0].clear(),
    "later row cleared": lambda rows: rows[1].clear(),
    "grown": lambda rows: rows.extend([[5.0] * 4] * 1000),
    "row grown": lambda rows: rows[0].extend([5.0] * 100_000),
    "row replaced": lambda rows: rows.__setitem__(0, [1.0] * 4),
    "nested deeper": lambda rows: rows.__setitem__(1, [[1.0] * 4] * 4),
    "nothing": lambda rows: None,
}


@pytest.mark.parametrize("dtype", ["int64", "float32", "bool", "complex64"])
@pytest.mark.parametrize("change", list(CHANGES))
@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_list_that_changes_while_it_is_read(change: str, place: int, dtype: str) -> None:
    """The result is a tensor of the shape that was found first, or an error."""

    def read() -> None:
        rows: list[Any] = [[1] * 4, [2] * 4, [3] * 4]
        rows[0][place] = Index(lambda: CHANGES[change](rows))
        try:
            t = aten.tensor(rows, dtype=getattr(aten, dtype))
        except (ValueError, TypeError):
            return
        gc.collect()
        if t.shape != (3, 4):
            os.abort()

    assert survives(read)


def test_a_shorter_list_is_named() -> None:
    rows: list[Any] = [1, 2, 3]
    rows[0] = Index(rows.clear)
    with pytest.raises(ValueError, match="was shortened while"):
        aten.tensor(rows)


@pytest.mark.parametrize("first", ["", "import aten\n"], ids=["before the main one", "after the main one"])
def test_subinterpreters_are_refused(first: str) -> None:
    """Subinterpreters could share no tensor, and finalizers would wait for the wrong lock."""
    script = first + textwrap.dedent(
        """
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        made = interpreters.create()
        code = "try:\\n import aten\\nexcept ImportError as error:\\n print('refused:', error, flush=True)"
        interpreters.run_string(made, code)
        interpreters.destroy(made)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("refused: ")
    assert "interpreter" in done.stdout


@pytest.mark.parametrize("dim", [0, 1])
def test_what_is_refused_leaves_its_out_as_it_was(dim: int) -> None:
    t = aten.arange(4.0).reshape(2, 2)
    with pytest.raises(RuntimeError, match="single memory location"):
        aten.cat([t, t], dim, out=t)
    assert t.tolist() == [[0, 1], [2, 3]]
