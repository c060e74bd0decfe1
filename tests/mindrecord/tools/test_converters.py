from __future__ import annotations

import gzip
import hashlib
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from mindspore.formats.mindrecord.errors import (
    MindRecordFileError,
    MRMDefineIndexError,
    MRMInvalidSchemaError,
    ParamValueError,
    PathNotExistsError,
)
from mindspore.mindrecord import (
    SUCCESS,
    Cifar10ToMR,
    Cifar100ToMR,
    CsvToMR,
    FileReader,
    ImageNetToMR,
    MindPage,
    MnistToMR,
    TFRecordToMR,
)


def read(path):
    with FileReader(str(path)) as reader:
        return list(reader.get_next())


def decoded(content):
    import cv2

    return cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_UNCHANGED)


def index_fields(path):
    return set(MindPage(str(path)).candidate_fields)


# ---- MNIST


@pytest.fixture
def mnist(tmp_path):
    """A folder with three and two images of 28 x 28."""
    folder = tmp_path / "mnist"
    folder.mkdir()
    for prefix, count in (("train", 3), ("t10k", 2)):
        images = (
            np.full((count, 28, 28), 100, np.uint8)
            + np.arange(count, dtype=np.uint8)[:, None, None]
        )
        for kind, array in (
            ("images-idx3", images),
            ("labels-idx1", np.arange(count, dtype=np.uint8)),
        ):
            head = np.array([0x800 + array.ndim, *array.shape], ">u4").tobytes()
            with gzip.open(folder / f"{prefix}-{kind}-ubyte.gz", "wb") as file:
                file.write(head + array.tobytes())
    return folder


def test_mnist_becomes_two_sets_of_jpeg_images(mnist, tmp_path):
    assert MnistToMR(str(mnist), str(tmp_path / "m")).transform() == SUCCESS
    rows = read(tmp_path / "m_train.mindrecord")
    assert [row["label"] for row in rows] == [0, 1, 2]
    assert [int(decoded(row["data"])[5, 5]) for row in rows] == [100, 101, 102]
    assert len(read(tmp_path / "m_test.mindrecord")) == 2
    assert index_fields(tmp_path / "m_test.mindrecord") == {"label"}


def test_mnist_may_have_several_partitions(mnist, tmp_path):
    MnistToMR(str(mnist), str(tmp_path / "m"), 2).run()
    assert len(read(tmp_path / "m_train.mindrecord1")) == 3


def test_real_files_give_the_bytes_of_the_original(reference, tmp_path):
    # observed: MindSpore 2.10, CPU (md5 of the first image of each set)
    data = f"{reference}/data/mindrecord"
    MnistToMR(f"{data}/testMnistData", str(tmp_path / "m")).run()
    Cifar10ToMR(f"{data}/testCifar10Data", str(tmp_path / "c10")).run(["label"])
    Cifar100ToMR(f"{data}/testCifar100Data", str(tmp_path / "c100")).run()
    found = {
        name: (len(rows := read(tmp_path / name)), hashlib.md5(rows[0]["data"]).hexdigest())
        for name in ("m_train.mindrecord", "m_test.mindrecord", "c10", "c100", "c100_test")
    }
    image = "5b0b76a1f8985c47f6c8b8952584b651"
    assert found == {
        "m_train.mindrecord": (20, "44a04881c1036e1bf81d5f6376a3ea33"),
        "m_test.mindrecord": (10, "44a04881c1036e1bf81d5f6376a3ea33"),
        "c10": (16, image),
        "c100": (16, image),
        "c100_test": (4, "0d89e2b6a4edebe0afebaf1a505ea555"),
    }


def test_missing_and_damaged_files_of_mnist_are_refused(mnist, tmp_path):
    with pytest.raises(FileNotFoundError):
        MnistToMR(str(tmp_path), str(tmp_path / "m")).transform()
    with gzip.open(mnist / "train-labels-idx1-ubyte.gz", "wb") as file:
        file.write(b"\x00\x00\x08\x03" + bytes(10))
    with pytest.raises(MindRecordFileError, match="no IDX file"):
        MnistToMR(str(mnist), str(tmp_path / "m")).transform()
    (mnist / "train-images-idx3-ubyte.gz").write_bytes(b"not compressed")
    with pytest.raises(MindRecordFileError, match="cannot be read: Not a gzipped file"):
        MnistToMR(str(mnist), str(tmp_path / "m")).transform()
    with pytest.raises(ParamValueError):
        MnistToMR(1, "m")
    with pytest.raises(ValueError, match="partition_number"):
        MnistToMR("m", "m", "2")


# ---- CIFAR


def images_of(count):
    images = np.zeros((count, 3, 32, 32), np.uint8)
    images[:, 0] = 200  # red
    return images.reshape(count, -1)


@pytest.fixture
def cifar10(tmp_path):
    folder = tmp_path / "cifar10"
    folder.mkdir()
    for name, count in (("data_batch_1", 2), ("data_batch_2", 1), ("test_batch", 1)):
        content = {b"data": images_of(count), b"labels": list(range(count))}
        (folder / name).write_bytes(pickle.dumps(content, 2))
    return folder


def test_cifar10_becomes_two_sets_of_jpeg_images(cifar10, tmp_path):
    Cifar10ToMR(str(cifar10), str(tmp_path / "c")).transform(["label"])
    rows = read(tmp_path / "c")
    assert [(row["id"], row["label"]) for row in rows] == [(0, 0), (1, 1), (2, 0)]
    blue, green, red = decoded(rows[0]["data"])[3, 3]
    assert red > 190
    assert max(blue, green) < 10
    assert len(read(tmp_path / "c_test")) == 1
    assert index_fields(tmp_path / "c") == {"label"}


def test_cifar100_has_two_labels(tmp_path):
    for name in ("train", "test"):
        content = {b"data": images_of(1), b"fine_labels": [7], b"coarse_labels": [3]}
        (tmp_path / name).write_bytes(pickle.dumps(content))
    assert Cifar100ToMR(str(tmp_path), str(tmp_path / "c")).run() == SUCCESS
    assert [(r["fine_label"], r["coarse_label"], r["id"]) for r in read(tmp_path / "c")] == [
        (7, 3, 0)
    ]
    assert index_fields(tmp_path / "c_test") == {"id", "fine_label", "coarse_label"}


def test_wrong_arguments_for_cifar_are_refused(cifar10, tmp_path):
    converter = Cifar10ToMR(str(cifar10), str(tmp_path / "c"))
    with pytest.raises(ValueError, match="fields"):
        converter.transform("label")
    with pytest.raises(MRMDefineIndexError):
        converter.transform(["data"])
    with pytest.raises(PathNotExistsError):
        Cifar10ToMR(str(tmp_path), str(tmp_path / "c")).transform()
    with pytest.raises(PathNotExistsError):
        Cifar100ToMR(str(tmp_path), str(tmp_path / "c")).transform()


class Evil:
    def __reduce__(self):
        return print, ("run",)


@pytest.mark.parametrize(
    "content",
    [pickle.dumps(Evil()), b"", b"no pickle", pickle.dumps([1]), pickle.dumps({b"data": 1})],
)
def test_files_that_are_not_of_cifar_are_refused_and_not_run(content, cifar10, tmp_path, capsys):
    (cifar10 / "data_batch_2").write_bytes(content)
    with pytest.raises(MindRecordFileError, match="CIFAR"):
        Cifar10ToMR(str(cifar10), str(tmp_path / "c")).transform()
    assert "run" not in capsys.readouterr().out
    assert not (tmp_path / "c").exists()


# ---- ImageNet


@pytest.fixture
def imagenet(tmp_path):
    for folder, names in (("n01", ["b.JPEG", "a.jpg", "notes.txt"]), ("n02", ["c.jpeg"])):
        (tmp_path / "images" / folder).mkdir(parents=True)
        for name in names:
            (tmp_path / "images" / folder / name).write_bytes(name.encode())
    (tmp_path / "map.txt").write_text("n02 1 kit fox, Vulpes\nn01 7\nn03 2\n\n")
    return tmp_path


def test_imagenet_takes_the_folders_of_the_map(imagenet):
    folder = str(imagenet / "images")
    ImageNetToMR(str(imagenet / "map.txt"), folder, str(imagenet / "out")).transform()
    rows = [(row["label"], row["file_name"], row["image"]) for row in read(imagenet / "out")]
    assert rows == [
        (1, f"{folder}/n02/c.jpeg", b"c.jpeg"),
        (7, f"{folder}/n01/a.jpg", b"a.jpg"),
        (7, f"{folder}/n01/b.JPEG", b"b.JPEG"),
    ]


def test_wrong_maps_and_folders_are_refused(imagenet):
    images, out = str(imagenet / "images"), str(imagenet / "out")
    with pytest.raises(FileNotFoundError):
        ImageNetToMR("nothing", images, out).transform()
    with pytest.raises(PathNotExistsError):
        ImageNetToMR(str(imagenet / "map.txt"), str(imagenet), out).transform()
    (imagenet / "map.txt").write_text("n01 x\n")
    with pytest.raises(ValueError, match="Line 1"):
        ImageNetToMR(str(imagenet / "map.txt"), images, out).transform()


# ---- CSV


def converted(tmp_path, text, **options):
    (tmp_path / "a.csv").write_text(text)
    CsvToMR(str(tmp_path / "a.csv"), str(tmp_path / "a"), **options).transform()
    with FileReader(str(tmp_path / "a")) as reader:
        return {name: field["type"] for name, field in reader.schema().items()}, list(
            reader.get_next()
        )


def test_columns_of_csv_get_types(tmp_path):
    # observed: MindSpore 2.10 with pandas
    text = "a,b,c,d,e\n1, x,1.5,True,7\n2,y,2,False,3\n3,,4,True,4\n"
    kinds, rows = converted(tmp_path, text)
    assert kinds == {"a": "int64", "b": "string", "c": "float64", "d": "int32", "e": "int64"}
    assert rows == [
        {"a": 1, "b": " x", "c": 1.5, "d": 1, "e": 7},
        {"a": 2, "b": "y", "c": 2.0, "d": 0, "e": 3},
    ]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["99999999999", "2"], "int64"),
        ([" 1", "+2 "], "int64"),
        (["0x10", "1e3"], "string"),
        (["1e3", "2"], "float64"),
        (["1", ""], "float64"),
        (["1_0", "2"], "string"),
        (["True", "1"], "string"),
        (["x", "inf"], "string"),
        (["-inf", "nan"], "float64"),
        ([str(2**64), "1"], "string"),
    ],
)
def test_a_column_has_the_type_of_all_its_values(values, kind, tmp_path):
    kinds, rows = converted(tmp_path, "a,b\n" + "".join(f"{value},1\n" for value in values))
    assert kinds == {"a": kind, "b": "int64"}
    assert len(rows) == 2


def test_quoted_values_and_chosen_columns(tmp_path):
    kinds, rows = converted(tmp_path, 'a,b,c\n"x,y",2,3\n"it""s",3,4\n', columns_list=["b", "a"])
    assert kinds == {"a": "string", "b": "int64"}
    assert rows == [{"a": "x,y", "b": 2}, {"a": 'it"s', "b": 3}]


def test_wrong_csv_files_and_arguments_are_refused(tmp_path):
    for text, error in (
        ("1,2\n3,4\n", ValueError),
        ("a b\n1\n", MRMInvalidSchemaError),
        ("a,a\n1,2\n", MindRecordFileError),
        ("a\n1,2\n", MindRecordFileError),
    ):
        with pytest.raises(error):
            converted(tmp_path, text)
    with pytest.raises(RuntimeError, match="no column 'z'"):
        converted(tmp_path, "a\n1\n", columns_list=["z"])
    with pytest.raises(FileNotFoundError):
        CsvToMR("nothing.csv", str(tmp_path / "x")).transform()
    for arguments in ((1, "x"), ("x", 1), ("x", "x", "a"), ("x", "x", [1])):
        with pytest.raises(ValueError, match="CsvToMR"):
            CsvToMR(*arguments)


# ---- TFRecord


def feature(kind, *shape):
    return SimpleNamespace(dtype=SimpleNamespace(name=kind), shape=list(shape))


def varint(value):
    digits = bytearray()
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes([*digits, value])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


@pytest.fixture
def tfrecord(tmp_path):
    """A file of two records: an int, two floats, a text, bytes."""
    from mindspore.formats.tfrecord import frame

    frames = b""
    for i in range(2):
        features = {
            "image/label": field(3, field(1, varint(i + 5))),
            "box": field(2, field(1, np.array([i, 0.5], "<f4").tobytes())),
            "text": field(1, field(1, f"t{i}".encode())),
            "raw": field(1, field(1, bytes([255, i, 0]))),
        }
        entries = b"".join(
            field(1, field(1, k.encode()) + field(2, v)) for k, v in features.items()
        )
        example = field(1, entries)
        frames += frame(example)
    (tmp_path / "a.tfrecord").write_bytes(frames)
    return str(tmp_path / "a.tfrecord")


FEATURES = {
    "image/label": feature("int64"),
    "box": feature("float32", 2),
    "text": feature("string"),
    "raw": feature("string"),
}


def test_records_of_tfrecord_become_rows(tfrecord, tmp_path):
    TFRecordToMR(tfrecord, str(tmp_path / "a"), FEATURES, ["raw"]).transform()
    rows = read(tmp_path / "a")
    assert [(r["image_label"], r["text"], r["raw"], r["box"].tolist()) for r in rows] == [
        (5, "t0", b"\xff\x00\x00", [0.0, 0.5]),
        (6, "t1", b"\xff\x01\x00", [1.0, 0.5]),
    ]
    first = next(TFRecordToMR(tfrecord, "x", FEATURES, ["raw"]).tfrecord_iterator())
    assert first["image_label"] == 5


def test_features_that_are_not_there_or_have_other_shapes_are_refused(tfrecord, tmp_path):
    for features in ({"nothing": feature("int64")}, {"box": feature("float32", 3)}):
        with pytest.raises(RuntimeError):
            TFRecordToMR(tfrecord, str(tmp_path / "a"), features).transform()
    for features, names in (
        ({}, None),
        ([], None),
        ({"a": 1}, None),
        ({"a": feature("complex64")}, None),
        ({"a": feature("string", 2)}, None),
        ({"a": feature("int64")}, ["a"]),
        ({"a": feature("string")}, ["b"]),
        ({"a": feature("string")}, "a"),
    ):
        with pytest.raises(ValueError, match="TFRecordToMR"):
            TFRecordToMR(tfrecord, "a", features, names)


@pytest.mark.parametrize(
    ("values", "dtype", "told"),
    [([b"\xff"], "string", "cannot be read: 'utf-8'"), ([2**40], "int32", "a value of 'a' that int32 cannot hold")],
)
def test_values_that_a_field_cannot_hold_are_told(values, dtype, told, tmp_path):
    from tfrecord_files import framed

    source = tmp_path / "a.tfrecord"
    source.write_bytes(framed({"a": values}))
    feature = SimpleNamespace(shape=[], dtype=dtype)
    with pytest.raises(MindRecordFileError, match=told) as error:
        TFRecordToMR(str(source), str(tmp_path / "out"), {"a": feature}).transform()
    assert str(source) in str(error.value)


@pytest.mark.parametrize(
    "change",
    [{b"labels": [1]}, {b"labels": [[1], [2], [3]]}, {b"labels": [0.5, 1, 2]}, {b"data": np.zeros((3, 3071), np.uint8)},
     {b"data": np.zeros((3, 3072))}, {b"data": None}],
    ids=str,
)  # fmt: skip
def test_damaged_content_of_cifar_is_told(change, cifar10, tmp_path):
    path = cifar10 / "data_batch_1"
    content = {b"data": np.zeros((3, 3072), np.uint8), b"labels": [1, 2, 3]}
    path.write_bytes(pickle.dumps(content | change, 2))
    with pytest.raises(MindRecordFileError, match=str(path)):
        Cifar10ToMR(str(cifar10), str(tmp_path / "out")).transform()
