"""Small models of public repositories: each function imports a repository's module, which lies in sys.path,
and returns the model and a function that computes its loss."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch
import torch.nn.functional as F

Fitted = tuple[Any, Callable[[], Any]]
TOKENS = 64


def tokens() -> Any:
    """Sequences of 17 tokens."""
    return torch.randint(0, TOKENS, (4, 17))


def predicted(model: Any, x: Any) -> Fitted:
    """The model of one token after the other."""
    return model, lambda: F.cross_entropy(model(x[:, :-1]).transpose(1, 2), x[:, 1:])


def classifier(module: str, made: str) -> Fitted:
    """A classifier of images: `made` is an expression with the names of the module."""
    model = eval(made, vars(import_module(module)))
    x, y = torch.randn(4, 3, 32, 32), torch.arange(4)
    return model, lambda: F.cross_entropy(model(x), y)


def whisper() -> Fitted:
    """The two parts of Whisper, which itself has a sparse tensor."""
    from whisper.model import AudioEncoder, TextDecoder

    encoder, decoder = AudioEncoder(16, 32, 32, 2, 2), TextDecoder(TOKENS, 16, 32, 2, 2)
    model = torch.nn.ModuleList([encoder, decoder])
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    sound, x = torch.randn(2, 16, 64), torch.randint(0, TOKENS, (2, 9))
    return model, lambda: F.cross_entropy(decoder(x[:, :-1], encoder(sound)).transpose(1, 2), x[:, 1:])


def nanochat() -> Fitted:
    from nanochat.gpt import GPT, GPTConfig

    model, x = GPT(GPTConfig(32, TOKENS, 4, 4, 2, 64)), tokens()
    model.init_weights()
    return model, lambda: model(x[:, :-1].contiguous(), x[:, 1:].contiguous())


def mamba() -> Fitted:
    from model import Mamba, ModelArgs

    return predicted(Mamba(ModelArgs(d_model=32, n_layer=2, vocab_size=TOKENS)), tokens())


def translation() -> Fitted:
    from transformer.Models import Transformer

    sizes = {"d_word_vec": 32, "d_model": 32, "d_inner": 64, "n_layers": 2, "n_head": 2, "d_k": 16, "d_v": 16}
    model, x = Transformer(TOKENS, TOKENS, 0, 0, **sizes), tokens()
    return model, lambda: F.cross_entropy(model(x, x[:, :-1]), x[:, 1:].reshape(-1), ignore_index=0)


def openai_gpt() -> Fitted:
    from model_pytorch import DEFAULT_CONFIG, LMModel

    DEFAULT_CONFIG.update({"n_embd": 32, "n_head": 2, "n_layer": 2})
    model = LMModel(DEFAULT_CONFIG, vocab=TOKENS + 32, n_ctx=32)
    x = torch.stack([tokens(), torch.arange(TOKENS, TOKENS + 17).expand(4, -1)], -1)
    return model, lambda: F.cross_entropy(model(x)[:, :-1].transpose(1, 2), x[:, 1:, 0])
