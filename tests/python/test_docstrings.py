"""Docstrings of the installed library: `help` describes every public function."""

from __future__ import annotations

import inspect
import re

import aten
import pytest

PLACES = {
    "aten": aten,
    "aten.nn.functional": aten.nn.functional,
    "aten.linalg": aten.linalg,
    "aten.fft": aten.fft,
    "aten.special": aten.special,
    "aten.Tensor": aten.Tensor,
}
_CALL = re.compile(r"\w+\(.*\) -> \S.*")


def compiled(place: object) -> dict[str, str]:
    """Returns the docstrings of the generated functions, by name."""
    names = [n for n in dir(place) if not n.startswith("_") and hasattr(place, n)]
    found = {n: getattr(place, n).__doc__ or "" for n in names if callable(getattr(place, n))}
    return {n: text for n, text in found.items() if "\nOperators: aten::" in text}


@pytest.mark.parametrize("name", PLACES)
def test_every_function_has_a_sentence_after_its_calls(name):
    found = compiled(PLACES[name])
    assert found
    for function, text in found.items():
        calls, sentence, *_ = text.split("\n\n")
        assert all(_CALL.fullmatch(line) for line in calls.splitlines()), function
        assert re.fullmatch(r"[^\s:]+ .*\.", sentence.splitlines()[0]), function


@pytest.mark.parametrize("name", PLACES)
def test_no_docstring_is_a_call_alone(name):
    place = PLACES[name]
    named = {n: getattr(place, n) for n in dir(place) if n[0] != "_" and hasattr(place, n)}
    texts = {n: f.__doc__ or "" for n, f in named.items() if callable(f) and not isinstance(f, type)}
    assert [n for n, text in texts.items() if not text.strip() or _CALL.fullmatch(text.strip())] == []


@pytest.mark.parametrize("name", PLACES)
def test_signatures_are_those_of_the_first_line(name):
    """inspect knows all functions with one call, but for `f(size)` that is also called as `f(2, 3)`."""
    known = 0
    for function, text in compiled(PLACES[name]).items():
        calls = text.partition("\n\n")[0].splitlines()
        try:
            signature = inspect.signature(getattr(PLACES[name], function))
        except ValueError:
            continue
        known += 1
        inside = [str(p) for p in signature.parameters.values() if p.name != "self"]
        kinds = {p.kind for p in signature.parameters.values()}
        assert inspect.Parameter.VAR_POSITIONAL not in kinds and len(calls) == 1
        shown = calls[0].partition("(")[2].rpartition(") -> ")[0].replace("*, ", "")
        assert shown.replace(" ", "") == ",".join(inside).replace(" ", ""), function
    assert known > 0


def test_inspect_binds_as_a_call_does():
    assert str(inspect.signature(aten.relu)) == "(input, *, out=None)"
    assert str(inspect.signature(aten.Tensor.add)) == "(self, /, other, *, alpha=1)"
    with pytest.raises(TypeError):
        inspect.signature(aten.relu).bind()
    for spread in (aten.zeros, aten.Tensor.view, aten.Tensor.permute):
        with pytest.raises(ValueError, match="no signature found"):
            inspect.signature(spread)


def test_a_sentence_comes_with_its_formula():
    assert (
        "\n\nRectified linear unit, which replaces negative elements by 0.\n    max(0, x)\n"
        in aten.relu.__doc__
    )


def test_an_in_place_method_says_that_it_writes():
    assert "In place: 'self' is written to and returned." in aten.Tensor.relu_.__doc__
    assert "In place" not in aten.Tensor.relu.__doc__
