"""Operators' tags: `Tag.pointwise in op.tags`."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class _TagType(type):
    """The class of `Tag`, whose attributes are the library's tags."""

    def __getattr__(cls, name: str) -> Tag:
        if name not in _C._tag_names:
            raise AttributeError(f"there is no Tag.{name}; there are {', '.join(_C._tag_names)}")
        tag = Tag(_C._tag_names.index(name))
        setattr(cls, name, tag)
        return tag

    def __iter__(cls) -> Any:
        return (Tag(number) for number in range(len(_C._tag_names)))


class Tag(int, metaclass=_TagType):
    """A tag, by its value; `Tag.<name>` by its name."""

    @property
    def name(self) -> str:
        return _C._tag_names[self]

    def __str__(self) -> str:
        return f"Tag.{self.name}"

    def __repr__(self) -> str:
        return f"<Tag.{self.name}: {int(self)}>"


def _of(bits: int) -> list[Tag]:
    """Returns the tags whose bits are set."""
    return [tag for tag in Tag if bits >> tag & 1]
