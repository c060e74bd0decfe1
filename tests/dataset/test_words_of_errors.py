"""Errors of wrong arguments end with the words that programs of the original look for."""
from __future__ import annotations

import re

import pytest

import mindspore.dataset as ds
from mindspore.dataset import text, transforms, vision


def rows(**options):
    return ds.NumpySlicesDataset([1, 2, 3], ["a"], **options)


@pytest.mark.parametrize(("call", "error", "words"), [
    (lambda: vision.Resize(4, interpolation=2), TypeError,
     "Argument interpolation with value 2 is not of type [<enum 'Inter'>], but got <class 'int'>."),
    (lambda: vision.RandomVerticalFlip(-0.5), ValueError,
     "Input prob is not within the required interval of [0.0, 1.0]."),
    (lambda: rows().shuffle(1), ValueError,
     "Input buffer_size is not within the required interval of [2, 2147483647]."),
    (lambda: text.Vocab.from_list("one"), TypeError,
     "Argument word_list with value one is not of type [<class 'list'>], but got <class 'str'>."),
    (lambda: rows().project(2), TypeError, "is not of type [<class 'list'>, <class 'str'>], but got <class 'int'>."),
    (lambda: rows(num_parallel_workers=0), ValueError, "num_parallel_workers exceeds the boundary between 1 and"),
    (lambda: ds.MnistDataset("/not/there"), ValueError,
     "The folder /not/there does not exist or is not a directory or permission denied!"),
    (lambda: ds.MindDataset("/not/there"), ValueError, "The file /not/there does not exist or permission denied!"),
    (lambda: ds.TextFileDataset("/not/there"), ValueError,
     "The following patterns did not match any files: ['/not/there']."),
    (lambda: vision.CenterCrop((1, 2, 3)), TypeError,
     "Size should be a single integer or a list/tuple (h, w) of length 2."),
    (lambda: rows().map(transforms.Unique), ValueError, "Parameter operations's element of method map should be a"),
    (lambda: rows().map("not a function"), ValueError, "Parameter operations's element of method map should be a"),
    (lambda: transforms.Compose([vision.HWC2CHW]), ValueError, "should be a dataset processing operation instance"),
    (lambda: rows(num_shards=2), RuntimeError, "num_shards is specified and currently requires shard_id as well"),
    (lambda: rows(shard_id=1), RuntimeError, "shard_id is specified but num_shards is not"),
    (lambda: rows(num_shards=2, shard_id=2), ValueError,
     "Input shard_id is not within the required interval of [0, 1]."),
    (lambda: rows(shuffle=True, sampler=[0]), RuntimeError,
     "sampler and shuffle cannot be specified at the same time"),
    (lambda: rows(num_shards=2, shard_id=0, sampler=[0]), RuntimeError,
     "sampler and sharding cannot be specified at the same time"),
    (lambda: rows().use_sampler(3), TypeError, "Input sampler is not an instance of a sampler."),
])
def test_an_error_says_it_in_both_wordings(call, error, words):
    with pytest.raises(error, match=re.escape(words)) as told:
        call()
    assert re.search("^(For '\\w+', |The '\\w+')", str(told.value))


def test_long_values_are_cut_short():
    with pytest.raises(TypeError) as told:
        vision.Normalize("m" * 5000, [1])
    assert len(str(told.value)) < 6000
    assert f"Argument mean with value {'m' * 200}... is not of type" in str(told.value)
