"""Texts, tables and what is learnt from them."""

from __future__ import annotations

import json

from mindspore import dataset as ds
from mindspore.dataset import text
from mindspore.dataset.errors import PipelineError
from readers import plain, reader, rows
from readers.lists import _files


@reader(_files(**{"a.txt": "one line\n\nzwei Zeilen \u00e4\u00f6\u00fc\n\u4e00\n"}), PipelineError)
def text_file(folder):
    return rows(ds.TextFileDataset(str(folder / "a.txt"), shuffle=False))


_csv = _files(**{"a.csv": 'x,y,z\n1,2.5,one\n3,4e2,"two, too"\n5,,"a ""b"""\n'})


@reader(_csv, PipelineError)
def csv(folder):
    return rows(ds.CSVDataset(str(folder / "a.csv"), column_defaults=[0, 1.0, ""], shuffle=False))


def _task(task, usage, entry):
    @reader(_files(**{"a.json": f"{json.dumps(entry)}\n" * 3}), PipelineError, name=f"clue_{task.lower()}")
    def read(folder):
        return rows(ds.CLUEDataset(str(folder / "a.json"), task, usage, shuffle=False))


_task("AFQMC", "train", {"sentence1": "a", "sentence2": "b", "label": "0"})
_task("CSL", "train", {"id": 1, "abst": "text", "keyword": ["a", "b"], "label": "1"})
_task("WSC", "train", {"target": {"span1_index": 1, "span1_text": "a", "span2_index": 3, "span2_text": "b"},
                       "idx": 7, "label": "true", "text": "a b"})


def _squad(folder):
    answer = {"text": "two", "answer_start": 4}
    question = {"question": "How many?", "id": "1", "answers": [answer]}
    content = {"version": "1.1", "data": [{"title": "t", "paragraphs": [
        {"context": "one two", "qas": [question, {**question, "answers": []}]}]}]}
    (folder / "train-v1.1.json").write_text(json.dumps(content))


@reader(_squad, PipelineError)
def squad(folder):
    return rows(ds.SQuADDataset(str(folder), "train", shuffle=False))


@reader(_files(**{"train.csv": '"3","title one","some text"\n"4","title, two","more ""text"""\n'}), PipelineError)
def ag_news(folder):
    return rows(ds.AGNewsDataset(str(folder), "train", shuffle=False))


@reader(_files(**{"train.txt": "He PRP B-NP\nsees VBZ B-VP\n\nA DT B-NP\n"}), PipelineError)
def conll2000(folder):
    return rows(ds.CoNLL2000Dataset(str(folder), "train", shuffle=False))


@reader(_files(**{"train.tsv": "sentence\tlabel\ngood film\t1\nbad\t0\n"}), PipelineError)
def sst2(folder):
    return rows(ds.SST2Dataset(str(folder), "train", shuffle=False))


@reader(_files(**{"enwik9": "<page>\n<title>A &amp; B</title>\n<text>[[x]] 12 <b>y</b></text>\n</page>\n"}),
        PipelineError)
def enwik9(folder):
    data = ds.EnWik9Dataset(str(folder), shuffle=False)
    return rows(data.map(text.FilterWikipediaXML(), "text"))


_place = "texts/de/en/de-en/IWSLT16.TED.tst2013.de-en"


@reader(_files(**{f"{_place}.de.xml": "<doc>\n<seg id=\"1\"> Ja. </seg>\n<seg id=\"2\"> Nein. </seg>\n</doc>\n",
                  f"{_place}.en.xml": "<doc>\n<seg id=\"1\"> Yes. </seg>\n<seg id=\"2\"> No. </seg>\n</doc>\n"}),
        PipelineError)
def iwslt2016(folder):
    return rows(ds.IWSLT2016Dataset(str(folder), "valid", shuffle=False))


@reader(_files(**{"test/pos/1.txt": "A film.", "test/neg/1.txt": "No film."}), PipelineError)
def imdb(folder):
    return rows(ds.IMDBDataset(str(folder), "test", shuffle=False))


@reader(_files(**{"vocab.txt": "one\ntwo\nthree\n"}), PipelineError, ValueError)
def vocab(folder):
    return plain(text.Vocab.from_file(str(folder / "vocab.txt")).vocab())


_vectors = _files(**{"glove.6B.3d.txt": "one 0.1 0.2 0.3\ntwo 1 2 3\n", "a.vec": "2 3\none 0.1 0.2 0.3\ntwo 1 2 3\n"})


@reader(_vectors, PipelineError, only="glove*")
def glove(folder):
    return plain(text.ToVectors(text.GloVe.from_file(str(folder / "glove.6B.3d.txt")))("two"))


@reader(_vectors, PipelineError, only="*.vec")
def fast_text(folder):
    return plain(text.ToVectors(text.FastText.from_file(str(folder / "a.vec")))("two"))


def _pieces(folder):
    lines = folder / "lines.txt"
    lines.write_text("the cat sat on the mat\nthe dog sat on the log\n" * 20)
    vocab = text.SentencePieceVocab.from_file([str(lines)], 20, 0.9995, text.SentencePieceModel.UNIGRAM, {})
    text.SentencePieceVocab.save_model(vocab, str(folder), "m.model")


@reader(_pieces, PipelineError, only="*.model")
def sentence_piece(folder):
    made = text.SentencePieceTokenizer(str(folder / "m.model"), text.SPieceTokenizerOutType.STRING)
    return plain(made("the cat sat \U0001f600"))
