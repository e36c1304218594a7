"""What messages suggest to write of a tensor that is written to, for every annotation of a form's tensors."""

from __future__ import annotations

import itertools
import re

import pytest
from front import checked
from opgen.diagnostics import Diagnostic, Severity

ANNOTATIONS = ("", "(a)", "(b)", "(a!)", "(b!)", "(a -> *)", "!")
FORMS = (
    "f_(Tensor{} self, Tensor{} x) -> Tensor{}",
    "f_(Tensor{} self, Tensor[] x) -> Tensor{}",
    "f.out(Tensor{} self, *, Tensor{} out) -> Tensor{}",
    "f(Tensor{} self, Tensor{} x) -> Tensor{}",
)


def found(schema: str) -> list[Diagnostic]:
    functional = "- func: f(Tensor self, Tensor x) -> Tensor\n" * (not schema.startswith("f("))
    return [d for d in checked(f"- func: {schema}\n{functional}")[1] if d.span.line == 1]


def followed(schema: str, fault: Diagnostic) -> str:
    """Returns the schema with the text that the message suggests, and a second one in its place."""
    texts = re.findall(r"(?:write|and) (Tensor(?:\([^)]*\))?(?: \w+)?)", fault.help or "")
    start, end = fault.span.column - len("- func: ") - 1, fault.span.end_column - len("- func: ") - 1
    schema = schema[:start] + texts[0] + schema[end:]
    for text in texts[1:] if fault.severity is Severity.error else ():
        schema = re.sub(rf"Tensor\S* {text.split()[-1]}\b", text, schema)
    return schema


@pytest.mark.parametrize("form", FORMS)
def test_what_is_suggested_is_the_end_of_the_fault(form):
    for written in itertools.product(ANNOTATIONS, repeat=form.count("{}")):
        schema = form.format(*written)
        for fault in found(schema):
            if (fault.help or "").startswith("write Tensor"):
                after = followed(schema, fault)
                assert fault.code not in {d.code for d in found(after)}, (schema, fault.help, after)


def test_a_self_that_is_not_written_to_is_one_fault():
    """Its annotation and the return's are of the same slip."""
    for own, returned in itertools.product(("", "(a)", "(a|b)"), ANNOTATIONS):
        faults = found(f"f_(Tensor{own} self) -> Tensor{returned}")
        assert [d.code for d in faults] == ["OPG401"], (own, returned)


@pytest.mark.parametrize(
    ("schema", "suggested"),
    [
        ("f(Tensor(a!) self) -> Tensor(a)", "Tensor(a!)"),
        ("f(Tensor(b!) self, Tensor(a) x) -> Tensor(b)", "Tensor(b!)"),
        ("f(Tensor(a!) self, Tensor(b) x) -> Tensor(a|b)", None),
        ("f(Tensor self, Tensor(a!) x) -> Tensor(a)", None),
        ("f(Tensor(a!)[] self) -> Tensor(a)[]", None),
        ("f(Tensor(a!) self) -> (Tensor, Tensor(a))", None),
    ],
)
def test_a_return_of_a_written_set_that_is_not_the_argument(schema, suggested):
    (fault,) = (d for d in found(schema) if d.code == "OPG426")
    assert fault.severity is Severity.warning and "which is written to" in fault.message
    written = f"write {suggested} if it is 'self' itself" in (fault.help or "")
    assert written == (suggested is not None), fault.help
