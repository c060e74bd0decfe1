"""Training: `Model`, callbacks, checkpoints, loss scale managers."""
from .dataset_helper import DatasetHelper as DatasetHelper
from .dataset_helper import connect_network_with_dataset as connect_network_with_dataset
from .dataset_helper import data_sink as data_sink
from .model import Model as Model
from .second_order import ConvertModelUtils as ConvertModelUtils
from .second_order import ConvertNetUtils as ConvertNetUtils
