"""How processes meet, leave, and what they say when others are missing."""
from __future__ import annotations

import subprocess
import sys
import time

import processes
import pytest

SAYS = """
init()
answer("all", (get_rank(), get_group_size(), ms.communication.get_local_rank(), ms.communication.get_local_rank_size()))
answer("ranks", ms.communication.get_process_group_ranks())
answer("sum", ops.AllReduce()(Tensor([get_rank() + 1.0])))
"""


BEFORE = """
answer("before", (get_rank(), get_group_size()))
"""
HALVES = """
x = Tensor(np.where(np.arange(3) == get_rank(), 2048, 1).astype(np.float16))      # 2048 + 1 is 2048 in half precision
for mode, more in (("data_parallel", {}), ("data_parallel", {"force_fp32_communication": True}), ("auto_parallel", {}),
                   ("auto_parallel", {"gradient_fp32_sync": False})):
    ms.reset_auto_parallel_context()
    ms.set_auto_parallel_context(parallel_mode=mode, **more)
    answer(f"{mode} {more}", ops.AllReduce()(x))
"""


def test_a_scheduler_gives_the_numbers(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(processes.START + SAYS + processes.END)
    env = processes.environment(MS_WORKER_NUM="2", MS_SCHED_HOST="127.0.0.1", MS_SCHED_PORT=str(processes.free_port()))
    started = [subprocess.Popen([sys.executable, str(path)], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**env, "MS_ROLE": role}) for role in ("MS_SCHED", "MS_WORKER", "MS_WORKER")]
    found = processes.finished(started)
    assert [code for code, *_ in found] == [0, 0, 0], found
    assert found[0][1] == ""
    assert all('"sum": [3.0]' in out for _, out, _ in found[1:])
    assert sorted(out.split('"all": ')[1][:2] for _, out, _ in found[1:]) == ["[0", "[1"]


def test_programs_without_release_end_cleanly_and_those_of_one_process_need_nothing(tmp_path):
    found = processes.run(3, BEFORE + SAYS + HALVES, tmp_path)
    assert [f["before"] for f in found] == [[r, 3] for r in range(3)]          # observed: MindSpore 2.10, CPU
    for f in found:
        for settings in ("data_parallel {'force_fp32_communication': True}", "auto_parallel {}"):
            assert f[settings] == [2050.0] * 3
        for settings in ("data_parallel {}", "auto_parallel {'gradient_fp32_sync': False}"):
            assert 2048.0 in f[settings]
    assert [f["all"] for f in found] == [[0, 3, 0, 3], [1, 3, 1, 3], [2, 3, 2, 3]]
    assert all(f["ranks"] == [0, 1, 2] and f["sum"] == [6.0] for f in found)


def test_a_process_that_does_not_come_is_named(tmp_path):
    started = processes.start(3, SAYS, tmp_path, MS_TOPO_TIMEOUT="4")
    started[1].kill()
    found = processes.finished(started)
    for r in (0, 2):
        assert found[r][0] != 0
        assert "the processes [1] did not come within 4 s" in found[r][2]


def test_a_process_that_ends_or_hangs_is_named(tmp_path):
    ends = """
    import time
    init()
    if get_rank() == 1:
        raise ValueError("its own error") if ENDS else time.sleep(150)
    ops.AllReduce()(Tensor([1.0]))
    """
    for says, wait in (("ENDS = True", "150"), ("ENDS = False", "3")):
        started = time.monotonic()
        running = processes.start(2, f"\n    {says}" + ends, tmp_path, HCCL_EXEC_TIMEOUT=wait)
        (code, _, err), = processes.finished(running[:1])
        running[1].kill()
        assert time.monotonic() - started < 90          # on a busy machine; to wait for the other takes 150
        (_, _, other), = processes.finished(running[1:])
        assert code != 0
        assert "For 'AllReduce', process 0 could not work together" in err
        assert "The processes [1] do not answer" in err
        if "True" in says:
            assert "its own error" in other


@pytest.mark.parametrize(("variable", "text"), [("MS_TOPO_TIMEOUT", "soon"), ("HCCL_EXEC_TIMEOUT", "0")])
def test_a_wrong_time_is_named(tmp_path, variable, text):
    started = processes.start(2, "init()", tmp_path, **{variable: text})
    for code, _, err in processes.finished(started):
        assert code != 0
        assert f"{variable} must be a positive number of seconds, but it is '{text}'" in err


def test_a_group_keeps_its_processes_under_its_name(tmp_path):
    found = processes.run(2, """
    init()
    other = 1 - get_rank()
    for group, ranks in (("own", [get_rank()]), ("foreign", [other]), ("own", [0, 1]), ("", [0]), ("far", [7])):
        try:
            create_group(group, ranks)
        except (RuntimeError, ValueError) as error:
            answer(f"{group} {ranks}", str(error))
    answer("size", get_group_size("own"))
    """, tmp_path)
    for r, f in enumerate(found):
        assert f["size"] == 1
        assert f"had the processes [{r}] before" in f["own [0, 1]"]
        assert f"this process, {r}, must be among" in f[f"foreign [{1 - r}]"]
        assert "1 to 127 characters" in f[" [0]"]
        assert "below the size of the world, 2" in f["far [7]"]


def test_groups_that_share_processes_meet_though_these_have_made_others_before(tmp_path):
    found = processes.run(3, """
    init()
    rank = get_rank()
    for name, ranks in (("a", [0, 1]), ("b", [1, 2]), ("again", [0, 1]), ("c", [0, 2])):
        if rank in ranks:
            create_group(name, ranks)
            answer(name, ops.AllReduce(group=name)(Tensor([1.0 + rank])))
    release()
    """, tmp_path)
    assert found == [{"a": [3.0], "again": [3.0], "c": [4.0]}, {"a": [3.0], "b": [5.0], "again": [3.0]},
                     {"b": [5.0], "c": [4.0]}]
