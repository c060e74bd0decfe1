"""Training: `Model`, callbacks, checkpoints, loss scale managers."""
from .dataset_helper import DatasetHelper, connect_network_with_dataset, data_sink
from .model import Model

__all__ = ["DatasetHelper", "Model", "connect_network_with_dataset", "data_sink"]
