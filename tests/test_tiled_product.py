"""The fast matrix product has the bits of the plain one: odd shapes, ties, signed zeros, underflow, two threads."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from attnspec.numeric import tiled_product
from attnspec.numeric.matrix_product import ordered_product, transpose
from attnspec.numeric.tiled_product import product

FloatArray = NDArray[np.float64]


@pytest.fixture(autouse=True)
def in_small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make tiles so small that small matrices have many, and edges that fill none."""
    sizes = {"_ROWS": 5, "_COLUMNS": 7, "_CELLS": 35, "_THIN": 14, "_DEPTH": 3, "_SHARED": 10**9}
    sizes |= dict.fromkeys(("_SMALL", "_FEW", "_WORTH_A_LOOK"), 0)
    for name, value in sizes.items():
        monkeypatch.setattr(tiled_product, name, value)


def matrices(generator: np.random.Generator, *shape: int) -> FloatArray:
    """Values of all sizes with many zeros of either sign, ties, and products that underflow."""
    kinds = generator.integers(0, 6, shape)
    values = generator.normal(size=shape) * 10.0 ** generator.integers(-3, 4, shape)
    values[kinds == 0] = 0.0
    values[kinds == 1] = -0.0
    values[kinds == 2] = 1.5
    values[kinds == 3] *= 1e-160
    return values


SHAPES = [
    (1, 1, 1),
    (2, 3, 2),
    (5, 3, 7),
    (6, 4, 8),
    (23, 17, 31),
    (31, 17, 23),
    (40, 1, 9),
    (4, 50, 3),
    (2, 0, 9),
    (9, 2, 0),
]


def same_bits(one: FloatArray, other: FloatArray) -> bool:
    return one.shape == other.shape and one.tobytes() == other.tobytes()


@pytest.mark.clause("matrix_product.4", "arithmetic.1")
@pytest.mark.parametrize("shared", [0, 10**9], ids=["two threads", "one thread"])
def test_every_shape_has_the_bits_of_the_definition(monkeypatch: pytest.MonkeyPatch, shared: int) -> None:
    monkeypatch.setattr(tiled_product, "_SHARED", shared)
    generator = np.random.default_rng(5)
    for rows, inner, columns in SHAPES:
        for leading in ((), (3,), (9,), (2, 2), (0,), (2, 0)):
            left, right = matrices(generator, *leading, rows, inner), matrices(generator, *leading, inner, columns)
            assert same_bits(product(left, right), ordered_product(left, right)), (leading, rows, inner, columns)
            turned = transpose(np.ascontiguousarray(transpose(left)))
            assert same_bits(product(turned, right), ordered_product(left, right))


@pytest.mark.clause("matrix_product.4", "arithmetic.1")
def test_triangles_of_zeros_are_left_out_without_a_trace() -> None:
    generator = np.random.default_rng(6)
    for tokens in (8, 21, 33):
        lower = np.tril(matrices(generator, 2, tokens, tokens))
        right = matrices(generator, 2, tokens, 4)
        assert same_bits(product(lower, right), ordered_product(lower, right))
        assert same_bits(product(transpose(lower), right), ordered_product(transpose(lower), right))


def test_what_is_not_finite_is_not_left_out() -> None:
    left = np.zeros((8, 8))
    right = np.zeros((8, 9))
    right[7, 2] = np.inf
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(product(left, right), ordered_product(left, right))
    assert np.isnan(product(left, right)[:, 2]).all()


def test_only_what_is_wanted_is_computed() -> None:
    generator = np.random.default_rng(7)
    wanted = np.tri(29, dtype=np.bool_)
    left, right = generator.normal(size=(2, 29, 4)), generator.normal(size=(2, 4, 29))
    result, whole = product(left, right, wanted), ordered_product(left, right)
    assert same_bits(result[:, wanted], whole[:, wanted])
    assert np.count_nonzero(result) < np.count_nonzero(whole)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("_terms", lambda tile: range(1, tile.right.shape[1])),
        (
            "_part",
            lambda tile, inner: (np.moveaxis(tile.left[:, :, inner], 2, 0)[::-1], tile.right[0, inner, None][::-1]),
        ),
    ],
)
def test_a_term_left_out_or_out_of_order_shows(monkeypatch: pytest.MonkeyPatch, name: str, wrong: object) -> None:
    monkeypatch.setattr(tiled_product._Tile, name, wrong)
    generator = np.random.default_rng(8)
    left, right = generator.normal(size=(23, 17)), generator.normal(size=(17, 31))
    assert not same_bits(product(left, right), ordered_product(left, right))


@pytest.mark.parametrize("batch", [1, 8, 9])
def test_small_matrices_share_a_tile(batch: int) -> None:
    generator = np.random.default_rng(9)
    left, right = matrices(generator, batch, 2, 3), matrices(generator, batch, 3, 2)
    tiles = list(tiled_product._tiles(left, right, np.zeros((batch, 2, 2)), None))
    assert [len(tile.result) for tile in tiles] == {1: [1], 8: [8], 9: [8, 1]}[batch]
    assert same_bits(product(left, right), ordered_product(left, right))
