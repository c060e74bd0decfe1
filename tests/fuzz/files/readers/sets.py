"""Further sets as they are published: each is a row of what its files hold and how it is read."""

from __future__ import annotations

import numpy as np

from mindspore import dataset as ds
from mindspore.dataset import audio, text
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.utils import LineReader
from readers import plain, reader, rows
from readers.lists import _files
from readers.sounds import recorded

RANDOM = np.random.default_rng(11)


def _idx(array, kind=8):
    return np.array([kind << 8 | array.ndim, *array.shape], ">u4").tobytes() + array.tobytes()


def _digits(images, labels, content):
    def write(folder):
        (folder / images).write_bytes(_idx(RANDOM.integers(0, 255, (3, 28, 28), np.uint8)))
        (folder / labels).write_bytes(content)
    return write


def _set(kind, name, write, *args, only="*", **more):
    @reader(write, PipelineError, name=name, only=only)
    def read(folder):
        return rows(getattr(ds, kind)(str(folder), *args, shuffle=False, **more))


LABELS = _idx(np.array([1, 2, 3], np.uint8))
_usual = _digits("train-images-idx3-ubyte", "train-labels-idx1-ubyte", LABELS)
_set("FashionMnistDataset", "fashion_mnist", _usual, "train")
_set("KMnistDataset", "kmnist", _usual, "train")
_set("EMnistDataset", "emnist", _digits("emnist-letters-test-images-idx3-ubyte",
                                        "emnist-letters-test-labels-idx1-ubyte", LABELS), "letters", "test")
_set("QMnistDataset", "qmnist", _digits("qmnist-train-images-idx3-ubyte", "qmnist-train-labels-idx2-int",
                                        _idx(RANDOM.integers(0, 9, (3, 8)).astype(">i4"), 12)), "train", compat=False)
_set("Cifar10Dataset", "cifar10", lambda folder: (folder / "data_batch_1.bin").write_bytes(RANDOM.bytes(2 * 3073)),
     "train")


def _table(columns):
    line = ",".join(f'"field {i} ""of"" {columns}"' for i in range(columns - 1))
    return _files(**{"train.csv": f'"1",{line}\n"2",{line}\n'})


for _name, _columns in (("AmazonReview", 3), ("DBpedia", 3), ("YahooAnswers", 4), ("SogouNews", 3), ("YelpReview", 2)):
    _set(f"{_name}Dataset", _name.lower(), _table(_columns), "train")
_set("PennTreebankDataset", "penn_treebank", _files(**{"ptb.train.txt": "a <unk> b\n\n no it was n't \n"}), "train")
_set("WikiTextDataset", "wiki_text", _files(**{"wiki.train.tokens": " = A = \n\n b @-@ c \n"}), "train")
_set("UDPOSDataset", "ud_pos", _files(**{"en-ud-tag.v2.dev.txt": "He\tPRON\tPRP\nsees\tVERB\tVBZ\n\nA\tDET\tDT\n"}),
     "valid")
_talks = "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo/"
_set("IWSLT2017Dataset", "iwslt2017", _files(**{
    f"{_talks}train.tags.de-en.de": "<talk>\nDanke.\n<a>b</a>\nJa.\n",
    f"{_talks}train.tags.de-en.en": "<talk>\nThank you.\n<a>b</a>\nYes.\n"}), "train")
_set("Multi30kDataset", "multi30k", _files(**{"validation/val.en": "A dog.\nA cat.\n",
                                              "validation/val.de": "Ein Hund.\nEine Katze.\n"}), "valid")

for _kind, _name, _places, _args in (
        ("Caltech256Dataset", "caltech256", ("001.a/001_0001.jpg", "002.b/002_0001.jpg"), ()),
        ("OmniglotDataset", "omniglot", ("images_background/Greek/c1/1.png", "images_background/Greek/c2/1.png"), ()),
        ("RenderedSST2Dataset", "rendered_sst2", ("test/negative/1.png", "test/positive/1.png"), ("test",)),
        ("LSUNDataset", "lsun", ("tower_train/1.jpg", "bridge_train/1.jpg"), ("train",)),
        ("DIV2KDataset", "div2k", ("DIV2K_train_HR/1.png", "DIV2K_train_LR_bicubic/X2/1x2.png"), ())):
    _set(_kind, _name, _files(**dict.fromkeys(_places)), *_args, decode=True)


def _genres(folder):
    recorded(folder / "blues/blues.00000.wav", 22050)
    recorded(folder / "rock/rock.00001.wav", 22050, 1)


_set("GTZANDataset", "gtzan", _genres)


@reader(lambda folder: recorded(folder / "a.wav", 8000, 2, 2), PipelineError)
def read_wave(folder):
    return plain(list(audio.read_audio(str(folder / "a.wav"))))


@reader(lambda folder: (folder / "a.txt").write_bytes(b"one\r\ntwo\n\nthr\xc3\xa4"), PipelineError, ValueError)
def line_reader(folder):
    with LineReader(str(folder / "a.txt")) as lines:
        return [lines.readline(i + 1) for i in range(len(lines))]


@reader(_files(**{"vocab.txt": "one,1\ntwo,2\n[UNK],3\n##e\n"}), PipelineError, ValueError, name="vocab_of_columns")
def _vocab(folder):
    found = text.Vocab.from_file(str(folder / "vocab.txt"), ",", 3, ["<pad>"], False)
    return plain(text.Lookup(found, "<pad>")(["one", "x"]))


@reader(_files(**{"vocab.txt": "[UNK]\n[CLS]\nun\n##able\nread\n"}), PipelineError, ValueError)
def word_pieces(folder):
    found = text.Vocab.from_file(str(folder / "vocab.txt"))
    return plain(text.WordpieceTokenizer(found, unknown_token="[UNK]")(["unreadable", "un"]))


@reader(_files(**{"a.txt": "one 0.1 0.2\ntwo 1 2\n"}), PipelineError)
def vectors(folder):
    return plain(text.ToVectors(text.Vectors.from_file(str(folder / "a.txt"), 3))(["two", "x"]))


@reader(_files(**{"charngram.txt": "2gram-ab 1.0 2.0\n2gram-bc 3.0 4.0\n3gram-abc 5 6\n"}), PipelineError)
def character_ngrams(folder):
    return plain(text.ToVectors(text.CharNGram.from_file(str(folder / "charngram.txt")))("abc"))

