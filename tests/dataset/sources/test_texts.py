"""Sets of texts: small files written here, and the real ones of the reference material."""

from __future__ import annotations

import csv
import json
import os
import re
import xml.etree.ElementTree as xml

import pytest

import mindspore.dataset as ds

TABLES = {
    ds.AGNewsDataset: (["index", "title", "description"], "testAGNews"),
    ds.AmazonReviewDataset: (["label", "title", "content"], "testAmazonReview/full"),
    ds.DBpediaDataset: (["class", "title", "content"], "testDBpedia"),
    ds.SogouNewsDataset: (["index", "title", "content"], "testSogouNews"),
    ds.YahooAnswersDataset: (["class", "title", "content", "answer"], "testYahooAnswers"),
    ds.YelpReviewDataset: (["label", "text"], "testYelpReview/polarity"),
}


@pytest.fixture
def folder(tmp_path):
    """Writes files, given by their paths below a folder, and gives its path."""

    def written(files):
        for path, content in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(content.encode() if isinstance(content, str) else content)
        return str(tmp_path)

    return written


@pytest.fixture
def data(reference):
    """Path of a folder of the reference material."""
    return lambda *parts: os.path.join(reference, "data", "dataset", *parts)


@pytest.mark.parametrize("source", TABLES, ids=lambda source: source.__name__)
def test_tables_give_every_field_as_text(source, folder, rows):
    columns, _ = TABLES[source]
    line = ['1, "x"', "two\nlines", "", "é"][: len(columns)]
    quoted = ",".join('"' + field.replace('"', '""') + '"' for field in line) + "\n"
    path = folder({"train.csv": quoted * 2, "test.csv": ",".join("abcd"[: len(columns)]) + "\n"})
    train = source(path, "train", shuffle=False)
    assert train.get_col_names() == columns
    assert rows(train) == [tuple(line)] * 2
    assert source(path).get_dataset_size() == 3
    assert rows(source(path, "test")) == [tuple("abcd"[: len(columns)])]


@pytest.mark.parametrize("source", TABLES, ids=lambda source: source.__name__)
def test_tables_of_the_reference_hold_what_a_csv_reader_finds(source, data, rows):
    for usage in ("train", "test"):
        path = data(TABLES[source][1])
        with open(os.path.join(path, f"{usage}.csv"), encoding="utf-8", newline="") as file:
            expected = [tuple(line) for line in csv.reader(file)]
        assert rows(source(path, usage, shuffle=False)) == expected


def test_a_line_with_too_few_fields_is_named(folder, rows):
    path = folder({"train.csv": '"1","a","b"\n"2","x"\n'})
    with pytest.raises(RuntimeError, match=r"row 1 of '.*train.csv' must have 3 fields, but has 2"):
        rows(ds.AGNewsDataset(path, "train", shuffle=False))


MODELS = {
    ds.PennTreebankDataset: ("ptb.{}.txt", "testPennTreebank"),
    ds.WikiTextDataset: ("wiki.{}.tokens", "testWikiText"),
}


@pytest.mark.parametrize("source", MODELS, ids=lambda source: source.__name__)
def test_lines_of_language_models_come_without_empty_ones(source, folder, column):
    name, _ = MODELS[source]
    path = folder({name.format(u): f"\n = {u} = \n\n x\n" for u in ("train", "valid", "test")})
    for usage in ("train", "valid", "test"):
        assert column(source(path, usage, shuffle=False)) == [f" = {usage} = ", " x"]
    assert source(path).get_dataset_size() == 6


@pytest.mark.parametrize("source", MODELS, ids=lambda source: source.__name__)
def test_lines_of_language_models_of_the_reference_are_complete(source, data, column):
    name, known = MODELS[source]
    for usage in ("train", "valid", "test"):
        with open(data(known, name.format(usage)), encoding="utf-8") as file:
            expected = [line for line in file.read().split("\n") if line]
        assert column(source(data(known), usage, shuffle=False)) == expected


def test_lines_of_xml_come_with_empty_ones(folder, column):
    path = folder({"enwik9": "  <page>\n\n é\n"})
    assert column(ds.EnWik9Dataset(path, shuffle=False)) == ["  <page>", "", " é"]
    assert ds.EnWik9Dataset(path).is_shuffled()
    broken = folder({"enwik9": b"ok\n\xff\xfe\n"})
    with pytest.raises(RuntimeError, match="not in UTF-8"):
        column(ds.EnWik9Dataset(broken, shuffle=False))


def test_lines_of_the_truncated_reference_file_are_refused(data, column):
    assert column(ds.EnWik9Dataset(data("testEnWik9Dataset"), shuffle=False))[1] == (
        "    <title>MindSpore</title>"
    )
    with pytest.raises(RuntimeError, match="not in UTF-8"):
        column(ds.EnWik9Dataset(data("testEnWik9DatasetTruncate"), shuffle=False))


def test_sentences_end_at_empty_lines_and_lack_no_tags(folder, rows):
    path = folder({"train.txt": "\nHe PRP B-NP\nsaid\n\n\n. . O"})
    assert rows(ds.CoNLL2000Dataset(path, "train", shuffle=False)) == [
        (["He", "said"], ["PRP", ""], ["B-NP", ""]),
        (["."], ["."], ["O"]),
    ]
    path = folder({"en-ud-tag.v2.dev.txt": "a b\tNN\tX\n\n"})
    assert rows(ds.UDPOSDataset(path, "valid")) == [(["a b"], ["NN"], ["X"])]


@pytest.mark.parametrize(
    ("source", "known", "files", "separator"),
    [
        (ds.CoNLL2000Dataset, "testCoNLL2000Dataset", {"train": "train", "test": "test"}, " "),
        (
            ds.UDPOSDataset,
            "testUDPOSDataset",
            {
                u: f"en-ud-tag.v2.{n}"
                for u, n in (("train", "train"), ("valid", "dev"), ("test", "test"))
            },
            "\t",
        ),
    ],
)
def test_tagged_sentences_of_the_reference_have_all_their_words(
    source, known, files, separator, data, rows
):
    for usage, name in files.items():
        with open(data(known, f"{name}.txt"), encoding="utf-8") as file:
            blocks = re.split(r"\n\s*\n", file.read().strip("\n"))
        words = [
            [line.split(separator)[0] for line in block.split("\n")] for block in blocks if block
        ]
        assert [row[0] for row in rows(source(data(known), usage, shuffle=False))] == words


def test_moods_of_sentences_have_a_header(folder, rows):
    path = folder(
        {
            "train.tsv": 'sentence\tlabel\nan "odd" film \t1\n\nbad\t0\n',
            "test.tsv": "index\tsentence\n0\twhat\n",
        }
    )
    assert rows(ds.SST2Dataset(path, shuffle=False)) == [('an "odd" film ', "1"), ("bad", "0")]
    test = ds.SST2Dataset(path, "test")
    assert (test.get_col_names(), rows(test)) == (["sentence"], [("what",)])
    with pytest.raises(ValueError, match="usage"):
        ds.SST2Dataset(path, "all")


def test_moods_of_the_reference_are_counted(data):
    counts = [
        ds.SST2Dataset(data("testSST2"), usage).get_dataset_size()
        for usage in ("train", "dev", "test")
    ]
    assert counts == [5, 4, 3]


def test_reviews_are_whole_files_with_the_label_of_their_folder(folder, rows):
    path = folder(
        {
            "train/pos/1.txt": "good\nfilm",
            "train/neg/0.txt": "bad",
            "train/neg/notes.md": "no text",
            "test/pos/2.txt": "fine",
            "test/neg/3.txt": "dull",
        }
    )
    assert rows(ds.IMDBDataset(path, "train", shuffle=False)) == [("good\nfilm", 1), ("bad", 0)]
    assert ds.IMDBDataset(path).get_dataset_size() == 4
    chosen = ds.IMDBDataset(path, "test", sampler=ds.SequentialSampler(1))
    assert rows(chosen) == [("dull", 0)]


def test_reviews_of_the_reference_belong_to_their_folders(data, rows):
    for usage in ("train", "test"):
        for content, label in rows(ds.IMDBDataset(data("testIMDBDataset"), usage)):
            assert content.startswith(f"{usage}_{'pos' if label else 'neg'}_")


def test_reviews_need_their_folders(folder):
    path = folder({"train/pos/1.txt": "good"})
    with pytest.raises(RuntimeError, match="neg' must be a folder, but there is none"):
        ds.IMDBDataset(path, "train").get_dataset_size()


QUESTIONS = {
    "data": [
        {
            "paragraphs": [
                {
                    "context": "It is May.",
                    "qas": [
                        {"question": "When?", "answers": [{"text": "May", "answer_start": 6}] * 2},
                        {"question": "Why?", "answers": []},
                    ],
                }
            ]
        }
    ]
}


def test_questions_without_answers_have_an_empty_one(folder, rows):
    path = folder({"train-v2.0.json": json.dumps(QUESTIONS)})
    assert rows(ds.SQuADDataset(path, "train", shuffle=False)) == [
        ("It is May.", "When?", ["May", "May"], [6, 6]),
        ("It is May.", "Why?", [""], [2**32 - 1]),
    ]
    broken = folder({"train-v2.0.json": '{"data": 1}'})
    with pytest.raises(RuntimeError, match="no file of SQuAD"):
        rows(ds.SQuADDataset(broken, "train"))


@pytest.mark.parametrize("version", ["1", "2"])
def test_answers_of_the_reference_stand_in_their_context(version, data, rows):
    answered = 0
    for context, _, answers, begins in rows(ds.SQuADDataset(data("testSQuAD", f"SQuAD{version}"))):
        for answer, begin in zip(answers, begins, strict=True):
            assert begin == 2**32 - 1 or context[begin : begin + len(answer)] == answer
            answered += begin != 2**32 - 1
    assert answered == {"1": 3 + 2 * 3, "2": 2 + 4}[version]


def test_tasks_have_their_columns_in_the_order_of_the_names(folder, rows):
    line = {"id": 7, "sentence1": "甲", "sentence2": "乙", "label": "0"}
    path = os.path.join(folder({"a.json": json.dumps(line) + "\n\n"}), "a.json")
    train = ds.CLUEDataset(path, "AFQMC", "train")
    assert (train.get_col_names(), rows(train)) == (
        ["label", "sentence1", "sentence2"],
        [("0", "甲", "乙")],
    )
    test = ds.CLUEDataset(path, "CMNLI", "test")
    assert (test.get_col_names(), rows(test)) == (
        ["id", "sentence1", "sentence2"],
        [(7, "甲", "乙")],
    )


@pytest.mark.parametrize("content", ["{", "[1]", '{"sentence1": "a"}', '{"sentence1": null}'])
def test_a_broken_line_of_a_task_is_named(content, folder, rows):
    path = os.path.join(folder({"a.json": content}), "a.json")
    with pytest.raises(RuntimeError, match=r"line 1 of '.*a.json' must be a JSON object"):
        rows(ds.CLUEDataset(path))


@pytest.mark.parametrize("task", ["AFQMC", "CMNLI", "CSL", "IFLYTEK", "TNEWS", "WSC"])
@pytest.mark.parametrize("usage", ["train", "test", "eval"])
def test_tasks_of_the_reference_hold_what_their_json_does(task, usage, data):
    path = data("testCLUE", task.lower(), {"eval": "dev"}.get(usage, usage) + ".json")
    with open(path, encoding="utf-8") as file:
        objects = [json.loads(line) for line in file if line.strip()]
    read = ds.CLUEDataset(path, task, usage, shuffle=False)
    found = list(read.create_dict_iterator(num_epochs=1, output_numpy=True))
    assert len(found) == len(objects)
    for row, fields in zip(found, objects, strict=True):
        fields = fields | fields.get("target", {})
        for name, array in row.items():
            value = fields[name]
            assert array.tolist() == (str(value).lower() if isinstance(value, bool) else value)


TALK = "<title>no text</title>\n Guten Tag. \n\nJa.\n<reviewer></reviewer>\n"
SEGMENTS = (
    '<?xml version="1.0"?>\n<doc>\n<seg id="1"> Eins </seg>\n<seg id="2">Zwei</seg>\n</doc>\n'
)


def test_talks_are_lines_without_markup_and_segments(folder, rows):
    place = "texts/de/en/de-en/"
    path = folder(
        {
            place + "train.tags.de-en.de": TALK,
            place + "train.tags.de-en.en": TALK.replace("Guten Tag", "Hello").replace("Ja", "Yes"),
            place + "IWSLT16.TED.dev2010.de-en.de.xml": SEGMENTS,
            place + "IWSLT16.TED.dev2010.de-en.en.xml": SEGMENTS.replace("Eins", "One"),
        }
    )
    train = ds.IWSLT2016Dataset(path, "train", shuffle=False)
    assert train.get_col_names() == ["text", "translation"]
    assert rows(train) == [("Guten Tag.", "Hello."), ("Ja.", "Yes.")]
    valid = ds.IWSLT2016Dataset(path, "valid", ["de", "en"], "dev2010", shuffle=False)
    assert rows(valid) == [("Eins", "One"), ("Zwei", "Zwei")]


def segments(path):
    return [node.text.strip() for node in xml.parse(path).iter("seg")]


@pytest.mark.parametrize(
    ("source", "place", "usage", "name"),
    [
        (ds.IWSLT2016Dataset, "IWSLT2016/texts/de/en/de-en", "valid", "IWSLT16.TED.tst2013"),
        (ds.IWSLT2016Dataset, "IWSLT2016/texts/de/en/de-en", "test", "IWSLT16.TED.tst2014"),
        (
            ds.IWSLT2017Dataset,
            "IWSLT2017/texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo",
            "valid",
            "IWSLT17.TED.dev2010",
        ),
        (
            ds.IWSLT2017Dataset,
            "IWSLT2017/texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo",
            "test",
            "IWSLT17.TED.tst2010",
        ),
    ],
)
def test_talks_of_the_reference_hold_the_segments_of_their_xml(
    source, place, usage, name, data, rows
):
    root = data("testIWSLT", place.split("/")[0])
    files = [data("testIWSLT", place, f"{name}.de-en.{language}.xml") for language in ("de", "en")]
    expected = list(zip(*[segments(file) for file in files], strict=True))
    assert rows(source(root, usage, shuffle=False)) == expected
    assert source(root).get_dataset_size() == 6


def test_descriptions_come_with_their_translation_in_either_direction(folder, rows):
    path = folder({"training/train.en": "a\n\nb\n", "training/train.de": "x\ny\nz\n"})
    assert rows(ds.Multi30kDataset(path, "train", shuffle=False)) == [("a", "x"), ("b", "y")]
    back = ds.Multi30kDataset(path, "train", ["de", "en"], shuffle=False)
    assert rows(back) == [("x", "a"), ("y", "b")]


def test_descriptions_of_the_reference_are_counted(data):
    sizes = {
        u: ds.Multi30kDataset(data("testMulti30kDataset"), u).get_dataset_size()
        for u in ("train", "valid", "all")
    }
    assert sizes == {"train": 3, "valid": 2, "all": 8}


@pytest.mark.parametrize(
    ("source", "pair"),
    [
        (ds.Multi30kDataset, ["en", "fr"]),
        (ds.Multi30kDataset, ["en"]),
        (ds.IWSLT2016Dataset, ["de", "fr"]),
        (ds.IWSLT2016Dataset, ["en", "en"]),
        (ds.IWSLT2017Dataset, ["de", "fr"]),
        (ds.IWSLT2017Dataset, ["it", "it"]),
    ],
)
def test_only_known_languages_are_taken(source, pair, tmp_path):
    with pytest.raises(ValueError, match="language_pair"):
        source(str(tmp_path), "train", pair)
    with pytest.raises(TypeError, match="language_pair"):
        source(str(tmp_path), "train", "en")


FOLDERS = [
    *TABLES,
    ds.CoNLL2000Dataset,
    ds.IMDBDataset,
    ds.IWSLT2016Dataset,
    ds.IWSLT2017Dataset,
    ds.Multi30kDataset,
    ds.PennTreebankDataset,
    ds.SQuADDataset,
    ds.SST2Dataset,
    ds.UDPOSDataset,
    ds.WikiTextDataset,
]


@pytest.mark.parametrize("source", FOLDERS, ids=lambda source: source.__name__)
def test_folders_and_usages_are_checked(source, tmp_path):
    with pytest.raises(ValueError, match="'dataset_dir' must be a folder"):
        source(str(tmp_path / "none"))
    with pytest.raises(TypeError, match="dataset_dir"):
        source(5)
    with pytest.raises(ValueError, match="'usage' must be one of"):
        source(str(tmp_path), "no usage")
    with pytest.raises(TypeError, match="usage"):
        source(str(tmp_path), 5)
    with pytest.raises(RuntimeError, match=r"must contain the file|must be a folder"):
        source(str(tmp_path), "train").get_dataset_size()
