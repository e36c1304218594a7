"""Archives of programs: broken or tampered ones are reported as such, and valid ones run without PyTorch."""

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
from test_models import exported  # noqa: E402


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
    """Returns the archive with one of its JSON files changed."""
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
        ("models/model.json", lambda d: d.pop("graph_module"), "is malformed: KeyError"),
        (
            "models/model.json",
            lambda d: d["graph_module"]["graph"].update(nodes=[{}]),
            "is malformed",
        ),
        (
            "models/model.json",
            lambda d: d["graph_module"]["graph"]["nodes"][0]["outputs"][0]["as_tensor"].update(name=0),
            "expected a str as the name of a result, got 0",
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
    """Returns all (container, key) within a JSON value."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [(value, k) for k in keys] + [p for k in keys for p in places(value[k])]


@pytest.mark.parametrize("ending", ["models/model.json", "weights_config.json"])
@pytest.mark.parametrize("seed", range(4))
def test_changed_archives_run_or_say_why_not(ending: str, seed: int) -> None:
    """A changed value in the JSON never causes another exception or a crash."""
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
    """A program runs in a process where PyTorch and NumPy cannot be imported."""
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
