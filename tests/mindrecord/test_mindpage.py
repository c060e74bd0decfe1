from __future__ import annotations

import json

import pytest

from mindspore.formats.mindrecord.errors import (
    MRMDefineCategoryError,
    MRMFetchDataError,
    MRMReadCategoryInfoError,
    ParamTypeError,
    ParamValueError,
)
from mindspore.mindrecord import MindPage


@pytest.fixture
def pages(written, rows):
    found = MindPage(written(rows(10), shards=2, index=["label", "name", "weight"]) + "0")
    found.category_field = "label"
    return found


def test_index_fields_can_give_the_categories(pages):
    assert pages.candidate_fields == ["label", "name", "weight"]
    assert pages.category_field == "label"
    info = json.loads(pages.read_category_info())
    assert info["key"] == "label_0"
    assert [(c["id"], c["name"], c["count"]) for c in info["categories"]] == [
        (0, "0", 3), (1, "1", 3), (2, "2", 3), (3, "3", 1),
    ]  # fmt: skip


def test_floats_are_named_as_the_index_shows_them(pages):
    # observed: MindSpore 2.10, CPU
    pages.category_field = "weight"
    names = [c["name"] for c in json.loads(pages.read_category_info())["categories"]]
    assert names[:2] == ["0.0", "0.142857142857143"]
    assert names[7:9] == ["1.0", "1.14285714285714"]


def test_categories_stand_in_the_order_of_their_names(written, rows):
    # observed: MindSpore 2.10, CPU
    pages = MindPage(written(rows(12), "many", index=["number"]))
    pages.category_field = "number"
    names = [c["name"] for c in json.loads(pages.read_category_info())["categories"]]
    assert names == ["0", "1", "10", "11", *"23456789"]
    assert pages.read_at_page_by_id(2, 0, 1)[0]["number"] == 10


def test_rows_come_in_pages(pages):
    first = pages.read_at_page_by_id(1, 0, 2)
    assert [row["number"] for row in first] == [3, 4]
    assert [row["number"] for row in pages.read_at_page_by_id(1, 1, 2)] == [5]
    pages.category_field = "name"
    assert [row["number"] for row in pages.read_at_page_by_name("näme 1", 0, 5)] == [1, 5, 9]


def test_what_is_not_there_is_an_error(pages):
    for call in (
        lambda: pages.read_at_page_by_id(4, 0, 1),
        lambda: pages.read_at_page_by_id(1, 2, 2),
        lambda: pages.read_at_page_by_name("nothing", 0, 1),
    ):
        with pytest.raises(MRMFetchDataError):
            call()


def test_wrong_arguments_are_refused(pages, written, rows):
    for arguments in ((-1, 0, 1), ("0", 0, 1), (0, -1, 1), (0, 0, 0), (0, 0, 1.5)):
        with pytest.raises(ParamValueError):
            pages.read_at_page_by_id(*arguments)
    with pytest.raises(ParamValueError):
        pages.read_at_page_by_name(0, 0, 1)
    with pytest.raises(MRMDefineCategoryError):
        pages.category_field = "image"
    with pytest.raises(ParamTypeError):
        pages.category_field = 1
    with pytest.raises(MRMReadCategoryInfoError):
        MindPage(written(rows(2), "other")).read_category_info()


@pytest.mark.parametrize("field", ["label", "name", "weight"])
def test_an_empty_set_has_no_categories(field, written):
    pages = MindPage(written([]))
    pages.category_field = field
    # observed: MindSpore 2.10
    assert json.loads(pages.read_category_info()) == {"categories": [], "key": f"{field}_0"}
    with pytest.raises(MRMFetchDataError, match="number of categories"):
        pages.read_at_page_by_id(0, 0, 1)
    with pytest.raises(MRMFetchDataError, match="no category"):
        pages.read_at_page_by_name("0", 0, 1)
