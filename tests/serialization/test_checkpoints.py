"""Files, devices, memory mapping and pickling of checkpoints, without PyTorch."""

from __future__ import annotations

import gc
import io
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import aten
import pytest
from checkpoint_files import START, archive, call, loaded, named, numbers, storage, tensor, text, through

STATE = {"x": aten.arange(6.0).reshape(2, 3), "none": aten.zeros(0), "n": 3}


def same(found: Any, expected: Any) -> bool:
    pairs = [(found[k], v) for k, v in expected.items()]
    return list(found) == list(expected) and all(
        a.tolist() == b.tolist() and a.dtype is b.dtype if isinstance(b, aten.Tensor) else a == b
        for a, b in pairs
    )


def test_paths_and_files(tmp_path: Path) -> None:
    for path in (tmp_path / "a.pt", str(tmp_path / "b"), tmp_path / "ä.pt", tmp_path / ".pt"):
        aten.save(STATE, path)
        assert same(aten.load(path), STATE)
    with open(tmp_path / "c.pt", "w+b", buffering=0) as file:
        aten.save(STATE, file)
        file.seek(0)
        assert same(aten.load(file), STATE)


def test_an_archive_may_begin_within_a_file() -> None:
    file = io.BytesIO(b"before")
    file.seek(6)
    aten.save(STATE, file)
    file.seek(6)
    assert same(aten.load(file), STATE)


def test_a_file_needs_only_its_methods() -> None:
    class Readable:
        def __init__(self, content: bytes) -> None:
            file = io.BytesIO(content)
            self.read, self.seek, self.tell = file.read, file.seek, file.tell

    file = io.BytesIO()
    aten.save(STATE, file)
    assert same(aten.load(Readable(file.getvalue())), STATE)  # type: ignore[arg-type]


def test_other_arguments_are_errors(tmp_path: Path) -> None:
    with pytest.raises(AttributeError, match="expected a path or an object with a write method, got int"):
        aten.save(STATE, 3)  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="expected a path or a seekable binary file, got int"):
        aten.load(3)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        aten.load(tmp_path / "none")
    with pytest.raises(ValueError, match="expected 2 to 5, got 1"):
        aten.save(STATE, io.BytesIO(), pickle_protocol=1)
    with pytest.raises(ValueError, match="by its path"):
        aten.load(io.BytesIO(), mmap=True)


def test_what_cannot_be_pickled_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "x.pt"
    aten.save(STATE, file)
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        aten.save({"f": lambda: 0}, file)
    assert same(aten.load(file), STATE)


def test_mapped_tensors_lie_in_the_file(tmp_path: Path) -> None:
    """Writes stay in memory; the tensors keep the mapping."""
    file = tmp_path / "x.pt"
    aten.save({"x": (x := aten.arange(100_000)), "view": x[7:9], "b": aten.zeros(0)}, file)
    before = file.read_bytes()
    found = aten.load(file, mmap=True)
    assert str(file) in Path("/proc/self/maps").read_text()
    gc.collect()
    assert found["x"].tolist() == list(range(100_000)) and found["b"].tolist() == []
    found["view"].fill_(-1)
    assert found["x"][6:10].tolist() == [6, -1, -1, 9] and file.read_bytes() == before
    assert found["x"].untyped_storage().nbytes() == 800_000
    del found
    gc.collect()
    assert str(file) not in Path("/proc/self/maps").read_text()


def test_what_is_mapped_may_lie_anywhere(tmp_path: Path) -> None:
    """Archives that others write don't align contents; those are read."""
    content = bytes(range(32))
    for padding in range(8):
        pickled = START + tensor(storage("torch LongStorage")) + b"N0" * padding + b"."
        (tmp_path / "x.pt").write_bytes(archive(pickled, content))
        expected = [int.from_bytes(content[i : i + 8], "little") for i in range(0, 32, 8)]
        assert aten.load(tmp_path / "x.pt", mmap=True).tolist() == expected


def test_locations() -> None:
    """A tensor that was saved on another device."""
    content = archive(START + tensor(storage(location="cuda:7")) + b".", bytes(16))
    unknown = archive(START + tensor(storage(location="xla:0")) + b".", bytes(16))
    for mapped in ("cpu", b"cpu", aten.device("cpu"), {"cuda:7": "cpu"}, {"cuda:7": aten.device("cpu")}):
        assert loaded(content, map_location=mapped).device.type == "cpu"
    for wrong in (content, unknown):
        with pytest.raises(
            RuntimeError, match=r"saved on '(cuda:7|xla:0)' and can't.*pass map_location='cpu'"
        ):
            loaded(wrong)
        with pytest.raises(RuntimeError, match="map_location"):
            loaded(wrong, map_location={"cpu": "cpu"})
        with pytest.raises(RuntimeError, match="map_location"):
            loaded(wrong, map_location=lambda storage, location: None)


def test_a_function_of_locations() -> None:
    seen = []

    def place(storage: Any, location: str) -> Any:
        seen.append((storage.nbytes(), location))
        return storage.cpu().fill_(1) if location == "cuda:7" else None

    content = archive(
        START + b"](" + tensor(storage(location="cuda:7")) + tensor(storage(key="1")) + b"e.",
        *[bytes(16)] * 2,
    )
    first, second = loaded(content, map_location=place)
    assert seen == [(16, "cuda:7"), (16, "cpu")]
    assert first.untyped_storage().tolist() == [1] * 16 and second.tolist() == [0] * 4
    with pytest.raises(RuntimeError, match="map_location returned a int, expected an UntypedStorage"):
        loaded(content, map_location=lambda storage, location: 3)


@pytest.mark.parametrize("place", ["meta", aten.device("meta"), {"cpu": "meta"}])
def test_on_meta_no_data_is_read(place: Any) -> None:
    """The content of the storage is damaged, which reading it would show."""
    pickled = (
        START + tensor(size=numbers(2, 1), stride=numbers(1, 1), offset=b"K\1", requires_grad=b"\x88") + b"."
    )
    content = archive(pickled, b"0123456789abcdef").replace(b"0123456789abcdef", bytes(16))
    with pytest.raises(RuntimeError, match="CRC"):
        loaded(content)
    found = loaded(content, map_location=place)
    assert found.is_meta and found.shape == (2, 1) and found.stride() == (1, 1) and found.requires_grad
    assert found.dtype is aten.float32 and found.storage_offset() == 1


def test_a_storage_on_meta_cannot_be_saved() -> None:
    kept = loaded(
        archive(START + storage("torch.storage UntypedStorage") + b".", bytes(16)), map_location="meta"
    )
    assert kept.nbytes() == 4 and kept.device.type == "meta"
    with pytest.raises(RuntimeError, match="meta device has no data"):
        aten.save(kept, io.BytesIO())


class Tagged(aten.Tensor):
    """A subclass of a user's."""


class Restored(aten.Tensor):
    """A subclass that sets its own state."""

    def __setstate__(self, state: Any) -> None:
        self.restored = state


def test_subclasses_of_tensor_are_allowed_by_the_user() -> None:
    x = aten.arange(3.0).as_subclass(Tagged)
    x.tag = [1]
    with pytest.raises(pickle.UnpicklingError, match=r"Tagged' is not allowed"):
        through(aten.save, aten.load, x)
    y = aten.ones(2).as_subclass(Restored)
    with aten.serialization.safe_globals([Tagged, Restored]):
        found = through(aten.save, aten.load, x)
        assert type(found) is Tagged and found.tag == [1] and found.tolist() == [0, 1, 2]
        assert through(aten.save, aten.load, y).restored is None


def test_the_memory_of_a_tensor_is_saved_whole_and_once() -> None:
    """As in PyTorch: a view keeps its base's memory."""
    file = io.BytesIO()
    aten.save([aten.zeros(1000)[:1]] * 2, file)
    assert 4000 < len(file.getvalue()) < 6000


def test_tensors_made_while_saving_do_not_take_the_place_of_others() -> None:
    class Lazy:
        def __init__(self, number: int) -> None:
            self.number = number

        def __reduce__(self) -> Any:
            return list, ((aten.full((50,), self.number),),)

    aten.serialization.add_safe_globals([list])
    found = through(aten.save, aten.load, [Lazy(i) for i in range(50)])
    assert [x[0][0].item() for x in found] == list(range(50))


def test_pickles_of_python_2_names() -> None:
    """Protocol 2 names what Python 3 has moved."""
    pickled = (
        b"](" + call("__builtin__ set", b"]") + call("builtins set", b"]") + call("__builtin__ bytes") + b"e."
    )
    assert loaded(archive(START + pickled)) == [set(), set(), b""]
    assert loaded(archive(START + call("_codecs encode", text("é"), text("latin1")) + b".")) == b"\xe9"
    assert loaded(archive(START + named("torch bfloat16") + b".")) is aten.bfloat16


def test_importing_the_package_imports_no_pickle() -> None:
    code = "import sys, aten; print({'pickle', 'zipfile', 'mmap', 'ctypes', 'typing'} & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, env=clean_environment()
    )
    assert run.stdout.strip() == "set()", run.stderr


def clean_environment() -> dict[str, str]:
    return {"PYTHONPATH": str(Path(aten.__file__).parents[1])}
