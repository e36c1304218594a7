"""Tools around tensors and the dispatcher."""
