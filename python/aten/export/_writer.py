"""Writes programs to .pt2 archives, which `torch.export.load` reads: JSON, and the bytes of the weights."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from typing import Any, BinaryIO

from .._C import Tensor
from .._serialization._memory import memory
from .._serialization._writer import Writer
from ..nn.parameter import Parameter
from ._errors import ProgramError
from ._graph import TensorMeta
from ._program import ExportedProgram
from ._write_graph import described
from ._write_values import tensor_meta

_PARTS = (("weights", "weight_"), ("constants", "tensor_"))


def save(
    ep: ExportedProgram, f: str | PathLike[str] | BinaryIO, *, extra_files: dict[str, Any] | None = None
) -> None:
    """Writes a program to the file `f`, a path or a binary file, for `load` and `torch.export.load`.

    `extra_files` are texts to store by name. A file at the path is replaced when the archive is complete, and
    stays as it is if there is an error: ProgramError for what an archive can't hold, OSError from the system.
    """
    if not isinstance(ep, ExportedProgram):
        raise TypeError(f"save(): argument 'ep': expected an ExportedProgram, got {type(ep).__name__}")
    try:
        model = json.dumps(described(ep), allow_nan=False).encode()
        storages = [_Storages(state, prefix) for state, (_, prefix) in zip(_states(ep), _PARTS, strict=True)]
    except (ProgramError, ValueError) as error:
        raise ProgramError(f"save(): {error}") from error
    extra = {str(n): c if isinstance(c, bytes) else str(c).encode() for n, c in (extra_files or {}).items()}
    if not isinstance(f, (str, PathLike)):
        _write(f, model, storages, extra)
        if hasattr(f, "flush"):
            f.flush()
        return
    with _replaced(f) as stream:
        _write(stream, model, storages, extra)


def _states(ep: ExportedProgram) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    return ep.state_dict, ep.constants


def _write(stream: Any, model: bytes, storages: list[_Storages], extra: dict[str, bytes]) -> None:
    archive = Writer(stream, "archive")
    for (folder, _), stored in zip(_PARTS, storages, strict=True):
        for path, storage in stored.files.items():
            archive.add(f"data/{folder}/{path}", memory(storage))
        config = json.dumps({"config": stored.config}).encode()
        archive.add(f"data/{folder}/model_{folder}_config.json", config)
    archive.add("models/model.json", model)
    archive.add("data/sample_inputs/model.pt", b"")
    for name, content in extra.items():
        archive.add(f"extra/{name}", content)
    archive.add("archive_format", b"pt2")
    archive.add("archive_version", b"0")
    archive.add(".data/version", b"6\n")
    archive.add("byteorder", b"little")
    archive.close()


class _Storages:
    """The files of tensors: one for a storage, and the place of each tensor in its file."""

    def __init__(self, tensors: dict[str, Tensor], prefix: str) -> None:
        self.files: dict[str, Tensor] = {}
        self.config: dict[str, Any] = {}
        paths: dict[tuple[int, Any], str] = {}
        for name, tensor in tensors.items():
            plain, storage = _bytes(name, tensor)
            key = (storage.data_ptr() if storage.numel() else id(tensor), plain.dtype)
            path = paths.setdefault(key, f"{prefix}{len(paths)}")  # PyTorch reads a file as one dtype
            self.files[path] = storage
            self.config[name] = {
                "path_name": path,
                "is_param": isinstance(tensor, Parameter),
                "use_pickle": False,
                "tensor_meta": tensor_meta(_meta(plain, tensor)),
            }


def _bytes(name: str, tensor: Tensor) -> tuple[Tensor, Tensor]:
    """The tensor on the CPU, and its storage's bytes."""
    if tensor.device.type == "meta":
        raise ProgramError(f"the tensor {name!r} has no data: it is on the meta device")
    plain = tensor.detach().cpu()
    storage = plain.untyped_storage()._bytes
    whole = storage.numel() // plain.itemsize * plain.itemsize
    return plain, storage.narrow(0, 0, whole)


def _meta(plain: Tensor, tensor: Tensor) -> TensorMeta:
    return TensorMeta(
        plain.dtype,
        tuple(plain.shape),
        plain.stride(),
        tensor.device,
        tensor.requires_grad,
        plain.storage_offset(),
    )


@contextmanager
def _replaced(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """A file that takes the place of the one at the path when it is complete."""
    target = os.path.realpath(path)
    if os.path.isdir(target):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    temporary = f"{target}.{os.getpid()}.{os.urandom(4).hex()}.tmp"
    try:
        with open(temporary, "xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileNotFoundError):
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(temporary, target)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.filename == temporary:
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise
