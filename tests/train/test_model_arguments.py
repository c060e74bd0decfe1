"""Arguments that `Model` refuses."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Tensor, nn, train


@pytest.mark.parametrize("option", [{"amp_level": "O2"}, {"loss_scale_manager": train.FixedLossScaleManager()}])
def test_options_of_a_step_need_an_optimizer(option):  # observed: MindSpore 2.10, CPU: the class
    with pytest.raises(ValueError, match=f"'optimizer' can not be None when '{next(iter(option))}' is set"):
        train.Model(nn.Dense(3, 2), nn.MSELoss(), **option)


@pytest.mark.parametrize("sink", [True, False])
def test_a_dataset_without_a_batch_is_refused(sink):  # observed: MindSpore 2.10, CPU: the class
    net = nn.Dense(3, 2)
    none = ds.NumpySlicesDataset((np.ones((3, 3), np.float32),), ["x"]).batch(4, drop_remainder=True)
    with pytest.raises(ValueError, match="no batch"):
        train.Model(net).train(1, none, dataset_sink_mode=sink)


def test_a_choice_about_norms_that_is_none_is_that_of_the_level():  # observed: MindSpore 2.10
    def types(**options):
        network, seen = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2)), []
        network[1].register_forward_hook(lambda cell, inputs, output: seen.append(str(output.dtype)))
        model = train.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1), amp_level="O2",
                            loss_scale_manager=None, **options)
        model.train_network(Tensor([[1.0, 2.0], [3.0, 5.0]]), Tensor([[1.0, 2.0], [3.0, 4.0]]))
        return seen

    assert types(keep_batchnorm_fp32=None) == types() != types(keep_batchnorm_fp32=False)
    with pytest.raises(TypeError, match="keep_batchnorm_fp32"):
        types(keep_batchnorm_fp32=3)
