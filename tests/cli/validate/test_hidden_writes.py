"""An argument that is called like a result, but isn't annotated as written to."""

import pytest
from front import checked, pytorch_yaml

NAMES = ("out", "out0", "out12", "output", "outputs", "result", "results", "dst", "kv_out", "x_out1")
# Everywhere but as a keyword-only `out`, which is an error of its own.
PLACES = (
    "f(Tensor self, {} {}) -> ()",
    "f({} {}, Tensor self) -> Tensor",
    "ours::f(Tensor(a!) self, {} {}, int k) -> Tensor",
    "f_(Tensor(a!) self, {} {}) -> Tensor(a!)",
)


def found(schema: str) -> list[tuple[str, str]]:
    return [(d.code, d.severity.name) for d in checked(f"- func: {schema}\n")[1]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("type", ["Tensor", "Tensor?", "Tensor[]"])
def test_a_name_that_says_so(name, place, type):
    schema = place.format(type, name)
    (warning,) = checked(f"- func: {schema}\n")[1]
    assert (warning.code, warning.severity.name) == ("OPG427", "warning")
    assert warning.span.column == len("- func: ") + schema.index(f"{type} {name}") + 1
    letter = "b" if "(a!)" in schema else "a"
    assert warning.help.startswith(f"write {type.replace('Tensor', f'Tensor({letter}!)')} {name} if it does")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_annotated(name):
    assert found(f"f(Tensor self, Tensor(a!) {name}) -> ()") == []
    assert found(f"f(Tensor self, *, Tensor(a!) {name}) -> Tensor(a!)") == []


@pytest.mark.parametrize(
    "schema",
    [
        "f(Tensor grad_output, Tensor grad_out, Tensor d_out, Tensor dout, Tensor saved_out) -> Tensor",
        "f_backward(Tensor grad, Tensor self, Tensor output, Tensor result) -> Tensor",
        "fmha_bwd(Tensor dout, Tensor out) -> Tensor",
        "f_grad(Tensor self, Tensor output) -> Tensor",
        "f(Tensor output_offsets, Tensor out_shapes, Tensor outer, Tensor scale_result) -> Tensor",
        "f(int out, SymInt[] output, Scalar result, str dst) -> Tensor",
        "f(Tensor(a) output) -> Tensor(a)",
    ],
)
def test_other_names(schema):
    assert found(schema) == []


def test_several_get_letters_of_their_own():
    warnings = checked("- func: f(Tensor(a!) x, Tensor out0, Tensor(c!) y, Tensor out1) -> ()\n")[1]
    assert [d.help.partition(" if ")[0] for d in warnings] == [
        "write Tensor(b!) out0",
        "write Tensor(d!) out1",
    ]


def test_one_report_for_each():
    assert found("f(Tensor self, *, Tensor out) -> Tensor") == [("OPG327", "error")]
    (fault,) = checked("- func: f_(Tensor x, int k) -> ()\n")[1]
    assert (fault.code, fault.help) == ("OPG401", "write Tensor(a!) self")


def test_pytorchs_file_has_none():
    assert "OPG427" not in {d.code for d in checked(pytorch_yaml().read_bytes())[1]}
