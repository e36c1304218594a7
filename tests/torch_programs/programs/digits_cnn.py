"""Digits: a convolutional network, Adadelta, a schedule, and an evaluation after each epoch."""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from starting_point import same, same_weights
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, 1)
        self.conv2 = nn.Conv2d(4, 8, 3, 1)
        self.dropout1 = nn.Dropout(0.0)
        self.dropout2 = nn.Dropout(0.0)
        self.fc1 = nn.Linear(8 * 4 * 4, 16)
        self.fc2 = nn.Linear(16, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = self.dropout1(F.max_pool2d(x, 2))
        x = F.relu(self.fc1(torch.flatten(x, 1)))
        return F.log_softmax(self.fc2(self.dropout2(x)), dim=1)


def train(args, model, device, loader, optimizer, epoch):
    model.train()
    for index, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()
        if index % args.log_interval == 0:
            print(f"epoch {epoch} [{index * len(data)}/{len(loader.dataset)}] loss {loss.item():.6f}")


@torch.no_grad()
def test(model, device, loader):
    model.eval()
    loss = correct = 0
    for data, target in loader:
        data, target = data.to(device), target.to(device)
        output = model(data)
        loss += F.nll_loss(output, target, reduction="sum").item()
        correct += output.argmax(dim=1, keepdim=True).eq(target.view_as(output.argmax(1, True))).sum().item()
    print(f"average loss {loss / len(loader.dataset):.6f}, {correct} right of {len(loader.dataset)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=1.0)
    parser.add_argument("--gamma", type=float, default=0.7)
    parser.add_argument("--no-accel", action="store_true", default=True)
    parser.add_argument("--log-interval", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(1)
    use_accelerator = not args.no_accel and torch.accelerator.is_available()
    device = torch.accelerator.current_accelerator() if use_accelerator else torch.device("cpu")
    images = same("images", {"x": torch.rand(64, 1, 12, 12), "y": torch.randint(10, (64,))})
    data = TensorDataset((images["x"] - 0.5) / 0.3, images["y"])
    loader = DataLoader(data, batch_size=args.batch_size, num_workers=0, shuffle=False)
    model = same_weights("weights", Net()).to(device)
    optimizer = optim.Adadelta(model.parameters(), lr=args.lr)
    scheduler = StepLR(optimizer, step_size=1, gamma=args.gamma)
    for epoch in range(1, args.epochs + 1):
        train(args, model, device, loader, optimizer, epoch)
        test(model, device, loader)
        scheduler.step()
    print(model, scheduler.get_last_lr())


if __name__ == "__main__":
    main()
