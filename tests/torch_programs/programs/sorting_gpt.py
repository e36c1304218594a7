"""A small GPT with masked attention learns to sort: a Dataset, a Trainer with callbacks."""

import math
from collections import defaultdict

import torch
import torch.nn as nn
from starting_point import same, same_weights
from torch.nn import functional as F
from torch.utils.data import Dataset
from torch.utils.data.dataloader import DataLoader

LENGTH, DIGITS, WIDTH, HEADS = 4, 3, 12, 3


class SortDataset(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, idx):
        inp = self.rows[idx]
        cat = torch.cat((inp, torch.sort(inp)[0]), dim=0)
        x, y = cat[:-1].clone(), cat[1:].clone()
        y[: LENGTH - 1] = -1
        return x, y


class NewGELU(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        size = 2 * LENGTH
        self.register_buffer("bias", torch.tril(torch.ones(size, size)).view(1, 1, size, size))

    def forward(self, x):
        b, t, c = x.size()
        q, k, v = (
            u.view(b, t, HEADS, c // HEADS).transpose(1, 2) for u in self.c_attn(x).split(WIDTH, dim=2)
        )
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :t, :t] == 0, float("-inf"))
        return self.c_proj((F.softmax(att, dim=-1) @ v).transpose(1, 2).contiguous().view(b, t, c))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.attn, self.ln_2 = nn.LayerNorm(WIDTH), Attention(), nn.LayerNorm(WIDTH)
        self.mlp = nn.ModuleDict(
            {"c_fc": nn.Linear(WIDTH, 4 * WIDTH), "act": NewGELU(), "c_proj": nn.Linear(4 * WIDTH, WIDTH)}
        )

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp.c_proj(self.mlp.act(self.mlp.c_fc(self.ln_2(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(DIGITS, WIDTH), nn.Embedding(2 * LENGTH, WIDTH)
        self.h, self.ln_f = nn.Sequential(Block(), Block()), nn.LayerNorm(WIDTH)
        self.lm_head = nn.Linear(WIDTH, DIGITS, bias=False)

    def configure_optimizers(self):
        decay, no_decay = set(), set()
        for mn, m in self.named_modules():
            for pn, _ in m.named_parameters(recurse=False):
                fpn = f"{mn}.{pn}" if mn else pn
                decays = pn.endswith("weight") and isinstance(m, torch.nn.Linear)
                (decay if decays else no_decay).add(fpn)
        params = dict(self.named_parameters())
        assert not decay & no_decay and len(params.keys() - (decay | no_decay)) == 0
        return torch.optim.AdamW(
            [
                {"params": [params[pn] for pn in sorted(decay)], "weight_decay": 0.1},
                {"params": [params[pn] for pn in sorted(no_decay)], "weight_decay": 0.0},
            ],
            lr=5e-3,
            betas=(0.9, 0.95),
        )

    def forward(self, idx, targets=None):
        pos = torch.arange(0, idx.size()[1], dtype=torch.long, device=idx.device).unsqueeze(0)
        logits = self.lm_head(self.ln_f(self.h(self.wte(idx) + self.wpe(pos))))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss


class Trainer:
    def __init__(self, model, dataset):
        self.model, self.dataset = model, dataset
        self.callbacks = defaultdict(list)
        self.device = "cpu"
        self.iter_num = 0

    def add_callback(self, event, callback):
        self.callbacks[event].append(callback)

    def run(self):
        optimizer = self.model.configure_optimizers()
        loader = DataLoader(self.dataset, shuffle=False, pin_memory=False, batch_size=8, num_workers=0)
        self.model.train()
        for batch in loader:
            x, y = (t.to(self.device) for t in batch)
            _, self.loss = self.model(x, y)
            self.model.zero_grad(set_to_none=True)
            self.loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimizer.step()
            for callback in self.callbacks["on_batch_end"]:
                callback(self)
            self.iter_num += 1


torch.manual_seed(3407)
rows = same("rows", torch.randint(DIGITS, size=(64, LENGTH), dtype=torch.long))
model = same_weights("weights", GPT())
print(f"number of parameters: {sum(p.numel() for p in model.parameters())}")
trainer = Trainer(model, SortDataset(rows))
trainer.add_callback("on_batch_end", lambda t: print(f"iter {t.iter_num} loss {t.loss.item():.6f}"))
trainer.run()
