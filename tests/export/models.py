"""Networks in plain PyTorch, small enough that a test exports and runs them: their weights are random."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

WIDTH = 32
WORDS = 50


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(20, WIDTH),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(WIDTH, WIDTH),
            nn.GELU(),
            nn.Linear(WIDTH, 7),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.log_softmax(self.layers(x), dim=-1)


class Lstm(nn.Module):
    """Two layers in both directions; the last state is classified."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 16)
        self.lstm = nn.LSTM(16, 24, num_layers=2, bidirectional=True, batch_first=True)
        self.head = nn.Linear(48, 5)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        states, _ = self.lstm(self.embedding(words))
        return self.head(states[:, -1])


class TransformerEncoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 64, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(WIDTH), enable_nested_tensor=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.encoder(x)


class Residual(nn.Module):
    def __init__(self, channels: int, out: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, out, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(out)
        self.second = nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(out)
        self.shortcut = nn.Sequential()
        if stride != 1 or channels != out:
            self.shortcut = nn.Sequential(
                nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = F.relu(self.first_norm(self.first(x)))
        return F.relu(self.second_norm(self.second(inner)) + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 8, 7, 2, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1)
        )
        self.stages = nn.Sequential(Residual(8, 8, 1), Residual(8, 16, 2), Residual(16, 32, 2))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(32, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(torch.flatten(self.pool(self.stages(self.stem(x))), 1))


class SqueezeExcite(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(channels, channels // 4, 1)
        self.widen = nn.Conv2d(channels // 4, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = F.relu(self.narrow(F.adaptive_avg_pool2d(x, 1)))
        return x * F.hardsigmoid(self.widen(scale))


class InvertedResidual(nn.Module):
    """A depthwise convolution between two 1x1 convolutions."""

    def __init__(self, channels: int, out: int, stride: int, activation: type[nn.Module]) -> None:
        super().__init__()
        wide = 4 * channels
        self.layers = nn.Sequential(
            nn.Conv2d(channels, wide, 1, bias=False),
            nn.BatchNorm2d(wide),
            activation(),
            nn.Conv2d(wide, wide, 3, stride, 1, groups=wide, bias=False),
            nn.BatchNorm2d(wide),
            activation(),
            SqueezeExcite(wide),
            nn.Conv2d(wide, out, 1, bias=False),
            nn.BatchNorm2d(out),
        )
        self.adds = stride == 1 and channels == out

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.layers(x) if self.adds else self.layers(x)


class MobileNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.Hardswish())
        self.blocks = nn.Sequential(
            InvertedResidual(8, 8, 1, nn.ReLU6),
            InvertedResidual(8, 16, 2, nn.Hardswish),
            InvertedResidual(16, 16, 1, nn.SiLU),
        )
        self.head = nn.Linear(16, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(F.dropout(self.blocks(self.stem(x)).mean([2, 3]), 0.2, self.training))


class DoubleConvolution(nn.Sequential):
    def __init__(self, channels: int, out: int) -> None:
        super().__init__(
            nn.Conv2d(channels, out, 3, padding=1), nn.GroupNorm(4, out), nn.ReLU(),
            nn.Conv2d(out, out, 3, padding=1), nn.GroupNorm(4, out), nn.LeakyReLU(0.1),
        )  # fmt: skip


class UNet(nn.Module):
    """One half upsamples by transposed convolution, the other by interpolation."""

    def __init__(self) -> None:
        super().__init__()
        self.top = DoubleConvolution(3, 8)
        self.middle = DoubleConvolution(8, 16)
        self.bottom = DoubleConvolution(16, 32)
        self.up_middle = nn.ConvTranspose2d(32, 16, 2, 2)
        self.join_middle = DoubleConvolution(32, 16)
        self.up_top = nn.Conv2d(16, 8, 1)
        self.join_top = DoubleConvolution(16, 8)
        self.head = nn.Conv2d(8, 2, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        top = self.top(x)
        middle = self.middle(F.max_pool2d(top, 2))
        bottom = self.bottom(F.avg_pool2d(middle, 2))
        middle = self.join_middle(torch.cat([middle, self.up_middle(bottom)], 1))
        wider = F.interpolate(middle, scale_factor=2.0, mode="bilinear", align_corners=False)
        top = self.join_top(torch.cat([top, self.up_top(wider)], 1))
        return torch.sigmoid(self.head(top))


class Attention(nn.Module):
    def __init__(self, causal: bool) -> None:
        super().__init__()
        self.inwards = nn.Linear(WIDTH, 3 * WIDTH)
        self.outwards = nn.Linear(WIDTH, WIDTH)
        self.causal = causal

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        batch, length, width = x.shape
        query, key, value = (
            t.reshape(batch, length, 4, width // 4).transpose(1, 2) for t in self.inwards(x).chunk(3, dim=-1)
        )
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=self.causal)
        return self.outwards(mixed.transpose(1, 2).reshape(batch, length, width))


class GptBlock(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention_norm, self.attention = nn.LayerNorm(WIDTH), Attention(causal=True)
        self.norm = nn.LayerNorm(WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.attention_norm(x))
        return x + self.narrow(F.gelu(self.wide(self.norm(x)), approximate="tanh"))


class Gpt(nn.Module):
    """Predicts each next word: causal attention, and the embedding's weights also as output layer."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.places = nn.Embedding(64, WIDTH)
        self.blocks = nn.Sequential(GptBlock(), GptBlock())
        self.norm = nn.LayerNorm(WIDTH)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        places = torch.arange(words.shape[1], device=words.device)
        x = self.blocks(self.words(words) + self.places(places))
        return F.linear(self.norm(x), self.words.weight)


class BertLayer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention, self.attention_norm = Attention(causal=False), nn.LayerNorm(WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.attention_norm(x + self.attention(x, mask))
        return self.norm(x + self.narrow(F.gelu(self.wide(x))))


class Bert(nn.Module):
    """Sentences of different lengths; positions after the end are masked."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH, padding_idx=0)
        self.places = nn.Embedding(64, WIDTH)
        self.kinds = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.layers = nn.ModuleList(BertLayer() for _ in range(2))
        self.pooler, self.head = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 3)
        self.register_buffer("numbers", torch.arange(64))

    def forward(
        self, words: torch.Tensor, kinds: torch.Tensor, mask: torch.Tensor
    ) -> dict[str, torch.Tensor]:
        places = self.places(self.numbers[: words.shape[1]])
        x = self.norm(self.words(words) + places + self.kinds(kinds))
        hidden = (1.0 - mask[:, None, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
        for layer in self.layers:
            x = layer(x, hidden)
        return {"states": x, "classes": self.head(torch.tanh(self.pooler(x[:, 0])))}


def words(batch: int, length: int = 12) -> torch.Tensor:
    return torch.randint(1, WORDS, (batch, length))


def sentences(batch: int) -> tuple[torch.Tensor, ...]:
    mask = torch.ones(batch, 12, dtype=torch.int64)
    mask[0, 9:] = 0
    return words(batch), torch.randint(0, 2, (batch, 12)), mask


# A network, and its inputs for a batch of the given size.
MODELS = {
    "mlp": (Mlp, lambda batch: (torch.randn(batch, 20),)),
    "lstm": (Lstm, lambda batch: (words(batch),)),
    "transformer_encoder": (TransformerEncoder, lambda batch: (torch.randn(batch, 9, WIDTH),)),
    "resnet": (ResNet, lambda batch: (torch.randn(batch, 3, 48, 48),)),
    "mobilenet": (MobileNet, lambda batch: (torch.randn(batch, 3, 32, 32),)),
    "unet": (UNet, lambda batch: (torch.randn(batch, 3, 16, 16),)),
    "gpt": (Gpt, lambda batch: (words(batch),)),
    "bert": (Bert, sentences),
}
