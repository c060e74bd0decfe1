"""Memory that tensors on a CPU free is kept for the next step, and handed back on demand."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only the memory of glibc is managed"
)

PAGES = """
import resource
import numpy as np
import mindspore
from mindspore import Tensor, ops

def step():                                      # two tensors of 64 MB live and die
    return float((ops.exp(x) + x)[0].asnumpy())

x = Tensor(np.ones(16_000_000, np.float32))
mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
step(), step()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
step(), step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""

RECYCLED = """
import numpy as np
import mindspore
from mindspore import Tensor, ops

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

x = Tensor(np.ones(1_000_000, np.float32))
held = [ops.exp(x) for _ in range(64)]           # 256 MB
kept = [ops.exp(ops.ones(4)), *held[:1]]
del held
before = resident()
mindspore.ms_memory_recycle()
print(before - resident())
"""


def printed(program, **environment):
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def test_a_step_does_not_fault_the_pages_of_the_last_one_in_again():
    assert printed(PAGES) < 2_000                # of 62,500 that two steps touch


def test_what_the_user_says_about_malloc_stays():
    assert printed(PAGES, MALLOC_MMAP_THRESHOLD_="65536") > 50_000


def test_freed_memory_is_handed_back_on_demand():
    assert printed(RECYCLED) > 100_000_000
