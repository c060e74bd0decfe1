"""Look for calls that MindSpore takes, vary their options, and write what comes of them.

Arguments: ops, mnp, mint, functional, linalg, nn, primitives, methods or optimizers; a file; names, else all.
Runs with the Python of the original; every name in a process of its own, as some calls end it. What is kept of the file
are the tables `tests/support/observed_*.txt`.
"""

import inspect
import itertools
import os
import random
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from observed import SPACE, outcome

import mindspore as ms

FIRST = [
    "x", "i", "p", "u", "m", "b", "image", "line", "volume", "v", "spd", "z", "[x, y]", "(x, y)", "k", "ties",
    "nans", "j", "batch", "4", "(2, 3)", "one", "t",
]
SECOND = [
    "y", "k", "p", "c", "m", "n", "v", "w", "2", "1", "0", "-1", "(0, 2)", "(4, 6)", "(1, 2)", "0.5", "j", "i",
    "places", "signs", "u", "labels", "(2, 3, 4)", "(1, 0, 2)", "ms.float16", "spd", "t", "other", "ties", "batch",
    "volume", "z", "(1, 0)", "b", "'sum'",
]
THIRD = [
    "y", "p", "1", "0", "2", "0.5", "m", "x", "w", "v", "j", "k", "t", "(1, 2)", "3", "0.1", "True", "ms.float32",
    "places", "b", "i",
]
BY_NAME = {
    "axis": ["1", "0", "-1", "(0, 2)", "(0, -1)"],
    "dim": ["1", "0", "-1", "(0, 2)"],
    "dim0": ["0"],
    "dim1": ["-1"],
    "axis0": ["0"],
    "axis1": ["-1"],
    "reduction": ["'none'", "'sum'", "'mean'"],
    "dtype": ["ms.float16", "ms.int32"],
    "epsilon": ["0.1"],
    "eps": ["0.1"],
    "p": ["1.0", "3.0"],
    "keepdims": ["True"],
    "keep_dims": ["True"],
    "mode": ["'bilinear'", "'constant'", "'reflect'", "'replicate'", "'nearest'", "'sum'"],
    "approximate": ["'tanh'"],
    "size": ["(7, 9)", "(3,)", "5"],
    "kernel_size": ["2", "(2, 3)", "(2, 1, 3)"],
    "stride": ["2", "(1, 2)", "(1, 2, 1)"],
    "padding": ["1", "(1, 1)", "(1, 0, 1)", "'same'", "(1, 2)", "(1, 2, 0, 1)"],
    "dilation": ["2", "(1, 2)"],
    "pad_mode": ["'same'", "'valid'", "'pad'"],
    "groups": ["2"],
    "group": ["2"],
    "weight": ["w", "n", "v", "image"],
    "bias": ["w", "v"],
    "output_size": ["2", "(2, 3)", "(2, 3, 2)", "(None, 2)"],
    "indices": ["j", "places"],
    "index": ["j", "1"],
    "num_groups": ["2"],
    "gamma": ["v", "1.5"],
    "beta": ["v", "0.5"],
    "in_channels": ["4"],
    "out_channels": ["6"],
    "num_features": ["4"],
    "in_features": ["4"],
    "out_features": ["3"],
    "num_channels": ["4"],
    "normalized_shape": ["(4,)", "(3, 4)"],
    "vocab_size": ["6"],
    "embedding_size": ["3"],
    "input_size": ["4", "5"],
    "hidden_size": ["3"],
    "num_layers": ["2"],
    "activation": ["'relu'", "'tanh'"],
    "weight_init": ["'ones'"],
    "pads": ["1", "(1, 2)"],
    "rates": ["1"],
    "shape": ["(2, 12)", "(2, 3, 4)"],
    "bias_init": ["'ones'"],
    "normalized_axes": ["(1, 2)"],
    "data_format": ["'NHWC'", "'NDHWC'"],
    "align_corners": ["True"],
    "num_bits": ["6"],
    "q": ["0.3"],
    "ord": ["1", "2", "3", "float('inf')"],
    "correction": ["0", "2"],
    "ddof": ["1"],
    "n": ["2", "3"],
    "ceil_mode": ["True"],
    "count_include_pad": ["False"],
    "divisor_override": ["3"],
    "return_indices": ["True"],
    "scale_factor": ["2.0", "(2.0, 1.5)"],
    "power": ["2.0"],
    "min": ["-0.3", "m"],
    "max": ["0.4"],
    "seed": [],
    "d_model": ["4"],
    "nhead": ["2"],
    "embed_dim": ["4"],
    "num_heads": ["2"],
    "dim_feedforward": ["5"],
    "diagonal": ["1", "-1"],
    "offset": ["1", "-1"],
    "k": ["1", "-1", "2"],
    "depth": ["6"],
    "num_classes": ["6"],
    "weight_hh_init": [],
    "generator": [],
    "name": [],
    "parallel_optimizer": [],
    "dropout": [],
    "input_dims": [],
    "gamma_init": ["'zeros'"],
    "beta_init": ["'ones'"],
    "moving_mean_init": [],
    "moving_var_init": [],
    "use_batch_statistics": ["True", "False"],
    "momentum": ["0.3"],
    "margin": ["0.7", "0.25"],
    "threshold": ["0.3"],
    "device_num_each_group": [],
    "process_groups": [],
    "sync": [],
}
WRONG = ["'wrong'", "None", "[1.5]"]


def numbers(default):
    if isinstance(default, bool):
        return [repr(not default)]
    if isinstance(default, int):
        return [repr(default + 1), repr(default - 1), repr(-default - 2)]
    if isinstance(default, float):
        return [repr(round(default * 0.5 + 0.1, 6)), repr(round(default + 1.25, 6)), "-0.4"]
    if isinstance(default, str):
        return ["'mean'", "'sum'"]
    return ["1", "0", "-1", "2", "0.5", "w", "v", "m", "True", "(1, 2)", "'sum'"] if default is None else []


def arguments(function, outcome, wrap, limit):
    """Calls that work: of each kind of the first argument one, and some with other arguments after it."""
    try:
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self" or wrap == "ops"]
    except (TypeError, ValueError):
        return [], []
    needed = [
        p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters) and not needed:
        needed = [inspect.Parameter("args", inspect.Parameter.POSITIONAL_ONLY)]
    lists = []
    for at, p in enumerate(needed):
        default = (FIRST, SECOND, THIRD, THIRD)[min(at, 3)]
        lists.append(BY_NAME.get(p.name) or default if at or wrap == "nn" else default)
    found, tried, shown = [], 0, {}
    for values in itertools.product(*lists):
        tried += 1
        if tried > limit or len(found) >= 10:
            break
        if values and shown.get(values[0], 0) >= 3:
            continue
        if outcome(values):
            found.append(values)
            if values:
                shown[values[0]] = shown.get(values[0], 0) + 1
    return found, [p for p in parameters if p not in needed and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def of_function(name, outcome, module="ops"):
    def works(values):
        return not outcome(f"{module}.{name}({', '.join(values)})").startswith("error")

    calls, options = arguments(getattr(SPACE[module], name), works, "ops", 500)
    yield from [f"{module}.{name}({', '.join(values)})" for values in calls]
    for option in options:
        values = [*(BY_NAME[option.name] if option.name in BY_NAME else numbers(option.default)), *WRONG]
        for value in values:
            for given in calls[:1] if value in WRONG else calls[:4]:
                yield f"{module}.{name}({', '.join((*given, f'{option.name}={value}'))})"


INPUTS = [
    ("image",), ("x",), ("line",), ("volume",), ("m",), ("batch",), ("v",), ("k",), ("x", "y"), ("x", "signs"),
    ("u", "b"), ("one", "other", "signs[0, :2, 0]"), ("m", "labels"), ("x", "i"), ("u", "u"), ("x", "y", "p"),
    ("one", "other"), ("m", "t"), ("batch", "batch"), ("image", "image"), ("b", "x"), ("spd",), (), ("x", "y", "k"),
    ("z",), ("m", "m", "m"), ("gray", "dark"), ("gray",),
]


def of_cell(name, outcome):
    from mindspore import nn

    seen = {}

    def works(values):
        for inputs in INPUTS:
            if not outcome(f"fill(nn.{name}({', '.join(values)}))({', '.join(inputs)})").startswith("error"):
                seen[values] = [
                    i
                    for i in INPUTS
                    if not outcome(f"fill(nn.{name}({', '.join(values)}))({', '.join(i)})").startswith("error")
                ][:3]
                return True
        return False

    calls, options = arguments(getattr(nn, name), works, "nn", 40)
    for values in calls:
        for inputs in seen[values]:
            made = f"fill(nn.{name}({', '.join(values)}))"
            yield f"{made}({', '.join(inputs)})"
            yield f"{made}.set_train()({', '.join(inputs)})"
    for option in options:
        values = [*(BY_NAME[option.name] if option.name in BY_NAME else numbers(option.default)), *WRONG]
        for value in values:
            for given in calls[:1]:
                for inputs in seen[given][: 1 if value in WRONG else 2]:
                    made = f"fill(nn.{name}({', '.join((*given, f'{option.name}={value}'))}))"
                    for way in ("",) if value in WRONG else ("", ".set_train()"):
                        yield f"{made}{way}({', '.join(inputs)})"


MORE = [
    ("x", "1"), ("x", "(0, 2)"), ("m", "j", "0"), ("x", "(2, 12)"), ("m", "n"), ("x", "(1, 0, 2)"), ("i",),
    ("i", "k"), ("b", "c"), ("[x, y]",), ("(x, y)",), ("p",), ("p", "p"), ("x", "2"), ("x", "0.5", "1.5"),
    ("m", "places", "w"), ("m", "v"), ("u",), ("image", "image"), ("x", "x", "x"), ("m", "j"), ("m", "j", "t"),
    ("b",), ("x", "ms.float16"), ("m", "j", "3"), ("k", "5"), ("(2, 3)", "2.0"), ("m", "(0, 1)", "(2, 2)"),
    ("m", "(0, 0)", "(3, 4)", "(2, 3)"), ("(2, 3)",), ("ties", "2"), ("nans",), ("line", "line"),
    ("volume", "volume"), ("image", "v", "v"), ("image", "v", "v", "v", "p[0, 0]"), ("batch", "n"),
    ("m", "m", "0.5"),
]


def of_primitive(name, outcome):
    from mindspore import ops

    seen = {}

    def works(values):
        made = f"ops.{name}({', '.join(values)})"
        if outcome(made).startswith("error"):
            return False
        seen[values] = [i for i in INPUTS + MORE if not outcome(f"{made}({', '.join(i)})").startswith("error")][:5]
        return bool(seen[values])

    calls, options = arguments(getattr(ops, name).__init__, works, "nn", 40)
    for values in calls:
        for inputs in seen[values]:
            yield f"ops.{name}({', '.join(values)})({', '.join(inputs)})"
    for option in options:
        values = [*(BY_NAME[option.name] if option.name in BY_NAME else numbers(option.default)), *WRONG]
        for value in values:
            for given in calls[:1]:
                for inputs in seen[given][: 1 if value in WRONG else 3]:
                    yield f"ops.{name}({', '.join((*given, f'{option.name}={value}'))})({', '.join(inputs)})"


def of_method(name, outcome):
    def works(values):
        return not outcome(f"{values[0]}.{name}({', '.join(values[1:])})").startswith("error")

    calls, options = arguments(getattr(ms.Tensor, name), works, "ops", 300)
    for values in calls:
        yield f"{values[0]}.{name}({', '.join(values[1:])})"
    for option in options:
        values = [*(BY_NAME[option.name] if option.name in BY_NAME else numbers(option.default)), *WRONG]
        for value in values:
            for given in calls[:1] if value in WRONG else calls[:3]:
                yield f"{given[0]}.{name}({', '.join((*given[1:], f'{option.name}={value}'))})"


def of_optimizer(name, outcome):
    from mindspore import nn

    needed = {"LARS": None, "Lamb": "learning_rate=0.1", "Momentum": "learning_rate=0.1, momentum=0.8"}.get(name, "")
    if needed is None or outcome(f"stepped(nn.{name}, {needed})").startswith("error"):
        return
    for groups in (1, 2):
        yield f"stepped(nn.{name}, {groups}, {needed})"
        yield f"stepped(nn.{name}, {groups}, weight_decay=0.1, {needed})"
    yield f"stepped(nn.{name}, {needed})"
    made = getattr(nn, name).__init__
    held = [cell.cell_contents for cell in made.__closure__ or ()]
    made = next((f for f in held if inspect.isfunction(f) and f.__name__ == "__init__"), made)
    for p in list(inspect.signature(made).parameters.values())[2:]:
        default = p.default
        values = numbers(default) if isinstance(default, (bool, int, float)) else []
        if isinstance(default, float) and 0 < default < 1:
            values = [repr(round(default * 0.7, 8)), "0.25"]
        if p.name == "learning_rate":
            values = ["0.05", "[0.1, 0.2, 0.3]", "nn.ExponentialDecayLR(0.1, 0.5, 2)", "Tensor(0.2)"]
        rest = needed if p.name not in needed else ", ".join(x for x in needed.split(", ") if p.name not in x)
        for value in [*values, "'wrong'", "None", "[1.5]", "-0.1", "(1.0, 2.0)"]:
            yield f"stepped(nn.{name}, {p.name}={value}, {rest})"
            if value in values and "," not in value:
                yield f"stepped(nn.{name}, 1, {p.name}={value}, weight_decay=0.1, {rest})"


def of_module(module):
    return lambda name, outcome: of_function(name, outcome, module)


KINDS = {
    "optimizers": of_optimizer, "ops": of_function, "nn": of_cell, "primitives": of_primitive, "methods": of_method,
    "mnp": of_module("mnp"), "mint": of_module("mint"), "functional": of_module("functional"),
    "linalg": of_module("linalg")}


def one(kind, name, file):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    memory = {}

    def kept(call):
        if call not in memory:
            memory[call] = outcome(call)
        return memory[call]

    with open(file, "a") as out:
        for call in dict.fromkeys(KINDS[kind](name, kept)):
            first = kept(call)
            if outcome(call) == first and len(call) + len(first) < 600:
                print(call, "=>", first, file=out, flush=True)


def main(kind, file):
    from mindspore import nn, ops

    if kind in SPACE and kind != "nn":
        names = [n for n in dir(SPACE[kind]) if n[0].islower() and inspect.isfunction(getattr(SPACE[kind], n))]
    elif kind == "primitives":
        names = [
            n
            for n in dir(ops)
            if n[0].isupper() and inspect.isclass(getattr(ops, n)) and issubclass(getattr(ops, n), ops.Primitive)
        ]
    elif kind == "optimizers":
        names = [n for n in nn.__all__ if inspect.isclass(getattr(nn, n)) and issubclass(getattr(nn, n), nn.Optimizer)]
    elif kind == "methods":
        names = [n for n in dir(ms.Tensor) if n[0].islower() and inspect.isfunction(getattr(ms.Tensor, n))]
    else:
        names = [n for n in sorted(nn.__all__) if inspect.isclass(getattr(nn, n)) and n[0].isupper()]
    if len(sys.argv) > 3:
        names = sys.argv[3:]
    random.Random(1).shuffle(names)
    for name in names[int(os.environ.get("PART", "0")) :: int(os.environ.get("PARTS", "1"))]:
        child = os.fork()
        if not child:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            signal.alarm(90)
            try:
                one(kind, name, file)
            finally:
                os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(*sys.argv[1:3])
