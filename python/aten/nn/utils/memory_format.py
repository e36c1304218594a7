"""Memory formats of the weights of convolutions."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def convert_conv2d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """Stores the weights of all Conv2d and ConvTranspose2d inside of the module in the memory format.
    Returns the module."""
    from ..modules.conv import Conv2d, ConvTranspose2d

    return _converted(module, memory_format, (Conv2d, ConvTranspose2d))


def convert_conv3d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """The same for Conv3d and ConvTranspose3d."""
    from ..modules.conv import Conv3d, ConvTranspose3d

    return _converted(module, memory_format, (Conv3d, ConvTranspose3d))


def _converted(module: Any, memory_format: Any, kinds: Any) -> Any:
    for part in module.modules():
        if isinstance(part, kinds):
            data = part.weight.detach().clone(memory_format=memory_format)
            # Where sizes of 1 leave a choice of strides, resize_ takes those of the format.
            part.weight.data = data.resize_(data.size(), memory_format=memory_format)
    return module
