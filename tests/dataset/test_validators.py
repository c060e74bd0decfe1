from __future__ import annotations

import pytest

import mindspore.dataset as ds
from mindspore import Tensor
from mindspore.dataset import validators, vision
from mindspore.dataset.transforms.validators import check_random_transform_ops


class Pipeline(ds.Dataset):
    """A dataset of a program's own whose methods are decorated."""

    def __init__(self):
        super().__init__(ds.NumpySlicesDataset({"a": [1, 2], "b": [3, 4]}, shuffle=False))
        self.called = []

    @validators.check_batch
    def batch(self, batch_size, drop_remainder=False, **kwargs):
        self.called.append((batch_size, drop_remainder, kwargs))
        return "batched"

    @validators.check_rename
    def rename(self, input_columns, output_columns):
        return "renamed"

    @validators.check_save
    def save(self, file_name, num_files=1):
        return file_name

    @validators.check_dict_iterator
    def create_dict_iterator(self, num_epochs=-1, output_numpy=False):
        return num_epochs


def test_a_method_is_called_with_what_the_original_accepts():
    data = Pipeline()
    assert data.batch(2, drop_remainder=True) == "batched"
    assert data.batch(3, num_parallel_workers=1) == "batched"
    assert data.called == [(2, True, {}), (3, False, {"num_parallel_workers": 1})]
    assert data.rename("a", "c") == "renamed"
    assert data.create_dict_iterator(2) == 2
    assert data.save("x", 2) == "x"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda data: data.batch(-1), ValueError),
        (lambda data: data.batch(2, "yes"), TypeError),
        (lambda data: data.rename(["a", "b"], ["c"]), ValueError),
        (lambda data: data.save("x", 0), ValueError),
        (lambda data: data.create_dict_iterator("two"), TypeError),
    ],
)
def test_what_the_original_refuses_is_refused_before(call, error):
    data = Pipeline()
    with pytest.raises(error):
        call(data)
    assert data.called == []


def test_numbers_of_batches_are_ints():
    assert ds.check_total_batch(3) is None
    with pytest.raises(TypeError, match="'total_batch' must be an int"):
        ds.check_total_batch(1.5)


class Exchange:
    """What sends and takes tensors, as a program of its own might."""

    @validators.check_send
    def send(self, tensor=None, dst=0, group=None):
        return dst

    @validators.check_recv
    def recv(self, src=0, group=None):
        return src


def test_partners_of_an_exchange_are_checked():
    exchange = Exchange()
    assert exchange.send([Tensor(1)], [0, 1], "all") == [0, 1]
    assert exchange.recv(3) == 3
    for call in (
        lambda: exchange.send(1),
        lambda: exchange.send([1]),
        lambda: exchange.send(dst="a"),
        lambda: exchange.recv([0, "a"]),
        lambda: exchange.recv(0, 1),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError, match="src"):
        exchange.recv(-1)


class Either:
    """A transform of a program's own."""

    @check_random_transform_ops
    def __init__(self, transforms, prob=0.5):
        self.transforms = transforms


def test_transforms_of_a_transform_are_checked():
    assert len(Either([vision.Resize(3), abs]).transforms) == 2
    for transforms, prob, error in [
        (3, 0.5, TypeError),
        ((abs,), 0.5, TypeError),
        ([3], 0.5, TypeError),
        ([], 0.5, ValueError),
        ([abs], 2, ValueError),
        ([abs], "a", TypeError),
    ]:
        with pytest.raises(error):
            Either(transforms, prob)
