"""Versions, and the step between two of them, by semantic versioning."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from opgen.breaking.finding import Bump

_SUFFIX = r"(?:[.+-]?[A-Za-z][\w.+-]*|[.+-]\d[\w.+-]*)?"
_VERSION = re.compile(rf"v?(\d{{1,9}})(?:\.(\d{{1,9}}))?(?:\.(\d{{1,9}}))?{_SUFFIX}\Z", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """A version. A suffix (`rc1`, `+cpu`) has no influence on the step."""

    major: int
    minor: int
    patch: int
    text: str = field(compare=False)

    @classmethod
    def parse(cls, text: str) -> Version | None:
        found = _VERSION.match(text)
        if found is None:
            return None
        major, minor, patch = (int(part or 0) for part in found.groups())
        return cls(major, minor, patch, text)

    def __str__(self) -> str:
        return self.text

    def step_to(self, new: Version) -> Bump:
        """Returns the step. Before 1.0 components count one lower: 0.1 to 0.2 may break, 0.1.1 may add."""
        if self.major != new.major:
            return Bump.major
        steps = (Bump.major, Bump.minor) if self.major == 0 else (Bump.minor, Bump.none)
        if self.minor != new.minor:
            return steps[0]
        return steps[1] if self.patch != new.patch else Bump.none
