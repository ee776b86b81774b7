"""Draws from a random generator, as plain Python values."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def draw_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def draw_log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """Uniform in the logarithm: as often between 1 and 2 as between 2 and 4."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def draw_normal(rng: np.random.Generator, sigma: float) -> float:
    return float(rng.normal(0, sigma))


def draw_bool(rng: np.random.Generator, probability: float) -> bool:
    return bool(rng.random() < probability)


def draw_choice(rng: np.random.Generator, choices: Sequence[T], weights: Sequence[float] | None = None) -> T:
    """One of the choices; equal weights by default; weights need not add up to 1."""
    if weights is None:
        return choices[int(rng.integers(len(choices)))]
    shares = np.asarray(weights, float)
    return choices[int(rng.choice(len(choices), p=shares / shares.sum()))]
