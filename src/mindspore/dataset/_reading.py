"""The methods of a `Dataset` that read, describe and write it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mindspore.dataset import checked as check
from mindspore.dataset._methods import METHODS
from mindspore.dataset.describe import described, write
from mindspore.dataset.execution.report import explain
from mindspore.dataset.iterators import DictIterator, TupleIterator
from mindspore.dataset.node import PipelineNode

if TYPE_CHECKING:
    from mindspore.dataset.dataset import Dataset


class Readable(PipelineNode):
    """The part of `Dataset` by which programs get at its rows, its description and its words."""

    def sync_update(
        self, condition_name: str, num_batch: int | None = None, data: Any = None
    ) -> None:
        """Let more rows pass the `sync_wait` of this name; its callback gets `data` first.

        Args:
            condition_name: The name.
            num_batch: How many; None for as many as `sync_wait` was given.
            data: What the callback gets.

        Raises:
            PipelineError: If there is no `sync_wait` of that name.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False).sync_wait("read")
            >>> data.sync_update("read")
        """
        METHODS["sync_update"](self, condition_name, num_batch, data)

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write all rows to MindRecord files.

        Args:
            file_name: The path of the file, or of the first of several.
            num_files: The number of files.
            file_type: "mindrecord".

        Raises:
            TypeError: If an argument has another type.
            ValueError: If it has another value.

        Examples:
            >>> import os, tempfile
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     data.save(os.path.join(folder, "rows"))
            ...     sorted(os.listdir(folder))
            ['rows', 'rows.db']
        """
        check.string("save", "file_name", file_name)
        check.integer("save", "num_files", num_files, 1, 1000)
        check.option(
            "save", "file_type", check.string("save", "file_type", file_type), ["mindrecord"]
        )
        METHODS["save"](self, file_name, num_files)

    def explain(self) -> str:
        """How this pipeline will run: which steps are joined, by whom they are done, what waits for what.

        Returns:
            The text.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> "NumpySlices" in data.explain()
            True
        """
        return explain(self)

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """This pipeline as a dict of plain values, written to a JSON file if one is named.

        Args:
            filename: The file; "" for none.

        Returns:
            The dict.

        Raises:
            TypeError: If it is no str.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> data.to_json()["op_type"]
            'NumpySlicesDataset'
        """
        check.string("to_json", "filename", filename)
        content = described(self)
        if filename:
            write(content, filename)
        return content

    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> DictIterator:
        """Rows as dicts from column name to Tensor.

        Args:
            num_epochs: The number of passes; -1: any.
            output_numpy: Give arrays in place of Tensors.
            do_copy: Whether Tensors get memory of their own.

        Returns:
            The iterator.

        Raises:
            TypeError: If an argument has another type.
            PipelineError: If `num_epochs` is 0 or less than -1.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [float(row["x"]) for row in data.create_dict_iterator(num_epochs=1)]
            [1.0, 2.0, 3.0]
        """
        return DictIterator(self, num_epochs, output_numpy, do_copy)

    def create_tuple_iterator(
        self,
        columns: Any = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
    ) -> TupleIterator:
        """Rows as lists of Tensors.

        Args:
            columns: The columns, in this order; default: all.
            num_epochs, output_numpy, do_copy: As for `create_dict_iterator`.

        Returns:
            The iterator.

        Raises:
            TypeError: If an argument has another type.
            PipelineError: If `num_epochs` is 0 or less than -1, or there is no such column.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [float(x) for x, in data.create_tuple_iterator(num_epochs=1)]
            [1.0, 2.0, 3.0]
        """
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
        """A queue of this dataset's rows, see `TransferDataset`; `Model.train` with sink makes one itself.

        Args:
            send_epoch_end: Whether the reader learns where a pass ends.
            create_data_info_queue: Whether types and shapes of the rows can be asked for.
            queue_name: The name; "" for one that is made.

        Returns:
            The queue.

        Raises:
            TypeError: If an argument has another type.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> data.device_que().get_dataset_size()
            3
        """
        return METHODS["device_que"](
            self, send_epoch_end, create_data_info_queue, queue_name
        )

    to_device = device_que

    def build_vocab(
        self,
        columns: Any,
        freq_range: tuple | None,
        top_k: int | None,
        special_tokens: list[str] | None,
        special_first: bool,
    ) -> Any:
        """The words of columns with their numbers: `text.Vocab.from_dataset`.

        Args:
            columns: A name, or a list of names; None for all.
            freq_range: How often a word must occur, (least, most); None for any.
            top_k: How many words to keep; None for all.
            special_tokens: Further words.
            special_first: Whether these come first.

        Returns:
            The `text.Vocab`.

        Raises:
            TypeError, ValueError: If an argument has another type or value.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"word": ["b", "a", "b"]})
            >>> data.build_vocab("word", None, None, None, True).vocab()
            {'b': 0, 'a': 1}
        """
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
        """Pieces of words learnt from columns: `text.SentencePieceVocab.from_dataset`.

        Args:
            columns: A list of names; an empty one for all.
            vocab_size: The number of pieces.
            character_coverage: Share of the characters that get pieces of their own, in [0.98, 1.0].
            model_type: The algorithm, a `text.SentencePieceModel`.
            params: Further options of SentencePiece's trainer, as strings.

        Returns:
            The `text.SentencePieceVocab`.

        Raises:
            TypeError, ValueError: If an argument has another type or value.
            PipelineError: If so many pieces cannot be learnt.

        Examples:
            >>> from mindspore.dataset import text
            >>> data = dataset.NumpySlicesDataset({"line": ["a b c a b", "b c a a b"] * 10})
            >>> vocab = data.build_sentencepiece_vocab(["line"], 8, 1.0, text.SentencePieceModel.UNIGRAM, {})
            >>> pieces = text.SentencePieceTokenizer(vocab, text.SPieceTokenizerOutType.STRING)("a b")
            >>> "".join(pieces.tolist())
            '▁a▁b'
        """
        return METHODS["build_sentencepiece_vocab"](
            self, columns, vocab_size, character_coverage, model_type, params
        )
