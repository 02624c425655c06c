"""Rows as codes of a byte for each of 32 parts (product quantization, Jégou et al. 2011)."""

import numpy as np

PARTS = 32
ROUNDS = 12
SAMPLE = 20_000


def encode(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    The codebook (part, code, value) and the codes (row, part). A part holds every 32nd value, so
    that each has some of the first ones, which vary most.
    """
    random = np.random.default_rng(1)
    sample = random.choice(len(rows), min(SAMPLE, len(rows)), replace=False)
    codebook, codes = [], []
    for part in range(PARTS):
        values = np.ascontiguousarray(rows[:, part::PARTS])
        centres = find_centres(values[sample], random)
        codebook.append(centres)
        codes.append(nearest(values, centres).astype(np.uint8))
    return np.stack(codebook), np.stack(codes, axis=1)


def find_centres(values: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """k-means (Lloyd)."""
    centres = values[random.choice(len(values), 256, replace=False)].copy()
    for _ in range(ROUNDS):
        chosen = nearest(values, centres)
        sums, counts = np.zeros_like(centres), np.bincount(chosen, minlength=256)
        np.add.at(sums, chosen, values)
        centres[counts > 0] = sums[counts > 0] / counts[counts > 0, None]
    return centres


def nearest(values: np.ndarray, centres: np.ndarray) -> np.ndarray:
    return ((centres**2).sum(1) - 2 * values @ centres.T).argmin(1)
