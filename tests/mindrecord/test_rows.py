from __future__ import annotations

import pytest

from mindspore.formats.mindrecord.errors import MRMWriteDatasetError
from mindspore.formats.mindrecord.schema import parse_schema
from mindspore.mindrecord.rows import encoded_rows


def test_rows_that_do_not_fit_are_left_out():
    schema = parse_schema({"n": {"type": "int32"}})
    assert len(encoded_rows(schema, [{"n": 1}, {"n": "a"}, {"n": 3}])) == 2
    with pytest.raises(MRMWriteDatasetError, match="row 0: "):
        encoded_rows(schema, [{"n": "a"}])
    with pytest.raises(MRMWriteDatasetError, match="the list is empty"):
        encoded_rows(schema, [])
