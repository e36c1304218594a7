"""Programs with nested arguments, state that is written, and dynamic sizes; and their errors."""

from __future__ import annotations

import io
from typing import Any

import aten
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)

from aten import export  # noqa: E402
from test_models import READERS, exported, program  # noqa: E402


class Nested(torch.nn.Module):
    def forward(self, pair: Any, *, scale: Any, names: Any = None) -> Any:
        first, others = pair
        return {"sum": [first + others["b"], first * scale], "rest": (others["a"],)}, 3


class Counter(torch.nn.Module):
    """A module that writes to a buffer and to its argument."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(2))
        self.register_buffer("step", torch.ones(2), persistent=False)

    def forward(self, x: Any) -> Any:
        self.count.add_(self.step)
        x.mul_(2)
        return x + self.count


class Sum(torch.nn.Module):
    def forward(self, x: Any, y: Any, times: int = 2) -> Any:
        return (x + y) * times


class Branch(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.cond(x.sum() > 0, lambda t: t + 1, lambda t: t - 1, (x,))


def sums(reader: str = "exported", **options: Any) -> export.ExportedProgram:
    return program(exported(Sum(), (torch.ones(2, 3), torch.ones(2, 3)), **options), reader)


@pytest.mark.parametrize("reader", READERS)
def test_arguments_and_results_nest(reader: str) -> None:
    pair = (torch.ones(2), {"a": torch.zeros(2), "b": torch.full((2,), 2.0)})
    made = exported(Nested(), (pair,), kwargs={"scale": torch.tensor(4.0)})
    ours = program(made, reader)
    for result in (ours(pair, scale=torch.tensor(4.0)), ours(pair=pair, scale=torch.tensor(4.0))):
        found, number = result
        assert number == 3
        assert list(found) == ["sum", "rest"]
        assert found["sum"][0].tolist() == [3, 3]
        assert found["sum"][1].tolist() == [4, 4]
        assert isinstance(found["rest"], tuple)


@pytest.mark.parametrize("reader", READERS)
def test_state_and_arguments_are_written(reader: str) -> None:
    model = Counter()
    ours = program(exported(model, (torch.ones(2),)), reader)
    x = aten.ones(2)
    assert ours(x).tolist() == [3, 3]
    assert ours(x).tolist() == [6, 6]
    assert x.tolist() == [4, 4]
    assert ours.state_dict["count"].tolist() == [2, 2]
    assert model.count.tolist() == [0, 0], "the model's own buffer was written"


@pytest.mark.parametrize("reader", READERS)
def test_tied_weights_stay_tied(reader: str) -> None:
    class Tied(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = torch.nn.Linear(3, 3, bias=False), torch.nn.Linear(3, 3, bias=False)
            self.second.weight = self.first.weight

        def forward(self, x: Any) -> Any:
            return self.second(self.first(x))

    model = Tied()
    ours = program(exported(model, (torch.ones(1, 3),)), reader)
    for parameter in ours.parameters():
        with aten.no_grad():
            parameter.zero_()
        break
    assert ours(aten.ones(1, 3)).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize("reader", READERS)
def test_a_sizes_range_and_equality_are_checked(reader: str) -> None:
    rows = torch.export.Dim("rows", min=2, max=8)
    ours = sums(reader, dynamic_shapes=({0: rows}, {0: rows}))
    assert ours(aten.ones(5, 3), aten.ones(5, 3)).shape == (5, 3)
    with pytest.raises(
        export.ProgramError, match=r"argument 'y': expected the shape \[\w+, 3\] with \w+ = 5"
    ):
        ours(aten.ones(5, 3), aten.ones(4, 3))
    with pytest.raises(export.ProgramError, match=r"dimension 0 is 9; the program was exported for 2\.\.8"):
        ours(aten.ones(9, 3), aten.ones(9, 3))


@pytest.mark.parametrize(
    ("args", "kwargs", "says"),
    [
        ((1,), {}, r"arguments \(x, y.*\), got \(1 by position\)"),
        ((torch.ones(2, 3), torch.ones(2, 3)), {"z": 1}, r"got \(2 by position, z=\)"),
        ((torch.ones(2, 3), 1.0), {}, "argument 'y': expected a tensor, got float"),
        (
            (torch.ones(2, 3), torch.ones(2, 4)),
            {},
            r"argument 'y': expected the shape \[2, 3\], got \[2, 4\]",
        ),
        ((torch.ones(2, 3), torch.ones(6)), {}, r"argument 'y': expected the shape \[2, 3\], got \[6\]"),
        ((torch.ones(2, 3, dtype=torch.int64), torch.ones(2, 3)), {}, "'x': expected float32, got int64"),
        ((torch.ones(2, 3).to_sparse(), torch.ones(2, 3)), {}, "'x': its memory cannot be shared"),
    ],
)
def test_wrong_arguments(args: Any, kwargs: Any, says: str) -> None:
    with pytest.raises(export.ProgramError, match=says):
        sums()(*args, **kwargs)


@pytest.mark.parametrize("reader", READERS)
def test_missing_operators_are_listed(reader: str) -> None:
    with torch.library._scoped_library("exporttest", "FRAGMENT") as library:
        library.define("twice(Tensor self) -> Tensor")
        library.impl("twice", lambda x: x * 2, "CompositeExplicitAutograd")

        class Twice(torch.nn.Module):
            def forward(self, x: Any) -> Any:
                return torch.ops.exporttest.twice(torch.ops.exporttest.twice(x))

        made = exported(Twice(), (torch.ones(2),))
        with pytest.raises(
            export.ProgramError, match=r"exporttest::twice: 2 nodes, the first is 'twice' \(.*test_programs"
        ):
            program(made, reader)


@pytest.mark.parametrize("reader", READERS)
def test_control_flow_is_refused(reader: str) -> None:
    with pytest.raises(export.ProgramError, match=r"control flow|as_graph"):
        program(exported(Branch(), (torch.ones(2),)), reader)


def test_a_failing_node_is_named() -> None:
    class Lookup(torch.nn.Module):
        def forward(self, table: Any, index: Any) -> Any:
            return torch.embedding(table, index)

    made = exported(Lookup(), (torch.ones(3, 2), torch.tensor([1])))
    says = r"node 'embedding': aten::embedding\(float32\[3, 2\], int64\[1\]\): IndexError: .*\n  made by "
    with pytest.raises(export.ProgramError, match=says):
        export.from_exported_program(made)(aten.ones(3, 2), aten.tensor([7]))


def test_what_is_no_program() -> None:
    with pytest.raises(export.ProgramError, match=r"expected what torch\.export\.export returns, got Linear"):
        export.from_exported_program(torch.nn.Linear(2, 2))
    with pytest.raises(export.ProgramError, match=r"not an archive of torch\.export\.save"):
        export.load(io.BytesIO(b"nonsense"))
    with pytest.raises(FileNotFoundError):
        export.load("nowhere.pt2")
