"""Sets of images that lists name."""

from __future__ import annotations

import contextlib
import json

from mindspore import dataset as ds
from mindspore.dataset.errors import PipelineError
from readers import reader, rows
from readers.images import encoded


def _files(**texts):
    """Writes files of text, and pictures where the content is None; names as keyword arguments of a dict."""

    def write(folder):
        for name, text in texts.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(encoded("PNG") if text is None else text.encode())

    return write


VOC = """<annotation><filename>{0}.jpg</filename><size><width>17</width></size><object><name>dog</name>
<difficult>0</difficult><truncated>1</truncated><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>5</xmax><ymax>6</ymax>
</bndbox></object><object><name>cat</name><bndbox><xmin>3</xmin><ymin>3</ymin><xmax>7</xmax><ymax>9</ymax></bndbox>
</object></annotation>"""
_voc = _files(**{"ImageSets/Main/train.txt": "one\ntwo\n", "ImageSets/Segmentation/train.txt": "one\ntwo\n",
                 **{f"JPEGImages/{n}.jpg": None for n in ("one", "two")},
                 **{f"SegmentationClass/{n}.png": None for n in ("one", "two")},
                 **{f"Annotations/{n}.xml": VOC.format(n) for n in ("one", "two")}})


@reader(_voc, PipelineError, only="*[lt]")
def voc_detection(folder):
    return rows(ds.VOCDataset(str(folder), "Detection", decode=True, shuffle=False))


@reader(_voc, PipelineError, only="*.txt")
def voc_segmentation(folder):
    return rows(ds.VOCDataset(str(folder), "Segmentation", decode=True, shuffle=False))


def _coco(folder):
    notes = {
        "info": {"year": 2014}, "licenses": [],
        "images": [{"id": i, "file_name": f"{i}.png", "width": 17, "height": 13} for i in (1, 2, 3)],
        "categories": [{"id": i, "name": f"thing {i}", "isthing": 1, "supercategory": "x"} for i in (1, 2)],
    }
    detail = {"bbox": [1.5, 2, 3, 4], "category_id": 1, "iscrowd": 0, "area": 12, "id": 7,
              "segmentation": [[1, 2, 3, 4, 5, 6], [1.5, 2, 3, 4]], "keypoints": [1, 2, 2], "num_keypoints": 1,
              "caption": "a thing"}
    notes["annotations"] = [{"image_id": i, **detail, "segments_info": [detail]} for i in (1, 1, 3)]
    notes["annotations"][1]["segmentation"] = {"counts": [3, 4, 5], "size": [13, 17]}
    (folder / "notes.json").write_text(json.dumps(notes))
    for i in (1, 2, 3):
        (folder / f"{i}.png").write_bytes(encoded("PNG"))


def _task(task):
    @reader(_coco, PipelineError, name=f"coco_{task.lower()}", only="*.json")
    def read(folder):
        return rows(ds.CocoDataset(str(folder), str(folder / "notes.json"), task, decode=True, shuffle=False))


for _name in ("Detection", "Stuff", "Keypoint", "Panoptic", "Captioning"):
    _task(_name)


def _manifest(folder):
    for name in "ab":
        (folder / f"{name}.png").write_bytes(encoded("PNG"))
    (folder / "list.manifest").write_text("".join(
        json.dumps({"source": f"{name}.png", "usage": "train",
                    "annotation": [{"type": "modelarts/image_classification", "name": name}]}) + "\n"
        for name in "ab"))


@reader(_manifest, PipelineError, only="*.manifest")
def manifest(folder):
    with contextlib.chdir(folder):       # where the paths of the list begin
        return rows(ds.ManifestDataset(str(folder / "list.manifest"), decode=True, shuffle=False))


@reader(_files(**{"list_attr_celeba.txt": "2\nYoung Smiling\na.jpg 1 -1\nb.jpg -1 1\n", "a.jpg": None, "b.jpg": None,
                  "list_eval_partition.txt": "a.jpg 0\nb.jpg 0\n"}), PipelineError, only="*.txt")
def celeba(folder):
    return rows(ds.CelebADataset(str(folder), usage="train", shuffle=False))


_lfw = _files(**{"lfw-names.txt": "A_B\t2\nC_D\t1\n", "peopleDevTrain.txt": "2\nA_B\t2\nC_D\t1\n",
                 "pairsDevTrain.txt": "1\nA_B\t1\t2\nA_B\t1\tC_D\t1\n",
                 **{f"lfw/{n[:3]}/{n}.jpg": None for n in ("A_B_0001", "A_B_0002", "C_D_0001")}})


@reader(_lfw, PipelineError, only="*.txt")
def lfw_people(folder):
    return rows(ds.LFWDataset(str(folder), "people", "train", "original", shuffle=False))


@reader(_lfw, PipelineError, only="*.txt")
def lfw_pairs(folder):
    return rows(ds.LFWDataset(str(folder), "pairs", "train", "original", shuffle=False))


@reader(_files(**{"notes.token": "a.png#0\tone dog\na.png#1\ta dog\nb.png#0\ta cat\n", "a.png": None, "b.png": None}),
        PipelineError, only="*.token")
def flickr(folder):
    return rows(ds.FlickrDataset(str(folder), str(folder / "notes.token"), shuffle=False))


@reader(_files(**{"SBU_captioned_photo_dataset_urls.txt": "http://static.flickr.com/1/a.jpg\n"
                  "http://static.flickr.com/2/b.jpg\n", "SBU_captioned_photo_dataset_captions.txt": "one\ntwo\n",
                  "sbu_images/m_1_a.jpg": None, "sbu_images/m_2_b.jpg": None}), PipelineError, only="*.txt")
def sbu(folder):
    return rows(ds.SBUDataset(str(folder), shuffle=False))


@reader(_files(**{"wider_face_split/wider_face_train_bbx_gt.txt": "a/1.jpg\n2\n1 2 3 4 0 0 0 0 0 0\n"
                  "5 6 7 8 1 0 1 0 0 0\n"
                  "a/2.jpg\n0\n0 0 0 0 0 0 0 0 0 0\n", "WIDER_train/images/a/1.jpg": None,
                  "WIDER_train/images/a/2.jpg": None}), PipelineError, only="*.txt")
def wider_face(folder):
    return rows(ds.WIDERFaceDataset(str(folder), "train", shuffle=False))


@reader(_files(**{"data_object_image_2/training/image_2/1.png": None, "data_object_label_2/training/label_2/1.txt":
                  "Car 0.00 0 -1.58 587.01 173.33 614.12 200.12 1.65 1.67 3.64 -0.65 1.71 46.70 -1.59\n" * 2}),
        PipelineError, only="*.txt")
def kitti(folder):
    return rows(ds.KITTIDataset(str(folder), shuffle=False))


@reader(_files(**{"places365_train_standard.txt": "/a/1.jpg 0\n/a/2.jpg 1\n", "data_256_standard/a/1.jpg": None,
                  "data_256_standard/a/2.jpg": None}), PipelineError, only="*.txt")
def places365(folder):
    return rows(ds.Places365Dataset(str(folder), shuffle=False))


@reader(_files(**{"ClassName.txt": "/a/x\n/b\n", "a/x/sun_1.jpg": None, "b/sun_2.jpg": None}), PipelineError,
        only="*.txt")
def sun397(folder):
    return rows(ds.SUN397Dataset(str(folder), shuffle=False))


@reader(_files(**{"meta/train.txt": "pie/1\npie/2\n", "images/pie/1.jpg": None, "images/pie/2.jpg": None}),
        PipelineError, only="*.txt")
def food101(folder):
    return rows(ds.Food101Dataset(str(folder), "train", shuffle=False))


@reader(_files(**{"leftImg8bit/train/a/a_leftImg8bit.png": None, "gtFine/train/a/a_gtFine_polygons.json":
                  '{"imgHeight": 13, "objects": [{"label": "road", "polygon": [[1, 2], [3, 4]]}]}'}),
        PipelineError, only="*.json")
def cityscapes(folder):
    return rows(ds.CityscapesDataset(str(folder), "train", task="polygon", shuffle=False))
