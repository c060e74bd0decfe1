"""MindRecord files in pages of the rows that have one value in a field."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from mindspore.formats.mindrecord.errors import (
    MRMDefineCategoryError,
    MRMFetchDataError,
    MRMReadCategoryInfoError,
    ParamTypeError,
    ParamValueError,
)
from mindspore.mindrecord.filereader import check_consumers, open_records, rows_of

__all__ = ["MindPage"]


class MindPage:
    """Rows by category, which is the value of an index field, a page at a time.

    Args:
        file_name: A data file, which represents its whole set, or a list of just the files to read.
        num_consumer: Accepted, at least 1.

    Raises:
        ParamValueError: An argument has a wrong value.
        MindRecordFileError: A file is missing or damaged.
    """

    def __init__(self, file_name: Any, num_consumer: int = 4):
        check_consumers("MindPage", num_consumer)
        self._records = open_records("MindPage", file_name)
        self._candidates = sorted(self._records.header.index_fields)
        self._category_field: str | None = None
        self._groups: list[tuple[str, np.ndarray]] | None = None

    @property
    def candidate_fields(self) -> list[str]:
        """The index fields."""
        return self._candidates

    @property
    def category_field(self) -> str | None:
        """The field whose values are the categories."""
        return self._category_field

    @category_field.setter
    def category_field(self, category_field: str) -> None:
        if not isinstance(category_field, str) or not category_field:
            raise ParamTypeError("category_fields", "str")
        if category_field not in self._candidates:
            raise MRMDefineCategoryError(
                f"Field '{category_field}' is not a candidate category field: {self._candidates}."
            )
        self._category_field, self._groups = category_field, None

    def read_category_info(self) -> str:
        """Number and name of each category and how many rows it has, as JSON."""
        categories = [
            {"count": len(numbers), "id": number, "name": name}
            for number, (name, numbers) in enumerate(self._categories())
        ]
        return json.dumps(
            {"categories": categories, "key": f"{self._category_field}_0"},
            separators=(",", ":"),
            ensure_ascii=False,
        )

    def read_at_page_by_id(self, category_id: int, page: int, num_row: int) -> list[dict]:
        """The rows of page number `page` of a category, which has pages of `num_row` rows.

        Raises:
            ParamValueError: An argument is no int or out of range.
            MRMFetchDataError: There is no such category or page.
        """
        _check_int("category_id", category_id, 0)
        categories = self._categories()
        if category_id >= len(categories):
            raise MRMFetchDataError(
                f"The 'category_id' must be less than {len(categories)}, the number of categories, but got "
                f"{category_id}."
            )
        return self._page(categories[category_id][1], page, num_row)

    def read_at_page_by_name(self, category_name: str, page: int, num_row: int) -> list[dict]:
        """As `read_at_page_by_id`, by the name of the category.

        Raises:
            ParamValueError: An argument has a wrong type or is out of range.
            MRMFetchDataError: There is no such category or page.
        """
        if not isinstance(category_name, str):
            raise ParamValueError(f"Category name should be str, but got {category_name!r}.")
        for name, numbers in self._categories():
            if name == category_name:
                return self._page(numbers, page, num_row)
        raise MRMFetchDataError(f"There is no category '{category_name}'.")

    def _page(self, numbers: np.ndarray, page: int, num_row: int) -> list[dict]:
        _check_int("page", page, 0)
        _check_int("num_row", num_row, 1)
        chosen = numbers[page * num_row : (page + 1) * num_row]
        if not len(chosen):
            raise MRMFetchDataError(
                f"The category has {len(numbers)} rows, so that there is no page {page} of {num_row} rows."
            )
        return list(rows_of(self._records, None, chosen))

    def _categories(self) -> list[tuple[str, np.ndarray]]:
        """Name and row numbers of each category, in the order of the names."""
        if self._groups is None:
            if self._category_field is None:
                raise MRMReadCategoryInfoError(
                    "Set 'category_field' to one of 'candidate_fields' first."
                )
            field = self._records.fields([self._category_field])[0]
            values = np.asarray(self._records.column(field, np.arange(self._records.rows)))
            found, which = np.unique(values, return_inverse=True)
            order = np.argsort(which, kind="stable")
            groups = np.split(order, np.cumsum(np.bincount(which))[:-1]) if len(found) else []
            names = [_name(value) for value in found.tolist()]
            self._groups = sorted(zip(names, groups, strict=True), key=lambda group: group[0])
        return self._groups


def _name(value: Any) -> str:
    """A value as the index shows it: floats with 15 digits."""
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.15g}"
    return text if any(sign in text for sign in ".en") else text + ".0"


def _check_int(name: str, value: Any, low: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise ParamValueError(
            f"For 'MindPage', the '{name}' must be an int of at least {low}, but got {value!r}."
        )
