"""What event files hold, for tests."""
from __future__ import annotations

import os

from mindspore.formats.events import read_events


def events(record):
    return list(read_events(record.log_dir))[1:]


def tags(record):
    return [(event.step, [value.tag for value in event.summary.value]) for event in events(record)]


def read(folder):
    """The events of a folder by the ends of the names of their files, earlier files first."""
    found = {"_MS": [], "_lineage": []}
    for name in sorted(os.listdir(folder)):
        for suffix, events in found.items():
            if name.endswith(suffix):
                events.extend(read_events(os.path.join(folder, name), lineage=suffix == "_lineage"))
    return found
