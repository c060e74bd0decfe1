"""Faults of MindRecord, checkpoints, events, and files of strategies: file, tests, (source text, fault)."""
FAULTS = [
    ("formats/array.py", "formats/test_entries_by_hand.py", [
        ("flat = np.ascontiguousarray(array, NUMPY[name])", "flat = np.ascontiguousarray(array)"),
        ("return StoredArray(name, array.shape,", "return StoredArray(name, flat.shape,"),
    ]),
    ("formats/array.py", "train/test_serialization.py", [
        ("            return self.data\n        copied", "            return self.data\n        return self.data\n        copied"),
    ]),
    ("formats/checkpoint.py", "formats/test_checkpoint.py", [
        ("dims += _axis_lengths(value)", "dims = _axis_lengths(value)"),
        ("int.from_bytes(data[end + len(CRC_MARK) :], \"big\")", "int.from_bytes(data[end + len(CRC_MARK) :], \"little\")"),
        ("last is None or last.name != name or last.complete", "last is None or last.name != name"),
        ("at += len(each)", "at = len(each)"),
    ]),
    ("formats/checkpoint.py", "formats/test_entries_by_hand.py", [
        ("for start in range(0, len(data), SLICE_BYTES):", "for start in range(0, len(data) - 1, SLICE_BYTES):"),
        ("if not wanted(name):\n            continue", "if not wanted(name):\n            break"),
        ("return self.dims == (0,) and name is not None and", "return self.dims in ((0,), (1,)) and name is not None and"),
    ]),
    ("formats/event_values.py", "formats/test_entries_by_hand.py", [
        ("image.transpose(1, 2, 0)", "image.transpose(2, 1, 0)"),
        ("if high <= 1 and low >= 0 else", "if high <= 1 else"),
        ("count=array.size)", "count=finite.size)"),
        ("finite = finite.astype(np.uint8) if finite.dtype == bool else finite", "pass"),
    ]),
    ("formats/event_values.py", "formats/test_event_records.py", [
        ("top, left = i // columns * height, i % columns * width", "top, left = i % columns * height, i // columns * width"),
    ]),
    ("formats/mindrecord/messagepack.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("values[where] = tags[where].view(np.int8)", "values[where] = tags[where]"),
    ]),
    ("formats/mindrecord/packing.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("codes += size >= 2**15", "codes += size > 2**15"),
        ("(HEAD + marks + sizes != lengths).any()", "(HEAD + marks + sizes > lengths).any()"),
        ("spread(4 * (np.cumsum(marks) - marks), counts)", "spread(np.cumsum(counts) - counts, counts)"),
        ("rows[np.arange(8) < widths[:, None]]", "rows[np.arange(8) <= widths[:, None]]"),
    ]),
    ("formats/mindrecord/records.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("self.ends = np.cumsum([shard.rows for shard in self.shards])", "self.ends = np.arange(1, len(self.shards) + 1) * self.shards[0].rows"),
        ("shards = np.searchsorted(self.ends, numbers, \"right\")", "shards = np.searchsorted(self.ends, numbers, \"left\")"),
        ("and part.dtype == first.dtype", "and True"),
    ]),
    ("formats/mindrecord/row.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("not -(2 ** _BITS[field.type]) <= value < 2 ** _BITS[field.type]", "not -(2 ** _BITS[field.type]) < value < 2 ** _BITS[field.type]"),
        ("(len(c).to_bytes(8, \"big\"), c)", "(len(c).to_bytes(8, \"little\"), c)"),
    ]),
    ("formats/mindrecord/schema.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("count // known if length == -1", "count if length == -1"),
        ("for field in sorted(fields, key=lambda f: f.name)}", "for field in fields}"),
    ]),
    ("formats/mindrecord/shard.py", "formats/mindrecord/test_records.py", [
        ("parts = np.split(values, np.cumsum(counts)[:-1])", "parts = np.split(values, np.cumsum(counts)[1:])"),
    ]),
    ("formats/mindrecord/shard.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("wanted[np.searchsorted(self._starts, rows, \"right\") - 1] = True", "wanted[np.searchsorted(self._starts, rows, \"left\") - 1] = True"),
        ("            self._store(blob.name, group, at, lengths)\n            at = at + lengths", "            at = at + lengths\n            self._store(blob.name, group, at, lengths)"),
        ("if not len(rows) or (counts == counts[0]).all():", "if not len(rows) or counts[0] == counts[-1]:"),
        ("pages, begins, ends = places[:, 3:].T if kind == BLOB else places[:, :3].T", "pages, begins, ends = places[:, :3].T"),
    ]),
    ("formats/mindrecord/shard_writer.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("first = self._rows + len(going_on)", "first = self._rows"),
        ("self._group = len(groups) - 1  #", "self._group = 0  #"),
        ("page.groups.append((group, page.used))", "page.groups.append((group, 0))"),
        ("numbers = [self._group - len(groups)] * len(going_on)", "numbers = [self._group] * len(going_on)"),
        ("            page.used += len(content)\n        return places", "        page.used += sum(map(len, contents))\n        return places"),
    ]),
    ("formats/mindrecord/shard_writer.py", "mindrecord/test_filewriter.py", [
        ("self.header.pages[self._blob].end += len(going_on)", "self.header.pages[self._blob].end += len(rows)"),
    ]),
    ("formats/mindrecord/writer.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("            begin += size\n        saved", "                begin = size\n        saved"),
        ("shard_id=number,", "shard_id=0,"),
    ]),
    ("formats/mindrecord/writer.py", "mindrecord/test_filewriter.py", [
        ("shard.header.compression_size += saved", "shard.header.compression_size = saved"),
    ]),
    ("formats/safetensors.py", "formats/test_entries_by_hand.py", [
        ("if 0 <= number <= ZEROS_LIMIT:", "if 0 < number <= ZEROS_LIMIT:"),
        ("and array.dtype != \"bfloat16\"", ""),
    ]),
    ("formats/safetensors.py", "formats/test_safetensors.py", [
        ("key=lambda name: (-NUMPY[arrays[name].dtype].itemsize, name)", "key=lambda name: (NUMPY[arrays[name].dtype].itemsize, name)"),
        ("text += b\" \" * (-len(text) % ALIGNMENT)", "text += b\" \" * (len(text) % ALIGNMENT)"),
        ("start += array.nbytes", "start += -(-array.nbytes // 2) * 2"),
    ]),
    ("formats/safetensors.py", "train/test_serialization.py", [
        ("for name in sorted(arrays):\n        total", "for name in arrays:\n        total"),
    ]),
    ("formats/strategy.py", "formats/test_entries_by_hand.py", [
        ("layout.param_split_shape.add(dim=row.splits)", "layout.param_split_shape.add()"),
        ("item.get(\"opt_weight_shard_step\", 0), item.get(\"opt_weight_shard_size\", 0),", "item.get(\"opt_weight_shard_size\", 0), item.get(\"opt_weight_shard_step\", 0),"),
        ("return tuple(value) if isinstance(value, Sequence) else value", "return value"),
    ]),
    ("formats/strategy.py", "parallel/test_strategy_files.py", [
        ("StrategyFile(max([f.stage for f in files]))", "StrategyFile(files[0].stage)"),
        ("f\"{one.stage}-{name}\": row", "name: row"),
    ]),
    ("mindrecord/filereader.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("for begin in range(0, len(numbers), ROWS_AT_ONCE):", "for begin in range(0, len(numbers) - 1, ROWS_AT_ONCE):"),
        ("records.contents(field, part) if field.type == \"bytes\" else", ""),
    ]),
    ("mindrecord/filewriter.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("self._drop()\n            self._committed = True\n            raise", "raise"),
        ("self._index = (self._index or []) + added", "self._index = added"),
    ]),
    ("mindrecord/filewriter.py", "mindrecord/test_filewriter.py", [
        ("if self._set is None and not self._overwrite:", "if self._set is None and self._overwrite:"),
    ]),
    ("mindrecord/filewriter.py", "mindrecord/test_filewriter_arguments.py", [
        ("or value % 4:", ":"),
    ]),
    ("mindrecord/mindpage.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("numbers[page * num_row : (page + 1) * num_row]", "numbers[page * num_row : page + num_row]"),
    ]),
    ("mindrecord/mindpage.py", "mindrecord/test_mindpage.py", [
        ("order = np.argsort(which, kind=\"stable\")", "order = np.argsort(which, kind=\"stable\")[::-1]"),
    ]),
    ("mindrecord/rows.py", "formats/mindrecord/test_sets_by_hand.py", [
        ("reasons.append(f\"row {number}: {error.detail}\")", "reasons.append(f\"row {len(encoded)}: {error.detail}\")"),
    ]),
    ("mindrecord/workers.py", "mindrecord/test_workers.py", [
        ("self._next = (number + 1) % len(self._pipes)", "self._next = number % len(self._pipes)"),
        ("            if failed is not None:\n                raise failed\n            self._staging", "            self._staging"),
    ]),
]
