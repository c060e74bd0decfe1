from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

from mindspore.core import context, log
from mindspore.core.context_options import AUTO_PARALLEL, CONTEXT, READ_ONLY


@pytest.fixture(autouse=True)
def _reset():
    mode = context.state.mode
    context.reset_context()
    yield
    context.reset_context()
    context.set_context(mode=mode)
    context.reset_auto_parallel_context()
    context.reset_ps_context()


@pytest.fixture
def messages(monkeypatch):
    found = []
    for level in ("info", "warning"):
        monkeypatch.setattr(log, level, lambda text, *args, level=level: found.append((level, text % args)))
    return found


def test_defaults_are_those_of_the_original():
    # observed: MindSpore 2.10, CPU
    wanted = {"mode": 1, "device_target": "CPU", "device_id": 0, "jit_syntax_level": 2, "max_call_depth": 1000,
              "save_graphs": 0, "save_graphs_path": ".", "deterministic": "OFF", "enable_compile_cache": None}
    assert {name: context.get_context(name) for name in wanted} == wanted


def test_what_is_set_is_read_back():
    context.set_context(mode=context.GRAPH_MODE, save_graphs=True, memory_optimize_level="O1", device_target="Davinci",
                        mempool_block_size="31GB", jit_config={"jit_level": "O1"})
    assert context.state.mode == 0
    # observed: MindSpore 2.10, CPU
    assert context.get_context("save_graphs") == 2
    assert context.get_context("memory_optimize_level") == 1
    assert context.get_context("device_target") == "Ascend"
    assert context.get_context("mempool_block_size") == 31.0
    assert context.get_context("jit_config") == {"jit_level": "O1"}


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("mode", 2, ValueError), ("mode", "x", TypeError), ("mode", None, ValueError),
        ("device_target", "XPU", ValueError), ("device_target", "cpu", ValueError), ("device_target", 1, TypeError),
        ("device_id", -1, ValueError), ("device_id", 4096, ValueError), ("device_id", "0", TypeError),
        ("save_graphs", 4, ValueError), ("save_graphs", "x", TypeError), ("save_graphs_path", 1, TypeError),
        ("enable_graph_kernel", 1, TypeError), ("graph_kernel_flags", 1, TypeError),
        ("max_call_depth", 0, ValueError), ("max_call_depth", "a", TypeError),
        ("runtime_num_threads", -1, ValueError), ("op_timeout", -1, ValueError),
        ("jit_config", {"jit_level": "O5"}, ValueError), ("jit_config", {"x": 1}, ValueError),
        ("jit_config", 1, TypeError),
        ("jit_syntax_level", 3, ValueError), ("jit_syntax_level", "x", TypeError),
        ("deterministic", "x", ValueError), ("deterministic", True, TypeError), ("debug_level", 3, ValueError),
        ("memory_optimize_level", "O2", ValueError), ("exec_order", "x", ValueError),
        ("aoe_tune_mode", "x", ValueError),
        ("aoe_config", {"x": 1}, ValueError), ("env_config_path", "/no/such/file", ValueError),
        ("max_device_memory", 1, TypeError), ("max_device_memory", "much", ValueError),
    ],
)
def test_a_wrong_value_is_refused_and_changes_nothing(name, value, error):
    # observed: MindSpore 2.10, CPU: the classes, except for "much", which is not looked at there
    before = context.get_context(name)
    with pytest.raises(error, match=name if value != "much" else "3GB"):
        context.set_context(**{"mode": 0, name: value})
    assert context.get_context(name) == before
    assert context.state.mode == 1


def test_an_unknown_key_is_refused_with_a_proposal():
    with pytest.raises(ValueError, match=r"'device_traget' is not recognized. Did you mean 'device_target'"):
        context.set_context(device_traget="CPU")
    with pytest.raises(ValueError, match="not recognized"):
        context.get_context("no such key at all")
    with pytest.raises(ValueError, match="gradients_mean"):
        context.set_auto_parallel_context(radients_mean=True)
    with pytest.raises(ValueError, match="not recognized"):
        context.set_ps_context(scheduler=1)


@pytest.mark.parametrize("name", [name for name, option in CONTEXT.items() if option.effect])
def test_a_key_without_effect_says_so(name, messages, tmp_path):
    option = CONTEXT[name]
    file = tmp_path / "config.json"
    file.touch()
    value = option.choices[0] if option.choices else option.default
    value = {"env_config_path": str(file), "enable_compile_cache": True}.get(name, value)
    value = "3GB" if option.types is str and isinstance(value, float) else value
    context.set_context(**{name: value})
    assert messages == [("info", f"For 'set_context', the '{name}' has no effect here: {option.effect}.")]


def test_a_key_that_is_honoured_says_nothing(messages):
    context.set_context(mode=0, device_target="CPU", device_id=0, deterministic="OFF", runtime_num_threads=2)
    assert messages == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("check_bprop", True), ("enable_profiling", True), ("print_file_path", "x"),
     ("enable_dump", True)],
)
def test_a_key_of_which_a_program_expects_to_see_something_is_answered_by_a_warning(name, value, messages):
    context.set_context(**{name: value})
    assert messages == [("warning", f"For 'set_context', the '{name}' has no effect here: {CONTEXT[name].effect}.")]


def test_numbers_of_19_bits_in_multiplications_are_torch_s_setting(monkeypatch):
    with pytest.raises(TypeError, match="'matmul_allow_tf32' must be bool"):
        context.set_context(gpu_config={"matmul_allow_tf32": 1})
    conv, matmul = torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32
    try:
        context.set_context(gpu_config={"conv_allow_tf32": False}, matmul_allow_tf32=True)
        context.torch_device()
        assert (torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32) == (False, True)
    finally:
        torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = conv, matmul


def test_what_a_jit_config_tunes_elsewhere_is_told(messages):
    context.set_context(jit_config={"jit_level": "O1", "infer_boost": "off"})
    assert messages == []
    context.set_context(jit_config={"jit_level": "O1", "infer_boost": "on"})
    ((kind, said),) = messages
    assert (kind, "'infer_boost' of 'jit_config' has no effect" in said) == ("info", True)


def test_a_device_number_on_the_cpu_is_answered_by_a_warning(messages):
    context.set_context(device_target="CPU", device_id=3)
    assert messages[0][0] == "warning"
    assert "device_id" in messages[0][1]
    context.set_context(device_target="GPU", device_id=3)
    assert len(messages) == 1


def test_a_value_that_was_read_does_not_change_the_context():
    context.set_context(jit_config={"jit_level": "O0"})
    context.get_context("jit_config")["jit_level"] = "O2"
    assert context.get_context("jit_config") == {"jit_level": "O0"}


def test_the_device_is_the_one_of_torch():
    assert context.torch_device() == torch.device("cpu")
    assert context.torch_device() is context.torch_device()


@pytest.fixture
def machine(monkeypatch):
    """Makes this a machine with so many GPUs, and no Ascend; gives the warnings."""
    told = []

    def with_gpus(count):
        monkeypatch.setattr(torch.cuda, "is_available", lambda: count > 0)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: count)
        monkeypatch.setitem(sys.modules, "torch_npu", None)
        return told

    monkeypatch.setattr(log, "_said", set())
    logger = SimpleNamespace(warning=lambda text, *args, **_: told.append(text % args))
    monkeypatch.setattr(log, "_active", lambda: logger)
    monkeypatch.delenv("ANYSPORE_DEVICE", raising=False)
    return with_gpus


@pytest.mark.parametrize(("target", "gpus", "device"), [
    ("Ascend", 0, torch.device("cpu")), ("GPU", 0, torch.device("cpu")), ("Ascend", 4, torch.device("cuda", 3)),
    ("Ascend", 2, torch.device("cuda", 1)), ("CPU", 4, torch.device("cpu"))])
def test_a_device_that_is_absent_is_replaced_by_the_best_that_is_present(machine, target, gpus, device):
    told = machine(gpus)
    context.set_context(device_target=target)
    if target != "CPU":
        context.set_context(device_id=3)
    assert context.torch_device() == device
    assert (context.get_context("device_target"), context.target_in_use()) == (
        target, {"cpu": "CPU", "cuda": "GPU"}[device.type])
    context.set_context(device_id=0)
    context.torch_device()
    assert len(told) == (target != "CPU")
    assert all(f"'{target}' is not here" in said and f"runs on the {context.target_in_use()}" in said for said in told)


@pytest.mark.parametrize(("target", "reason"), [("Ascend", "torch_npu"), ("GPU", "CUDA")])
def test_an_absent_device_is_an_error_where_the_environment_says_so(machine, monkeypatch, target, reason):
    machine(0)
    monkeypatch.setenv("ANYSPORE_DEVICE", "strict")
    context.set_context(device_target=target)
    with pytest.raises(RuntimeError, match=rf"'{target}' is not here: .*{reason}.*set_context\(device_target='CPU'\)"):
        context.torch_device()
    context.set_context(device_target="CPU")
    assert context.torch_device().type == "cpu"


def test_a_gpu_has_the_number_of_the_context(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    context.set_context(device_target="GPU", device_id=1)
    assert context.torch_device() == torch.device("cuda", 1)
    context.set_context(device_id=2)
    with pytest.raises(RuntimeError, match="'device_id' must be below 2"):
        context.torch_device()


def test_set_device_refuses_another_device_than_the_one_in_use():
    context.set_device("CPU")
    assert context.get_current_device() == ("CPU", 0)
    with pytest.raises(RuntimeError, match="before the first tensor"):
        context.set_device("CPU", 1)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [(("XX",), ValueError), ((1,), TypeError), (("CPU", "a"), TypeError), (("Ascend",), RuntimeError)],
)
def test_set_device_refuses_what_is_no_device(monkeypatch, arguments, error):
    # observed: MindSpore 2.10, CPU
    monkeypatch.setenv("ANYSPORE_DEVICE", "strict")
    with pytest.raises(error):
        context.set_device(*arguments)


def test_deterministic_algorithms_are_switched_on_in_torch():
    context.set_deterministic(True)
    context.torch_device()
    assert torch.are_deterministic_algorithms_enabled()
    context.set_deterministic(False)
    context.torch_device()
    assert not torch.are_deterministic_algorithms_enabled()
    with pytest.raises(TypeError, match="deterministic"):
        context.set_deterministic(1)


def test_the_context_does_not_load_torch():
    program = """
import sys
from mindspore.core import context
context.set_context(mode=0)
assert "torch" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


# ---- automatic parallelism
def test_parallel_defaults_are_those_of_the_original():
    # observed: MindSpore 2.10, CPU
    wanted = {"device_num": 1, "global_rank": 0, "gradients_mean": False, "gradient_fp32_sync": True,
              "loss_repeated_mean": True, "parallel_mode": "stand_alone", "search_mode": "recursive_programming",
              "parameter_broadcast": False, "full_batch": False, "dataset_strategy": "data_parallel",
              "enable_parallel_optimizer": False, "pipeline_stages": 1, "all_reduce_fusion_config": [],
              "strategy_ckpt_load_file": "", "auto_parallel_search_mode": "recursive_programming"}
    assert {name: context.get_auto_parallel_context(name) for name in wanted} == wanted


@pytest.mark.parametrize("mode", context.ParallelMode.MODE_LIST)
def test_every_parallel_mode_is_kept_until_the_reset(mode):
    context.set_auto_parallel_context(parallel_mode=mode, device_num=8, gradients_mean=True)
    assert context.get_auto_parallel_context("parallel_mode") == mode
    assert context.parallel.device_num == 8
    assert "device_num" in context.parallel.given
    context.reset_auto_parallel_context()
    assert (context.parallel.parallel_mode, context.parallel.device_num) == ("stand_alone", 1)
    assert not context.parallel.given


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("device_num", 0, ValueError), ("device_num", "a", TypeError), ("global_rank", -1, ValueError),
        ("global_rank", 4096, ValueError), ("gradients_mean", 1, TypeError), ("parallel_mode", "x", ValueError),
        ("parallel_mode", 1, TypeError), ("search_mode", "x", ValueError), ("strategy_ckpt_load_file", 1, TypeError),
        ("dataset_strategy", "x", ValueError), ("dataset_strategy", 1, TypeError), ("pipeline_stages", 0, ValueError),
        ("parallel_optimizer_config", {"x": 1}, ValueError), ("all_reduce_fusion_config", [], ValueError),
        ("all_reduce_fusion_config", [2, 1], ValueError), ("all_reduce_fusion_config", [-1], TypeError),
        ("grad_accumulation_step", 2, ValueError), ("comm_fusion", {"x": 1}, KeyError), ("comm_fusion", 1, TypeError),
        ("pipeline_config", {"x": 1}, ValueError), ("strategy_ckpt_config", {"x": 1}, ValueError),
        ("communi_parallel_mode", "x", ValueError), ("auto_parallel_search_mode", "x", ValueError),
    ],
)
def test_a_wrong_parallel_value_is_refused(name, value, error):
    # observed: MindSpore 2.10, CPU
    with pytest.raises(error, match=name.removeprefix("auto_parallel_")):
        context.set_auto_parallel_context(**{name: value})
    assert not context.parallel.given


@pytest.mark.parametrize("name", READ_ONLY)
def test_derived_parallel_keys_can_be_read_only(name):
    assert context.get_auto_parallel_context(name) == AUTO_PARALLEL[name].default
    with pytest.raises(ValueError, match="not recognized"):
        context.set_auto_parallel_context(**{name: AUTO_PARALLEL[name].default})


def test_full_batch_and_the_strategy_of_the_data_agree():
    context.set_auto_parallel_context(full_batch=True)
    assert context.get_auto_parallel_context("dataset_strategy") == "full_batch"
    assert context.get_auto_parallel_context("full_batch_is_set")
    context.set_auto_parallel_context(dataset_strategy=((1, 8), (8,)))
    assert context.get_auto_parallel_context("dataset_strategy") == [[1, 8], [8]]
    assert not context.get_auto_parallel_context("full_batch")


def test_older_spellings_of_parallel_keys_are_the_same_keys():
    context.set_auto_parallel_context(mirror_mean=True, auto_parallel_search_mode="sharding_propagation")
    assert context.get_auto_parallel_context("gradients_mean")
    assert context.get_auto_parallel_context("search_mode") == "sharding_propagation"


def test_the_pipeline_is_configured_by_a_dict():
    context.set_auto_parallel_context(pipeline_config={"pipeline_interleave": True, "pipeline_scheduler": "1f1b"})
    assert context.get_auto_parallel_context("pipeline_interleave")
    context.set_auto_parallel_context(strategy_ckpt_config={"load_file": "x.ckpt"})
    assert context.get_auto_parallel_context("strategy_ckpt_load_file") == "x.ckpt"


# ---- parameter server
def test_a_parameter_server_needs_a_role_and_is_not_encrypted(monkeypatch):
    context.set_ps_context(enable_ps=False)
    for name in ("MS_ROLE", "MS_SERVER_NUM", "MS_WORKER_NUM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match=r"MS_ROLE is '', and there are no servers .*'data_parallel'"):
        context.set_ps_context(enable_ps=True)
    with pytest.raises(ValueError, match="not encrypted"):
        context.set_ps_context(enable_ssl=True)
    monkeypatch.setenv("MS_ROLE", "MS_WORKER")
    monkeypatch.setenv("MS_WORKER_NUM", "2")
    monkeypatch.setenv("MS_SERVER_NUM", "0")
    with pytest.raises(ValueError, match="at least 1"):
        context.set_ps_context(enable_ps=True)
    assert not context.get_ps_context("enable_ps")
    with pytest.raises(TypeError, match="enable_ps"):
        context.set_ps_context(enable_ps=1)


def test_passwords_are_not_given_away():
    context.set_ps_context(client_password="secret")
    with pytest.raises(ValueError, match="can not be read"):
        context.get_ps_context("client_password")
