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

    def __init__(self, table: np.ndarray, rate: float):
        self.table, self.rate, self.step = table, rate, 0
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


def _rows_of(batch: csr_matrix) -> np.ndarray:
    return np.unique(batch.indices)


def fit(
    table: np.ndarray,
    texts: Bags,
    targets: np.ndarray,
    pairs: tuple[Bags, Bags] | None = None,
    *,
    epochs: int,
    rate: float,
    contrast: float = 0.0,
    temperature: float = 0.07,
    anchor: float = 0.0,
    seed: int = 1,
    report=print,
) -> np.ndarray:
    """
    Regression of whole texts onto the teacher (loss 1 - cosine), and where `contrast` is above 0
    also pairs that mean the same, each against the others of its batch (InfoNCE). `anchor` draws
    rows back to where they began, so that words of which the texts hold little stay the teacher's.
    """
    random = np.random.default_rng(seed)
    table = table.astype(np.float32).copy()
    start = table.copy()
    adam = Adam(table, rate)
    size = 1024
    count = texts.matrix.shape[0]
    steps = epochs * (count // size)
    for epoch in range(epochs):
        order = random.permutation(count)
        order_of_pairs = random.permutation(pairs[0].matrix.shape[0]) if pairs else None
        total = other = 0.0
        for at in range(count // size):
            done = adam.step / max(1, 2 * steps if pairs else steps)
            now = rate * max(0.05, 1 - done)
            some = order[at * size : (at + 1) * size]
            batch = texts.matrix[some]
            raw = batch @ table
            unit = normalize(raw)
            wanted = targets[some]
            total += float(1 - (unit * wanted).sum(1).mean())
            gradient = _back_through_norm(raw, unit, -wanted / size)
            rows = _rows_of(batch)
            change = (batch.T[rows] @ gradient).astype(np.float32)
            if anchor:
                change += anchor / size * (table[rows] - start[rows])
            adam.apply(rows, change, now)
            if pairs is None:
                continue
            begin = (at * size) % (len(order_of_pairs) - size)
            some = order_of_pairs[begin : begin + size]
            other += _contrast(table, adam, (pairs[0].matrix[some], pairs[1].matrix[some]),
                               contrast, temperature, now)  # fmt: skip
        steps_done = max(1, count // size)
        report(f"epoch {epoch + 1}: 1 - cosine {total / steps_done:.4f}, contrast {other / steps_done:.3f}")
    return table


def _contrast(table, adam, batches, weight, temperature, rate) -> float:
    raw = [batch @ table for batch in batches]
    one, two = (normalize(some) for some in raw)
    scores = one @ two.T / temperature
    scores -= scores.max(1, keepdims=True)
    shares = np.exp(scores)
    shares /= shares.sum(1, keepdims=True)
    loss = -float(np.log(np.maximum(np.diag(shares), 1e-9)).mean())
    back = shares
    back[np.arange(len(back)), np.arange(len(back))] -= 1
    back *= weight / temperature / len(back)
    gradients = (_back_through_norm(raw[0], one, back @ two), _back_through_norm(raw[1], two, back.T @ one))
    rows = np.unique(np.concatenate([_rows_of(batch) for batch in batches]))
    change = sum(batch.T[rows] @ gradient for batch, gradient in zip(batches, gradients))
    adam.apply(rows, change.astype(np.float32), rate)
    return loss


def quantize(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of int8, and the factor of each."""
    scale = np.maximum(np.abs(table).max(1), 1e-9) / 127
    return np.round(table / scale[:, None]).astype(np.int8), scale.astype(np.float32)
