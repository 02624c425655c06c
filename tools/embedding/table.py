"""A table of one vector a word piece, fitted so that their mean is what a teacher makes of a text."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix


@dataclass
class Bags:
    """Texts as rows of the mean over their pieces."""

    matrix: csr_matrix

    @staticmethod
    def of(pieces: list[list[int]], vocabulary: int) -> "Bags":
        lengths = np.array([max(1, len(some)) for some in pieces])
        rows = np.repeat(np.arange(len(pieces)), [len(some) for some in pieces])
        columns = np.fromiter((piece for some in pieces for piece in some), np.int64)
        values = (1 / lengths)[rows].astype(np.float32)
        return Bags(csr_matrix((values, (rows, columns)), (len(pieces), vocabulary)))


def normalize(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class Adam:
    """Adam (Kingma and Ba, 2015) on the rows that a batch touches."""

    def __init__(self, table: np.ndarray):
        self.table, self.step = table, 0
        self.mean, self.square = np.zeros_like(table), np.zeros_like(table)

    def apply(self, rows: np.ndarray, gradient: np.ndarray, rate: float) -> None:
        self.step += 1
        self.mean[rows] = 0.9 * self.mean[rows] + 0.1 * gradient
        self.square[rows] = 0.999 * self.square[rows] + 0.001 * gradient * gradient
        mean = self.mean[rows] / (1 - 0.9**self.step)
        square = self.square[rows] / (1 - 0.999**self.step)
        self.table[rows] -= rate * mean / (np.sqrt(square) + 1e-8)


def _back_through_norm(raw: np.ndarray, unit: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    length = np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-9)
    return (gradient - unit * (gradient * unit).sum(1, keepdims=True)) / length


def fit(
    table: np.ndarray,
    texts: Bags,
    targets: np.ndarray,
    *,
    epochs: int,
    rate: float,
    fitted: int | None = None,
    seed: int = 1,
) -> np.ndarray:
    """
    Regression of whole texts onto the teacher: the loss is 1 - cosine. Only the first `fitted` rows
    change, if it is given.
    """
    random = np.random.default_rng(seed)
    table = table.astype(np.float32).copy()
    adam = Adam(table)
    size = 1024
    count = texts.matrix.shape[0]
    batches = count // size
    for epoch in range(epochs):
        order = random.permutation(count)
        total = 0.0
        for at in range(batches):
            now = rate * max(0.05, 1 - adam.step / (epochs * batches))
            some = order[at * size : (at + 1) * size]
            batch = texts.matrix[some]
            raw = batch @ table
            unit = normalize(raw)
            wanted = targets[some]
            total += float(1 - (unit * wanted).sum(1).mean())
            gradient = _back_through_norm(raw, unit, -wanted / size)
            rows = np.unique(batch.indices)
            rows = rows[rows < (fitted or len(table))]
            adam.apply(rows, (batch.T[rows] @ gradient).astype(np.float32), now)
        print(f"epoch {epoch + 1}: 1 - cosine {total / batches:.4f}")
    return table


def quantize(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of int8, and the factor of each."""
    scale = np.maximum(np.abs(table).max(1), 1e-9) / 127
    return np.round(table / scale[:, None]).astype(np.int8), scale.astype(np.float32)
