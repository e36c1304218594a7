"""Arguments of programs that nest, state that is written, sizes that vary; and what goes wrong."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import textwrap
import warnings
import zipfile
from collections.abc import Callable
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
    """Writes to a buffer and to its argument."""

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


def sums(reader: str = "exported", **options: Any) -> export.Program:
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
    assert ours.buffers["count"].tolist() == [2, 2]
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
    for parameter in ours.parameters.values():
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
        ((torch.ones(2, 3).to_sparse(), torch.ones(2, 3)), {}, "'x': its memory cannot be taken over"),
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
    with pytest.raises(export.ProgramError, match=r"no archive that torch\.export\.save wrote"):
        export.load(io.BytesIO(b"nonsense"))
    with pytest.raises(FileNotFoundError):
        export.load("nowhere.pt2")


def archive(model: Any, args: Any) -> dict[str, bytes]:
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.export.save(exported(model, args), file)
    with zipfile.ZipFile(file) as found:
        return {name: found.read(name) for name in found.namelist()}


def zipped(files: dict[str, bytes]) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in files.items():
            made.writestr(name, content)
    return file


def changed(files: dict[str, bytes], ending: str, change: Callable[[Any], Any]) -> io.BytesIO:
    """The archive with one of its JSON files changed."""
    (name,) = (n for n in files if n.endswith(ending))
    described = json.loads(files[name])
    change(described)
    return zipped({**files, name: json.dumps(described).encode()})


NETWORK = (
    torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.GELU(), torch.nn.LayerNorm(4)),
    (torch.ones(2, 3),),
)
LINEAR = (torch.nn.Linear(2, 3), (torch.ones(1, 2),))


def entry(described: Any) -> Any:
    return described["config"]["weight"]


@pytest.mark.parametrize(
    ("ending", "change", "says"),
    [
        ("models/model.json", lambda d: d["schema_version"].update(major=9), "version 9 of PyTorch's format"),
        ("models/model.json", lambda d: d.pop("graph_module"), "not as its format says: KeyError"),
        (
            "models/model.json",
            lambda d: d["graph_module"]["graph"].update(nodes=[{}]),
            "not as its format says",
        ),
        ("weights_config.json", lambda d: entry(d).update(use_pickle=True), "'weight' is pickled"),
        ("weights_config.json", lambda d: d["config"].pop("weight"), "no tensor 'weight'"),
        (
            "weights_config.json",
            lambda d: entry(d).update(path_name="weight_9"),
            "the archive lacks data/weights/",
        ),
        (
            "weights_config.json",
            lambda d: entry(d)["tensor_meta"].update(sizes=[{"as_int": 2**40}, {"as_int": 2}]),
            "'weight' doesn't fit its bytes",
        ),
        (
            "weights_config.json",
            lambda d: entry(d)["tensor_meta"].update(storage_offset={"as_int": -1}),
            "'weight' doesn't fit its bytes",
        ),
        ("weights_config.json", lambda d: entry(d)["tensor_meta"].update(dtype=99), "dtype 99"),
    ],
)
def test_broken_archives(ending: str, change: Any, says: str) -> None:
    with pytest.raises(export.ProgramError, match=says):
        export.load(changed(archive(*LINEAR), ending, change))


HOSTILE = (None, -1, 2**63, 2**40, 1.5, True, "x", "torch.ops.aten.resize_", [], {}, [None], {"as_int": -1})


def places(value: Any) -> list[tuple[Any, Any]]:
    """All (container, key) within a JSON value."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [(value, k) for k in keys] + [p for k in keys for p in places(value[k])]


@pytest.mark.parametrize("ending", ["models/model.json", "weights_config.json"])
@pytest.mark.parametrize("seed", range(4))
def test_changed_archives_run_or_say_why_not(ending: str, seed: int) -> None:
    """One value of the JSON is another one: never another exception, never a crash."""
    files = archive(*NETWORK)
    chance = random.Random(seed)

    def change(described: Any) -> None:
        container, key = chance.choice(places(described))
        container[key] = chance.choice(HOSTILE)

    for _ in range(150):
        try:
            export.load(changed(files, ending, change))(aten.ones((2, 3)))
        except export.ProgramError as error:
            assert str(error)


def test_every_cut_archive_is_an_error() -> None:
    whole = zipped(archive(*LINEAR)).getvalue()
    for end in range(0, len(whole), 97):
        with pytest.raises(export.ProgramError):
            export.load(io.BytesIO(whole[:end]))


def test_a_program_runs_without_pytorch(tmp_path: Any) -> None:
    """In a process where PyTorch and NumPy cannot be imported."""
    model, args = LINEAR
    file = tmp_path / "linear.pt2"
    file.write_bytes(zipped(archive(model, args)).getvalue())
    script = """
        import sys
        sys.modules["torch"] = sys.modules["numpy"] = None
        import aten, aten.export
        program = aten.export.load(sys.argv[1])
        print(program(aten.ones((1, 2))).tolist())
    """
    run = [sys.executable, "-c", textwrap.dedent(script), str(file)]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)[0] == pytest.approx(model(*args)[0].tolist(), rel=1e-5)
