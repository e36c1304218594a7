"""Damaged and hostile archives are errors, never crashes, hangs or much memory; and the zip format itself."""

from __future__ import annotations

import io
import json
import pickle
import random
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import aten
import pytest
from aten._serialization import _writer
from checkpoint_files import RECORDS, START, archive, loaded, tensor, zipped

FLOATS = struct.pack("<4f", 1, 2, 3, 4)
PICKLED = START + tensor() + b"."
GOOD = archive(PICKLED, FLOATS)


def test_damaged_archives_are_loaded_or_say_why_not() -> None:
    """In a process of limited memory; `python tests/serialization/damaged_checkpoints.py` tries more."""
    script = Path(__file__).with_name("damaged_checkpoints.py")
    seed = random.SystemRandom().randrange(1 << 30)
    command = [sys.executable, str(script), "--count", "60", "--seed", str(seed)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, f"seed {seed}: {run.stderr[-2000:]}"
    said = json.loads(run.stdout)
    assert said["problems"] == [], f"seed {seed}"
    assert said["loaded"] > 3000


def test_a_file_of_1_kib_that_claims_1_tib_is_an_error_before_memory_is_taken() -> None:
    """Claimed by the directory, by the file's own header, and in the pickle."""
    content = bytearray(GOOD)
    entry = content.index(b"PK\1\2", content.index(b"PK\1\2") + 4)
    for record in ("data.pkl", "data/0"):
        entry = content.rindex(f"archive/{record}".encode()) - 46
        claimed = bytes(content[: entry + 20] + b"\xf0\xff\xff\xff" * 2 + content[entry + 28 :])
        with pytest.raises(RuntimeError, match="the files in the archive overlap"):
            loaded(claimed)


def test_overlapping_files_are_refused() -> None:
    """Two entries of one content, as in a bomb."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in {"data.pkl": PICKLED, **RECORDS, "data/0": FLOATS}.items():
            made.writestr(f"archive/{name}", content)
        made.filelist.append(made.filelist[-1])
    with pytest.raises(RuntimeError, match="the files in the archive overlap"):
        loaded(file.getvalue())


def test_two_files_of_a_name_are_refused() -> None:
    file = io.BytesIO()
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(file, "w") as made:
        for content in (PICKLED, PICKLED):
            made.writestr("archive/data.pkl", content)
    with pytest.raises(RuntimeError, match=r"the archive has two files 'archive/data\.pkl'"):
        loaded(file.getvalue())


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compressed_files_are_refused(method: int) -> None:
    content = zipped({"data.pkl": PICKLED, "data/0": FLOATS * 1000}, method)
    with pytest.raises(RuntimeError, match=r"compressed or encrypted; torch\.save stores files uncompressed"):
        loaded(content)


def test_a_changed_content_is_found_by_its_checksum() -> None:
    for part in (PICKLED, FLOATS):
        at = GOOD.index(part)
        with pytest.raises(RuntimeError, match="is damaged: its CRC-32 is"):
            loaded(GOOD[:at] + bytes([GOOD[at] ^ 1]) + GOOD[at + 1 :])


@pytest.mark.parametrize(
    "records, says",
    [
        ({"byteorder": b"big"}, "in the order 'big', only little-endian ones are read"),
        ({"byteorder": b"middle"}, "in the order 'middle'"),
        ({"byteorder": b"\xff" * 1000}, "in the order"),
        ({"version": b"0"}, "version is '0', read are 1 to 10"),
        ({"version": b"99999999999999999999"}, "the archive's version"),
        ({"version": b"three"}, "version is 'three'"),
    ],
)
def test_other_orders_and_versions_are_refused(records: dict[str, bytes], says: str) -> None:
    with pytest.raises(RuntimeError, match=says):
        loaded(archive(PICKLED, FLOATS, **records))


@pytest.mark.parametrize(
    "content, says",
    [
        (b"", r"call file\.seek\(0\) after writing"),
        (b"PK\3\4", "not an archive of torch.save"),
        (b"PK\5\6" + bytes(18), "not an archive"),
        (b"<html>", "it begins with b'<html>'"),
        (b"\x10\0\0\0\0\0\0\0{}", "safetensors format"),
        (zipped({"other": b""}), "the archive lacks data.pkl"),
        (pickle.dumps(1), "a pickle without an archive"),
    ],
)
def test_other_files_are_named(content: bytes, says: str) -> None:
    with pytest.raises(RuntimeError, match=says):
        loaded(content)


def test_messages_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "evil\x1b.pt"
    file.write_bytes(archive(START + b"cos\nsystem\n."))
    with pytest.raises(
        pickle.UnpicklingError, match=r"evil\\x1b\.pt', data\.pkl: .*byte 2, opcode GLOBAL"
    ) as raised:
        aten.load(file)
    assert "\x1b" not in str(raised.value)


def contents(file: Any) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as found:
        assert found.testzip() is None
        return {name: found.read(name) for name in found.namelist()}


def test_storages_are_aligned() -> None:
    file = io.BytesIO()
    aten.save([aten.full((n,), n, dtype=aten.uint8) for n in range(20, 90, 7)], file)
    for name, content in contents(file).items():
        if "/data/" in name:
            assert file.getvalue().index(content) % 64 == 0


def test_an_archive_is_written_without_seeking() -> None:
    """Also to a file that writes only a part of what it is given."""

    class Stream:
        def __init__(self) -> None:
            self.content = b""

        def write(self, data: Any) -> int:
            self.content += bytes(data[:100])
            return min(len(data), 100)

    stream = Stream()
    aten.save({"x": aten.arange(1000)}, stream)  # type: ignore[arg-type]
    assert loaded(stream.content)["x"].tolist() == list(range(1000))


@pytest.mark.parametrize("limit", [0, 1, 50, 700])
def test_large_files_have_fields_of_64_bits(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The format marks a field by its largest value; what is large is made small here."""
    file = io.BytesIO()
    with monkeypatch.context() as patched:
        patched.setattr(_writer, "_is_wide", lambda number: number >= limit)
        aten.save([aten.arange(5), aten.arange(100), aten.zeros(0)], file)
    assert b"\xff\xff\xff\xff\xff\xff\xff\xff" in file.getvalue()
    found = contents(file)
    assert found["archive/data/0"] == struct.pack("<5q", *range(5))
    assert [x.tolist() for x in loaded(file.getvalue())] == [list(range(5)), list(range(100)), []]
    torch = pytest.importorskip("torch")
    file.seek(0)
    assert [x.tolist() for x in torch.load(file)] == [list(range(5)), list(range(100)), []]
