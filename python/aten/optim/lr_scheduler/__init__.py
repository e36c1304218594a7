"""Schedulers, which change the learning rates of an optimizer's groups from epoch to epoch."""

# Names are imported for users.
# ruff: noqa: F401
from ._base import EPOCH_DEPRECATION_WARNING, LambdaLR, LRScheduler, MultiplicativeLR
from ._combined import ChainedScheduler, ReduceLROnPlateau, SequentialLR
from ._cycles import CyclicLR, OneCycleLR
from ._factors import (
    ConstantLR,
    CosineAnnealingLR,
    CosineAnnealingWarmRestarts,
    ExponentialLR,
    LinearLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)

_LRScheduler = LRScheduler
