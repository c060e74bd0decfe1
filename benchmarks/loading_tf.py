"""The data pipelines of `loading.py` in tf.data; pictures in whole batches where that is possible."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import loading_inputs as inputs
import numpy as np
import tensorflow as tf
from protocol import serve

AUTO = tf.data.AUTOTUNE


def endless(data: tf.data.Dataset) -> Iterator:
    return iter(data.prefetch(AUTO))


def channels_first(images: tf.Tensor) -> tf.Tensor:
    images = (tf.cast(images, tf.float32) - inputs.MEAN) / inputs.STD
    return tf.transpose(images, (0, 3, 1, 2))


def digits() -> Iterator:
    folder = inputs.digits()
    images = np.fromfile(folder / "train-images-idx3-ubyte", np.uint8, offset=16).reshape(-1, 28, 28, 1)
    labels = np.fromfile(folder / "train-labels-idx1-ubyte", np.uint8, offset=8).astype(np.int32)

    def scale(images: tf.Tensor, labels: tf.Tensor) -> tuple:
        return tf.transpose(tf.image.resize(images, (32, 32)) / 255, (0, 3, 1, 2)), labels
    data = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(len(labels)).repeat()
    return endless(data.batch(32, drop_remainder=True).map(scale, AUTO))


def augment() -> Iterator:
    rows = np.fromfile(inputs.colours() / "data_batch_1.bin", np.uint8).reshape(-1, 3073)
    images = np.ascontiguousarray(rows[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))

    def change(images: tf.Tensor, labels: tf.Tensor) -> tuple:
        images = tf.pad(images, ((0, 0), (4, 4), (4, 4), (0, 0)))
        top, left = tf.unstack(tf.random.uniform((2, 64, 1), 0, 9, tf.int32))
        images = tf.gather(images, tf.range(32) + top, axis=1, batch_dims=1)
        images = tf.gather(images, tf.range(32) + left, axis=2, batch_dims=1)
        return channels_first(tf.image.random_flip_left_right(images)), labels
    data = tf.data.Dataset.from_tensor_slices((images, rows[:, 0].astype(np.int32)))
    return endless(data.shuffle(10000).repeat().batch(64, drop_remainder=True).map(change, AUTO))


def photographs() -> Iterator:
    paths = sorted(str(path) for path in inputs.photographs().glob("*/*.jpg"))
    labels = np.array([int(Path(path).parent.name[-1]) for path in paths], np.int32)
    whole = tf.zeros((1, 0, 4))

    def load(path: tf.Tensor, label: tf.Tensor) -> tuple:
        content = tf.io.read_file(path)
        begin, size, _ = tf.image.sample_distorted_bounding_box(
            tf.image.extract_jpeg_shape(content), whole, area_range=(0.08, 1.0),
            aspect_ratio_range=(3 / 4, 4 / 3), max_attempts=10, use_image_if_no_bounding_boxes=True)
        image = tf.image.decode_and_crop_jpeg(content, tf.concat([begin[:2], size[:2]], 0), channels=3)
        return tf.image.random_flip_left_right(tf.image.resize(image, (224, 224))), label
    data = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths)).repeat()
    data = data.map(load, AUTO).batch(32, drop_remainder=True)
    return endless(data.map(lambda images, labels: (channels_first(images), labels), AUTO))


def records(shuffle: bool) -> Iterator:
    def write(path: Path) -> None:
        with tf.io.TFRecordWriter(str(path)) as writer:
            for image, label in zip(*inputs.records(), strict=True):
                values = {"image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.tobytes()])),
                          "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label]))}
                example = tf.train.Example(features=tf.train.Features(feature=values))
                writer.write(example.SerializeToString())
    fields = {"image": tf.io.FixedLenFeature((), tf.string), "label": tf.io.FixedLenFeature((), tf.int64)}

    def parse(rows: tf.Tensor) -> tuple:
        found = tf.io.parse_example(rows, fields)
        return tf.io.decode_raw(found["image"], tf.uint8, fixed_length=2048), found["label"]
    data = tf.data.TFRecordDataset(str(inputs.once("rows.tfrecord", write)))
    data = data.shuffle(20000).repeat() if shuffle else data.repeat()
    return endless(data.batch(64, drop_remainder=True).map(parse, AUTO))


def arrays() -> Iterator:
    data = tf.data.Dataset.from_tensor_slices(inputs.arrays(20000, 128)).shuffle(20000).repeat()
    return endless(data.batch(32, drop_remainder=True))


serve(inputs.steps({
    "digits-b32": digits, "augment-b64": augment, "photographs-b32": photographs,
    "records-b64": lambda: records(False), "records-shuffled-b64": lambda: records(True),
    "arrays-b32": arrays}))
