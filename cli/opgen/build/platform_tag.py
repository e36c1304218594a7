"""The platform tag of a wheel: the oldest manylinux (PEP 600) that satisfies the shared objects'
dependencies.
"""

from __future__ import annotations

import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.build import elf

# Per manylinux_2_N on x86-64: N and the newest GLIBCXX, CXXABI and GCC versions, as in auditwheel.
_POLICIES = (
    (17, "3.4.19", "1.3.7", "4.8.0"),
    (24, "3.4.22", "1.3.10", "4.8.0"),
    (26, "3.4.22", "1.3.10", "4.8.0"),
    (27, "3.4.24", "1.3.11", "7.0.0"),
    (28, "3.4.24", "1.3.11", "7.0.0"),
    (31, "3.4.28", "1.3.12", "7.0.0"),
    (34, "3.4.29", "1.3.13", "7.0.0"),
    (35, "3.4.30", "1.3.13", "12.0.0"),
    (36, "3.4.30", "1.3.13", "12.0.0"),
    (37, "3.4.30", "1.3.13", "12.0.0"),
    (38, "3.4.30", "1.3.13", "12.0.0"),
    (39, "3.4.33", "1.3.15", "14.0.0"),
    (40, "3.4.33", "1.3.15", "14.0.0"),
    (41, "3.4.33", "1.3.15", "14.0.0"),
)
# Libraries that every such system has; others must be in the wheel.
_SYSTEM = frozenset(
    {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "ld-linux-x86-64.so.2"}
    | {"libgcc_s.so.1", "libstdc++.so.6"}
)
# The only named version that newer linkers may require: packed relocations.
_NAMED = {"GLIBC_ABI_DT_RELR": "GLIBC_2.36"}


def platform_tag(libraries: Iterable[Path]) -> str:
    """Returns the tag; `linux_x86_64` and the like where no manylinux satisfies all libraries, and on other
    machines.
    """
    plain = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    libraries = list(libraries)
    needs = [found for found in map(elf.read_needs, libraries) if found is not None]
    inside = {library.name for library in libraries}
    if plain != "linux_x86_64" or not needs:
        return plain
    if any(name not in _SYSTEM and name not in inside for each in needs for name in each.libraries):
        return plain
    versions = {v for each in needs for names in each.versions.values() for v in names}
    newest = next((n for n, *limits in _POLICIES if _has_all(versions, (f"2.{n}", *limits))), None)
    return plain if newest is None else f"manylinux_2_{newest}_x86_64"


def _has_all(versions: Iterable[str], limits: Sequence[str]) -> bool:
    limit = dict(zip(("GLIBC", "GLIBCXX", "CXXABI", "GCC"), map(_numbers, limits), strict=True))
    for version in versions:
        name, _, number = _NAMED.get(version, version).partition("_")
        if name in limit and _numbers(number) > limit[name]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    """Returns the numbers of a version. A named one, such as CXXABI_TM_1, has none: it is older than the
    whole table.
    """
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isdigit() for part in parts) else ()
