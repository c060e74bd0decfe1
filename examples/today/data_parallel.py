"""Two or more processes train one network, each on its share of the data (2.x).

    msrun --worker_num 2 --local_worker_num 2 examples/today/data_parallel.py [--mode graph|pynative] [--epochs N]

Without `msrun` it is a training in one process, with the same losses.
"""
import argparse

import numpy as np
from sklearn.datasets import load_digits

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn, ops
from mindspore.communication import get_group_size, get_rank, init


def main(mode="graph", epochs=2, batch=64):
    """The losses of all steps, the mean of those of the processes."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    init()
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    size, rank = get_group_size(), get_rank()
    ms.set_seed(1)

    data = load_digits()
    arrays = {"image": (data.data / 16).astype(np.float32), "label": data.target.astype(np.int32)}
    train = ds.NumpySlicesDataset(arrays, shuffle=False, num_shards=size, shard_id=rank)
    train = train.batch(batch // size, drop_remainder=True)
    net = nn.SequentialCell(nn.Dense(64, 32), nn.ReLU(), nn.Dense(32, 10))
    loss_fn, optimizer = nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9)
    grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
    reducer = nn.DistributedGradReducer(optimizer.parameters, mean=True, degree=size)
    losses = []
    for _ in range(epochs):
        for image, label in train.create_tuple_iterator():
            loss, grads = grad_fn(image, label)
            optimizer(reducer(grads))
            losses.append(float(ops.AllReduce()(loss)) / size)
    print(f"process {rank} of {size}: loss {losses[0]:.4f} -> {losses[-1]:.4f}", flush=True)
    return {"first": losses[0], "last": losses[-1], "losses": losses}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=5)
    main(**vars(parser.parse_args()))
