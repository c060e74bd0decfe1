from __future__ import annotations

import pytest

from mindspore import communication
from mindspore import distributed as dist
from mindspore.core import context
from mindspore.core.launched import LAUNCHERS

QUESTIONS = [dist.get_rank, dist.get_local_rank, dist.get_group_size, dist.get_local_rank_size]


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    for names in LAUNCHERS:
        monkeypatch.delenv(names.size, raising=False)
    for name in ("BACKEND", "WORLD_COMM_GROUP", "INITED", "CHECK_ENVS"):
        monkeypatch.setattr(dist.GlobalComm, name, getattr(dist.GlobalComm, name))
    yield
    dist.release()


def test_before_init_the_process_is_the_only_one():
    # observed: MindSpore 2.10, CPU
    assert [ask() for ask in QUESTIONS] == [0, 0, 1, 1]
    assert dist.get_rank("any name") == 0


def test_programs_know_their_number_before_init_or_are_told_to_call_it(monkeypatch):
    monkeypatch.setenv("RANK_SIZE", "4")
    monkeypatch.setenv("RANK_ID", "3")
    assert (communication.get_rank(), communication.get_group_size()) == (3, 4)      # observed: MindSpore 2.10, CPU
    assert (communication.get_local_rank(), communication.get_local_rank_size()) == (0, 1)
    monkeypatch.setenv("MS_WORKER_NUM", "4")
    assert communication.get_group_size() == 4
    with pytest.raises(RuntimeError, match=r"gives this process its number.*init\(\)"):
        communication.get_rank()


@pytest.mark.parametrize(
    "call",
    [
        lambda: dist.create_group("g", [0]),
        lambda: dist.destroy_group("g"),
        lambda: dist.get_world_rank_from_group_rank("hccl_world_group", 0),
        lambda: dist.get_group_rank_from_world_rank(0, "hccl_world_group"),
        lambda: dist.get_process_group_ranks(),
        lambda: dist.get_comm_name(),
    ],
)
def test_before_init_groups_do_not_exist(call):
    # observed: MindSpore 2.10, CPU
    with pytest.raises(RuntimeError, match=r"call `init\(\)` first"):
        call()


def test_a_process_that_was_started_alone_is_a_world_of_one():
    dist.init()
    assert [ask() for ask in QUESTIONS] == [0, 0, 1, 1]
    assert (dist.GlobalComm.INITED, dist.GlobalComm.BACKEND) == (True, "mccl")
    assert dist.GlobalComm.WORLD_COMM_GROUP == dist.MCCL_WORLD_COMM_GROUP
    assert dist.get_process_group_ranks() == [0]
    dist.init()
    dist.release()
    assert not dist.GlobalComm.INITED


@pytest.mark.parametrize(("backend", "error"), [("nccl", RuntimeError), ("x", RuntimeError), (1, TypeError)])
def test_a_backend_of_another_device_is_refused(backend, error):
    # observed: MindSpore 2.10, CPU
    with pytest.raises(error, match="backend_name"):
        dist.init(backend)


def test_the_backend_is_the_one_of_the_device(monkeypatch):
    monkeypatch.setattr(context, "target_in_use", lambda: "GPU")
    context.set_context(device_target="GPU")
    try:
        dist.init("nccl")
        assert dist.GlobalComm.WORLD_COMM_GROUP == dist.NCCL_WORLD_COMM_GROUP
    finally:
        context.set_context(device_target="CPU")


def test_a_program_for_a_device_that_is_absent_may_name_its_backend(monkeypatch):
    monkeypatch.setattr(context, "target_in_use", lambda: "CPU")
    context.set_context(device_target="Ascend")
    try:
        dist.init("hccl")
        assert dist.GlobalComm.WORLD_COMM_GROUP == "mccl_world_group"
        with pytest.raises(RuntimeError, match="must be 'mccl' on the device CPU"):
            dist.init("nccl")
    finally:
        context.set_context(device_target="CPU")


def test_a_group_of_the_only_process_can_be_made_and_destroyed():
    # observed: MindSpore 2.10, CPU, one worker: also the errors
    dist.init()
    dist.create_group("g", [0])
    assert (dist.get_rank("g"), dist.get_group_size("g"), dist.get_process_group_ranks("g")) == (0, 1, [0])
    assert dist.get_world_rank_from_group_rank("g", 0) == dist.get_group_rank_from_world_rank(0, "g") == 0
    dist.destroy_group("g")
    with pytest.raises(RuntimeError, match="g does not exist"):
        dist.get_rank("g")
    with pytest.raises(KeyError):
        dist.destroy_group("g")
    with pytest.raises(ValueError, match="all processes"):
        dist.destroy_group("mccl_world_group")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [((1, [0]), TypeError), (("g", 1), TypeError), (("g", []), ValueError), (("g", [0, 0]), ValueError),
     (("g", [1]), RuntimeError), (("g", [0], "options"), ValueError)],
)
def test_a_wrong_group_is_refused(arguments, error):
    dist.init()
    with pytest.raises(error, match="For 'create_group'"):
        dist.create_group(*arguments)


@pytest.mark.parametrize("ask", QUESTIONS)
def test_the_name_of_a_group_is_a_text(ask):
    with pytest.raises(TypeError, match=f"For '{ask.__name__}', the argument 'group'"):
        ask(1)


def test_numbers_outside_a_group_are_refused():
    dist.init()
    with pytest.raises(ValueError, match="group_rank_id"):
        dist.get_world_rank_from_group_rank("hccl_world_group", 1)
    with pytest.raises(ValueError, match="world_rank_id"):
        dist.get_group_rank_from_world_rank(3, "hccl_world_group")
    with pytest.raises(TypeError, match="world_rank_id"):
        dist.get_group_rank_from_world_rank("0", "hccl_world_group")
