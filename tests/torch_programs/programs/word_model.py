"""Language models of words, an LSTM and a transformer, whose best states are saved as whole modules."""

import math
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
from starting_point import folder, same, same_weights

TOKENS, WIDTH, HIDDEN, BPTT, LR = 11, 12, 12, 5, 2.0
torch.manual_seed(1111)


class RNNModel(nn.Module):
    def __init__(self, tie_weights=True):
        super().__init__()
        self.drop = nn.Dropout(0.0)
        self.encoder = nn.Embedding(TOKENS, WIDTH)
        self.rnn = getattr(nn, "LSTM")(WIDTH, HIDDEN, 2, dropout=0.0)  # noqa: B009
        self.decoder = nn.Linear(HIDDEN, TOKENS)
        if tie_weights:
            self.decoder.weight = self.encoder.weight
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(input)), hidden)
        decoded = self.decoder(self.drop(output)).view(-1, TOKENS)
        return F.log_softmax(decoded, dim=1), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(2, bsz, HIDDEN), weight.new_zeros(2, bsz, HIDDEN)


class PositionalEncoding(nn.Module):
    def __init__(self, max_len=50):
        super().__init__()
        pe = torch.zeros(max_len, WIDTH)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, WIDTH, 2).float() * (-math.log(10000.0) / WIDTH))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0).transpose(0, 1))

    def forward(self, x):
        return x + self.pe[: x.size(0), :]


class TransformerModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.input_emb, self.pos_encoder = nn.Embedding(TOKENS, WIDTH), PositionalEncoding()
        layer = nn.TransformerEncoderLayer(WIDTH, 2, HIDDEN, dropout=0.0)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.decoder = nn.Linear(WIDTH, TOKENS)

    def forward(self, src):
        mask = torch.log(torch.tril(torch.ones(len(src), len(src))))
        src = self.pos_encoder(self.input_emb(src) * math.sqrt(WIDTH))
        return F.log_softmax(self.decoder(self.encoder(src, mask=mask)), dim=-1)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous()


def repackage_hidden(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage_hidden(v) for v in h)


def get_batch(source, i):
    seq_len = min(BPTT, len(source) - 1 - i)
    return source[i : i + seq_len], source[i + 1 : i + 1 + seq_len].view(-1)


def train(model, source):
    model.train()
    hidden = model.init_hidden(source.size(1)) if isinstance(model, RNNModel) else None
    for index, i in enumerate(range(0, source.size(0) - 1, BPTT)):
        data, targets = get_batch(source, i)
        model.zero_grad()
        if hidden is not None:
            output, hidden = model(data, repackage_hidden(hidden))
        else:
            output = model(data).view(-1, TOKENS)
        loss = nn.NLLLoss()(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-LR)
        print(f"{type(model).__name__} {index} loss {loss.item():.6f} ppl {math.exp(loss.item()):.4f}")


def restored(model):
    path = os.path.join(folder(), f"{type(model).__name__}.whole.pt")
    with open(path, "wb") as f:
        torch.save(model, f)
    allowed = [RNNModel, TransformerModel, PositionalEncoding, torch.nn.functional.relu, *CLASSES]
    with open(path, "rb") as f, torch.serialization.safe_globals(allowed):
        return torch.load(f)


CLASSES = [
    torch.nn.modules.dropout.Dropout, torch.nn.modules.linear.Linear, torch.nn.modules.rnn.LSTM,
    torch.nn.modules.sparse.Embedding, torch.nn.modules.activation.MultiheadAttention,
    torch.nn.modules.container.ModuleList, torch.nn.modules.linear.NonDynamicallyQuantizableLinear,
    torch.nn.modules.normalization.LayerNorm, torch.nn.modules.transformer.TransformerEncoder,
    torch.nn.modules.transformer.TransformerEncoderLayer,
]  # fmt: skip
words = batchify(same("words", torch.randint(TOKENS, (104,))), 4)
for model in (same_weights("lstm", RNNModel()), same_weights("transformer", TransformerModel())):
    train(model, words)
    again = restored(model)
    if isinstance(again, RNNModel):
        again.rnn.flatten_parameters()
    train(again, words)
