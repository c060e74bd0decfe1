"""Look for the numbers at which arguments begin and cease to be accepted in MindSpore, and write them.

Argument: a file. Runs with the Python of the original. What is kept of it is `tests/support/observed_limits.txt`.
"""

import inspect
import os
import re
import signal
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import limits
from observe_data import choices, made

ROWS = "ds.NumpySlicesDataset([[1, 2], [3, 4], [5, 6]], ['a'])"
STEPS = [
    f"{ROWS}.{step}" for step in (
        "batch(V)", "batch(2, num_parallel_workers=V)", "batch(2, max_rowsize=V)", "shuffle(V)", "skip(V)", "take(V)",
        "repeat(V)", "map(lambda x: x, 'a', num_parallel_workers=V)", "split([V, 1])", "split([0.5, V])", "split([V])",
        "padded_batch(V)", "bucket_batch_by_length(['a'], [V], [1, 1])",
        "bucket_batch_by_length(['a'], [2, V], [1, 1, 1])",
        "bucket_batch_by_length(['a'], [2], [V, 1])", "sync_wait('x', V)", "create_dict_iterator(V)",
        "create_tuple_iterator(num_epochs=V)", "device_que(queue_name='x', create_data_info_queue=V)",
        "map(lambda x: x, 'a', max_rowsize=V)", "map(lambda x: x, 'a', offload=V)", "sync_update('x', V)",
    )
] + [
    f"ds.{source}" for source in (
        "NumpySlicesDataset([1, 2, 3], num_samples=V)", "NumpySlicesDataset([1, 2, 3], num_parallel_workers=V)",
        "NumpySlicesDataset([1, 2, 3], num_shards=V, shard_id=0)",
        "NumpySlicesDataset([1, 2, 3], num_shards=3, shard_id=V)",
        "GeneratorDataset([(1,)], ['a'], num_samples=V)", "GeneratorDataset([(1,)], ['a'], num_parallel_workers=V)",
        "GeneratorDataset([(1,)], ['a'], max_rowsize=V)", "GeneratorDataset([(1,)], ['a'], num_shards=V, shard_id=0)",
        "RandomDataset(V)", "RandomDataset(5, num_parallel_workers=V)", "PaddedDataset([{'a': np.zeros(1)}] * V)",
        "RandomSampler(False, V)", "SequentialSampler(V)", "SequentialSampler(0, V)", "SubsetSampler([V])",
        "SubsetSampler([1], V)", "SubsetRandomSampler([V])", "SubsetRandomSampler([1], V)", "PKSampler(V)",
        "PKSampler(2, V)", "PKSampler(2, None, False, 'label', V)", "WeightedRandomSampler([V, 1.0])",
        "WeightedRandomSampler([1.0], V)", "DistributedSampler(V, 0)", "DistributedSampler(4, V)",
        "DistributedSampler(4, 1, True, V)", "DistributedSampler(4, 1, offset=V)", "Shuffle(V)",
        "config.set_seed(V)", "config.set_prefetch_size(V)", "config.set_num_parallel_workers(V)",
        "config.set_monitor_sampling_interval(V)", "config.set_callback_timeout(V)", "config.set_autotune_interval(V)",
        "config.set_sending_batches(V)", "config.set_numa_enable(V)", "config.set_multiprocessing_timeout_interval(V)",
        "DatasetCache(V)", "DatasetCache(1, V)", "Schema().add_column('a', ms.int32, [V])", "FakeImageDataset(V)",
        "FakeImageDataset(3, (V, 4, 3))", "FakeImageDataset(3, (4, 4, V))", "FakeImageDataset(3, (4, 4, 3), V)",
        "FakeImageDataset(3, (4, 4, 3), 2, V)",
    )
]


def of_data(module):
    for name, kind in sorted(vars(limits.SPACE[module]).items()):
        if not inspect.isclass(kind) or not name[0].isupper() or hasattr(kind, "__members__"):
            continue
        try:
            given = [p for p in inspect.signature(kind.__init__).parameters.values() if p.name != "self"]
        except (TypeError, ValueError):
            continue
        given = [p for p in given if p.kind is p.POSITIONAL_OR_KEYWORD]
        ways = {p.name: choices(module, name, p) for p in given}
        base = {p.name: ways[p.name][0] for p in given if p.default is p.empty and ways[p.name]}
        for p in given:
            for form in ("V", "(V, V)", "(V, 1)", "(1, V)", "[V, V, V]", "(1, 1, V, 1)"):
                yield made(module, name, {**base, p.name: form})


def of_cells():
    """Cells, primitives and optimizers, made as in the tables of what was observed."""
    support = Path(limits.__file__).parent
    seen = {}
    for table in ("observed_nn.txt", "observed_primitives.txt"):
        for line in (support / table).read_text().splitlines():
            found = re.match(r"(?:fill\()?((nn|ops)\.(\w+))\(([^()]*)\)", line)
            if found and "error" not in line.partition("=> ")[2][:6]:
                seen.setdefault((found[2], found[3]), found[4])
    for (module, name), given in sorted(seen.items()):
        kind = getattr(limits.SPACE[module], name)
        names = [p.name for p in inspect.signature(kind.__init__).parameters.values() if p.name != "self"]
        parts = re.findall(r"\w+=[^,]+|'[^']*'|[^,\s]+", given)
        base = {part.partition("=")[0] if "=" in part else key: part.rpartition("=")[2]
                for key, part in zip(names, parts)}                                 # noqa: B905  # the first ones
        for key in names:
            for form in ("V", "(V, V)", "(1, V)"):
                yield made(module, name, {**base, key: form})
    for name, kind in sorted(vars(limits.nn).items()):
        if inspect.isclass(kind) and issubclass(kind, limits.nn.Optimizer) and kind is not limits.nn.Optimizer:
            made_by = [c.cell_contents for c in kind.__init__.__closure__ or () if inspect.isfunction(c.cell_contents)]
            made_by = next((f for f in made_by if f.__name__ == "__init__"), kind.__init__)
            for p in list(inspect.signature(made_by).parameters.values())[2:]:
                rest = {"Momentum": ["learning_rate=0.1", "momentum=0.9"], "Lamb": ["learning_rate=0.1"]}.get(name, [])
                rest = [one for one in rest if not one.startswith(p.name)]
                for form in ("V", "(V, V)", "(0.5, V)", "(V, 0.5)"):
                    yield f"nn.{name}({', '.join(['parameters()', *rest, f'{p.name}={form}'])})"


def main(file):
    groups = [list(of_data(m)) for m in ("vision", "audio", "text", "transforms")] + [STEPS, list(of_cells())]
    templates = [t for group in groups for t in group]
    for first in range(0, len(templates), 40):
        child = os.fork()
        if not child:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            signal.alarm(60)
            try:
                with open(file, "a") as out:
                    for template in templates[first : first + 40]:
                        signal.alarm(20)
                        pairs = [*limits.changes(template, True), *limits.changes(template, False)]
                        if pairs:
                            print(template, "=>", *pairs, file=out, flush=True)
            finally:
                os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1])
