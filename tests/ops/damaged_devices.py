"""Where a call's tensors and results may be: all on one device, but for arguments that are listed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import aten

# Arguments that may be on the CPU whatever the device of the others is, by operator: as in PyTorch.
INDICES = {"indices": "CPU indices are moved to the device of what they index"}
COPIED = {"src": "is copied to the device of what it is written to"}
BATCHES = {"batch_sizes": "is read on the CPU, where PyTorch wants it"}
SHAPE = {"other": "only its shape is asked"}
BIAS = {"bias": "only its size is asked"}
MOVED = {"self": "is moved to the device that is asked for"}
LENGTHS = dict.fromkeys(("lengths", "input_lengths", "target_lengths"), "are read on the CPU")
ON_CPU: dict[str, dict[str, str]] = {
    **dict.fromkeys(("index", "index_put", "index_put_"), INDICES),
    **dict.fromkeys(("_index_put_impl", "_index_put_impl_"), INDICES),
    **dict.fromkeys(("copy", "copy_"), COPIED),
    **dict.fromkeys(("as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"), COPIED),
    **dict.fromkeys(("gru", "lstm", "rnn_relu", "rnn_tanh"), BATCHES),
    **dict.fromkeys(("_pack_padded_sequence_backward", "_pad_packed_sequence"), BATCHES),
    **dict.fromkeys(("_pack_padded_sequence", "_ctc_loss", "_ctc_loss_backward", "ctc_loss"), LENGTHS),
}
# Arguments that may be anywhere.
ANYWHERE: dict[str, dict[str, str]] = {
    **dict.fromkeys(("expand_as", "reshape_as", "view_as"), SHAPE),
    "gather_backward": {"self": "only its shape is asked"},
    "masked_select_backward": {"input": "only its shape is asked"},
    **dict.fromkeys(("to", "_to_copy"), MOVED),
    **dict.fromkeys(("conv_tbc_backward", "native_layer_norm_backward"), BIAS),
    "_batch_norm_impl_index_backward": {"reservedSpace": "is not read by the kernel that is chosen"},
    "_scaled_dot_product_efficient_attention_backward": {"logsumexp": "is not read by the Meta kernel"},
    "cumprod_backward": {"output": "is computed anew"},
    "rrelu_with_noise_backward": dict.fromkeys(("self", "noise"), "one of them is read, as training says"),
}
# With out=, what these ask of other tensors is at most a shape and a dtype.
FACTORIES = tuple(f"{kind}_like" for kind in "empty zeros ones full rand randn randint".split()) + tuple(
    f"new_{kind}" for kind in "empty empty_strided zeros ones full".split()
)
# Results that are on the CPU whatever the device of the arguments is.
CPU_RESULTS: dict[str, str] = {
    "_pack_padded_sequence": "the batch sizes, as PyTorch's",
    "_pad_packed_sequence": "the lengths, as PyTorch's",
}


class WrongDevice(Exception):
    """A call that should have raised, or a result that is elsewhere."""


@dataclass(frozen=True)
class Given:
    """A tensor that a call got."""

    parameter: str
    tensor: Any
    written: bool

    def counts(self) -> bool:
        """Tensors without dimensions on the CPU go with any others, as numbers do."""
        return self.written or self.tensor.dim() > 0 or self.tensor.is_meta


def check_devices(name: str, given: list[Given], result: Any, asked: bool) -> None:
    """A call returned: its tensors were on one device, and so are its results unless asked elsewhere."""
    base = name.partition(".")[0]
    anywhere, on_cpu = ANYWHERE.get(base, {}), ON_CPU.get(base, {})
    outs = [g for g in given if g.written and g.parameter != "self"]
    if base in FACTORIES and outs:
        return
    # A result that is made on one device and copied to an out= on meta leaves nothing undone.
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
    # Numbers alone decide no device: arguments that may be anywhere have a say.
    devices = devices or {str(g.tensor.device) for g in placed}
    for t in result if isinstance(result, (list, tuple)) else [result]:
        if any(t is g.tensor for g in copied):
            continue
        elsewhere = isinstance(t, aten.Tensor) and devices and str(t.device) not in devices
        if elsewhere and not (base in CPU_RESULTS and t.device.type == "cpu"):
            raise WrongDevice(f"result on {t.device}, arguments on {' and '.join(devices)}")
