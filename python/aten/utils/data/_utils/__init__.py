"""What the datasets and DataLoader are made of."""
