"""What the variables of launchers say about a process."""
from __future__ import annotations

import json

import pytest

from mindspore.core.launched import ALONE, launch

TABLE = {"server_list": [{"server_id": "10.0.0.7", "device": [{"rank_id": "0"}, {"rank_id": "1"}]},
                         {"server_id": "10.0.0.9", "device": [{"rank_id": "3"}, {"rank_id": "2"}, {"rank_id": "4"}]}]}


@pytest.mark.parametrize("env",
                         [{}, {"RANK_SIZE": "1", "RANK_ID": "0"}, {"WORLD_SIZE": "1", "RANK": "0"}, {"RANK_SIZE": ""}])
def test_a_process_that_nobody_launched_is_alone(env):
    assert launch(env) is ALONE


@pytest.mark.parametrize(("env", "wanted"), [
    ({"WORLD_SIZE": "6", "RANK": "4", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "3", "MASTER_ADDR": "h",
      "MASTER_PORT": "99",
      "TORCHELASTIC_RESTART_COUNT": "2", "TORCHELASTIC_USE_AGENT_STORE": "True"},
     (6, 4, 1, 3, "h", 99, 2, False, True, "worker")),
    ({"MS_WORKER_NUM": "3", "MS_SCHED_HOST": "h", "MS_SCHED_PORT": "77", "MS_ROLE": "MS_WORKER"},
     (3, None, None, None, "h", 77, 0, True, False, "worker")),
    ({"MS_WORKER_NUM": "3", "MS_NODE_ID": "2", "MS_ROLE": "MS_WORKER"},
     (3, 2, None, None, "127.0.0.1", 8118, 0, True, False, "worker")),
    ({"MS_WORKER_NUM": "1", "MS_ROLE": "MS_SCHED"},
     (1, None, None, None, "127.0.0.1", 8118, 0, True, False, "scheduler")),
    ({"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_LOCAL_RANK": "1",
      "OMPI_COMM_WORLD_LOCAL_SIZE": "2", "MASTER_PORT": "5"}, (4, 3, 1, 2, "127.0.0.1", 5, 0, False, False, "worker")),
    ({"RANK_SIZE": "8", "RANK_ID": "7", "DEVICE_ID": "3"},
     (8, 7, 3, None, "127.0.0.1", 8118, 0, False, False, "worker")),
    ({"PMI_SIZE": "2", "PMI_RANK": "1"}, (2, 1, None, None, "127.0.0.1", 8118, 0, False, False, "worker")),
])
def test_every_launcher_is_understood(env, wanted):
    assert tuple(launch(env)) == wanted


def test_processes_of_one_mpi_job_meet_at_one_port_and_jobs_at_different_ones():
    env = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
    ports = {launch({**env, "PMIX_NAMESPACE": job, "OMPI_COMM_WORLD_RANK": r}).port for job in ("a1", "a2")
             for r in "01"}
    assert len(ports) == 2
    assert all(20000 <= p < 40000 for p in ports)


def test_a_rank_table_says_where_processes_meet_and_who_is_beside(tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(TABLE))
    found = launch({"RANK_SIZE": "5", "RANK_ID": "4", "RANK_TABLE_FILE": str(path)})
    assert (found.address, found.local_rank, found.local_size) == ("10.0.0.7", 2, 3)


@pytest.mark.parametrize("text",
                         ["{", "[]", '{"server_list": [{"device": []}]}', '{"server_list": [{"server_id": 1, "device": '
                                  '[{"rank_id": 0}, {"rank_id": 2}]}]}'])
def test_a_rank_table_that_does_not_fit_is_refused(tmp_path, text):
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(RuntimeError, match=r"table\.json"):
        launch({"RANK_SIZE": "2", "RANK_ID": "0", "RANK_TABLE_FILE": str(path)})


@pytest.mark.parametrize(("env", "name"), [
    ({"RANK_SIZE": "8"}, "RANK_ID is not set"), ({"RANK_SIZE": "8", "RANK_ID": "8"}, "RANK_ID must be a whole number "
                                                                                     "from 0 to 7"),
    ({"RANK_SIZE": "x"}, "RANK_SIZE"), ({"RANK_SIZE": "0"}, "RANK_SIZE"),
    ({"WORLD_SIZE": "2", "RANK": "-1"}, "RANK must"),
    ({"MS_WORKER_NUM": "2", "MS_NODE_ID": "2"}, "MS_NODE_ID"),
    ({"WORLD_SIZE": "2", "RANK": "1", "MASTER_PORT": "x"}, "MASTER_PORT"),
])
def test_a_wrong_variable_is_named(env, name):
    with pytest.raises(RuntimeError, match=name):
        launch(env)


def test_a_rank_table_says_how_many_there_are(tmp_path):
    table = tmp_path / "table.json"
    table.write_text(json.dumps(TABLE))
    env = {"RANK_TABLE_FILE": str(table), "RANK_ID": "3"}
    assert launch(env) == launch({**env, "RANK_SIZE": "5"})
    assert launch(env)[:2] == (5, 3)
    assert launch({"RANK_TABLE_FILE": str(table), "DEVICE_ID": "0"}) is ALONE       # of a program of one process
    with pytest.raises(RuntimeError, match="RANK_ID must be a whole number from 0 to 4"):
        launch({**env, "RANK_ID": "5"})


def test_roles_are_those_of_parameter_servers_and_need_the_number_of_workers():
    with pytest.raises(RuntimeError, match=r"MS_ROLE must be one of .*MS_PSERVER, but it is 'WORKER'"):
        launch({"MS_ROLE": "WORKER", "MS_WORKER_NUM": "2"})
    for role, name in (("MS_WORKER", "worker"), ("MS_SCHED", "scheduler"), ("MS_PSERVER", "server")):
        with pytest.raises(RuntimeError, match=f"is a {name} .MS_ROLE., but MS_WORKER_NUM.*not set"):
            launch({"MS_ROLE": role})
