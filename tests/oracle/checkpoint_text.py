"""A program for the original and for AnySpore: what comes of the options of checkpoints, or the class of the error."""
import os
import sys
import tempfile

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, ckpt_to_safetensors, nn, safetensors_to_ckpt, train
from mindspore import load_checkpoint as load
from mindspore import load_param_into_net as put
from mindspore import save_checkpoint as save

KEY, WRONG = b"0123456789ABCDEF", b"FEDCBA9876543210"
ODD = (None, True, 1, "x", [], {}, -1, 1.5)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Dense(3, 2, "ones", "zeros"), nn.Dense(2, 1, "ones", "zeros")


def shown(value):
    """A text that is the same under both; parameters of .safetensors have other names in the original."""
    if isinstance(value, Tensor):
        return f"{value.dtype} {value.shape} {value.asnumpy().ravel()[:3].astype(float).tolist()}"
    if isinstance(value, dict):
        return str({name: shown(item) for name, item in value.items()})
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(map(shown, value))})"
    return repr(value)


def ask(title, question, *arguments, **options):
    """Prints the answer in an empty folder, with the files that are there after it."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            answer = shown(question(*arguments, **options))
        except Exception as error:  # the documented class, of which both raise their own kinds
            answer = next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")
        files = sorted((os.path.join(top, name), oct(os.stat(os.path.join(top, name)).st_mode))
                       for top, _, names in os.walk(".") for name in names
                       if not name.endswith(".tmp"))  # half a file, which the original leaves after an error
        print(title, "->", answer, files)
        os.chdir("/")


def saved(**options):
    """What a file holds that was saved with the options; those of loading have `load_` before their names."""
    given = {name[5:]: options.pop(name) for name in list(options) if name.startswith("load_")}
    kind = options.get("format", "ckpt")
    save(options.pop("obj", Net()), "n", **options)
    while getattr(ms, "async_ckpt_thread_status", lambda: False)():
        pass
    return load(f"n.{kind}", **({"format": kind} | given))


def taken(values, *arguments):
    net = Net()
    answer = put(net, {n: Parameter(Tensor(v), name=n) if isinstance(v, np.ndarray) else v
                       for n, v in values.items()}, *arguments)
    return answer, net.a.weight


def converted(convert, source, *arguments, kind="ckpt", folders=False, **options):
    for folder in ["s/rank_0", "s/rank_1"] if folders else ["."]:
        os.makedirs(folder, exist_ok=True)
        for name in "ab":
            save(Net(), f"{folder}/{name}", format=kind)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the original draws a bar, which is not compared
    try:
        return convert(source, *arguments, **options)
    finally:
        sys.stdout = sys.__stdout__


def configured(**options):
    config = train.CheckpointConfig(**options)
    names = ("save_checkpoint_steps save_checkpoint_seconds keep_checkpoint_max keep_checkpoint_per_n_minutes "
             "integrated_save async_save append_dict enc_key enc_mode crc_check format exception_save map_param_inc "
             "remove_redundancy enable_redundance")
    return [getattr(config, name) for name in names.split()]


WHOLE = {"a.weight": np.full((2, 3), 5, np.float32), "a.bias": np.ones(2, np.float32),
         "b.weight": np.ones((1, 2), np.float32), "b.bias": np.ones(1, np.float32)}
for kind in ("ckpt", "safetensors"):
    for more in ({}, {"crc_check": True}, {"crc_check": True, "load_crc_check": True},
                 {"async_save": True}, {"async_save": "thread"}, {"choice_func": lambda name: name[0] == "a"},
                 {"choice_func": lambda name: False}, {"load_choice_func": lambda name: name[0] == "a"},
                 {"append_dict": {"i": 3, "f": 0.5, "b": True, "t": Tensor([1, 2])}}, {"append_dict": {"a.weight": 5}},
                 {"integrated_save": False}, {"obj": []}, {"obj": [Parameter(Tensor(1.0), name="p")]},
                 {"obj": [{"name": "q", "data": Tensor(np.zeros((0, 3), np.float32))}]},
                 {"obj": {"p": Parameter(Tensor(1.0), name="other")}},
                 {"load_dec_key": KEY}, {"enc_key": KEY}, {"load_strict_load": 1}, {"load_remove_redundancy": 1},
                 {"load_net": Net()}, {"load_net": 5}, {"incremental": kind == "safetensors"},
                 *({"append_dict": {"x": value}} for value in (None, [1], {}, 1j, np.ones(2))),
                 *({name: value} for name in ("crc_check", "integrated_save", "async_save", "append_dict", "format")
                   for value in ODD if (name, value) != ("format", True))):
        ask(f"{kind} {sorted(more)} {[v for v in more.values() if isinstance(v, (int, str, bytes))]}", saved,
            **({"format": kind} | more))
for mode in ("AES-GCM", "AES-CBC", "SM4-CBC", "bad", None):
    for key in (KEY, KEY * 2, b"short", b"", "text"):
        for other in (key, WRONG, None):
            ask(f"encrypted {mode} {key} {other}", saved, enc_key=key, enc_mode=mode, load_dec_key=other,
                load_dec_mode=mode)
for name in ("n.txt", "x/n", "", 5, None, "n.safetensors"):
    ask(f"named {name!r}", save, Net(), name)
for name in ("none.ckpt", "none", "", 5, None):
    ask(f"read {name!r}", load, name)
for name in ("none.ckpt", ""):
    ask(f"read beside {name!r}", lambda name=name: ms.load_checkpoint_async(name).result())
for text in ("", "x", "äöü", "two words"):
    ask(f"text {text!r}", saved, append_dict={"text": text})
for prefix in ("a", ["a", "b.w"], ("a",), "", [], [""], [1], 5, {"a"}):
    ask(f"without {prefix!r}", saved, load_filter_prefix=prefix)
    ask(f"only {prefix!r}", saved, load_specify_prefix=prefix)
for title, values in (("whole", WHOLE), ("part", {"a.bias": WHOLE["a.bias"]}), ("more", WHOLE | {"z": np.ones(1)}),
                      ("below", {f"x.{n}": v for n, v in WHOLE.items()}), ("none", {}), ("array", WHOLE | {"z": 5}),
                      *((f"shape {s}", WHOLE | {"a.weight": np.zeros(s, np.float32)}) for s in ((3, 2), (6,), ())),
                      *((t, WHOLE | {"a.weight": WHOLE["a.weight"].astype(t)})
                        for t in ("float16", "float64", "int32", "bool", "uint8"))):
    for strict in (False, True, 1):
        ask(f"put {title} {strict}", taken, values, strict)
for kind, convert in (("ckpt", ckpt_to_safetensors), ("safetensors", safetensors_to_ckpt)):
    ends = f".{kind}"
    for arguments in (("a" + ends,), ("a" + ends, "o"), ("a" + ends, "x/y"), ("a" + ends, "o.txt"), ("none" + ends,),
                      ("a.txt",), ("a" + ends, None, {"a.weight": "w"}), ("a" + ends, None, 5), (5,)):
        ask(f"convert {arguments}", converted, convert, *arguments, kind=kind)
    chosen = [("s", "o", None, "a")] if kind == "ckpt" else []  # the original ignores it for the other
    for arguments in (("s",), ("s", "o"), *chosen, ("s", "o", None, None, 2)):
        ask(f"convert folders {arguments}", converted, convert, *arguments, kind=kind, folders=True)
for name in ("save_checkpoint_steps", "save_checkpoint_seconds", "keep_checkpoint_max", "keep_checkpoint_per_n_minutes",
             "integrated_save", "async_save", "exception_save", "crc_check", "remove_redundancy", "saved_network",
             "append_info", "enc_key", "enc_mode"):
    for value in (*ODD, 0, 7, "thread", KEY, ["epoch_num", {"k": 1}], [{"k": [1]}], ["lr"], [5]):
        ask(f"config {name} {value!r}", configured, **{name: value})
for more in ({"save_checkpoint_steps": 0, "save_checkpoint_seconds": 5}, {"keep_checkpoint_max": 0},
             {"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 5}, {"format": "safetensors", "enc_key": KEY},
             {"save_checkpoint_steps": 0, "keep_checkpoint_max": 0}, {"format": "safetensors", "incremental": True}):
    ask(f"config {more}", configured, **more)
for arguments in ((), ("x",), ("a/b",), (5,), ("x", 5), ("x", ""), ("x", "d", 5), ("x", "d/e")):
    ask(f"callback {arguments}",
        lambda arguments=arguments: (train.ModelCheckpoint(*arguments), os.path.isdir("d/e"))[1])
