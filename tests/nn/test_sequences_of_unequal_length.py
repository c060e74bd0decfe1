"""Recurrent layers on batches whose rows are of different lengths, in no order."""
from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor, nn

LENGTHS = [2, 5, 3]
RNG = np.random.default_rng(11)


def pair(kind, **options):
    """Our layer and torch's, with the same weights."""
    ours = getattr(nn, kind)(4, 3, num_layers=2, batch_first=True, bidirectional=True, **options)
    theirs = getattr(torch.nn, kind)(4, 3, num_layers=2, batch_first=True, bidirectional=True, **options)
    for name, value in theirs.named_parameters():
        (own,) = [p for p in ours.get_parameters() if p.name.split(".")[-1] == name]
        own.set_data(Tensor(value.detach().numpy()))
    return ours, theirs


@pytest.mark.parametrize(("kind", "options"), [
    ("LSTM", {}), ("GRU", {}), ("RNN", {"nonlinearity": "tanh"}), ("RNN", {"nonlinearity": "relu"})])
def test_every_row_begins_with_its_own_state_and_ends_at_its_length(kind, options):
    torch.manual_seed(2)
    ours, theirs = pair(kind, **options)
    x, h, c = [RNG.standard_normal(s).astype(np.float32) for s in ((3, 5, 4), (4, 3, 3), (4, 3, 3))]
    state = (h, c) if kind == "LSTM" else (h,)
    packed = torch.nn.utils.rnn.pack_padded_sequence(torch.tensor(x), torch.tensor(LENGTHS), batch_first=True,
                                                     enforce_sorted=False)
    given = tuple(map(torch.tensor, state))
    out, last = theirs(packed, given if kind == "LSTM" else given[0])
    want = torch.nn.utils.rnn.pad_packed_sequence(out, batch_first=True, total_length=5)[0]
    given = tuple(map(Tensor, state))
    found, ends = ours(Tensor(x), given if kind == "LSTM" else given[0], Tensor(np.array(LENGTHS, np.int32)))
    assert np.allclose(found.asnumpy(), want.detach(), atol=1e-5)
    for a, b in zip(ends if kind == "LSTM" else (ends,), last if kind == "LSTM" else (last,), strict=True):
        assert np.allclose(a.asnumpy(), b.detach(), atol=1e-5)


def test_rows_shorter_than_the_sequence_are_zero_behind_their_end():
    ours, _ = pair("GRU")
    found, _ = ours(Tensor(RNG.standard_normal((3, 7, 4)).astype(np.float32)), None,
                    Tensor(np.array(LENGTHS, np.int32)))
    assert found.shape == (3, 7, 6)
    for row, length in zip(found.asnumpy(), LENGTHS, strict=True):
        assert (row[:length] != 0).all()
        assert (row[length:] == 0).all()
