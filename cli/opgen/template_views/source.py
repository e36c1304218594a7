"""A hand-written file as template views see it: its place in the tree, how it is compiled, which operators it
is about.
"""

from __future__ import annotations

import dataclasses

USER_FOLDER = "src/user/"  # of the project's own files, in the tree


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """A hand-written file: `origin` in the repository, `path` in the tree, `group` of cmake/library.cmake (""
    for headers).

    `defines` and `calls` are the base names of operators whose kernels or meta functions it defines, and of
    those it calls; `metas` are those whose meta functions it defines. `stubs` are the dispatch stubs it
    defines, `registers` those it registers a kernel for, `stub_calls` those it calls. `helpers` are functions
    that it defines for formulas, `uses` the names it calls where it may call such.
    """

    origin: str
    path: str
    group: str
    content: bytes
    defines: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    metas: frozenset[str] = frozenset()
    stubs: frozenset[str] = frozenset()
    registers: frozenset[str] = frozenset()
    stub_calls: frozenset[str] = frozenset()
    helpers: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()

    @property
    def is_shipped(self) -> bool:
        """Whether it is compiled and opgen's own, not the project's."""
        return bool(self.group) and not self.path.startswith(USER_FOLDER)
