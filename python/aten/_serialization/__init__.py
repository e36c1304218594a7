"""Reading and writing of PyTorch's archives: zip files, and pickles of a restricted kind."""
