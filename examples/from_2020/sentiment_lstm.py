"""Which way a sentence leans, by an LSTM over word vectors, with a training step written out (1.0).

    python examples/from_2020/sentiment_lstm.py [--mode graph|pynative] [--epochs N]
"""
import argparse

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
import mindspore.nn as nn
from mindspore import ParameterTuple, Tensor, context
from mindspore.common import set_seed
from mindspore.nn.metrics import Accuracy
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P
from mindspore.train.model import Model

GOOD = "fine lovely bright warm clever charming brave honest".split()
BAD = "dull bitter cold grim clumsy hollow false tiresome".split()
OTHER = "the film was a story of two people and their dog in one town by sea".split()
WORDS = ["<pad>", "not"] + GOOD + BAD + OTHER
LENGTH = 10


def sentences(count, seed):
    """Numbers of words, and whether a sentence praises; "not" turns the next judgement round."""
    rng = np.random.RandomState(seed)
    rows, labels = [], []
    for _ in range(count):
        words = list(rng.choice(OTHER, rng.randint(3, 6)))
        good, turned = bool(rng.randint(2)), bool(rng.randint(2))
        judgement = [str(rng.choice(GOOD if good != turned else BAD))]
        at = rng.randint(len(words) + 1)
        words[at:at] = ["not"] * turned + judgement
        rows.append([WORDS.index(w) for w in words] + [0] * (LENGTH - len(words)))
        labels.append(int(good))
    return np.array(rows, np.int32), np.array(labels, np.int32)


class SentimentNet(nn.Cell):
    """Embedding, an LSTM in both directions, and a dense layer on its first and last states."""

    def __init__(self, vocab_size, embed_size, num_hiddens):
        super(SentimentNet, self).__init__()
        self.embedding = nn.Embedding(vocab_size, embed_size)
        self.trans = P.Transpose()
        self.perm = (1, 0, 2)
        self.encoder = nn.LSTM(input_size=embed_size, hidden_size=num_hiddens, num_layers=1, has_bias=True,
                               bidirectional=True, dropout=0.0)
        self.concat = P.Concat(1)
        self.decoder = nn.Dense(num_hiddens * 4, 2)
        self.num_hiddens = num_hiddens

    def construct(self, inputs):
        embeddings = self.trans(self.embedding(inputs), self.perm)
        batch = inputs.shape[0]
        zeros = P.Zeros()((2, batch, self.num_hiddens), ms.float32)
        output, _ = self.encoder(embeddings, (zeros, zeros))
        return self.decoder(self.concat((output[0], output[LENGTH - 1])))


class TrainStep(nn.Cell):
    """A step of training in which the gradients are clipped, as programs of 1.0 wrote it."""

    def __init__(self, network, optimizer, sens=1.0):
        super(TrainStep, self).__init__(auto_prefix=False)
        self.network = network
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.hyper_map = C.HyperMap()
        self.sens = sens

    def construct(self, x, y):
        loss = self.network(x, y)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        grads = self.grad(self.network, self.weights)(x, y, sens)
        grads = self.hyper_map(F.partial(clip, 1.0), grads)
        return F.depend(loss, self.optimizer(grads))


clip = C.MultitypeFuncGraph("clip")


@clip.register("Number", "Tensor")
def _clip(limit, grad):
    return C.clip_by_value(grad, Tensor(-limit, ms.float32), Tensor(limit, ms.float32))


def main(mode="graph", epochs=6, count=256):
    """The first and the last loss, and the accuracy on other sentences."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE)
    set_seed(3)
    data = ds.NumpySlicesDataset(sentences(count, 0), ["words", "label"]).batch(32, drop_remainder=True)
    test = ds.NumpySlicesDataset(sentences(128, 1), ["words", "label"]).batch(32)

    net = SentimentNet(len(WORDS), 16, 16)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = TrainStep(nn.WithLossCell(net, loss), nn.Adam(net.trainable_params(), 0.03))
    step.set_train()
    losses = []
    for epoch in range(epochs):
        for item in data.create_dict_iterator():
            losses.append(float(step(item["words"], item["label"]).asnumpy()))
        print("epoch %d: loss %.4f" % (epoch + 1, losses[-1]))
    accuracy = Model(net, loss, metrics={"acc": Accuracy()}).eval(test, dataset_sink_mode=False)["acc"]
    print("accuracy %.3f" % accuracy)
    return {"first": losses[0], "last": losses[-1], "accuracy": accuracy}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=6)
    main(count=512, **vars(parser.parse_args()))
