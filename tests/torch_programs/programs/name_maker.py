"""Character models of names: an MLP, a bag of words and a recurrent cell, on batches of a sampler."""

import random
import string

import torch
import torch.nn as nn
from starting_point import same_weights
from torch.nn import functional as F
from torch.utils.data import Dataset
from torch.utils.data.dataloader import DataLoader

random.seed(7)
torch.manual_seed(7)
WORDS = ["".join(random.choices(string.ascii_lowercase[:9], k=random.randint(2, 6))) for _ in range(40)]
LONGEST, WIDTH = 6, 10


class CharDataset(Dataset):
    def __init__(self, words):
        self.words = words
        self.stoi = {ch: i + 1 for i, ch in enumerate(sorted(set("".join(words))))}

    def __len__(self):
        return len(self.words)

    def __getitem__(self, idx):
        ix = torch.tensor([self.stoi[w] for w in self.words[idx]], dtype=torch.long)
        x = torch.zeros(LONGEST + 1, dtype=torch.long)
        y = torch.zeros(LONGEST + 1, dtype=torch.long)
        x[1 : 1 + len(ix)] = ix
        y[: len(ix)] = ix
        y[len(ix) + 1 :] = -1
        return x, y


class MLP(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.wte = nn.Embedding(size + 1, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(3 * WIDTH, 16), nn.Tanh(), nn.Linear(16, size))
        self.size = size

    def forward(self, idx):
        embs = []
        for _ in range(3):
            embs.append(self.wte(idx))
            idx = torch.roll(idx, 1, 1)
            idx[:, 0] = self.size
        return self.mlp(torch.cat(embs, -1))


class BoW(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(size, WIDTH), nn.Embedding(LONGEST + 1, WIDTH)
        self.head = nn.Linear(WIDTH, size)

    def forward(self, idx):
        t = idx.size(1)
        x = self.wte(idx) + self.wpe(torch.arange(t).unsqueeze(0))
        att = torch.zeros(idx.size(0), t, t).masked_fill(torch.tril(torch.ones(t, t)) == 0, float("-inf"))
        return self.head(x + F.softmax(att, dim=-1) @ x)


class GRU(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(1, 12))
        self.wte, self.head = nn.Embedding(size, WIDTH), nn.Linear(12, size)
        self.xh_to_z, self.xh_to_r, self.xh_to_hbar = (nn.Linear(WIDTH + 12, 12) for _ in range(3))

    def forward(self, idx):
        hprev = self.start.expand((idx.size(0), -1))
        hiddens = []
        for i in range(idx.size(1)):
            xh = torch.cat([self.wte(idx)[:, i, :], hprev], dim=1)
            r, z = torch.sigmoid(self.xh_to_r(xh)), torch.sigmoid(self.xh_to_z(xh))
            hbar = torch.tanh(self.xh_to_hbar(torch.cat([xh[:, :WIDTH], r * hprev], dim=1)))
            hprev = (1 - z) * hprev + z * hbar
            hiddens.append(hprev)
        return self.head(torch.stack(hiddens, 1))


def loss_of(model, batch):
    X, Y = batch
    logits = model(X)
    return F.cross_entropy(logits.view(-1, logits.size(-1)), Y.view(-1), ignore_index=-1)


@torch.inference_mode()
def evaluate(model, dataset):
    model.eval()
    losses = [loss_of(model, b).item() for b in DataLoader(dataset, batch_size=10, num_workers=0)]
    model.train()
    return torch.tensor(losses).mean().item()


rp = torch.randperm(len(WORDS)).tolist()
assert sorted(rp) == list(range(len(WORDS)))
train, test = CharDataset(WORDS[:30]), CharDataset(WORDS[30:])
for kind in (MLP, BoW, GRU):
    model = same_weights(kind.__name__, kind(10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.01, betas=(0.9, 0.99), eps=1e-8)
    sampler = torch.utils.data.SequentialSampler(train)
    for step, batch in enumerate(DataLoader(train, batch_size=8, sampler=sampler, num_workers=0)):
        loss = loss_of(model, batch)
        model.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        print(f"{kind.__name__} step {step} loss {loss.item():.6f}")
    print(f"test {evaluate(model, test):.6f}")
