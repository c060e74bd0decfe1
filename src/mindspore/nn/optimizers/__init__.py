"""Optimizers: a base that owns groups, rates and decay, and one formula per class."""
from .adafactor import AdaFactor
from .adagrad import Adadelta, Adagrad, RMSProp
from .adam import Adam, AdaMax, AdamOffload, AdamWeightDecay, LazyAdam
from .asgd_rprop import ASGD, Rprop
from .lamb import LARS, Lamb
from .momentum import Momentum
from .natural import thor
from .optimizer import Optimizer, opt_init_args_register
from .proximal import FTRL, ProximalAdagrad
from .sgd import SGD

__all__ = [
    "ASGD", "FTRL", "LARS", "SGD", "AdaFactor", "AdaMax", "Adadelta", "Adagrad", "Adam", "AdamOffload",
    "AdamWeightDecay", "Lamb", "LazyAdam", "Momentum", "Optimizer", "ProximalAdagrad", "RMSProp",
    "Rprop", "opt_init_args_register", "thor",
]
