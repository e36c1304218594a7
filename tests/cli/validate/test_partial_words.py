"""What torchgen decides by a part of a name is an error where a whole word says it, else a warning that --fix
leaves alone.
"""

import pytest
from front import checked
from opgen.commands import run

TAG = "OPG803"
PLACES = ("{} (Tensor self)", "f.{} (Tensor self)", "_x_{}_y (Tensor self)", "f_.x_{} (Tensor(a!) self)")
ARGUMENTS = ("f (Tensor self, float {})", "f (Tensor self, *, float p_{}=0.0)")


def schemas(word: str) -> list[str]:
    places = (*PLACES, *ARGUMENTS) if "dropout" in word else PLACES
    made = [place.format(word).replace(" (", "(") for place in places]
    return [f"{text} -> {'Tensor(a!)' if '!' in text else 'Tensor'}" for text in made]


def found(schema: str) -> list[tuple[str, str, bool]]:
    return [(d.code, d.severity.name, bool(d.fix)) for d in checked(f"- func: {schema}\n")[1]]


@pytest.mark.parametrize("word", ["rand", "randn", "randint", "randperm", "dropout"])
def test_a_whole_word(word):
    assert [found(s) for s in schemas(word)] == [[(TAG, "error", True)]] * len(schemas(word))


@pytest.mark.parametrize(
    "word", ["operands", "strand", "brand", "random", "randoms", "dropouts", "nodropout"]
)
def test_a_part_of_a_word(word):
    for schema in schemas(word):
        assert found(schema) == [("OPG318", "warning", False)]
        (warning,) = checked(f"- func: {schema}\n")[1]
        part = "dropout" if "dropout" in word else "rand"
        assert warning.span.column == len("- func: ") + schema.index(part) + 1
        assert warning.span.end_column == warning.span.column + len(part)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("f_.functional(Tensor(a!) self) -> Tensor(a!)", ("OPG404", "error", False)),
        ("f_.x_functional(Tensor(a!) self) -> Tensor(a!)", ("OPG404", "error", False)),
        ("f_.nonfunctional(Tensor(a!) self) -> Tensor(a!)", ("OPG318", "warning", False)),
        ("_foreach_f(Tensor[] self) -> Tensor[]", ("OPG336", "error", True)),
        ("_foreach(Tensor[] self) -> Tensor[]", ("OPG336", "error", True)),
        ("_foreachable(Tensor self) -> Tensor", ("OPG318", "warning", False)),
    ],
)
def test_other_words(schema, expected):
    assert found(schema) == [expected]


def test_a_generator_says_it_whatever_the_name():
    schema = "strand(Tensor self, *, Generator? generator=None) -> Tensor"
    assert found(schema) == [(TAG, "error", True)]


def test_operators_that_nobody_asks_anything_of():
    assert found("operands_backward_dropouts(Tensor self) -> Tensor") == [("OPG318", "warning", False)]
    for schema in ("nodropout_backward(Tensor self) -> Tensor", "ours::operands(Tensor self) -> Tensor"):
        assert found(schema) == []


def test_fix_does_not_guess(tmp_path, capsys):
    text = "".join(f"- func: {s}\n" for s in (*schemas("operands"), schemas("dropouts")[-1]))
    file = tmp_path / "native_functions.yaml"
    file.write_text(text)
    assert run(["validate", "--fix", str(file)]) == 0
    assert file.read_text() == text
