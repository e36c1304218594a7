"""A generator and a discriminator of convolutions, which two optimizers train in turns."""

import random

import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn
import torch.nn.parallel
import torch.optim as optim
from starting_point import same, same_weights

NZ, NGF, NDF, NC, BATCH = 6, 4, 4, 2, 6
random.seed(3)
torch.manual_seed(random.randint(1, 10000))
cudnn.benchmark = True


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        torch.nn.init.normal_(m.weight, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        torch.nn.init.normal_(m.weight, 1.0, 0.02)
        torch.nn.init.zeros_(m.bias)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(NZ, NGF * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(NGF * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(NGF * 2, NGF, 4, 2, 1, bias=False),
            nn.BatchNorm2d(NGF),
            nn.ReLU(True),
            nn.ConvTranspose2d(NGF, NC, 4, 2, 1, bias=False),
            nn.Tanh(),
        )

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(NC, NDF, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(NDF, NDF * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(NDF * 2),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(NDF * 2, 1, 4, 1, 0, bias=False),
            nn.Sigmoid(),
        )

    def forward(self, input):
        return self.main(input).view(-1, 1).squeeze(1)


device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
net_g, net_d = Generator().to(device), Discriminator().to(device)
net_g.apply(weights_init)
net_d.apply(weights_init)
same_weights("generator", net_g)
same_weights("discriminator", net_d)
real = same("images", torch.rand(4, BATCH, NC, 16, 16) * 2 - 1)
noises = same("noise", torch.randn(4, BATCH, NZ, 1, 1))
criterion = nn.BCELoss()
optimizer_d = optim.Adam(net_d.parameters(), lr=0.0002, betas=(0.5, 0.999))
optimizer_g = optim.Adam(net_g.parameters(), lr=0.0002, betas=(0.5, 0.999))
for i, data in enumerate(real):
    net_d.zero_grad()
    label = torch.full((data.size(0),), 1, dtype=data.dtype, device=device)
    output = net_d(data)
    loss_real = criterion(output, label)
    loss_real.backward()
    fake = net_g(noises[i])
    label.fill_(0)
    output = net_d(fake.detach())
    loss_fake = criterion(output, label)
    loss_fake.backward()
    optimizer_d.step()

    net_g.zero_grad()
    label.fill_(1)
    output = net_d(fake)
    loss_g = criterion(output, label)
    loss_g.backward()
    optimizer_g.step()
    print(
        f"[{i}] D {(loss_real + loss_fake).item():.6f} G {loss_g.item():.6f} D(x) {output.mean().item():.6f}"
    )
