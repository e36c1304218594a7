"""What the programs use of torchvision, which needs PyTorch itself: a stand-in for both libraries."""

from . import datasets as datasets
from . import transforms as transforms
from . import utils as utils
