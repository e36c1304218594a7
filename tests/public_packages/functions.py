"""What packages do with tensors, without a model: cases that return arrays."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def tensor(*shape: int, seed: int = 0) -> Any:
    """A tensor of numbers that are the same for both libraries."""
    import torch

    return torch.from_numpy(np.random.default_rng(seed).standard_normal(shape, dtype=np.float32))


def arrays(**values: Any) -> dict[str, Any]:
    """The tensors as arrays."""
    return {name: value.detach().numpy() for name, value in values.items()}


def einops_functions() -> dict[str, Any]:
    """rearrange, reduce, repeat, einsum, pack and unpack."""
    from einops import asnumpy, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack

    x = tensor(2, 3, 4, 6).requires_grad_()
    assert parse_shape(x, "b c _ w") == {"b": 2, "c": 3, "w": 6}
    rearranged = rearrange(x, "b c (h p) (w q) -> b (h w) (p q c)", p=2, q=3)
    rearranged.square().sum().backward()
    packed, shapes = pack([tensor(2, 5), tensor(2, 3, 5)], "b * e")
    parts = unpack(packed, shapes, "b * e")
    assert asnumpy(x).shape == (2, 3, 4, 6)
    return arrays(
        rearranged=rearranged,
        gradient=x.grad,
        stacked=rearrange([tensor(2, 3), tensor(2, 3, seed=1)], "n a b -> a (b n)"),
        means=reduce(x, "b c (h 2) (w 2) -> b c h w", "mean"),
        largest=reduce(x, "b c h w -> b c", "max"),
        products=reduce(x, "b c h w -> c", "prod"),
        repeated=repeat(tensor(2, 3), "a b -> a b n", n=4),
        contracted=einsum(x, tensor(6, 5), "b c h w, w d -> b d h"),
        packed=packed,
        first=parts[0],
        second=parts[1],
    )


def einops_layers() -> dict[str, Any]:
    """The layers, in a Sequential that is trained."""
    import torch
    from einops.layers.torch import EinMix, Rearrange, Reduce

    mixed = EinMix("b (h w) c -> b h (w d)", "h c d", "h d", h=2, w=3, c=4, d=5)
    with torch.no_grad():
        mixed.weight.copy_(tensor(*mixed.weight.shape))
        mixed.bias.copy_(tensor(*mixed.bias.shape))
    model = torch.nn.Sequential(Rearrange("b c h w -> b (h w) c"), mixed, Reduce("b h c -> b c", "max"))
    out = model(tensor(2, 4, 2, 3))
    out.sum().backward()
    return arrays(out=out, weight=mixed.weight.grad, bias=mixed.bias.grad)


def safetensors_files() -> dict[str, Any]:
    """Files and bytes, of tensors and of modules with shared parameters."""
    import torch
    from safetensors import safe_open
    from safetensors.torch import load, load_file, load_model, save, save_file, save_model

    tensors = {
        "x": tensor(3, 4),
        "half": tensor(5).half(),
        "bfloat16": tensor(5).bfloat16(),
        "whole": torch.arange(4),
        "flags": tensor(6) > 0,
    }
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    with torch.no_grad():
        model[0].weight.copy_(tensor(3, 3))
    model[1].weight = model[0].weight
    other = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    other[1].weight = other[0].weight
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tensors.safetensors"
        save_file(tensors, file, {"by": "a test"})
        for read in (load_file(file), load(save(tensors))):
            assert read.keys() == tensors.keys()
            assert all(torch.equal(read[n], t) and read[n].dtype is t.dtype for n, t in tensors.items())
        with safe_open(file, framework="pt") as opened:
            assert opened.metadata() == {"by": "a test"}
            part = opened.get_slice("x")[1:3, :2]
        content = np.frombuffer(file.read_bytes(), np.uint8).copy()
        save_model(model, str(file))
        assert load_model(other, str(file)) == (set(), [])
    return {**arrays(part=part, loaded=other[1].weight), "content": content}


def torchvision_transforms() -> dict[str, Any]:
    """Transforms of tensors that have no random numbers: the first and the second interface."""
    import torch
    from torchvision import transforms, tv_tensors
    from torchvision.transforms import functional, v2

    image = (tensor(3, 20, 24).sigmoid() * 255).to(torch.uint8)
    first = transforms.Compose(
        [
            transforms.Resize(16, antialias=True),
            transforms.CenterCrop(12),
            transforms.ConvertImageDtype(torch.float32),
            transforms.Normalize([0.5] * 3, [0.25] * 3),
        ]
    )
    second = v2.Compose(
        [
            v2.Resize(16, antialias=True),
            v2.CenterCrop(12),
            v2.RandomHorizontalFlip(p=1.0),
            v2.ToDtype(torch.float32, scale=True),
            v2.Normalize([0.5] * 3, [0.25] * 3),
        ]
    )
    boxes = tv_tensors.BoundingBoxes(
        torch.tensor([[2, 3, 10, 12]]), format="XYXY", canvas_size=tuple(image.shape[-2:])
    )
    turned, moved = second(tv_tensors.Image(image), boxes)
    assert isinstance(turned, tv_tensors.Image) and isinstance(moved, tv_tensors.BoundingBoxes)
    return {
        **arrays(
            first=first(image),
            second=torch.Tensor.as_subclass(turned, torch.Tensor),
            boxes=torch.Tensor.as_subclass(moved, torch.Tensor),
            gray=functional.rgb_to_grayscale(image),
            rotated=functional.rotate(image, 30.0),
            bright=functional.adjust_brightness(image, 1.5),
            hue=functional.adjust_hue(image, 0.2),
            blurred=functional.gaussian_blur(image, [3, 3], [1.0, 1.0]),
            padded=functional.pad(image, [1, 2, 3, 4], padding_mode="reflect"),
            posterized=functional.posterize(image, 3),
            equal=functional.equalize(image),
            affine=functional.affine(image, 10.0, [2, 1], 1.1, [5.0, 0.0]),
            perspective=v2.functional.perspective(
                image, [[0, 0], [23, 0], [23, 19], [0, 19]], [[2, 1], [20, 2], [22, 18], [1, 17]]
            ),
        ),
        "pixels": np.asarray(functional.to_pil_image(image)),
    }


def torchvision_functions() -> dict[str, Any]:
    """Functions of boxes, losses, layers and grids that are written in Python."""
    import torch
    from torchvision import ops, utils

    corners = tensor(5, 2).abs() * 10
    boxes = torch.cat([corners, corners + 1 + tensor(5, 2, seed=1).abs() * 5], dim=1)
    targets = (tensor(5, 4, seed=2) > 0).float()
    features = tensor(1, 4, 8, 8)
    return arrays(
        areas=ops.box_area(boxes),
        overlaps=ops.box_iou(boxes, boxes),
        generalized=ops.generalized_box_iou(boxes, boxes),
        complete=ops.complete_box_iou_loss(boxes, boxes.flip(0)),
        converted=ops.box_convert(boxes, "xyxy", "cxcywh"),
        clipped=ops.clip_boxes_to_image(boxes, (8, 8)),
        focal=ops.sigmoid_focal_loss(tensor(5, 4), targets, reduction="mean"),
        squeezed=ops.Permute([0, 2, 3, 1])(features),
        grid=utils.make_grid(features.repeat(3, 1, 1, 1)[:, :3], nrow=2, normalize=True),
    )


def timm_parts() -> dict[str, Any]:
    """Layers, a model's features, an optimizer and a scheduler."""
    import timm
    import torch
    from timm.layers import DropPath, LayerNorm2d, PatchEmbed, RmsNorm, resample_abs_pos_embed
    from timm.optim import create_optimizer_v2
    from timm.scheduler import CosineLRScheduler
    from timm.utils import ModelEmaV3, accuracy

    features = timm.create_model("resnet18", features_only=True)(tensor(1, 3, 64, 64))
    found = {f"shape {i}": np.array(part.shape) for i, part in enumerate(features)}
    for name in ("sgd", "adamw", "lamb", "lion", "adafactor", "nadamw", "radam", "adopt", "madgrad"):
        layer = torch.nn.Linear(4, 3)
        with torch.no_grad():
            layer.weight.copy_(tensor(3, 4))
            layer.bias.copy_(tensor(3, seed=1))
        optimizer = create_optimizer_v2(layer, opt=name, lr=0.01, weight_decay=0.05)
        schedule = CosineLRScheduler(optimizer, t_initial=4, lr_min=1e-4, warmup_t=1)
        averaged = ModelEmaV3(layer, decay=0.5)
        for step in range(3):
            optimizer.zero_grad()
            layer(tensor(2, 4, seed=step)).square().mean().backward()
            optimizer.step()
            schedule.step(step + 1)
            averaged.update(layer)
        found[f"{name} weight"] = layer.weight.detach().numpy()
        found[f"{name} average"] = averaged.module.weight.detach().numpy()
    x = tensor(2, 8, 6, 6)
    top = accuracy(tensor(4, 10), torch.arange(4), topk=(1, 5))
    return {
        **found,
        **arrays(
            norm=LayerNorm2d(8)(x),
            rms=RmsNorm(6)(x),
            path=DropPath(0.0)(x),
            positions=resample_abs_pos_embed(tensor(1, 17, 8), [6, 6], num_prefix_tokens=1),
        ),
        "patches": np.array(PatchEmbed(8, 2, 8, 16)(tensor(1, 8, 8, 8)).shape),
        "accuracy": np.array([float(value) for value in top]),
    }


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "einops functions": einops_functions,
    "einops layers": einops_layers,
    "safetensors files": safetensors_files,
    "timm parts": timm_parts,
    "torchvision transforms": torchvision_transforms,
    "torchvision functions": torchvision_functions,
}
