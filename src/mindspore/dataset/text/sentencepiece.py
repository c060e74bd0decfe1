"""Pieces of words learnt from text: SentencePiece (Kudo, Richardson 2018). Needs the package `sentencepiece`."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.text._sentencepiece_models import check_model
from mindspore.dataset.text.base import TextTensorOperation, strings
from mindspore.dataset.text.enums import SentencePieceModel, SPieceTokenizerOutType
from mindspore.dataset.text.vocab import words_of
from mindspore.formats.files import atomic


def _package() -> Any:
    try:
        import sentencepiece  # not every program wants it
    except ImportError:
        raise ImportError(
            "SentencePiece needs the package 'sentencepiece': pip install 'anyspore[text]'."
        ) from None
    return sentencepiece


class SentencePieceVocab:
    """Pieces of words. Made by `from_dataset` or `from_file`.

    Examples:
        >>> data = dataset.NumpySlicesDataset({"text": ["a cat sat", "a cat ran", "the cat sat"]}, shuffle=False)
        >>> vocab = text.SentencePieceVocab.from_dataset(data, ["text"], 14, 1.0, text.SentencePieceModel.BPE, {})
        >>> isinstance(vocab, text.SentencePieceVocab)
        True
    """

    def __init__(self) -> None:
        self._model: bytes | None = None

    @property
    def model(self) -> bytes:
        """The pieces in the format of SentencePiece."""
        if self._model is None:
            raise PipelineError(
                "For 'SentencePieceVocab', there are no pieces yet. Make it by 'SentencePieceVocab.from_dataset' or "
                "'SentencePieceVocab.from_file'."
            )
        return self._model

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        col_names: Any,
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """Learn pieces from columns of a dataset.

        Args:
            dataset: The dataset.
            col_names: A list of names; an empty one means all columns.
            vocab_size: Number of pieces.
            character_coverage: Share of the characters that get pieces of their own, in [0.98, 1.0].
            model_type: The algorithm.
            params: Further options of SentencePiece's trainer, as strings.
        """
        owner = "from_dataset"
        check.instance(owner, "col_names", col_names, (list, tuple))
        for name in col_names:
            check.string(owner, "col_names", name)
        options = _options(owner, vocab_size, character_coverage, model_type, params)
        sentences = list(words_of(owner, dataset, list(col_names)))  # so that its errors arrive
        return _learnt(owner, options, sentence_iterator=iter(sentences))

    @classmethod
    def from_file(
        cls,
        file_path: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """Learn pieces from text files, one sentence in each line.

        Args:
            file_path: The files.
            vocab_size, character_coverage, model_type, params: As for `from_dataset`.
        """
        owner = "from_file"
        check.instance(owner, "file_path", file_path, list)
        for path in file_path:
            check.string(owner, "file_path", path)
        if not file_path:
            raise check.fail(
                PipelineError, owner, "file_path", "a list of files, not empty", file_path
            )
        options = _options(owner, vocab_size, character_coverage, model_type, params)
        for path in file_path:
            _look(owner, path)
        return _learnt(owner, options, input=file_path)

    @classmethod
    def save_model(cls, vocab: SentencePieceVocab, path: str, filename: str) -> None:
        """Write the pieces to the file `filename` in the folder `path`."""
        check.instance("save_model", "vocab", vocab, SentencePieceVocab)
        check.string("save_model", "path", path)
        check.string("save_model", "filename", filename)
        try:
            with atomic(os.path.join(path, filename)) as file:
                file.write(vocab.model)
        except OSError as error:
            raise PipelineError(f"For 'save_model', the file cannot be written: {error}.") from None


def _look(owner: str, path: str) -> None:
    """Tell of what is no file, which the trainer would wait for or read without end."""
    try:
        os.close(regular(path, os.O_RDONLY))
    except OSError as error:
        raise PipelineError(f"For '{owner}', the file '{path}' cannot be read: {error}.") from None


def _options(owner: str, size: Any, coverage: Any, model_type: Any, params: Any) -> dict[str, Any]:
    check.integer(owner, "vocab_size", size, 0, 2**32 - 1)
    check.floating(owner, "character_coverage", coverage)
    check.instance(owner, "model_type", model_type, SentencePieceModel)
    check.instance(owner, "params", params, dict)
    for name, value in params.items():
        check.string(owner, "params", name)
        check.string(owner, "params", value)
    return {
        "vocab_size": size,
        "character_coverage": coverage,
        "model_type": model_type.name.lower(),
        "minloglevel": 2,
        **params,
    }


def _learnt(owner: str, options: dict[str, Any], **source: Iterable[str]) -> SentencePieceVocab:
    package, model = _package(), io.BytesIO()
    try:
        package.SentencePieceTrainer.train(model_writer=model, **options, **source)
    except PipelineError:
        raise
    except (RuntimeError, OSError) as error:
        raise PipelineError(f"For '{owner}', no pieces can be learnt: {error}.") from None
    vocab = SentencePieceVocab()
    vocab._model = model.getvalue()
    return vocab


class SentencePieceTokenizer(TextTensorOperation):
    """A sentence as pieces of words.

    Args:
        mode: The pieces: a SentencePieceVocab, or the file of a model.
        out_type: Whether to give the pieces or their numbers.

    Inputs:
        One string.

    Outputs:
        (n,) strings or int32.

    Examples:
        >>> data = dataset.NumpySlicesDataset({"text": ["a cat sat", "a cat ran", "the cat sat"]}, shuffle=False)
        >>> vocab = text.SentencePieceVocab.from_dataset(data, ["text"], 14, 1.0, text.SentencePieceModel.BPE, {})
        >>> tokens = text.SentencePieceTokenizer(vocab, text.SPieceTokenizerOutType.STRING)("a cat")
        >>> "".join(tokens.tolist())
        '▁a▁cat'
    """

    def __init__(self, mode: SentencePieceVocab | str, out_type: SPieceTokenizerOutType):
        check.instance(self, "mode", mode, (SentencePieceVocab, str))
        self.out_type = check.instance(self, "out_type", out_type, SPieceTokenizerOutType)
        self._pieces = self._processor(mode)

    def _processor(self, mode: SentencePieceVocab | str) -> Any:
        pieces = _package().SentencePieceProcessor()
        try:
            if isinstance(mode, str):
                with open(mode, "rb", opener=regular) as file:
                    content = file.read()
                check_model(content)
                pieces.Load(model_proto=content)
            else:
                pieces.Load(model_proto=mode.model)
        except (RuntimeError, OSError, TypeError, ValueError) as error:
            if isinstance(error, PipelineError):
                raise
            raise PipelineError(
                f"For 'SentencePieceTokenizer', the model '{mode}' cannot be read: {error}."
            ) from None
        return pieces

    def apply(self, value: np.ndarray) -> np.ndarray:
        return self._cut(strings(self, value, (0,)).item())

    def apply_stack(self, stack: np.ndarray) -> Any:
        if stack.ndim != 1 or stack.dtype.kind != "U":
            return None
        return [self._cut(text) for text in stack.tolist()]

    def _cut(self, text: str) -> np.ndarray:
        if self.out_type is SPieceTokenizerOutType.INT:
            return np.array(self._pieces.EncodeAsIds(text), np.int32)
        pieces = self._pieces.EncodeAsPieces(text)
        return np.array(pieces) if pieces else np.empty(0, np.str_)
