"""Writes the calls of the sweep: `python tests/sweep/generate.py OUT.jsonl RECORDED_FOLDER [--only TEXT]`."""
from __future__ import annotations

import argparse
import collections
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import seeds
import variants

# What differs between two runs, changes global state, waits for others or writes files.
LEFT_OUT = re.compile(r"(?i)random|dropout|normal|uniform|gamma|poisson|multinomial|shuffle|bernoulli|randperm|"
                      r"laplace|seed|"
                      r"summary|print|\.ops\.(all_?reduce|all_?gather|broadcast$|.*_?send|.*_?recv)|\.dump|rand(int|n)?(_like)?$|"
                      r"candidatesampler|\.empty|tensordump|\.custom|register_|hook")


def calls(folder, only="", families=seeds.FAMILIES):
    """All calls, with ids."""
    told, numbers = set(), collections.Counter()
    for seed in seeds.recorded(folder, families):
        if LEFT_OUT.search(seed["api"]) or only not in seed["api"]:
            continue
        text = json.dumps(seed, sort_keys=True)
        if text in told:
            continue
        told.add(text)
        number = numbers[seed["api"]] = numbers[seed["api"]] + 1
        for name, call in variants.made_of(seed, dtypes=number <= 2):
            yield {"id": f"{seed['api'][10:]}/{number}/{name}", **call}


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("out")
    options.add_argument("folder")
    options.add_argument("--only", default="")
    options.add_argument("--families", nargs="*", default=seeds.FAMILIES)
    given = options.parse_args()
    with open(given.out, "w") as file:
        for call in calls(given.folder, given.only, given.families):
            file.write(json.dumps(call) + "\n")
