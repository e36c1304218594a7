"""Regression: a linear layer fits a polynomial, with gradients that the program itself subtracts."""

from itertools import count

import torch
import torch.nn.functional as F
from starting_point import same, same_weights

DEGREE = 4
torch.manual_seed(1)
W_TARGET = same("target", torch.randn(DEGREE, 1) * 2)
B_TARGET = torch.tensor([0.5])


def features(x):
    return torch.cat([x.unsqueeze(1) ** i for i in range(1, DEGREE + 1)], 1)


def batch(size=32):
    x = torch.linspace(-1.0, 1.0, size)
    return features(x), features(x).mm(W_TARGET) + B_TARGET.item()


def described(weights, bias):
    terms = (f"{w:+.4f} x^{i}" for i, w in enumerate(weights, 1))
    return "y = " + " ".join(terms) + f" {bias[0].item():+.4f}"


fc = same_weights("weights", torch.nn.Linear(W_TARGET.size(0), 1))
for step in count(1):
    x, y = batch()
    fc.zero_grad()
    output = F.smooth_l1_loss(fc(x), y)
    loss = output.item()
    output.backward()
    for param in fc.parameters():
        param.data.add_(-0.1 * param.grad)
    if step % 10 == 0:
        print(f"step {step} loss {loss:.6f}")
    if loss < 1e-3 or step == 60:
        break
print(described(fc.weight.view(-1), fc.bias))
print(described(W_TARGET.view(-1), B_TARGET))
