"""Sets of small images as tables of numbers: IDX, CIFAR, STL-10, MATLAB files, text."""

from __future__ import annotations

import cv2
import numpy as np
from scipy import io, sparse

from mindspore import dataset as ds
from mindspore.dataset.errors import PipelineError
from readers import reader, rows

RANDOM = np.random.default_rng(5)


def _idx(folder):
    for name, array in (("images-idx3", RANDOM.integers(0, 255, (3, 28, 28), np.uint8)),
                        ("labels-idx1", np.array([1, 2, 3], np.uint8))):
        header = [0x800 + array.ndim, *array.shape]
        (folder / f"train-{name}-ubyte").write_bytes(np.array(header, ">u4").tobytes() + array.tobytes())


@reader(_idx, PipelineError)
def mnist(folder):
    return rows(ds.MnistDataset(str(folder), "train", shuffle=False))


def _cifar(length):
    return lambda folder: (folder / "train.bin").write_bytes(RANDOM.bytes(2 * length))


@reader(_cifar(3074), PipelineError)
def cifar100(folder):
    return rows(ds.Cifar100Dataset(str(folder), "train", shuffle=False))


def _stl(folder):
    (folder / "test_X.bin").write_bytes(RANDOM.bytes(2 * 27648))
    (folder / "test_y.bin").write_bytes(b"\1\2")


@reader(_stl, PipelineError)
def stl10(folder):
    return rows(ds.STL10Dataset(str(folder), "test", shuffle=False))


def _svhn(folder):
    content = {"X": RANDOM.integers(0, 255, (32, 32, 3, 4), np.uint8), "y": np.array([[1], [2], [10], [4]], np.uint8)}
    io.savemat(folder / "test_32x32.mat", content)


@reader(_svhn, PipelineError)
def svhn(folder):
    return rows(ds.SVHNDataset(str(folder), "test", shuffle=False))


def _semeion(folder):
    lines = [" ".join(["1.0000"] * 256 + ["0"] * i + ["1"] + ["0"] * (9 - i)) for i in range(3)]
    (folder / "semeion.data").write_text("\n".join(lines) + "\n")


@reader(_semeion, PipelineError)
def semeion(folder):
    return rows(ds.SemeionDataset(str(folder), shuffle=False))


def _usps(folder):
    lines = [f"{i + 1} " + " ".join(f"{k}:{-0.5:.4f}" for k in range(1, 257)) for i in range(3)]
    (folder / "usps").write_text("\n".join(lines) + "\n")


@reader(_usps, PipelineError)
def usps(folder):
    return rows(ds.USPSDataset(str(folder), "train", shuffle=False))


def _photo_tour(folder):
    place = folder / "liberty"
    place.mkdir()
    cv2.imwrite(str(place / "patches0000.bmp"), np.zeros((1024, 1024), np.uint8))
    (place / "info.txt").write_text("0 0\n1 0\n2 0\n")
    (place / "m50_100000_100000_0.txt").write_text("0 0 0 1 0 0 0\n1 0 0 2 2 0 0\n")


@reader(_photo_tour, PipelineError, only="*.txt")
def photo_tour(folder):
    return rows(ds.PhotoTourDataset(str(folder), "liberty", "test", shuffle=False))


def _flowers(folder):
    for name in ("jpg", "segmim"):
        (folder / name).mkdir()
        for i in (1, 2, 3):
            (folder / name / f"{'image' if name == 'jpg' else name}_{i:05d}.jpg").write_bytes(b"picture")
    io.savemat(folder / "imagelabels.mat", {"labels": np.array([[1, 2, 1]], np.uint8)})
    io.savemat(folder / "setid.mat", {"trnid": [[1]], "tstid": [[2]], "valid": [[3]]})


@reader(_flowers, PipelineError)
def flowers102(folder):
    return rows(ds.Flowers102Dataset(str(folder), "Segmentation", "all", shuffle=False))


def _boundaries(folder):
    (folder / "img").mkdir()
    (folder / "cls").mkdir()
    (folder / "train.txt").write_text("one\n")
    (folder / "img" / "one.jpg").write_bytes(b"picture")
    maps = np.empty((20, 1), object)
    for i in range(20):
        maps[i, 0] = sparse.csc_matrix(np.eye(4, 5, i % 3))
    io.savemat(folder / "cls" / "one.mat", {"GTcls": {"Boundaries": maps, "Segmentation": np.ones((4, 5), np.uint8)}})


def _sbd(task):
    @reader(_boundaries, PipelineError, name=f"sbd_{task.lower()}")
    def read(folder):
        return rows(ds.SBDataset(str(folder), task, "train", shuffle=False))


_sbd("Boundaries")
_sbd("Segmentation")


def _caltech(folder):
    for name in ("101_ObjectCategories/a", "Annotations/a"):
        (folder / name).mkdir(parents=True)
    (folder / "101_ObjectCategories/a/image_0001.jpg").write_bytes(b"picture")
    io.savemat(folder / "Annotations/a/annotation_0001.mat", {"obj_contour": np.arange(6.0).reshape(2, 3)})


@reader(_caltech, PipelineError)
def caltech101(folder):
    return rows(ds.Caltech101Dataset(str(folder), "all", shuffle=False))
