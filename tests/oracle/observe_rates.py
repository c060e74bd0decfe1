"""Vary optimizers of `experimental` and `mint`, and rates that change, and write what comes of them in MindSpore.

Argument: a file. Runs with the Python of the original. What is kept of it is `tests/support/observed_rates.txt`.
"""

import itertools
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from observed import outcome

OPTIMIZERS = {
    "Adadelta": {"rho": ["0.7"], "eps": ["0.01"]},
    "Adagrad": {"lr_decay": ["0.1"], "initial_accumulator_value": ["0.3"], "eps": ["0.01"]},
    "Adam": {"betas": ["(0.7, 0.8)"], "eps": ["0.01"], "amsgrad": ["True"]},
    "AdamW": {"betas": ["(0.7, 0.8)"], "eps": ["0.01"], "amsgrad": ["True"]},
    "Adamax": {"betas": ["(0.7, 0.8)"], "eps": ["0.01"]},
    "ASGD": {"lambd": ["0.1"], "alpha": ["0.5"], "t0": ["1.0", "2.0"]},
    "NAdam": {"betas": ["(0.7, 0.8)"], "eps": ["0.01"], "momentum_decay": ["0.1"]},
    "RAdam": {"betas": ["(0.7, 0.8)", "(0.9, 0.5)"], "eps": ["0.01"]},
    "RMSprop": {"alpha": ["0.7"], "eps": ["0.01"], "momentum": ["0.5"], "centered": ["True"]},
    "Rprop": {"etas": ["(0.3, 1.7)"], "step_sizes": ["(0.02, 0.1)"]},
    "SGD": {"momentum": ["0.5"], "dampening": ["0.3"], "nesterov": ["True"]},
}
COMMON = {"lr": ["0.1", "Tensor(0.2)", "1"], "weight_decay": ["0.1"], "maximize": ["True"]}
SCHEDULES = [
    "ConstantLR(o, 0.5, 2)", "ConstantLR(o)", "CosineAnnealingLR(o, 3, 0.01)", "CosineAnnealingLR(o, 4)",
    "CosineAnnealingWarmRestarts(o, 2)", "CosineAnnealingWarmRestarts(o, 2, 2, 0.01)", "ExponentialLR(o, 0.7)",
    "CyclicLR(o, 0.01, 0.2, 2)", "CyclicLR(o, 0.01, 0.2, 2, 3, mode='triangular2')",
    "CyclicLR(o, 0.01, 0.2, 2, mode='exp_range', gamma=0.8)", "CyclicLR(o, 0.01, 0.2, 2, scale_fn=lambda x: 0.5 ** x)",
    "CyclicLR(o, 0.01, 0.2, 2, scale_fn=lambda x: 0.9 ** x, scale_mode='iterations')",
    "CyclicLR(o, [0.01, 0.02, 0.03], [0.2, 0.3, 0.4], 3)", "LambdaLR(o, lambda n: 1 / (n + 1))",
    "LambdaLR(o, [lambda n: 0.9 ** n, lambda n: 1.0, lambda n: n + 1.0])", "LinearLR(o, 0.2, 0.8, 3)", "LinearLR(o)",
    "MultiStepLR(o, [1, 3], 0.5)", "MultiStepLR(o, [2, 2, 5])", "MultiplicativeLR(o, lambda n: 0.5 + 0.1 * n)",
    "PolynomialLR(o, 4, 2.0)", "PolynomialLR(o)", "StepLR(o, 2, 0.5)", "StepLR(o, 3)",
    "ReduceLROnPlateau(o, patience=0)", "ReduceLROnPlateau(o, 'max', 0.5, 1)", "ReduceLROnPlateau(o, 'min', 0.5, 0,"
    " threshold=0.2, threshold_mode='abs', min_lr=0.02)", "ReduceLROnPlateau(o, 'min', 0.5, 0, cooldown=2)",
    "ReduceLROnPlateau(o, 'min', 0.5, 0, min_lr=[0.01, 0.04, 0.09], eps=0.03)",
    "SequentialLR(o, [schedules.ConstantLR(o, 0.1, 2), schedules.ExponentialLR(o, 0.9)], [2])",
    "SequentialLR(o, [schedules.LinearLR(o), schedules.StepLR(o, 1), schedules.ConstantLR(o)], [1, 3])",
    "StepLR(o, 0)", "StepLR(o, 'x')", "ExponentialLR(o, 'x')", "MultiStepLR(o, 3)",
    "CyclicLR(o, 0.01, 0.2, 2, mode='x')",
    "LambdaLR(o, [lambda n: 1.0])", "ReduceLROnPlateau(o, 'x')", "ReduceLROnPlateau(o, factor=1.5)",
    "CosineAnnealingWarmRestarts(o, 0)", "PolynomialLR(o, 2, 'x')", "LinearLR(o, 0.0)", "ConstantLR(o, 2.0)",
]
RATES = {
    "cosine_decay_lr": ["0.01, 0.3, 7, 2, 3", "0.0, 1.0, 5, 1, 1", "0.1, 0.1, 3, 1, 2", "0.3, 0.1, 3, 1, 2"],
    "exponential_decay_lr": ["0.3, 0.7, 7, 2, 3", "0.3, 0.7, 7, 2, 3, True", "1.0, 0.5, 4, 3, 1", "0.3, 1.5, 4, 1, 2"],
    "inverse_decay_lr": ["0.3, 0.7, 7, 2, 3", "0.3, 0.7, 7, 2, 3, True", "1.0, 0.5, 4, 3, 1", "0, 0.5, 4, 3, 1"],
    "natural_exp_decay_lr": ["0.3, 0.7, 7, 2, 3", "0.3, 0.7, 7, 2, 3, True", "1.0, 0.5, 4, 3, 1"],
    "piecewise_constant_lr": ["[1, 3, 4], [0.1, 0.2, 0.05]", "[2], [0.3]", "[3, 1], [0.1, 0.2]", "[1, 2], [0.1]"],
    "polynomial_decay_lr": [
        "0.3, 0.02, 7, 2, 3, 2.0", "0.3, 0.02, 7, 2, 2, 0.5, True", "0.3, 0.02, 7, 2, 1, 1.0, True"],
    "warmup_lr": ["0.3, 7, 2, 3", "0.3, 7, 2, 0", "0.3, 3, 4, 1", "0.3, 5, 1, 7"],
    "CosineDecayLR": ["0.01, 0.3, 5", "0.0, 1.0, 1", "0.3, 0.01, 5", "0.01, 0.3, 0"],
    "ExponentialDecayLR": ["0.3, 0.7, 3", "0.3, 0.7, 3, True", "0.3, 0.7, 3, 'x'", "-0.3, 0.7, 3"],
    "InverseDecayLR": ["0.3, 0.7, 3", "0.3, 0.7, 3, True", "0.3, -0.7, 3"],
    "NaturalExpDecayLR": ["0.3, 0.7, 3", "0.3, 0.7, 3, True", "0.3, 0.7, 3.5"],
    "PolynomialDecayLR": ["0.3, 0.02, 5, 2.0", "0.3, 0.02, 3, 0.5, True", "0.3, 0.02, 2, 1.0, True", "0.3, 0.02, 3, 0"],
    "WarmUpLR": ["0.3, 4", "0.3, 1", "0.3, 0", "0, 3"],
}


def of_optimizers():
    for place, names in (("optim", list(OPTIMIZERS)), ("mint.optim", ["Adam", "AdamW", "SGD"])):
        for name in names:
            ways = {**OPTIMIZERS[name], **COMMON}
            needed = "lr=0.05, "
            for groups in (0, 1):
                yield f"trained({place}.{name}, {groups}, {needed}weight_decay=0.1)"
                for key, values in ways.items():
                    for value in values:
                        rest = "" if key == "lr" else needed
                        yield f"trained({place}.{name}, {groups}, {rest}{key}={value})"
            for one, two in itertools.combinations(ways, 2):
                rest = "" if "lr" in (one, two) else needed
                yield f"trained({place}.{name}, 1, {rest}{one}={ways[one][0]}, {two}={ways[two][0]})"
            for key, value in itertools.product(ways, ["'wrong'", "None", "-0.1", "(1.0, 2.0)", "[]", "(0.5, 1.5)"]):
                yield f"trained({place}.{name}, {'' if key == 'lr' else needed}{key}={value})"


def of_rates():
    for schedule in SCHEDULES:
        for groups in (0, 1):
            yield f"trained(optim.SGD, {groups}, lambda o: schedules.{schedule}, 7, lr=0.1)"
    for name, choices in RATES.items():
        for given in choices:
            yield f"rated(nn.{name}({given}))"
        first = choices[0].split(", ")
        places = range(len(first) if "[" not in choices[0] else 0)
        for at, value in itertools.product(places, ["'x'", "None", "-1", "2.5", "0"]):
            yield f"rated(nn.{name}({', '.join([*first[:at], value, *first[at + 1:]])}))"


if __name__ == "__main__":
    with open(sys.argv[1], "w") as out:
        found = list(dict.fromkeys([*of_optimizers(), *of_rates()]))
        random.Random(1).shuffle(found)
        for call in found:
            print(call, "=>", outcome(call), file=out, flush=True)
