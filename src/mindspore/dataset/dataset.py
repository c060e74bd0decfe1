"""`Dataset`: the description of where rows come from and what is done with them; reading it runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mindspore.core import check
from mindspore.dataset._methods import METHODS
from mindspore.dataset.describe import described, write
from mindspore.dataset.execution.report import explain
from mindspore.dataset.iterators import DictIterator, TupleIterator
from mindspore.dataset.node import PipelineNode


class Dataset(PipelineNode):
    """A node of a pipeline: a source, or an operation on its children. Nothing runs before an iterator is read.

    A description does not change once it is made; methods such as `map` give a new one that has this one as a child.
    A subclass says which columns it has (`column_names`), how many rows (`row_count`) and how to read them (`blocks`).

    Args:
        children: The datasets that this one reads.
        num_parallel_workers: Threads of this step, None for the number in `config`.
        cache: Keeps the rows of this step for later passes.
    """

    # ---- operations

    def map(
        self,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        **kwargs: Any,
    ) -> Dataset:
        """Apply transforms or Python functions to columns of every row."""
        order = kwargs.pop("column_order", None)  # 1.x; later `project`
        mapped = METHODS["map"](
            self, operations, input_columns, output_columns, num_parallel_workers, **kwargs
        )
        return mapped if order is None else mapped.project(order)

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        **kwargs: Any,
    ) -> Dataset:
        """Join `batch_size` rows into one."""
        pad_info = kwargs.pop("pad_info", None)  # 1.x; later `padded_batch`
        order = kwargs.pop("column_order", None)  # 1.x; later `project`
        if pad_info is not None:
            batched = self.padded_batch(
                batch_size, drop_remainder, num_parallel_workers, pad_info, **kwargs
            )
        else:
            batched = METHODS["batch"](
                self, batch_size, drop_remainder, num_parallel_workers, **kwargs
            )
        return batched if order is None else batched.project(order)

    def padded_batch(
        self,
        batch_size: int,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict | None = None,
    ) -> Dataset:
        """Join rows whose arrays are first padded to equal shapes."""
        return METHODS["padded_batch"](
            self, batch_size, drop_remainder, num_parallel_workers, pad_info
        )

    def bucket_batch_by_length(
        self,
        column_names: Any,
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: dict | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> Dataset:
        """Batches of rows of similar length, one bucket for each interval of lengths."""
        return METHODS["bucket_batch_by_length"](
            self,
            column_names,
            bucket_boundaries,
            bucket_batch_sizes,
            element_length_function,
            pad_info,
            pad_to_bucket_boundary,
            drop_remainder,
        )

    def shuffle(self, buffer_size: int) -> Dataset:
        """Rows in random order, drawn from a buffer of `buffer_size` rows."""
        return METHODS["shuffle"](self, buffer_size)

    def repeat(self, count: int | None = None) -> Dataset:
        """The rows `count` times; None and -1: without end."""
        return METHODS["repeat"](self, count)

    def skip(self, count: int) -> Dataset:
        """Without the first `count` rows."""
        return METHODS["skip"](self, count)

    def take(self, count: int = -1) -> Dataset:
        """Only the first `count` rows; -1: all."""
        return METHODS["take"](self, count)

    def filter(
        self,
        predicate: Callable[..., Any],
        input_columns: Any = None,
        num_parallel_workers: int | None = None,
    ) -> Dataset:
        """Only the rows for which `predicate` of the input columns is true."""
        return METHODS["filter"](self, predicate, input_columns, num_parallel_workers)

    def flat_map(self, func: Callable[..., Any]) -> Dataset:
        """The rows of the datasets that `func` makes of each row, one after the other."""
        return METHODS["flat_map"](self, func)

    def project(self, columns: Any) -> Dataset:
        """Only these columns, in this order."""
        return METHODS["project"](self, columns)

    def rename(self, input_columns: Any, output_columns: Any) -> Dataset:
        """Other names for columns."""
        return METHODS["rename"](self, input_columns, output_columns)

    def zip(self, datasets: Any) -> Dataset:
        """Rows side by side with those of other datasets, as many as the shortest has."""
        if isinstance(datasets, Dataset):
            datasets = (datasets,)
        check.instance("zip", "datasets", datasets, tuple)
        return METHODS["zip"]((self, *datasets))

    def concat(self, datasets: Any) -> Dataset:
        """The rows of this dataset, then those of others."""
        if isinstance(datasets, Dataset):
            datasets = [datasets]
        check.instance("concat", "datasets", datasets, (list, tuple))
        return METHODS["concat"]([self, *datasets])

    def __add__(self, datasets: Any) -> Dataset:
        return self.concat(datasets)

    def split(self, sizes: list, randomize: bool = True) -> list[Dataset]:
        """Datasets that share the rows out: `sizes` are numbers of rows or fractions."""
        return METHODS["split"](self, sizes, randomize)

    def apply(self, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """`apply_func` of this dataset, which must be a dataset."""
        check.callable_("apply", "apply_func", apply_func)
        return check.instance("apply", "apply_func(dataset)", apply_func(self), Dataset)

    def sync_wait(
        self, condition_name: str, num_batch: int = 1, callback: Callable[..., Any] | None = None
    ) -> Dataset:
        """Let at most `num_batch` rows pass before each `sync_update`."""
        return METHODS["sync_wait"](self, condition_name, num_batch, callback)

    def sync_update(
        self, condition_name: str, num_batch: int | None = None, data: Any = None
    ) -> None:
        """Let more rows pass the `sync_wait` of this name; its callback gets `data` first."""
        METHODS["sync_update"](self, condition_name, num_batch, data)

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write all rows to MindRecord files."""
        check.string("save", "file_name", file_name)
        check.integer("save", "num_files", num_files, 1, 1000)
        check.option(
            "save", "file_type", check.string("save", "file_type", file_type), ["mindrecord"]
        )
        METHODS["save"](self, file_name, num_files)

    def explain(self) -> str:
        """How this pipeline will run: which steps are joined, by whom they are done, what waits for what."""
        return explain(self)

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """This pipeline as a dict of plain values, written to a JSON file if one is named."""
        check.string("to_json", "filename", filename)
        content = described(self)
        if filename:
            write(content, filename)
        return content

    # ---- reading

    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> DictIterator:
        """Rows as dicts from column name to Tensor, or to array with `output_numpy`."""
        return DictIterator(self, num_epochs, output_numpy, do_copy)

    def create_tuple_iterator(
        self,
        columns: Any = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
    ) -> TupleIterator:
        """Rows as lists of Tensors, or of arrays with `output_numpy`."""
        return TupleIterator(self, columns, num_epochs, output_numpy, do_copy)

    def __iter__(self) -> Iterator[Any]:
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self) -> int:
        return self.get_dataset_size()

    def __bool__(self) -> bool:
        return True  # not the number of rows, which may have to be counted

    def device_que(
        self,
        send_epoch_end: bool = True,
        create_data_info_queue: bool = False,
        queue_name: str = "",
    ) -> Dataset:
        """A queue of this dataset's rows, see TransferDataset; `Model.train` with sink makes one itself."""
        return METHODS["device_que"](
            self, send_epoch_end, create_data_info_queue, queue_name
        )

    to_device = device_que

    # ---- vocabularies

    def build_vocab(
        self,
        columns: Any,
        freq_range: tuple | None,
        top_k: int | None,
        special_tokens: list[str] | None,
        special_first: bool,
    ) -> Any:
        """The words of columns with their numbers: `text.Vocab.from_dataset`."""
        return METHODS["build_vocab"](
            self, columns, freq_range, top_k, special_tokens, special_first is not False
        )

    def build_sentencepiece_vocab(
        self,
        columns: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: Any,
        params: dict[str, str],
    ) -> Any:
        """Pieces of words learnt from columns: `text.SentencePieceVocab.from_dataset`."""
        return METHODS["build_sentencepiece_vocab"](
            self, columns, vocab_size, character_coverage, model_type, params
        )
