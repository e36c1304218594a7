"""Shuffled channels."""

from __future__ import annotations

from ..._C import Tensor
from .. import functional as F
from ._arguments import ArgumentsModule

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"

__all__ = ["ChannelShuffle"]


class ChannelShuffle(ArgumentsModule):
    """The channels (dimension 1) of `groups` groups in turn."""

    _shown = "groups={groups}"

    def __init__(self, groups: int) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)
