"""A hand-written file as views see it: where it goes in the tree, how it is compiled, which operators it is
about.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """A hand-written file: `origin` in the repository, `path` in the tree, `group` of cmake/library.cmake (""
    for headers).

    `defines` and `calls` are the base names of operators whose kernels or shape functions stand in it, and of
    those it calls. `stubs` are the dispatch stubs it defines, `registers` those it gives a kernel. `helpers`
    are functions that it defines for formulas, `uses` the names it calls where it may call such.
    """

    origin: str
    path: str
    group: str
    content: bytes
    defines: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    stubs: frozenset[str] = frozenset()
    registers: frozenset[str] = frozenset()
    helpers: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
