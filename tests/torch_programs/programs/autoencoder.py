"""A variational autoencoder: two heads, noise, a sum of two losses, Adam."""

import torch
import torch.utils.data
from starting_point import same, same_weights
from torch import nn, optim
from torch.nn import functional as F

torch.manual_seed(1)
SIZE, HIDDEN, LATENT = 36, 20, 5
NOISE = iter(same("noise", torch.randn(40, 8, LATENT)))


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(SIZE, HIDDEN)
        self.fc21 = nn.Linear(HIDDEN, LATENT)
        self.fc22 = nn.Linear(HIDDEN, LATENT)
        self.fc3 = nn.Linear(LATENT, HIDDEN)
        self.fc4 = nn.Linear(HIDDEN, SIZE)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + next(NOISE).to(std) * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, SIZE))
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    bce = F.binary_cross_entropy(recon_x, x.view(-1, SIZE), reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld


device = torch.device("cpu")
images = same("images", torch.rand(40, 1, 6, 6))
loader = torch.utils.data.DataLoader(images, batch_size=8, pin_memory=False)
model = same_weights("weights", VAE()).to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    model.train()
    train_loss = 0.0
    for data in loader:
        data = data.to(device)
        optimizer.zero_grad()
        recon, mu, logvar = model(data)
        loss = loss_function(recon, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
    print(f"epoch {epoch} loss {train_loss / len(loader.dataset):.6f}")
with torch.no_grad():
    model.eval()
    recon, mu, logvar = model(images[:8])
    compared = torch.cat([images[:8], recon.view(8, 1, 6, 6)[:8]])
    print(f"test {loss_function(recon, images[:8], mu, logvar).item() / 8:.6f} {tuple(compared.shape)}")
