"""What event files hold, for tests."""
from __future__ import annotations

from mindspore.formats.events import read_events


def events(record):
    return list(read_events(record.log_dir))[1:]


def tags(record):
    return [(event.step, [value.tag for value in event.summary.value]) for event in events(record)]
