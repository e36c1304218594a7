"""Reinforcement learning: a policy with a critic balances a pole, by the log-probabilities of its actions."""

import math
import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from starting_point import same_weights

Saved = namedtuple("Saved", ["log_prob", "value"])
random.seed(5)
torch.manual_seed(5)


class Pole:
    """A pole on a cart: an angle, and a push to the left or the right."""

    def reset(self):
        self.state = [random.uniform(-0.05, 0.05) for _ in range(4)]
        return list(self.state)

    def step(self, action):
        x, v, angle, turn = self.state
        force = 10.0 if action == 1 else -10.0
        common = (force + 0.05 * turn**2 * math.sin(angle)) / 1.1
        bend = 9.8 * math.sin(angle) - math.cos(angle) * common
        faster = bend / (0.5 * (4 / 3 - 0.1 * math.cos(angle) ** 2 / 1.1))
        push = common - 0.05 * faster * math.cos(angle) / 1.1
        self.state = [x + 0.02 * v, v + 0.02 * push, angle + 0.02 * turn, turn + 0.02 * faster]
        return list(self.state), 1.0, abs(self.state[2]) > 0.2


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 16)
        self.action_head = nn.Linear(16, 2)
        self.value_head = nn.Linear(16, 1)
        self.saved_actions, self.rewards = [], []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


model = same_weights("weights", Policy())
optimizer = optim.Adam(model.parameters(), lr=3e-2)
eps = torch.finfo(torch.float32).eps


def select_action(state):
    probs, value = model(torch.tensor(state, dtype=torch.float32))
    action = int(random.random() < probs[1].item())
    model.saved_actions.append(Saved(probs[action].log(), value))
    return action


def finish_episode():
    total, returns = 0.0, []
    for reward in model.rewards[::-1]:
        total = reward + 0.99 * total
        returns.insert(0, total)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    policy_losses, value_losses = [], []
    for (log_prob, value), gain in zip(model.saved_actions, returns, strict=True):
        policy_losses.append(-log_prob * (gain - value.item()))
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([gain])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:], model.saved_actions[:]
    return loss.item()


env = Pole()
for episode in range(4):
    state, done = env.reset(), False
    for _step in range(30):
        state, reward, done = env.step(select_action(state))
        model.rewards.append(reward)
        if done:
            break
    length = len(model.rewards)
    print(f"episode {episode} length {length} loss {finish_episode():.6f}")
