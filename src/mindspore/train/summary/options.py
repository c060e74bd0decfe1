"""What a collector of summaries is asked to collect, checked."""
from __future__ import annotations

import re
from typing import Any, NamedTuple

from mindspore.core import check

SWITCHES = ("collect_metric", "collect_graph", "collect_train_lineage", "collect_eval_lineage", "collect_input_data",
            "collect_dataset_graph")
PARTS = (*SWITCHES, "histogram_regular", "collect_landscape")
_LANDSCAPE = ("landscape_size", "unit", "num_samples", "create_landscape", "intervals")
_LEAST, _MOST = 3, 256           # points along a side of a landscape
_SHORTEST = 3                    # points of a path that spans a plane
FIRST_STEPS = ((1, 2, 3, 4, 5, 6, 7, 8, 9), (10, 11, 12, 13, 14, 15, 16, 17, 18, 19))


class LandscapeOptions(NamedTuple):
    """What a landscape is made of and where.

    Attributes:
        landscape_size: Points along each of its two sides.
        unit: "step" or "epoch": what the numbers in `intervals` count.
        num_samples: Rows of the dataset over which the loss is the mean.
        create_landscape: Whether there is one for each interval ("train") and one around the result ("result").
        intervals: The steps or epochs after which the parameters are kept, by paths.
    """

    landscape_size: int = 40
    unit: str = "step"
    num_samples: int = 2048
    create_landscape: dict[str, bool] = {"train": True, "result": True}
    intervals: tuple[tuple[int, ...], ...] = FIRST_STEPS


class Collected(NamedTuple):
    """The parts that are collected.

    Attributes:
        switches: The parts that are on; "histogram" among them.
        histogram: What the names of parameters begin with whose histograms are taken; None for the first five.
        landscape: What the parameters are kept for; None for nothing.
    """

    switches: frozenset[str]
    histogram: re.Pattern[str] | None
    landscape: LandscapeOptions | None


def collected(owner: str, given: Any, keep_default: bool) -> Collected:
    """The parts that are collected, of those that a program named and, if these are kept, the others.

    Raises:
        TypeError: A value has another type.
        ValueError: A name is unknown, or a value is wrong.
    """
    given = {} if given is None else check.instance(owner, "collect_specified_data", given, dict)
    for name, value in given.items():
        check.string(owner, "collect_specified_data", name)
        check.option(owner, "collect_specified_data", name, PARTS)
        if name in SWITCHES:
            check.boolean(owner, name, value)
    on = {name for name in SWITCHES if given.get(name, keep_default)}
    if keep_default or "histogram_regular" in given:
        on.add("histogram")
    landscape = LandscapeOptions() if keep_default else None
    if "collect_landscape" in given:
        wanted = given["collect_landscape"]
        landscape = None if wanted is None else landscape_options(owner, wanted)
    return Collected(frozenset(on), _pattern(owner, given.get("histogram_regular")), landscape)


def _pattern(owner: str, value: Any) -> re.Pattern[str] | None:
    if value is None:
        return None
    try:
        return re.compile(check.string(owner, "histogram_regular", value))
    except re.error as error:
        raise ValueError(f"For '{owner}', the 'histogram_regular' must be a regular expression, but got {value!r}: "
                         f"{error}.") from None


def landscape_options(owner: str, given: Any, before: LandscapeOptions | None = None) -> LandscapeOptions:
    """What a landscape is made of: as a program says, else as before, else by default.

    An empty dictionary means all defaults; one that is not needs its `intervals`, unless there were some.

    Raises:
        TypeError: A value has another type, or the intervals are missing.
        ValueError: A name is unknown, or a value is out of range.
    """
    check.instance(owner, "collect_landscape", given, dict)
    for name in given:
        check.option(owner, "collect_landscape", name, _LANDSCAPE)
    found = before or LandscapeOptions()
    if not given:
        return found
    if "landscape_size" in given:
        check.integer(owner, "landscape_size", given["landscape_size"], _LEAST, _MOST)
    if "unit" in given:
        check.option(owner, "unit", check.string(owner, "unit", given["unit"]), ("step", "epoch"))
    if "num_samples" in given:
        check.positive_int(owner, "num_samples", given["num_samples"])
    values = dict(given)
    if "create_landscape" in given:
        values["create_landscape"] = found.create_landscape | _wanted(owner, given["create_landscape"])
    if "intervals" in given or before is None:
        values["intervals"] = _intervals(owner, given.get("intervals"))
    return found._replace(**values)


def _wanted(owner: str, given: Any) -> dict[str, bool]:
    for name, value in check.instance(owner, "create_landscape", given, dict).items():
        check.option(owner, "create_landscape", name, ("train", "result"))
        check.boolean(owner, f"create_landscape[{name!r}]", value)
    return given


def _intervals(owner: str, given: Any) -> tuple[tuple[int, ...], ...]:
    for interval in check.instance(owner, "intervals", given, list):
        check.instance(owner, "intervals", interval, list)
        for number in interval:
            check.positive_int(owner, "intervals", number)
        if len(interval) < _SHORTEST:
            raise check.fail(ValueError, owner, "intervals", f"lists of {_SHORTEST} numbers or more", given)
    return tuple(map(tuple, given))
