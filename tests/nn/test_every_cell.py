"""What all cells of a kind have in common: types of parameters, names in networks, masks of transformers."""
from __future__ import annotations

import inspect

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, mint, nn, ops

# what the constructor has to be given
GIVEN = {"in_channels": 4, "out_channels": 6, "kernel_size": 2, "num_features": 4, "in1_channels": 4, "in2_channels": 5,
         "vocab_size": 6, "embedding_size": 3, "num_embeddings": 6, "embedding_dim": 4, "num_groups": 2,
         "num_channels": 4, "normalized_shape": (4,), "in_features": 4, "out_features": 3, "field_size": 2,
         "embed_dim": 4, "num_heads": 2, "d_model": 4, "nhead": 2, "input_size": 4, "hidden_size": 3}
RECURRENT = {"input_size": 4, "hidden_size": 3, "num_layers": 2, "bidirectional": True}
MORE = {"Transformer": {"d_model": 4, "nhead": 2, "num_encoder_layers": 1, "num_decoder_layers": 1,
                        "dim_feedforward": 5},
        "MultiheadAttention": {"add_bias_kv": True, "kdim": 3, "vdim": 5},
        "GRU": RECURRENT, "LSTM": RECURRENT, "RNN": RECURRENT}
STATISTICS = {"moving_mean", "moving_variance", "running_mean", "running_var", "num_batches_tracked"}


def typed_cells():
    """Those that take a type; an Embedding has its table in float32 in any case."""   # observed: MindSpore 2.10, CPU
    for space, where in ((nn, "nn"), (mint.nn, "mint.nn")):
        for name in space.__all__:
            kind = getattr(space, name)
            if not isinstance(kind, type) or not issubclass(kind, nn.Cell):
                continue
            if not issubclass(kind, (nn.Optimizer, nn.Embedding)):
                taken = inspect.signature(kind).parameters
                if "dtype" in taken or name in ("GRU", "LSTM", "RNN"):
                    needed = {n: GIVEN[n] for n, p in taken.items()
                              if p.default is p.empty and p.kind == p.POSITIONAL_OR_KEYWORD}
                    needed |= {"has_bias": True} if "has_bias" in taken else {}
                    yield pytest.param(kind, {**needed, **(MORE.get(name, {}) if space is nn else {})},
                                       id=f"{where}.{name}")


@pytest.mark.parametrize(("kind", "given"), list(typed_cells()))
def test_all_parameters_have_the_type_that_a_cell_is_given(kind, given):
    for dtype in (ms.float32, ms.float16, ms.float64):
        types = {p.name: p.dtype for p in kind(**given, dtype=dtype).get_parameters()
                 if p.name.rpartition(".")[2] not in STATISTICS}
        assert set(types.values()) <= {dtype}, types
    assert types or kind in (nn.Dropout, nn.OneHot)


def copied(cell, peer):
    """Weights at random for a transformer and that of torch."""
    rng, theirs = np.random.default_rng(3), dict(peer.named_parameters())
    for name, p in cell.parameters_and_names():
        value = rng.normal(size=p.shape).astype(np.float32) * 0.5
        p.set_data(Tensor(value))
        for old, new in (("dense", "linear"), ("gamma", "weight"), ("beta", "bias")):
            name = name.replace(old, new)
        theirs.pop(name).data = torch.tensor(value)
    assert not theirs
    return rng


def masks(rng, *shapes):
    """True for what does not count; the first of each row counts."""
    for shape in shapes:
        mask = rng.random(shape) < 0.4
        mask[..., 0] = False
        yield mask


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("options", [{}, {"batch_first": True, "norm_first": True, "activation": "gelu"}])
def test_a_transformer_is_that_of_torch_with_every_mask(options):
    sizes = (4, 2, 2, 1, 6, 0.0)
    cell, peer = nn.Transformer(*sizes, layer_norm_eps=0.1, **options), torch.nn.Transformer(
        *sizes, layer_norm_eps=0.1, **options)
    rng = copied(cell, peer.eval())
    source, target = rng.normal(size=(2, 5, 2, 4)).astype(np.float32)
    target = target[:3]
    if options:
        source, target = source.swapaxes(0, 1), target.swapaxes(0, 1)
    given = (source, target, *masks(rng, (5, 5), (3, 3), (3, 5), (2, 5), (2, 3), (2, 5)))
    expected = peer(*map(torch.tensor, given)).detach().numpy()
    np.testing.assert_allclose(cell(*map(Tensor, given)).asnumpy(), expected, 1e-4, 1e-5)
    for k in range(2, 8):                        # and each of them counts, given by its name
        name = list(inspect.signature(cell.construct).parameters)[k]
        alone = cell(*map(Tensor, given[:2]), **{name: Tensor(given[k])}).asnumpy()
        expected = peer(*map(torch.tensor, given[:2]), **{name: torch.tensor(given[k])}).detach().numpy()
        np.testing.assert_allclose(alone, expected, 1e-4, 1e-5, err_msg=name)
        assert np.abs(alone - cell(*map(Tensor, given[:2])).asnumpy()).max() > 1e-3


def test_the_parts_of_a_transformer_may_be_given():
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, 0.0), 3, nn.LayerNorm((4,)))
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 6, 0.0), 2)
    whole = nn.Transformer(4, 2, custom_encoder=encoder, custom_decoder=decoder)
    assert (whole.encoder, whole.decoder, len(encoder.layers), len(decoder.layers)) == (encoder, decoder, 3, 2)
    source, target = ops.standard_normal((5, 2, 4)), ops.standard_normal((3, 2, 4))
    memory = source
    for layer in encoder.layers:
        memory = layer(memory)
    np.testing.assert_allclose(encoder(source).asnumpy(), encoder.norm(memory).asnumpy(), 1e-5, 1e-6)
    np.testing.assert_array_equal(whole(source, target).asnumpy(), decoder(target, encoder(source)).asnumpy())
    assert not any((a.asnumpy() == b.asnumpy()).all() for a, b in zip(           # copies, not one layer twice
        encoder.layers[0].trainable_params(), [ops.ones_like(p) * 7 for p in encoder.layers[1].trainable_params()],
        strict=True))


class Net(nn.Cell):
    def __init__(self, held):
        super().__init__()
        self.held, self.last = held, nn.Dense(1, 1)


@pytest.mark.parametrize("kind", [nn.SequentialCell, nn.CellList])
def test_cells_that_are_renumbered_keep_the_name_of_the_network_around_them(kind):
    net = Net(kind([nn.Dense(1, 1), nn.ReLU(), nn.Dense(1, 1), nn.PReLU()]))
    net.update_parameters_name("net.")

    def names():
        return [p.name for p in net.held.get_parameters()]
    assert names() == ["net.held.0.weight", "net.held.0.bias", "net.held.2.weight", "net.held.2.bias", "net.held.3.w"]
    del net.held[0]
    assert names() == ["net.held.1.weight", "net.held.1.bias", "net.held.2.w"]
    net.held.append(nn.PReLU())
    assert names()[-1] == "net.held.3.w"
    del net.held[1:3]
    net.held[0] = nn.Dense(1, 1)
    assert names() == ["net.held.0.weight", "net.held.0.bias", "net.held.1.w"]


@pytest.mark.parametrize("shape", [(1, 2, 5, 11), (1, 2, 11, 5)])
def test_images_smaller_than_the_window_are_refused_along_both_axes(shape):
    with pytest.raises(ValueError, match=f"shape\\[{shape.index(5)}\\] should be >= filter_size"):
        nn.SSIM(filter_size=7)(ops.ones(shape), ops.ones(shape))
    assert nn.SSIM(filter_size=5)(ops.ones(shape), ops.ones(shape)).shape == (1,)
