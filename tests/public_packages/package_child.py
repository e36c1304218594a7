"""Runs cases in one process: trains a model for a step, and generates tokens.

python package_child.py FOLDER pytorch|aten CASE...

With PyTorch, it writes the weights and the results of each case to FOLDER/CASE; with this library as torch,
it loads these weights, and writes how far its results are from those.
"""

from __future__ import annotations

import json
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

import architectures
import numpy as np

OPTIONS = {
    f"transformers {name}": (kind, ending, options)
    for kind, lines in architectures.TRANSFORMERS.items()
    for name, ending, options in lines
}
WITHOUT_BEAMS = {"transformers rwkv"}
KEPT: list[Any] = []  # libraries of operators, which are there as long as they are


def configured(name: str) -> Any:
    """The configuration of a model of transformers, without dropout."""
    from transformers import AutoConfig

    _, _, options = OPTIONS[name]
    whole = options if "text_config" in options else {**architectures.SMALL, **options}
    config = AutoConfig.for_model(name.partition(" ")[2], **whole)
    for key, value in vars(config).items():
        if "drop" in key and isinstance(value, float):
            setattr(config, key, 0.0)
    return config


def inputs(kind: str) -> dict[str, np.ndarray[Any, Any]]:
    """What a kind of model is given."""
    made = np.random.default_rng(0)
    tokens = made.integers(3, architectures.VOCABULARY, (2, 12))
    pixels = made.standard_normal((2, 3, 32, 32), dtype=np.float32)
    few = made.integers(3, architectures.VOCABULARY, (2, 6))
    return {
        "masked": {"input_ids": tokens, "attention_mask": np.arange(12) < [[12], [9]], "labels": tokens},
        "causal": {"input_ids": tokens, "labels": tokens},
        "translation": {"input_ids": tokens, "labels": few},
        "images": {"pixel_values": pixels, "labels": np.array([1, 4])},
        "captions": {"input_ids": tokens, "pixel_values": pixels},
        "speech": {"input_values": made.standard_normal((2, 800), dtype=np.float32), "labels": few},
        "spectrogram": {
            "input_features": made.standard_normal((2, 8, 64), dtype=np.float32),
            "labels": few,
        },
    }[kind]


def without_dropout(model: Any) -> Any:
    """The model in training mode, with dropout modules that drop nothing."""
    for part in model.train().modules():
        if "Drop" in type(part).__name__ or type(part).__name__ == "StochasticDepth":
            for name in ("p", "drop_prob"):
                if isinstance(getattr(part, name, None), float):
                    setattr(part, name, 0.0)
    return model


def trained(model: Any, loss_of: Any, kind: str) -> dict[str, Any]:
    """The loss, the gradients, and the loss after a step: of AdamW, but of SGD for models of images.

    The first step of AdamW is the gradients' signs, and BatchNorm of few values enlarges rounding errors.
    """
    import torch

    if kind == "images":
        optimizer: Any = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    else:
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loss = loss_of(model)
    loss.backward()
    found = {"loss": loss.detach().numpy()}
    for name, parameter in model.named_parameters():
        if parameter.grad is not None:
            found[f"gradient {name}"] = parameter.grad.numpy().copy()
    optimizer.step()
    with torch.no_grad():
        found["loss after a step"] = loss_of(model).numpy()
    return found


def transformer(name: str, folder: Path, is_reference: bool) -> dict[str, Any]:
    """A model of transformers: trained, and its greedy tokens."""
    import torch
    import transformers

    kind, ending, _ = OPTIONS[name]
    auto = getattr(transformers, f"AutoModelFor{ending}")
    if is_reference:
        torch.manual_seed(0)
        model = auto.from_config(configured(name))
        model.save_pretrained(folder)
        torch.save(model.state_dict(), folder / "state.pt")
    model = auto.from_pretrained(folder)
    if not is_reference:
        saved = torch.load(folder / "state.pt")
        for key, value in model.state_dict().items():
            assert torch.equal(value, saved[key]), f"{key}: safetensors and torch.load differ"
    given = {key: torch.from_numpy(value) for key, value in inputs(kind).items()}
    if kind == "captions":
        given["return_loss"] = True
    found = trained(without_dropout(model), lambda model: model(**given).loss, kind)
    if kind in ("causal", "translation", "spectrogram"):
        model.eval()
        fed = {key: value[:, :6] if kind == "causal" else value for key, value in given.items()}
        del fed["labels"]
        if "input_ids" in fed:
            fed["attention_mask"] = torch.ones_like(fed["input_ids"])
        options = {"max_new_tokens": 8, "do_sample": False, "num_beams": 1, "eos_token_id": None}
        found["tokens"] = model.generate(**fed, **options).numpy()
        if name not in WITHOUT_BEAMS:
            found["tokens of a beam"] = model.generate(**fed, **{**options, "num_beams": 3}).numpy()
    return found


def image_model(name: str, folder: Path, is_reference: bool) -> dict[str, Any]:
    """A model of timm or torchvision: trained."""
    import torch

    package, _, kind = name.partition(" ")
    torch.manual_seed(0)
    if package == "timm":
        import timm

        model = timm.create_model(kind, num_classes=5)
        side = model.default_cfg["input_size"][-1] if "224" in kind else 64
    else:
        import torchvision

        model = torchvision.models.get_model(kind, num_classes=5)
        side = 224 if kind.startswith("vit") else 64
    if is_reference:
        torch.save(model.state_dict(), folder / "state.pt")
    else:
        model.load_state_dict(torch.load(folder / "state.pt"))
    made = np.random.default_rng(0)
    images = torch.from_numpy(made.standard_normal((2, 3, side, side), dtype=np.float32))
    labels = torch.tensor([1, 4])
    loss = torch.nn.functional.cross_entropy
    return trained(without_dropout(model), lambda model: loss(model(images), labels), "images")


def case(name: str, folder: Path, is_reference: bool) -> dict[str, Any]:
    """Runs a case."""
    import functions

    package = name.partition(" ")[0]
    if name in functions.CASES:
        return functions.CASES[name]()
    return (transformer if package == "transformers" else image_model)(name, folder, is_reference)


def distance(found: dict[str, Any], expected: Any) -> tuple[float, str]:
    """The largest difference of a value's elements, in units of its largest element, and the value's name."""
    if sorted(found) != sorted(expected.files):
        different = sorted({*found} ^ {*expected.files})
        raise AssertionError(f"results that only one of both has: {', '.join(different[:4])}")
    worst = (0.0, "")
    scale = max([np.abs(expected[n]).max(initial=0) for n in found if n.startswith("gradient")], default=0)
    for key, value in found.items():
        theirs = expected[key]
        assert np.shape(value) == theirs.shape, f"{key}: shapes {np.shape(value)} and {theirs.shape}"
        if theirs.dtype.kind not in "fc":
            assert np.array_equal(value, theirs), f"{key}: {np.ravel(value)[:20]} and {theirs.ravel()[:20]}"
            continue
        off = np.abs(value - theirs).max(initial=0)
        # A gradient that is far smaller than the others is rounding errors of these.
        of = max(np.abs(theirs).max(initial=0), 1e-3 * scale if key.startswith("gradient") else 1e-6)
        assert np.isfinite(value).all() == np.isfinite(theirs).all(), f"{key}: not finite"
        worst = max(worst, (float(off / of) if off else 0.0, key))
    return worst


def import_torchvision() -> None:
    """Imports torchvision for PyTorch, also where its compiled part is for another build of PyTorch."""
    import torch

    try:
        import torchvision
    except RuntimeError:
        library = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]
        KEPT.append(library)
        import torchvision  # noqa: F401


def main(folder: Path, library: str, names: list[str]) -> None:
    """Runs the cases, and writes what became of each."""
    if library == "aten":
        import aten.torch

        aten.torch.install(replace=True)
    import torch

    if library == "pytorch":
        import_torchvision()
    torch.set_num_threads(2)
    warnings.simplefilter("ignore")
    for name in names:
        place = folder / name.replace(" ", "-").replace("/", "-")
        place.mkdir(parents=True, exist_ok=True)
        result: dict[str, Any] = {}
        (place / f"{library}.started").write_text("")
        try:
            found = case(name, place, library == "pytorch")
            if library == "pytorch":
                np.savez(place / "results.npz", **found)  # type: ignore[arg-type]
            else:
                result["off"], result["worst"] = distance(found, np.load(place / "results.npz"))
        except Exception as error:
            result["error"] = f"{type(error).__name__}: {error}".partition("\n")[0][:300]
            (place / f"{library}.txt").write_text(traceback.format_exc())
        (place / f"{library}.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
