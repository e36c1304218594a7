"""The public programs: where they are, how they are started, and the data that they find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import data

# The commits that the table of docs/development/programs.md was made with.
COMMITS = {
    "PyTorch-GAN": "eriklindernoren 36d3c77e5ff20ebe0aeefd322326a134a279b93e",
    "attention-is-all-you-need-pytorch": "jadore801120 132907dd272e2cc92e3c10e6c4e783a87ff8893d",
    "examples": "pytorch 77f55b912142e11fcfdf5b530231fb9c52f181e8",
    "llama2.c": "karpathy 350e04fe35433e6d2941dce5a1f53308f87058eb",
    "makemore": "karpathy 988aa59e4d8fefa526d06f3b453ad116258398d4",
    "mamba-minimal": "johnma2006 03de542a36d873f6e6c4057ad687278cc6ae944d",
    "minGPT": "karpathy 37baab71b9abea1b76ab957409a1cc2fbfba8a26",
    "nanoGPT": "karpathy 3adf61e154c3fe3fca428ad6bc3818b27a3b8291",
    "nanochat": "karpathy 92d63d4e8bb4df75c3b71618f31ddde2378b2bcd",
    "pytorch-cifar": "kuangliu 49b7aa97b0c12fe0d4054e670403a16b6b834ddd",
    "pytorch-openai-transformer-lm": "huggingface bfd8e0989c684b79b800a49f8d9b74e559298ec2",
    "pytorch-tutorial": "yunjey 0500d3df5a2a8080ccfccbc00aca0eacc21818db",
    "vit-pytorch": "lucidrains 69d24fe9e3024c0d4b02761123b8583a24ebed1e",
    "whisper": "openai c0d2f624c09dc18e709e37c2ad90c039a4eb72a2",
}
FIT = str(Path(__file__).parent / "fit.py")


@dataclass(frozen=True)
class Case:
    """A program, the first of `words`, that starts in `folder` of a repository. `without`: modules that it
    imports, but has no need of here."""

    name: str
    repository: str
    words: tuple[str, ...]
    folder: str = "."
    data: tuple[Callable[[str], None], str] | None = None
    without: str = ""


_Data = tuple[Callable[[str], None], str] | None


def _case(where: str, command: str, data: _Data = None, without: str = "", name: str = "") -> Case:
    repository, _, folder = where.partition("/")
    words = tuple(command.split())
    return Case(name or f"{where}/{words[0]}", repository, words, folder or ".", data, without)


def _example(folder: str, options: str = "", data: _Data = None, what: str = "") -> Case:
    name = f"examples/{folder}{what}"
    return _case(f"examples/{folder}", f"main.py {options}", data, name=name)


def _language(kind: str) -> Case:
    options = f"--model {kind} --emsize 32 --nhid 32 --epochs 1 --bptt 10 --batch_size 16 --dropout 0"
    return _example("word_language_model", options, (data.words, "data/wikitext-2"), f" {kind}")


def _makemore(kind: str) -> Case:
    options = (
        f"makemore.py -i names.txt --type {kind} --max-steps 51 -n 0 --n-layer 2 --n-embd 32 --n-embd2 32"
    )
    return _case("makemore", options, without="torch.utils.tensorboard", name=f"makemore --type {kind}")


def _gan(name: str) -> Case:
    command, files = f"{name}.py --n_epochs 1 --batch_size 8", (data.digits, "../../data/mnist")
    return _case(f"PyTorch-GAN/implementations/{name}", command, files, name=f"PyTorch-GAN/{name}")


def _tutorial(folder: str, files: _Data = (data.digits, "../../data")) -> Case:
    name = f"pytorch-tutorial/{folder.partition('/')[2]}"
    return _case(f"pytorch-tutorial/tutorials/{folder}", "main.py", files, name=name)


def _model(repository: str, what: str, *words: str, without: str = "") -> Case:
    return Case(f"{repository}: {what}", repository, (FIT, *words), without=without)


def _classifier(repository: str, module: str, made: str, more: str = "") -> Case:
    return _model(repository, made.partition("(")[0] + more, "classifier", module, made)


def _vit(module: str, made: str, more: str = "") -> Case:
    usual = "image_size=32, patch_size=8, num_classes=10, dim=32, depth=2, heads=2"
    return _classifier("vit-pytorch", f"vit_pytorch.{module}", made.replace("USUAL", usual), more)


_MNIST = (data.digits, "../data")
_NANOGPT = (
    "train.py config/train_shakespeare_char.py --device=cpu --compile=False --dtype=float32 --eval_iters=2 "
    "--eval_interval=25 --log_interval=5 --block_size=32 --batch_size=4 --n_layer=2 --n_head=2 --n_embd=32 "
    "--max_iters=50 --dropout=0.0 --always_save_checkpoint=True"
)
_LLAMA = (
    "train.py --device=cpu --dtype=float32 --compile=False --vocab_source=custom --vocab_size=64 "
    "--batch_size=4 --max_seq_len=32 --dim=32 --n_layers=2 --n_heads=4 --n_kv_heads=2 --multiple_of=8 "
    "--gradient_accumulation_steps=1 --max_iters=50 --eval_iters=2 --eval_interval=25"
)
_MINGPT = "--trainer.max_iters=51 --trainer.num_workers=0"
_TWINS = ", ".join(
    f"s{i}_emb_dim=8, s{i}_patch_size=2, s{i}_local_patch_size=4, s{i}_global_k=2, s{i}_depth=1"
    for i in (1, 2, 3)
)

PROGRAMS = [
    _case("nanoGPT", _NANOGPT, (data.characters, "data/shakespeare_char")),
    _case("minGPT", f"projects/adder/adder.py {_MINGPT} --trainer.batch_size=16"),
    _case(
        "minGPT",
        f"projects/chargpt/chargpt.py {_MINGPT} --trainer.batch_size=4 --data.block_size=32 "
        "--model.model_type=gpt-nano",
        (data.text, "input.txt"),
    ),
    *(_makemore(kind) for kind in ("transformer", "bigram", "mlp", "rnn", "gru", "bow")),
    _example("mnist", "--epochs 1 --lr 0.1", _MNIST),
    _example("mnist_rnn", "--epochs 1", _MNIST),
    _example("vae", "--epochs 2 --batch-size 64", _MNIST),
    _example("mnist_forward_forward", "--epochs 30 --train_size 100 --test_size 100", (data.digits, "data")),
    _example(
        "dcgan", "--dataset fake --workers 0 --batchSize 8 --imageSize 64 --ngf 8 --ndf 8 --manualSeed 1"
    ),
    _example("regression"),
    *(_language(kind) for kind in ("LSTM", "GRU", "RNN_TANH", "RNN_RELU")),
    *(
        _case("examples/reinforcement_learning", f"{name}.py", name=f"examples/{name}")
        for name in ("reinforce", "actor_critic")
    ),
    _case("llama2.c", _LLAMA, (data.tokens, "data/tok64"), "sentencepiece"),
    *map(
        _gan,
        "gan wgan wgan_gp acgan cgan infogan aae wgan_div relativistic_gan".split(),
    ),
    _tutorial("01-basics/linear_regression", None),
    _tutorial("01-basics/logistic_regression"),
    _tutorial("01-basics/feedforward_neural_network"),
    _tutorial("02-intermediate/convolutional_neural_network"),
    _tutorial("02-intermediate/recurrent_neural_network"),
    _tutorial("02-intermediate/bidirectional_recurrent_neural_network"),
    _tutorial("03-advanced/generative_adversarial_network"),
    _tutorial("03-advanced/variational_autoencoder"),
]
MODELS = [
    _classifier("pytorch-cifar", "models", "LeNet()"),
    _model("whisper", "AudioEncoder, TextDecoder", "whisper", without="numba"),
    _model("nanochat", "GPT", "nanochat"),
    _model("mamba-minimal", "Mamba", "mamba"),
    _model("attention-is-all-you-need-pytorch", "Transformer", "translation"),
    _model("pytorch-openai-transformer-lm", "LMModel", "openai_gpt"),
    _vit("vit", "ViT(USUAL, mlp_dim=64, dropout=0.1)"),
    _vit("simple_vit", "SimpleViT(USUAL, mlp_dim=64)"),
    _vit("deepvit", "DeepViT(USUAL, mlp_dim=64)"),
    _vit("cait", "CaiT(USUAL, cls_depth=1, mlp_dim=64)"),
    _vit(
        "cct",
        "CCT(img_size=32, embedding_dim=32, n_conv_layers=1, num_layers=2, num_heads=2, mlp_ratio=2., "
        "num_classes=10)",
    ),
    _vit(
        "cvt",
        "CvT(num_classes=10, s1_emb_dim=16, s2_emb_dim=16, s3_emb_dim=16, s2_depth=1, s3_depth=1, "
        "s2_heads=1, s3_heads=1)",
    ),
    _vit("max_vit", "MaxViT(num_classes=10, dim=16, depth=(1, 1), dim_head=8, window_size=4, dropout=0.1)"),
    _vit("xcit", "XCiT(USUAL, cls_depth=1, mlp_dim=64)"),
    _vit("simple_vit_with_fft", "SimpleViT(USUAL, freq_patch_size=8, mlp_dim=64)", " with FFT"),
    _vit(
        "vit_with_patch_merger",
        "ViT(USUAL, mlp_dim=64, patch_merge_layer=1, patch_merge_num_tokens=4)",
        " with patch merger",
    ),
    _vit("learnable_memory_vit", "ViT(USUAL, mlp_dim=64)", " with memory"),
    _vit("parallel_vit", "ViT(USUAL, mlp_dim=64)", " in parallel"),
    _vit(
        "twins_svt",
        f"TwinsSVT(num_classes=10, {_TWINS}, s4_emb_dim=8, s4_local_patch_size=2, s4_global_k=1, s4_depth=1)",
    ),
]
CASES = [*PROGRAMS, *MODELS]
