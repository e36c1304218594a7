"""The built files have the compiler's and linker's protections (core/cmake/hardening.cmake)."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("readelf") is None, reason="there is no readelf")


def read(option: str, file: Path) -> str:
    return subprocess.run(["readelf", "-W", option, file], capture_output=True, text=True, check=True).stdout


def test_addresses_are_bound_and_then_read_only(library: Path, module: Path) -> None:
    for file in (library, module):
        assert re.search(r"\(FLAGS(_1)?\).*\b(BIND_)?NOW\b", read("-d", file)), file
        assert "GNU_RELRO" in read("-l", file), file
        assert "TEXTREL" not in read("-d", file), file


def test_the_stack_holds_no_code(library: Path, module: Path) -> None:
    for file in (library, module):
        stack = re.search(r"GNU_STACK(?:\s+0x\w+){5}\s+(\S+)", read("-l", file))
        assert stack and stack[1] == "RW", file


def test_checked_functions_and_guards_are_called(library: Path, module: Path) -> None:
    assert re.search(r"UND\s+__stack_chk_fail\b", read("--dyn-syms", module))
    assert re.search(r"UND\s+__(memcpy|snprintf)_chk\b", read("--dyn-syms", library))
