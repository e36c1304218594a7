"""Known differences in the effects of inference mode on tensors."""

from __future__ import annotations

from .known import ANY, INFERENCE, Known

INFERENCE_MODE: tuple[Known, ...] = (
    Known(
        ".*out=.*|.*inference_mode.*resize_.*",
        "outcome",
        "cannot resize variables that require grad",
        "^a result",
        "what requires grad is not resized, recorded or not",
    ),
    Known(
        r".*resize_\(.*",
        "outcome",
        "Inplace update to inference tensor outside InferenceMode",
        "^a result",
        "resize_ counts as a write, which inference tensors refuse outside of inference mode",
    ),
    Known(
        r".*\bgrad\(.*",
        "outcome",
        "does not require grad",
        "^a result",
        "asarray of an inference tensor that requires grad is detached, as it has no history",
        before=r"lib\.asarray\(",
    ),
    Known(
        r".*\b{name} = .*",
        "is_view|base",
        ANY,
        ANY,
        "results of inference tensors: PyTorch's may be views of what an operator made on the way",
        before=INFERENCE,
    ),
    Known(
        r".*\b{name} = .*",
        "version",
        "^[0-3]$",
        "^[0-3]$",
        "results of inference tensors: which of the writes that make one are counted differs",
        before=INFERENCE,
    ),
    Known(
        r".*\.(data|detach\(\))",
        "version",
        "^RuntimeError$",
        "^0$",
        "an inference tensor's alias has no version either",
        before=INFERENCE,
    ),
    Known(
        r".*\.(data|detach\(\))\.\w+_\(.*|.*\.increment_version\(.*",
        "outcome",
        "Inplace update to inference tensor|inference tensors have no version",
        "^a result",
        "an inference tensor's alias has no version either",
        before=INFERENCE,
    ),
    Known(
        ANY,
        "values",
        ANY,
        ANY,
        "a write to an inference tensor is refused before it is done; PyTorch has done it by then",
        error="RuntimeError",
        before=INFERENCE,
    ),
    Known(
        r".*(backward|grad)\(.*",
        "inference|version",
        ANY,
        ANY,
        "gradients that are computed in inference mode, or given as inference tensors",
        before=INFERENCE,
    ),
    Known(
        r".*backward\(.*",
        "outcome",
        "Inplace update to inference tensor outside InferenceMode",
        "^a result",
        "gradients that are computed in inference mode, or given as inference tensors",
        before=INFERENCE + ".*(backward|grad)",
    ),
    Known(
        r".*\.view\(lib\.\w+\)",
        "requires_grad|is_view|inference|base|grad_fn|is the object|is_leaf|version|retains_grad",
        ANY,
        ANY,
        "PyTorch's view to a tensor's own dtype, or in inference mode, forgets what it is a view of",
    ),
    Known(
        r".*(backward|grad)\(.*",
        "outcome",
        "^a result",
        "invalid gradient at index 0",
        "in inference mode PyTorch changes the shape of a recorded tensor, and not its history",
        before=r"inference_mode\(\).*\.\w+_\(",
    ),
    Known(
        ".*inference_mode.*out=.*",
        "outcome",
        "^a result",
        "don't support automatic differentiation",
        "in inference mode nothing is recorded, whatever grad mode says",
    ),
)
