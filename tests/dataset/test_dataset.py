from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import config


def numbers(count=5, **options):
    options.setdefault("shuffle", False)
    return ds.NumpySlicesDataset({"x": np.arange(count)}, **options)


def test_sizes_are_known_without_reading():
    def forbidden(x):
        raise AssertionError("was read")

    data = numbers(10).map(forbidden).batch(4).repeat(3).skip(1).take(5)
    assert data.get_dataset_size() == 5
    assert data.get_batch_size() == 4
    assert data.get_repeat_count() == 3
    assert len(data) == 5


def test_sizes_that_only_reading_tells_are_counted():
    assert numbers(10).filter(lambda x: x % 2 == 0).batch(2).get_dataset_size() == 3


def test_shapes_and_types_are_those_of_the_first_row():
    data = ds.GeneratorDataset(
        lambda: ((np.ones((i + 1, 2), np.float32), i) for i in range(3)), ["a", "b"]
    )
    assert data.output_shapes() == [[1, 2], []]
    assert data.output_types() == [np.dtype("float32"), np.dtype("int64")]
    assert all(isinstance(kind, np.dtype) for kind in data.output_types())


def test_estimated_shapes_have_none_where_lengths_differ():
    data = ds.GeneratorDataset(lambda: (np.ones((i + 1, 2)) for i in range(3)), ["a"])
    assert data.output_shapes(estimate=True) == [[None, 2]]


def test_names_follow_the_operations():
    data = (
        ds.NumpySlicesDataset({"a": [1], "b": [2]})
        .rename("a", "c")
        .map(lambda b: (b, b), "b", ["d", "e"])
    )
    assert data.get_col_names() == ["d", "e", "c"]


@pytest.mark.parametrize("seed", ["config", "global"])
def test_equal_seeds_give_equal_rows_and_passes_differ(seed):
    def read():
        config.set_seed(5) if seed == "config" else ms.set_seed(5)
        data = numbers(50, shuffle=True).shuffle(10).batch(50).repeat(2)
        return [x.tolist() for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    first, again = read(), read()
    assert first == again
    assert first[0] != first[1]
    assert sorted(first[0]) == sorted(first[1]) == list(range(50))


def test_the_order_does_not_depend_on_the_number_of_workers():
    from mindspore.dataset import transforms

    noise = transforms.RandomApply([lambda x: -x])

    def read(workers):
        data = numbers(300, shuffle=True).map(noise, num_parallel_workers=workers)
        return [int(x) for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    assert read(1) == read(3)


def test_of_both_seeds_the_one_set_last_counts():
    config.set_seed(1)
    ms.set_seed(2)
    assert config.get_seed() == 2
    config.set_seed(3)
    assert config.get_seed() == 3


def test_apply_gives_what_the_function_makes(column):
    assert column(numbers(5).apply(lambda d: d.take(2))) == [0, 1]
    with pytest.raises(TypeError, match="apply_func"):
        numbers().apply(lambda d: 3)


def test_a_dataset_is_true_whatever_its_length():
    assert bool(numbers(1).skip(1))


def test_what_is_not_supported_says_what_to_do_instead():
    with pytest.raises(NotImplementedError, match="MindDataset"):
        ds.TextFileDataset(__file__, cache=ds.DatasetCache(1))
    with pytest.raises(NotImplementedError, match="numactl"):
        config.set_numa_enable(True)


def test_settings_refuse_wrong_values():
    with pytest.raises(ValueError, match="num"):
        config.set_num_parallel_workers(0)
    with pytest.raises(TypeError, match="size"):
        config.set_prefetch_size("many")
    with pytest.raises(TypeError, match="start_method"):
        config.set_multiprocessing_start_method(1)
    with pytest.raises(ValueError, match="start_method"):
        config.set_multiprocessing_start_method("forkserver")


def test_a_hook_knows_nothing_before_a_step():
    class Same(ds.DebugHook):
        def compute(self, *args):
            return args

    hook = Same()
    assert (hook.prev_op_name, hook.is_first_op) == (None, False)
