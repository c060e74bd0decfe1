"""Faults of the running of data pipelines: blocks, batches, samplers, workers, caches: file, tests, (source text, fault)."""
FAULTS = [
    ("dataset/execution/chain.py", "dataset/execution/test_parts_by_hand.py", [
        ("            run = run.child()\n        return BlockTask", "        return BlockTask"),
        ("work = self._works[epoch] = self._chain.work(self._run.during(epoch))", "work = self._works[epoch] = self._chain.work(self._run)"),
        ("work.add(block.count * chain.size, block.times)", "work.add(block.count, block.times)"),
    ]),
    ("dataset/execution/channel.py", "dataset/execution/test_parts_by_hand.py", [
        ("            if self._closed:\n                return False", "            if False:\n                return False"),
    ]),
    ("dataset/execution/memory.py", "dataset/execution/test_parts_by_hand.py", [
        ("return content[:done]", "return content"),
    ]),
    ("dataset/execution/pool.py", "dataset/execution/test_parts_by_hand.py", [
        ("seconds /= self.workers if threads else 1", "pass"),
        ("elif self._drawn < DRAWS:", "elif self._drawn <= DRAWS:"),
    ]),
    ("dataset/execution/processes.py", "dataset/execution/test_parts_by_hand.py", [
        ("slot, self._received = self._received % AHEAD, self._received + 1", "slot, self._received = 0, self._received + 1"),
    ]),
    ("dataset/execution/run.py", "dataset/execution/test_parts_by_hand.py", [
        ("place=(*self.place, index), multiple=1, full=1)", "place=(*self.place, 0), multiple=1, full=1)"),
        ("return self if self.fixed else dataclasses.replace(self, fixed=(seed, len(self.place)))", "return dataclasses.replace(self, fixed=(seed, len(self.place)))"),
    ]),
    ("dataset/execution/streams.py", "dataset/execution/test_parts_by_hand.py", [
        ("seeds = _mixed_each(_mixed_each(self._numbers) + np.uint64(self._key))", "seeds = _mixed_each(self._numbers + np.uint64(self._key))"),
        ("seed = mixed(mixed(number) + key)", "seed = mixed(mixed(number))"),
    ]),
    ("dataset/operations/batch.py", "dataset/execution/test_parts_by_hand.py", [
        ("yield run.epoch, number, pending.take(size)\n                number += 1", "yield run.epoch, number, pending.take(size)\n            number += 1"),
    ]),
    ("dataset/operations/batches.py", "dataset/operations/test_blocks_by_hand.py", [
        ("self._blocks.insert(0, block.part(left, block.count))", "self._blocks.append(block.part(left, block.count))"),
    ]),
    ("dataset/operations/join.py", "dataset/execution/test_parts_by_hand.py", [
        ("return [_Rows(child.blocks(run.child(i)))", "return [_Rows(child.blocks(run.child(0)))"),
    ]),
    ("dataset/operations/map_step.py", "dataset/execution/test_parts_by_hand.py", [
        ("count = next((i for i, op in enumerate(rest) if i and self._whole(op)), len(rest))", "count = 1"),
        ("number, values = start + row, ", "number, values = row, "),
    ]),
    ("dataset/operations/map_step.py", "dataset/operations/test_blocks_by_hand.py", [
        ("[choose(column, rows) for column in block.columns]", "[column[: len(rows)] for column in block.columns]"),
    ]),
    ("dataset/operations/padding.py", "dataset/operations/test_blocks_by_hand.py", [
        ("(not pad_info or name in pad_info)", "(name in pad_info)"),
    ]),
    ("dataset/operations/rows.py", "dataset/execution/test_parts_by_hand.py", [
        ("and values.shape[1:] == column.shape[1:]", "and values.ndim == column.ndim"),
    ]),
    ("dataset/sampler_base.py", "dataset/execution/test_parts_by_hand.py", [
        ("below = self.child_sampler.indices(rows, run.child(), labels)", "below = self.child_sampler.indices(rows, run, labels)"),
    ]),
]
