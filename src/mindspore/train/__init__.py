"""Training: `Model`, callbacks, checkpoints, loss scale managers."""
from .dataset_helper import DatasetHelper, connect_network_with_dataset, data_sink
from .model import Model
from .second_order import ConvertModelUtils, ConvertNetUtils

__all__ = ["ConvertModelUtils", "ConvertNetUtils", "DatasetHelper", "Model", "connect_network_with_dataset",
           "data_sink"]
