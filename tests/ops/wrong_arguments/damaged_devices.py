"""The devices of a call's tensors and results: all on one device, except for the listed arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import aten
import borders
from opgen.model.checks import MAY_BE

# With out=, these only use the shape and dtype of other tensors.
FACTORIES = tuple(f"{kind}_like" for kind in "empty zeros ones full rand randn randint".split()) + tuple(
    f"new_{kind}" for kind in "empty empty_strided zeros ones full".split()
)
# Operators that treat each tensor by itself, that compare what is known of two, or that take one's shape.
EACH_ALONE = re.compile(
    r"_foreach_\w+|atleast_\dd|broadcast_tensors|is_same_size|is_set_to|_has_same_storage_numel|result_type|_?resize_(as|output)_?"
)
# Operators whose results are on the CPU whatever the device of the arguments.
CPU_RESULTS: dict[str, str] = {
    "_pack_padded_sequence": "the batch sizes, as PyTorch's",
    "_pad_packed_sequence": "the lengths, as PyTorch's",
    "_shape_as_tensor": "the shape, as PyTorch's",
}


def may_be(name: str, device: str) -> frozenset[str]:
    """Returns the arguments of an overload that schemas/checks.yaml lets be on that device."""
    asked = borders.checks().get(name, ())
    return frozenset(c.argument for c in asked if c.relation == MAY_BE and device in c.words)


class WrongDevice(Exception):
    """A call that should have raised, or a result on the wrong device."""


@dataclass(frozen=True)
class Given:
    """A tensor argument of a call."""

    parameter: str
    tensor: Any
    written: bool

    def counts(self) -> bool:
        """Whether its device matters. Tensors on the CPU without dimensions go with all others."""
        return self.written or self.tensor.dim() > 0 or self.tensor.is_meta


def check_devices(name: str, given: list[Given], result: Any, asked: bool) -> None:
    """Checks a call that returned: its tensors are on one device, and so are its results unless a device was
    given.
    """
    base = name.partition(".")[0]
    anywhere, on_cpu = may_be(name, "any"), may_be(name, "cpu")
    outs = [g for g in given if g.written and g.parameter != "self"]
    if (base in FACTORIES and outs) or EACH_ALONE.fullmatch(base):
        return
    # Copying a result to an out= on meta has no effect, so its device may be another one.
    copied = [g for g in outs if g.tensor.is_meta]
    placed = [
        g
        for g in given
        if not any(g is c for c in copied) and not (g.parameter in on_cpu and g.tensor.device.type == "cpu")
    ]
    together = [g for g in placed if g.parameter not in anywhere]
    devices = {str(g.tensor.device) for g in together if g.counts()}
    if len(devices) > 1:
        raise WrongDevice(f"took tensors on {' and '.join(sorted(devices))}")
    if asked:
        return
    # Where only scalars are given, arguments that may be anywhere decide the device.
    devices = devices or {str(g.tensor.device) for g in placed}
    for t in result if isinstance(result, (list, tuple)) else [result]:
        if any(t is g.tensor for g in copied):
            continue
        elsewhere = isinstance(t, aten.Tensor) and devices and str(t.device) not in devices
        if elsewhere and not (base in CPU_RESULTS and t.device.type == "cpu"):
            raise WrongDevice(f"result on {t.device}, arguments on {' and '.join(devices)}")
