"""TextCNN tells questions from statements and orders, by windows of words (1.8).

    python examples/from_2022/textcnn.py [--mode graph|pynative] [--epochs N]
"""
import argparse

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.text as text
from mindspore import nn, ops
from mindspore.train.callback import LossMonitor

NAMES, VERBS, THINGS = "anna ben carla dora".split(), "bring paint open find".split(), "doors cups maps boats".split()
LENGTH = 6


def sentences(count, seed):
    """Texts, and what they are: 0 statements, 1 questions, 2 orders; only the order of the words tells."""
    rng = np.random.RandomState(seed)
    for _ in range(count):
        name, verb, thing = (str(rng.choice(words)) for words in (NAMES, VERBS, THINGS))
        kind = rng.randint(3)
        words = [f"{name} will {verb} the {thing}", f"will {name} {verb} the {thing}",
                 f"{verb} the {thing} {name}"][kind]
        yield words + " now" * rng.randint(2), np.int32(kind)


class TextCNN(nn.Cell):
    """Windows of two, three and four words; the strongest answer of each filter; a dense layer (Kim 2014)."""

    def __init__(self, vocabulary, width=16, filters=12, classes=3):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.convs = nn.CellList([nn.Conv2d(1, filters, (size, width), pad_mode="valid") for size in (2, 3, 4)])
        self.dropout = nn.Dropout(keep_prob=0.8)
        self.dense = nn.Dense(3 * filters, classes)
        self.relu, self.expand, self.cat = ops.ReLU(), ops.ExpandDims(), ops.Concat(axis=1)
        self.reduce_max = ops.ReduceMax()

    def construct(self, ids):
        x = self.expand(self.embedding(ids), 1)
        strongest = ()
        for conv in self.convs:
            strongest += (self.reduce_max(self.relu(conv(x)), (2, 3)),)
        return self.dense(self.dropout(self.cat(strongest)))


def create_dataset(count, seed, vocab, batch):
    data = ds.GeneratorDataset(list(sentences(count, seed)), ["text", "label"], shuffle=False)
    data = data.map([text.WhitespaceTokenizer(), text.Lookup(vocab, "<unk>")], "text")
    data = data.map(lambda ids: np.pad(ids[:LENGTH], (0, max(LENGTH - len(ids), 0))).astype(np.int32), "text")
    return data.batch(batch, drop_remainder=True)


def main(mode="graph", epochs=4, count=256):
    """The accuracy on other sentences, and the loss there."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    words = ["<pad>", "<unk>", "will", "the", "now", *NAMES, *VERBS, *THINGS]
    vocab = text.Vocab.from_list(words)
    net = TextCNN(len(words))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)
    model = ms.Model(net, loss_fn=loss, optimizer=optimizer, metrics={"acc": nn.Accuracy(), "loss": nn.Loss()})
    train = create_dataset(count, 0, vocab, 32)
    model.train(epochs, train, callbacks=[LossMonitor(train.get_dataset_size())], dataset_sink_mode=False)
    found = model.eval(create_dataset(96, 1, vocab, 32), dataset_sink_mode=False)
    print(found)
    return {"accuracy": found["acc"], "loss": found["loss"]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=8)
    main(**vars(parser.parse_args()))
