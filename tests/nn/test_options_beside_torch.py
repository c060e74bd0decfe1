"""Embeddings, attention, images, shapes and rectifiers with each option and unequal lengths, beside torch."""
from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from mindspore import Tensor, float16, nn, ops

RNG = np.random.default_rng(6)


def real(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def same(found, want, tolerance=2e-5):
    np.testing.assert_allclose(found.asnumpy(), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("operator", ["SUM", "MEAN", "MAX"])
def test_fields_of_several_rows_with_weights(operator):
    layer = nn.MultiFieldEmbeddingLookup(5, 3, field_size=4, operator=operator)
    table = real(5, 3)
    layer.embedding_table.set_data(Tensor(table))
    indices, fields = np.int32([[0, 3, 3, 1], [4, 2, 0, 9]]), np.int32([[0, 1, 1, 3], [2, 2, 1, 0]])
    values = np.float32([[0.5, 2.0, -1.0, 0.0], [1.5, 0.25, 3.0, 1.0]])
    want = np.zeros((2, 4, 3), np.float32)
    for i, f in np.ndindex(2, 4):
        places = [k for k in range(4) if fields[i, k] == f and (operator != "MAX" or values[i, k])]
        rows = [(table[indices[i, k]] if indices[i, k] < 5 else np.zeros(3)) * values[i, k] for k in places]
        if rows:
            share = sum(values[i, k] for k in places)
            want[i, f] = {"SUM": sum(rows), "MEAN": sum(rows) / (share or 1), "MAX": np.max(rows, 0)}[operator]
    same(layer(*map(Tensor, (indices, values, fields))), want)


@pytest.mark.parametrize("limit", [None, 0.75])
def test_rows_beyond_the_table_are_zeros_and_long_ones_are_shortened(limit):
    layer = nn.EmbeddingLookup(4, 3, max_norm=limit)
    table = real(4, 3) * np.float32([[0.1], [1], [2], [3]])
    layer.embedding_table.set_data(Tensor(table))
    found = layer(Tensor(np.int32([[0, 3], [4, -1], [2, 1]]))).asnumpy()
    norms = np.linalg.norm(table, axis=1, keepdims=True)
    short = table if limit is None else table * np.minimum(1, limit / norms)
    np.testing.assert_allclose(found, [short[[0, 3]], np.zeros((2, 3)), short[[2, 1]]], rtol=1e-5)


def test_one_hot_vectors_are_of_the_type_of_the_table():
    ids = Tensor(np.int32([[4, 2], [0, 1]]))
    layer = nn.Embedding(5, 3, True, padding_idx=2)
    assert layer.embedding_table.asnumpy()[2].tolist() == [0, 0, 0]
    same(layer(ids), layer.embedding_table.asnumpy()[[[4, 2], [0, 1]]])
    with pytest.raises(TypeError, match="same type"):                 # of the table, as in the original
        nn.Embedding(5, 3, True, dtype=float16)(ids)


@pytest.mark.parametrize(("norm", "limit"), [(2.0, None), (2.0, 0.5), (1.0, 0.75), (3.0, 0.6)])
@pytest.mark.parametrize("padding", [None, 1, -2])
def test_embeddings_leave_a_row_and_the_frozen_ones(norm, limit, padding):
    table, ids = real(4, 3), np.int32([[0, 1, 2], [2, 2, 3]])
    for frozen in (False, True):
        layer = nn.EmbeddingExt(4, 3, padding, limit, norm, _weight=Tensor(table), _freeze=frozen)
        assert layer.weight.requires_grad is not frozen
    layer = nn.EmbeddingExt(4, 3, padding, limit, norm, _weight=Tensor(table))
    weight = torch.tensor(table, requires_grad=True)
    rows = weight[torch.tensor(ids).long()]
    if limit is not None:
        size = rows.abs().pow(norm).sum(-1, keepdim=True) ** (1 / norm)
        rows = rows * limit / torch.clamp(size, min=limit)
    kept = torch.ones(2, 3, 1) if padding is None else (torch.tensor(ids) != padding % 4).unsqueeze(-1).float()
    weights = torch.cos(torch.arange(18.0)).reshape(2, 3, 3)
    (rows * weights * kept).sum().backward()
    same(layer(Tensor(ids)), rows.detach())
    (slope,) = ops.grad(lambda x: (layer(x) * Tensor(weights.numpy())).sum(), None, [layer.weight])(Tensor(ids))
    same(slope, weight.grad)
    fresh = nn.EmbeddingExt(4, 3, padding)
    if padding is not None:
        assert fresh.weight.asnumpy()[padding % 4].tolist() == [0, 0, 0]


@pytest.mark.parametrize("fraction", [0.25, 0.5, 0.8, 1.0])
def test_the_middle_of_oblong_images(fraction):
    image = real(2, 3, 7, 12)
    top, left = int((7 - 7 * fraction) / 2), int((12 - 12 * fraction) / 2)
    for x in (image, image[0]):
        same(nn.CentralCrop(fraction)(Tensor(x)), x[..., top:7 - top, left:12 - left])
    dy, dx = nn.ImageGradients()(Tensor(image))
    same(dy, np.concatenate([image[:, :, 1:] - image[:, :, :-1], np.zeros((2, 3, 1, 12))], 2))
    same(dx, np.concatenate([image[..., 1:] - image[..., :-1], np.zeros((2, 3, 7, 1))], 3))


@pytest.mark.parametrize("unlike", [False, True])
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("more", [{}, {"add_bias_kv": True}, {"add_zero_attn": True},
                                  {"add_bias_kv": True, "add_zero_attn": True}, {"has_bias": False}])
def test_attention_to_keys_of_other_widths_and_lengths(unlike, first, more):
    widths = {"kdim": 5, "vdim": 7} if unlike else {}
    layer = nn.MultiheadAttention(6, 2, batch_first=first, **more, **widths)
    plain = torch.nn.MultiheadAttention(6, 2, bias=more.get("has_bias", True), batch_first=first, **widths,
                                        **{k: v for k, v in more.items() if k != "has_bias"})
    own = {p.name: p for p in layer.get_parameters()}
    assert set(own) == {name for name, _ in plain.named_parameters()}
    for name, p in plain.named_parameters():
        p.data = torch.tensor(real(*p.shape))
        own[name].set_data(Tensor(p.data.numpy()))
    q, k, v = real(3, 4, 6), real(3, 5, widths.get("kdim", 6)), real(3, 5, widths.get("vdim", 6))
    padding = np.zeros((3, 5), bool)
    padding[0, 3:] = padding[2, 1] = True
    masks = {"plain": RNG.random((4, 5)) > 0.6, "heads": RNG.random((6, 4, 5)) > 0.6, "added": real(4, 5)}
    masks["plain"][:, 0] = masks["heads"][:, :, 0] = False
    turned = (lambda x: x) if first else (lambda x: x.swapaxes(0, 1).copy())
    for mask in (None, *masks.values()):
        for averaged in (True, False):
            pad = padding if mask is None or mask.dtype == bool else np.where(padding, -np.inf, 0).astype(np.float32)
            given = [turned(x) for x in (q, k, v)]
            want, weights = plain(*map(torch.tensor, given), torch.tensor(pad), True,
                                  None if mask is None else torch.tensor(mask), averaged)
            shown = None if mask is None else Tensor(mask)
            found, shares = layer(*map(Tensor, given), Tensor(pad), True, shown, averaged)
            same(found, want.detach())
            same(shares, weights.detach())
            (alone,) = layer(*map(Tensor, given), Tensor(pad), False, shown)
            same(alone, want.detach())
    single = [x[1] for x in (q, k, v)]
    want, weights = plain(*map(torch.tensor, single), torch.tensor(padding[2]))
    found, shares = layer(*map(Tensor, single), Tensor(padding[2]))
    same(found, want.detach())
    same(shares, weights.detach())


@pytest.mark.parametrize("bias", [True, False])
def test_products_of_two_inputs(bias):
    layer, plain = nn.BiDense(3, 4, 5, has_bias=bias), torch.nn.Bilinear(3, 4, 5, bias)
    for name, p in plain.named_parameters():
        p.data = torch.tensor(real(*p.shape))
        getattr(layer, name).set_data(Tensor(p.data.numpy()))
    for lead in ((2,), (2, 6), ()):
        x, y = real(*lead, 3), real(*lead, 4)
        same(layer(Tensor(x), Tensor(y)), plain(torch.tensor(x), torch.tensor(y)).detach())


@pytest.mark.parametrize(("first", "last"), [(1, -1), (0, 1), (-3, -2), (2, 2), (-4, -1)])
def test_axes_are_joined_and_parted(first, last):
    x = real(2, 3, 4, 5)
    joined = torch.flatten(torch.tensor(x), first, last)
    same(nn.Flatten(first, last)(Tensor(x)), joined)
    for axis in (first % 4, first % 4 - joined.dim()):
        same(nn.Unflatten(axis, x.shape[first % 4:last % 4 + 1])(Tensor(joined.numpy())), x)
    same(nn.Unflatten(-1, (5, 1))(Tensor(x)), x.reshape(2, 3, 4, 5, 1))


@pytest.mark.parametrize("time", [0, 1, 2, -1])
@pytest.mark.parametrize("joined", [None, 0, 1, -1])
def test_a_layer_meets_each_step(time, joined):
    x = real(2, 3, 4)
    if joined is not None and joined % 3 == time % 3:
        with pytest.raises(ValueError, match="reshape_with_axis"):
            nn.TimeDistributed(nn.Tanh(), time, joined)(Tensor(x))
        return
    same(nn.TimeDistributed(nn.Tanh(), time, joined)(Tensor(x)), np.tanh(x))
    width = [n for i, n in enumerate(x.shape) if i != time % 3][-1] if joined is None or time % 3 != 2 else None
    if width is not None and (joined is None or joined % 3 != 2):
        dense = nn.Dense(width, 5)
        weight, bias = dense.weight.asnumpy().T, dense.bias.asnumpy()
        steps = [np.take(x, t, time % 3) @ weight + bias for t in range(x.shape[time % 3])]
        same(nn.TimeDistributed(dense, time, joined)(Tensor(x)), np.stack(steps, time % 3))


@pytest.mark.parametrize("padding", ["valid", "same"])
def test_patches_of_unequal_windows_steps_and_distances(padding):
    x, kernel, step, rate = real(2, 3, 7, 9), (3, 2), (2, 1), (1, 3)
    given = torch.tensor(x)
    if padding == "same":
        ends = []
        for n, k, s, r in zip((7, 9), kernel, step, rate, strict=True):
            total = max((-(-n // s) - 1) * s + r * (k - 1) + 1 - n, 0)
            ends = [total // 2, total - total // 2, *ends]
        given = F.pad(given, ends)
    extents = [(n - r * (k - 1) - 1) // s + 1 for n, k, s, r in zip(given.shape[2:], kernel, step, rate, strict=True)]
    want = F.unfold(given, kernel, rate, 0, step).reshape(2, 3, 6, *extents).transpose(1, 2).reshape(2, 18, *extents)
    same(nn.Unfold([1, *kernel, 1], [1, *step, 1], [1, *rate, 1], padding)(Tensor(x)), want)


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_one_hot_axes(axis):
    ids = np.int32([[0, 2, 4], [1, 1, 0]])
    found = nn.OneHot(axis, 4, 2.5, -1.0)(Tensor(ids)).asnumpy()
    hot = np.where(ids[..., None] == np.arange(4), 2.5, -1.0)
    np.testing.assert_array_equal(found, np.moveaxis(hot, -1, axis))


@pytest.mark.parametrize("k", [-2, -1, 0, 1, 3])
def test_triangles_of_oblong_matrices(k):
    x = real(2, 3, 5)
    same(nn.Tril()(Tensor(x), k), np.tril(x, k))
    same(nn.Triu()(Tensor(x), k), np.triu(x, k))


@pytest.mark.parametrize(("mode", "corners"), [("bilinear", True), ("bilinear", False), ("area", None),
                                              ("nearest", None)])
def test_sizes_and_factors_of_oblong_images(mode, corners):
    x = real(2, 3, 5, 4)
    given = torch.tensor(x)
    same(nn.Upsample((7, 9), mode=mode, align_corners=corners)(Tensor(x)),
         F.interpolate(given, (7, 9), mode=mode, align_corners=corners))
    if mode == "bilinear":
        for more in ({"size": (7, 9)}, {"scale_factor": 2}):
            found = nn.ResizeBilinear()(Tensor(x), **more, align_corners=corners)
            size = more.get("size", (10, 8))
            assert found.shape == (2, 3, *size)
            if corners:
                same(found, F.interpolate(given, size, mode="bilinear", align_corners=True))
        same(nn.ResizeBilinear(True)(Tensor(x), (7, 9)), F.interpolate(given, (7, 9), mode="bilinear"))


def test_rectifiers_with_their_numbers():
    x = np.linspace(-3, 3, 13).astype(np.float32)
    given = torch.tensor(x)
    for slope in (0.0, 0.3, 1.0, 1.5):
        same(nn.LeakyReLU(slope)(Tensor(x)), F.leaky_relu(given, slope))
    for alpha in (0.5, 2.0):
        same(nn.CELU(alpha)(Tensor(x)), F.celu(given, alpha))
        same(nn.ELU(alpha)(Tensor(x)), F.elu(given, alpha))
    assert nn.PReLU(3, 0.6).w.asnumpy() == pytest.approx([0.6] * 3)
    drawn = nn.RReLU(0.25, 0.75)(Tensor(np.full(2000, -2.0, np.float32))).asnumpy() / -2
    assert 0.25 <= drawn.min() < 0.3
    assert 0.7 < drawn.max() <= 0.75


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("first", [False, True])
def test_encoders_and_decoders_with_every_mask(before, first):
    options = {"dim_feedforward": 5, "dropout": 0.0, "activation": "gelu", "batch_first": first, "norm_first": before}
    causal, far = np.triu(np.ones((4, 4), bool), 1), RNG.random((4, 3)) > 0.6
    far[:, 0] = False
    own_pad, far_pad = np.zeros((2, 4), bool), np.zeros((2, 3), bool)
    own_pad[1, 3] = far_pad[0, 2] = True
    x, memory = (real(n, 2, 6) if not first else real(2, n, 6) for n in (4, 3))

    def alike(cell, plain):
        own = sorted([p.name for p in cell.get_parameters()])
        assert len(own) == len(list(plain.parameters()))
        names = {n.replace("linear", "dense").replace("weight", "gamma").replace("bias", "beta") if "norm" in n
                 else n.replace("linear", "dense"): p for n, p in plain.named_parameters()}
        assert own == sorted(names)
        for p in cell.get_parameters():
            names[p.name].data = torch.tensor(real(*p.shape))
            p.set_data(Tensor(names[p.name].data.numpy()))
        return cell.set_train(False), plain.eval()

    layer, plain = alike(nn.TransformerEncoderLayer(6, 2, **options), torch.nn.TransformerEncoderLayer(6, 2, **options))
    want = plain(torch.tensor(x), torch.tensor(causal), torch.tensor(own_pad))
    same(layer(*map(Tensor, (x, causal, own_pad))), want.detach(), 1e-4)
    layer, plain = alike(nn.TransformerDecoderLayer(6, 2, **options), torch.nn.TransformerDecoderLayer(6, 2, **options))
    given = (x, memory, causal, far, own_pad, far_pad)
    want = plain(*map(torch.tensor, given))
    same(layer(*map(Tensor, given)), want.detach(), 1e-4)
    stack = nn.TransformerDecoder(layer, 2, nn.LayerNorm((6,)))
    stack.layers[1].dense1.weight.set_data(Tensor(real(5, 6)))
    assert not np.array_equal(*[c.dense1.weight.asnumpy() for c in stack.layers])
    step = layer(*map(Tensor, given))
    want = stack.layers[1](step, *map(Tensor, given[1:])).asnumpy()
    want = (want - want.mean(-1, keepdims=True)) / np.sqrt(want.var(-1, keepdims=True) + stack.norm.epsilon)
    same(stack(*map(Tensor, given)), want, 1e-4)
    plain = torch.nn.TransformerEncoderLayer(6, 2, **options)
    encoder, plain = alike(nn.TransformerEncoder(nn.TransformerEncoderLayer(6, 2, **options), 2),
                           torch.nn.TransformerEncoder(plain, 2, enable_nested_tensor=False))
    want = plain(torch.tensor(x), torch.tensor(causal), torch.tensor(own_pad))
    same(encoder(*map(Tensor, (x, causal, own_pad))), want.detach(), 1e-4)
