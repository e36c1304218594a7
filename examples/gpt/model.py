"""A decoder-only transformer over bytes, in the form of GPT-2."""

from __future__ import annotations

import dataclasses

import aten
from aten import nn
from aten.nn import functional as F


@dataclasses.dataclass(frozen=True)
class Config:
    context: int = 128  # tokens that the model sees at once
    width: int = 128
    heads: int = 4
    layers: int = 4
    dropout: float = 0.1
    vocabulary: int = 256


class Attention(nn.Module):
    """Causal self-attention: a token attends to itself and to those before it."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.heads, self.dropout = config.heads, config.dropout
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.out = nn.Linear(config.width, config.width)

    def forward(self, x: aten.Tensor) -> aten.Tensor:
        # [batch, tokens, 3 * width] -> three of [batch, heads, tokens, width / heads]
        q, k, v = self.qkv(x).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        dropout = self.dropout if self.training else 0.0
        x = F.scaled_dot_product_attention(q, k, v, dropout_p=dropout, is_causal=True)
        return self.out(x.transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Attention and an MLP, each with a normalization before it and a residual connection around it."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        width = config.width
        self.norm1, self.attention = nn.LayerNorm(width), Attention(config)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: aten.Tensor) -> aten.Tensor:
        x = x + self.dropout(self.attention(self.norm1(x)))
        return x + self.dropout(self.mlp(self.norm2(x)))


class GPT(nn.Module):
    """Tokens [batch, tokens] to the logits of each next token [batch, tokens, vocabulary]."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.vocabulary, config.width)
        self.positions = nn.Embedding(config.context, config.width)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.Sequential(*(Block(config) for _ in range(config.layers)))
        self.norm = nn.LayerNorm(config.width)
        self.head = nn.Linear(config.width, config.vocabulary, bias=False)
        self.head.weight = self.tokens.weight  # tied: one matrix reads tokens and writes them
        self.apply(initialize)

    def forward(self, tokens: aten.Tensor) -> aten.Tensor:
        x = self.tokens(tokens) + self.positions(aten.arange(tokens.shape[1]))
        return self.head(self.norm(self.blocks(self.dropout(x))))

    @aten.no_grad()
    def generate(self, tokens: aten.Tensor, count: int, temperature: float, top_k: int) -> aten.Tensor:
        """Continues tokens [batch, tokens] by `count` tokens, each drawn from the `top_k` most probable ones.
        The lower the temperature, the more often it is the most probable one."""
        self.eval()
        for _ in range(count):
            logits = self(tokens[:, -self.config.context :])[:, -1] / temperature
            least = logits.topk(top_k).values[:, -1:]
            probabilities = logits.masked_fill(logits < least, -aten.inf).softmax(-1)
            tokens = aten.cat((tokens, aten.multinomial(probabilities, 1)), 1)
        return tokens


def initialize(module: nn.Module) -> None:
    """Sets small random weights, as in GPT-2: at first all tokens are about equally probable."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
