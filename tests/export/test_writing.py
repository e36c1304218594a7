"""Archives that aten writes: PyTorch loads and runs them, and so does aten, with equal results."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import aten
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)

from aten import export  # noqa: E402
from models import MODELS  # noqa: E402
from test_models import assert_agrees, made  # noqa: E402


def archived(theirs: Any) -> io.BytesIO:
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.export.save(theirs, file)
    return file


def written(ours: export.ExportedProgram) -> Any:
    """PyTorch's program of the archive that aten writes."""
    file = io.BytesIO()
    export.save(ours, file)
    again = export.load(file)
    assert again.range_constraints == ours.range_constraints
    assert str(again.graph_signature) == str(ours.graph_signature)
    file.seek(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.export.load(file)


def operators(program: Any) -> list[str]:
    return [str(n.target) for n in program.graph.nodes if n.op == "call_function"]


def values(program: Any) -> list[Any]:
    """What PyTorch knows of the graph's values: sizes, strides, dtypes."""
    found = []
    for node in program.graph.nodes:
        value = node.meta.get("val")
        if hasattr(value, "dtype"):
            found.append((node.name, str(value.shape), str(value.stride()), value.dtype, value.requires_grad))
    return found


def assert_same(theirs: Any, back: Any) -> None:
    """The programs are the same, but for pickled parts and names of unused results."""
    assert operators(back) == operators(theirs)
    assert str(back.graph_signature) == str(theirs.graph_signature)
    ranges = {str(k): str(v) for k, v in theirs.range_constraints.items()}
    assert {str(k): str(v) for k, v in back.range_constraints.items()} == ranges
    assert values(back) == values(theirs)
    assert back.dialect == theirs.dialect
    assert list(back.state_dict) == list(theirs.state_dict)
    assert set(back.constants) == set(theirs.constants)
    for state in ("state_dict", "constants"):
        for name, tensor in getattr(theirs, state).items():
            other = getattr(back, state)[name]
            assert (other.stride(), other.requires_grad) == (tensor.stride(), tensor.requires_grad), name
            assert type(other) is type(tensor)
            torch.testing.assert_close(other, tensor, rtol=0, atol=0)
    for mine, other in zip(back.graph.nodes, theirs.graph.nodes, strict=True):
        if mine.op == "call_function":
            assert mine.meta.get("stack_trace") == other.meta.get("stack_trace")
            modules = [v for v in other.meta.get("nn_module_stack", {}).values() if "empty" not in v[0]]
            assert list(mine.meta.get("nn_module_stack", {}).values()) == modules


def export_of(model: Any, args: Any, kwargs: Any = None, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.export.export(model, args, kwargs, **options)


def through(theirs: Any) -> tuple[export.ExportedProgram, Any, Any]:
    """aten's program, PyTorch's program of it, and PyTorch's program as PyTorch itself reads it back."""
    file = archived(theirs)
    ours = export.load(file)
    file.seek(0)
    return ours, written(ours), torch.export.load(file)


DYNAMIC = ("mlp", "gpt", "bert", "resnet", "transformer_encoder")


@pytest.mark.parametrize("name", MODELS)
def test_networks_come_back(name: str) -> None:
    model, args = made(name, 2)
    batch = torch.export.Dim("batch", min=1, max=64)
    options = {"dynamic_shapes": tuple({0: batch} for _ in args)} if name in DYNAMIC else {}
    ours, back, expected = through(export_of(model, args, **options))
    assert_same(expected, back)
    sizes = (2, 5) if options else (2,)
    for size in sizes:
        inputs = MODELS[name][1](size)
        result = model(*inputs)
        assert_agrees(ours(*inputs), result)
        torch.testing.assert_close(back.module()(*inputs), result, rtol=0, atol=0)
    text = expected.graph_module.print_readable(print_output=False)
    assert ours.print_readable(print_output=False) == as_ours(text)


def as_ours(text: str) -> str:
    """PyTorch's text with this library's names, outside of comments."""
    lines = [
        line
        if line.lstrip().startswith("#")
        else line.replace("torch.ops", "aten.ops").replace("torch.", "aten.")
        for line in text.splitlines()
    ]
    return "\n".join(lines).rstrip() + "\n"


@pytest.mark.parametrize("name", ["mlp", "bert"])
def test_decomposed_networks_come_back(name: str) -> None:
    model, args = made(name, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        decomposed = export_of(model, args).run_decompositions()
    _, back, expected = through(decomposed)
    assert back.dialect == "ATEN"
    assert_same(expected, back)
    torch.testing.assert_close(back.module()(*args), model(*args), rtol=1e-5, atol=1e-5)
    live = written(export.from_exported_program(decomposed))
    assert operators(live) == operators(expected)
    assert values(live) == values(expected)
    torch.testing.assert_close(live.module()(*args), model(*args), rtol=1e-5, atol=1e-5)


def test_a_program_of_aten_can_be_decomposed_and_trained_in_pytorch() -> None:
    model, args = made("mlp", 2)
    _, back, _ = through(export_of(model, args))
    decomposed = back.run_decompositions()
    torch.testing.assert_close(decomposed.module()(*args), model(*args), rtol=1e-5, atol=1e-5)
    back.module()(*args).sum().backward()
    model(*args).sum().backward()
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(back.state_dict[name].grad, parameter.grad)


def test_unflatten_finds_the_modules() -> None:
    model, args = made("mlp", 2)
    _, back, _ = through(export_of(model, args))
    flat = torch.export.unflatten(back)
    assert torch.equal(flat(*args), model(*args))
    assert {n for n, _ in flat.named_parameters()} == {n for n, _ in model.named_parameters()}


def test_extra_files(tmp_path: Path) -> None:
    ours = export.load(archived(export_of(*made("mlp", 2))))
    path = tmp_path / "mlp.pt2"
    ours.save(path, extra_files={"labels.txt": "cat\ndog"})
    found: dict[str, Any] = {}
    export.load(path, extra_files=found)
    assert found == {"labels.txt": "cat\ndog"}
    theirs = {"labels.txt": ""}
    torch.export.load(path, extra_files=theirs)
    assert theirs == found
    assert [p.name for p in tmp_path.iterdir()] == ["mlp.pt2"]
    assert aten.export.load(path).graph == ours.graph
