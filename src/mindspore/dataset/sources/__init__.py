"""Where rows come from: arrays in memory, Python objects, files."""

from __future__ import annotations

from mindspore.dataset.sources.arrays import (
    NumpySlicesDataset,
    PaddedDataset,
)
from mindspore.dataset.sources.csv_files import (
    CSVDataset,
)
from mindspore.dataset.sources.files import (
    TextFileDataset,
)
from mindspore.dataset.sources.folders import (
    Caltech101Dataset,
    Caltech256Dataset,
    ImageFolderDataset,
    LSUNDataset,
    OmniglotDataset,
    RenderedSST2Dataset,
)
from mindspore.dataset.sources.generator import (
    GeneratorDataset,
)
from mindspore.dataset.sources.imdb import (
    IMDBDataset,
)
from mindspore.dataset.sources.json_text import (
    CLUEDataset,
    SQuADDataset,
)
from mindspore.dataset.sources.lists import (
    CelebADataset,
    FlickrDataset,
    Food101Dataset,
    LFWDataset,
    Places365Dataset,
    SBUDataset,
    SUN397Dataset,
)
from mindspore.dataset.sources.manifest import (
    ManifestDataset,
)
from mindspore.dataset.sources.mappable import (
    MappableDataset,
    SourceDataset,
)
from mindspore.dataset.sources.matlab_lists import (
    Flowers102Dataset,
    SBDataset,
)
from mindspore.dataset.sources.mindrecord import MindDataset
from mindspore.dataset.sources.mnist import (
    EMnistDataset,
    FashionMnistDataset,
    KMnistDataset,
    MnistDataset,
    QMnistDataset,
)
from mindspore.dataset.sources.object_store import OBSMindDataset, sync_wait_for_dataset
from mindspore.dataset.sources.objects import (
    CocoDataset,
    VOCDataset,
)
from mindspore.dataset.sources.pairs import (
    CityscapesDataset,
    DIV2KDataset,
    KITTIDataset,
    WIDERFaceDataset,
)
from mindspore.dataset.sources.records import (
    Cifar10Dataset,
    Cifar100Dataset,
    PhotoTourDataset,
    SemeionDataset,
    STL10Dataset,
    SVHNDataset,
)
from mindspore.dataset.sources.speech import (
    CMUArcticDataset,
    GTZANDataset,
    LibriTTSDataset,
    LJSpeechDataset,
    SpeechCommandsDataset,
    YesNoDataset,
)
from mindspore.dataset.sources.synthetic import FakeImageDataset, RandomDataset
from mindspore.dataset.sources.talks import (
    TedliumDataset,
)
from mindspore.dataset.sources.text_folders import (
    AGNewsDataset,
    AmazonReviewDataset,
    CoNLL2000Dataset,
    DBpediaDataset,
    EnWik9Dataset,
    PennTreebankDataset,
    SogouNewsDataset,
    SST2Dataset,
    UDPOSDataset,
    WikiTextDataset,
    YahooAnswersDataset,
    YelpReviewDataset,
)
from mindspore.dataset.sources.tfrecord import (
    TFRecordDataset,
)
from mindspore.dataset.sources.translations import (
    IWSLT2016Dataset,
    IWSLT2017Dataset,
    Multi30kDataset,
)
from mindspore.dataset.sources.usps import (
    USPSDataset,
)

__all__ = [
    "CMUArcticDataset",
    "GTZANDataset",
    "LJSpeechDataset",
    "LibriTTSDataset",
    "SpeechCommandsDataset",
    "TedliumDataset",
    "YesNoDataset",
    "AGNewsDataset",
    "AmazonReviewDataset",
    "CLUEDataset",
    "CoNLL2000Dataset",
    "DBpediaDataset",
    "EnWik9Dataset",
    "IMDBDataset",
    "IWSLT2016Dataset",
    "IWSLT2017Dataset",
    "Multi30kDataset",
    "PennTreebankDataset",
    "SQuADDataset",
    "SST2Dataset",
    "SogouNewsDataset",
    "UDPOSDataset",
    "WikiTextDataset",
    "YahooAnswersDataset",
    "YelpReviewDataset",
    "CSVDataset",
    "Caltech101Dataset",
    "Caltech256Dataset",
    "CelebADataset",
    "Cifar100Dataset",
    "Cifar10Dataset",
    "CityscapesDataset",
    "CocoDataset",
    "DIV2KDataset",
    "EMnistDataset",
    "FakeImageDataset",
    "FashionMnistDataset",
    "FlickrDataset",
    "Flowers102Dataset",
    "Food101Dataset",
    "GeneratorDataset",
    "ImageFolderDataset",
    "KITTIDataset",
    "KMnistDataset",
    "LFWDataset",
    "LSUNDataset",
    "ManifestDataset",
    "MappableDataset",
    "MindDataset",
    "MnistDataset",
    "NumpySlicesDataset",
    "OBSMindDataset",
    "OmniglotDataset",
    "PaddedDataset",
    "PhotoTourDataset",
    "Places365Dataset",
    "QMnistDataset",
    "RandomDataset",
    "RenderedSST2Dataset",
    "SBDataset",
    "SBUDataset",
    "STL10Dataset",
    "SUN397Dataset",
    "SVHNDataset",
    "SemeionDataset",
    "SourceDataset",
    "TFRecordDataset",
    "TextFileDataset",
    "USPSDataset",
    "VOCDataset",
    "WIDERFaceDataset",
    "sync_wait_for_dataset",
]
