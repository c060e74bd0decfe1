"""Model: a network with loss, optimizer and metrics, trained, evaluated and asked."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import amp, nn
from mindspore.boost import LEVELS, AutoBoost
from mindspore.core import check, context
from mindspore.distributed import get_group_size
from mindspore.eager.tensor import Tensor

from . import _model_arguments as arguments
from . import loop
from .callback import RunContext, _CallbackManager, _InternalCallbackParam
from .dataset_helper import check_sink_size, checked_dataset
from .layouts import Layouts

_OPTIONS = ("loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level")


class Model(Layouts):
    """A network together with what trains and evaluates it.

    Args:
        network: The network; with its loss, if `loss_fn` is None; with its optimizer, too, if that is
            None (such as a `TrainOneStepCell`).
        loss_fn: The loss, of the network's output and the label.
        optimizer: The optimizer.
        metrics: What an evaluation computes: a set of names, or a dict from names to metrics.
        eval_network: The cell of an evaluation step. Default: `nn.WithEvalCell(network, loss_fn)`.
        eval_indexes: Which outputs of `eval_network` are loss, prediction and label. Default: all
            outputs go to every metric.
        amp_level: "O0", "O1", "O2", "O3" or "auto"; see `amp.auto_mixed_precision`.
        boost_level: "O0", or "O1" or "O2": what `mindspore.boost.AutoBoost` chooses, with `boost_config_dict`;
            `acc_level` is its old name.
        kwargs: `acc_level` and `boost_config_dict`, see above, and these two:
        loss_scale_manager: None or a LossScaleManager, in place of the level's choice.
        keep_batchnorm_fp32: Whether norms stay in float32, in place of the level's choice; None: as the level says.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument is unknown or has a wrong value.

    Examples:
        >>> net = nn.Dense(3, 1)
        >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), {"mae"})
        >>> model.predict(ops.ones((2, 3))).shape
        (2, 1)
    """

    def __init__(self, network: nn.Cell, loss_fn: Any = None, optimizer: Any = None,
                 metrics: Any = None, eval_network: Any = None, eval_indexes: Any = None,
                 amp_level: str = "O0", boost_level: str = "O0", **kwargs: Any):
        check.instance(self, "network", network, nn.Cell)
        if loss_fn is not None and not callable(loss_fn):
            raise check.fail(TypeError, self, "loss_fn", "a Cell", loss_fn)
        self._network, self._loss_fn, self._optimizer = network, loss_fn, optimizer
        self._amp_level = amp_level
        self._options = self._checked_options(kwargs, boost_level)
        self._loss_scale_manager = kwargs.get("loss_scale_manager")
        self._loss_scale_manager_set = "loss_scale_manager" in kwargs         # for models that derive from this one
        self._keep_bn_fp32 = kwargs.get("keep_batchnorm_fp32")
        self._parallel_mode = context.get_auto_parallel_context("parallel_mode")
        self._metrics = {} if metrics is None else nn.get_metrics(metrics)
        self._train_network = self._build_train_network()
        self._build_eval_network(eval_network, eval_indexes)

    def _check_kwargs(self, kwargs: dict[str, Any]) -> None:
        for name in kwargs:
            if name not in _OPTIONS:
                raise ValueError(f"For 'Model', the further arguments are {list(_OPTIONS)}, but got "
                                 f"'{name}'.")

    def _checked_options(self, given: dict[str, Any], boost_level: str) -> dict[str, Any]:
        self._check_kwargs(given)
        level = check.option("Model", "boost_level", given.get("acc_level", boost_level), LEVELS)
        if level != "O0":
            chosen = AutoBoost(level, given.get("boost_config_dict") or {})
            self._network, self._optimizer = chosen.network_auto_process_train(self._network, self._optimizer)
        self._boost_level = level
        kept = ("loss_scale_manager", "keep_batchnorm_fp32")
        return {k: v for k, v in given.items() if k in kept and (k, v) != ("keep_batchnorm_fp32", None)}

    def _build_train_network(self) -> nn.Cell:
        network, loss_fn = self._network, self._loss_fn
        if self._optimizer is not None:
            return amp.build_train_network(network, self._optimizer, loss_fn, level=self._amp_level,
                                           boost_level=self._boost_level, **self._options)
        arguments.check_without_optimizer(self._amp_level, self._loss_scale_manager)
        return network if loss_fn is None else nn.WithLossCell(network, loss_fn)

    def _build_eval_network(self, given: Any, indexes: Any) -> None:
        self._eval_network, self._eval_indexes = given, indexes
        if not self._metrics:
            return
        if given is not None:
            if indexes is not None and not (isinstance(indexes, list) and len(indexes) == 3):
                raise ValueError("The argument 'eval_indexes' must be a list or None. If 'eval_indexes' is "
                                 f"a list, length of it must be three. But got 'eval_indexes' {indexes}")
            return
        if self._loss_fn is None:
            raise ValueError("If `metrics` is set, `eval_network` must not be None. Do not set `metrics` "
                             "if you don't want an evaluation.")
        cast = self._amp_level in ("O2", "O3", "auto")
        self._eval_network = nn.WithEvalCell(self._network, self._loss_fn, cast)
        self._eval_indexes = [0, 1, 2]

    # ------------------------------------------------------------------ the cells

    @property
    def train_network(self) -> nn.Cell:
        """The cell of a training step.

        Returns:
            The cell.
        """
        return self._train_network

    @property
    def eval_network(self) -> nn.Cell | None:
        """The cell of an evaluation step."""
        return self._eval_network

    @property
    def predict_network(self) -> nn.Cell:
        """The network that `predict` asks."""
        return self._network

    # ------------------------------------------------------------------ training

    def train(self, epoch: int, train_dataset: Any, callbacks: Any = None,
              dataset_sink_mode: bool = False, sink_size: int = -1, initial_epoch: int = 0) -> None:
        """Train for some epochs.

        Args:
            epoch: The number of the last epoch.
            train_dataset: The batches: data and label for a model with a loss.
            callbacks: A callback or a list of them.
            dataset_sink_mode: Whether callbacks see an epoch as one step. A small step in graph mode, which is one
                native function, runs several times without Python then, with the batches that are ready.
            sink_size: Steps of an epoch with sink; -1 for one pass over the dataset.
            initial_epoch: Epochs that are done already, in a training that is resumed.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If a number is out of range, or the batches do not suit the loss.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": np.ones((4, 2), np.float32)})
            >>> net = nn.Dense(3, 2, "zeros", "zeros")
            >>> model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
            >>> model.train(1, data.batch(4))
            >>> [round(b, 4) for b in net.bias.tolist()]
            [0.1, 0.1]
        """
        arguments.check_run("Model.train", epoch, train_dataset, dataset_sink_mode, sink_size, initial_epoch)
        self._run(epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch, None)

    def fit(self, epoch: int, train_dataset: Any, valid_dataset: Any = None,
            valid_frequency: int | list[int] = 1, callbacks: Any = None,
            dataset_sink_mode: bool = False, valid_dataset_sink_mode: bool = False,
            sink_size: int = -1, initial_epoch: int = 0) -> None:
        """Train for some epochs and evaluate in between.

        Args:
            epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch: As in `train`.
            valid_dataset: The batches of the evaluations; None for none.
            valid_frequency: Epochs between evaluations, or the list of the epochs that end with one.
            valid_dataset_sink_mode: Whether callbacks see an evaluation as one step.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If a number is out of range, or the model has no metrics.
        """
        arguments.check_run("Model.fit", epoch, train_dataset, dataset_sink_mode, sink_size, initial_epoch)
        check.boolean("Model.fit", "valid_dataset_sink_mode", valid_dataset_sink_mode)
        validation = None
        if valid_dataset is not None:
            arguments.check_validation(valid_dataset, valid_frequency, self._metrics)
            validation = (valid_dataset, valid_frequency, valid_dataset_sink_mode)
        self._run(epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch,
                  validation)

    def _run(self, epoch: int, dataset: Any, callbacks: Any, sink: bool, sink_size: int,
             initial_epoch: int, validation: tuple[Any, Any, bool] | None) -> None:
        network = self._train_network.set_train()
        self._network.phase = "train"
        batch_num = arguments.batches_of_an_epoch(dataset, sink, sink_size)
        with _CallbackManager(callbacks) as manager:
            now = self._train_state(epoch - initial_epoch, batch_num, dataset, sink, manager)
            now.cur_step_num = loop.initial_step(dataset)
            now.initial_step = now.cur_step_num or None

            def validate(run: RunContext) -> None:
                if validation is not None:
                    self._validate(run, manager, *validation)

            context = RunContext(now)
            context.first_epoch = initial_epoch
            loop.train(self._stepping(network), context, manager, epoch, sink, validate if validation else None,
                       self._check_batch)

    def _stepping(self, network: nn.Cell) -> Any:
        """What the loop of a training calls for a step; a kind of model may do something before each."""
        return network

    def _train_state(self, epoch: int, batch_num: int, dataset: Any, sink: bool,
                     manager: _CallbackManager) -> _InternalCallbackParam:
        step = self._train_network
        return _InternalCallbackParam(
            mode="train", network=self._network, train_network=step, loss_fn=self._loss_fn,
            optimizer=self._optimizer or getattr(step, "optimizer", None), epoch_num=epoch,
            batch_num=batch_num, cur_step_num=0, train_dataset=dataset, train_dataset_element=None,
            list_callback=manager.callbacks, dataset_sink_mode=sink,
            parallel_mode=self._parallel_mode, device_number=get_group_size(),
            loss_scale_mananger=self._loss_scale_manager, initial_step=None,
            last_save_ckpt_step=None, latest_ckpt_file=None)

    def _check_batch(self, batch: Any) -> None:
        if self._loss_fn is not None and len(batch) != 2:
            raise ValueError("When 'loss_fn' is not None, 'train_dataset' should return two elements, but "
                             f"got {len(batch)}, please check the number of elements returned by "
                             "'train_dataset'")

    # ------------------------------------------------------------------ evaluation

    def eval(self, valid_dataset: Any, callbacks: Any = None,
             dataset_sink_mode: bool = False) -> dict[str, Any]:
        """Compute the metrics over a dataset.

        Args:
            valid_dataset: The batches.
            callbacks: A callback or a list of them.
            dataset_sink_mode: Whether callbacks see the evaluation as one step.

        Returns:
            The metrics by name.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If the model has no metrics.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": np.eye(2, dtype=np.float32), "y": [0, 1]}, shuffle=False)
            >>> model = train.Model(nn.ReLU(), nn.CrossEntropyLoss(), metrics={"accuracy"})
            >>> found = model.eval(data.map(transforms.TypeCast(np.int32), "y").batch(2))
            >>> float(found["accuracy"])
            1.0
        """
        check.boolean("Model.eval", "dataset_sink_mode", dataset_sink_mode)
        checked_dataset("Model.eval", "valid_dataset", valid_dataset)
        if not self._metrics:
            raise ValueError("For Model.eval, the model argument 'metrics' can not be None or empty, you "
                             "should set the argument 'metrics' for model.")
        with _CallbackManager(callbacks) as manager:
            now = self._eval_state(valid_dataset, dataset_sink_mode, manager)
            return self._evaluate(RunContext(now), manager, dataset_sink_mode)

    def _eval_state(self, dataset: Any, sink: bool, manager: _CallbackManager) -> _InternalCallbackParam:
        return _InternalCallbackParam(
            mode="eval", network=self._network, eval_network=self._eval_network, cur_step_num=0,
            batch_num=dataset.get_dataset_size(), valid_dataset=dataset,
            list_callback=manager.callbacks, dataset_sink_mode=sink)

    def _evaluate(self, run: RunContext, manager: _CallbackManager, sink: bool) -> dict[str, Any]:
        now = run.original_args()
        for metric in self._metrics.values():
            metric.clear()
        before = self._eval_network.training
        self._eval_network.set_train(False)
        try:
            loop.evaluate(self._eval_network, run, manager, sink, self._update_metrics)
        finally:
            self._eval_network.set_train(before)
        found = {name: metric.eval() for name, metric in self._metrics.items()}
        now.metrics = found
        now.eval_results = dict(found)
        if self._loss_fn is not None and isinstance(now.get("net_outputs"), (tuple, list)):
            now.eval_results["eval_loss"] = float(np.mean(now.net_outputs[0].asnumpy()))
        manager.on_eval_end(run)
        return found

    def _validate(self, run: RunContext, manager: _CallbackManager, dataset: Any, frequency: Any,
                  sink: bool) -> None:
        """The evaluation at the end of an epoch of `fit`; its results become part of the run's state."""
        now = run.original_args()
        epoch = now.cur_epoch_num
        if not (epoch in frequency if isinstance(frequency, list) else epoch % frequency == 0):
            return
        state = _InternalCallbackParam({**now, **self._eval_state(dataset, sink, manager)})
        inner = RunContext(state)
        self._evaluate(inner, manager, sink)
        for name in ("eval_network", "valid_dataset", "eval_dataset_element", *loop.RESULTS):
            now[name] = state.get(name)
        if inner.get_stop_requested():
            run.request_stop()

    def _update_metrics(self, outputs: Any) -> None:
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        if not isinstance(outputs, (tuple, list)):
            raise ValueError("For 'Model.eval', the 'eval_network' must return a Tensor or a tuple, but got "
                             f"{type(outputs).__name__}.")
        places = self._eval_indexes
        if places is not None and len(outputs) <= max(places):
            raise ValueError(f"For 'Model.eval', the 'eval_network' must return as many outputs as "
                             f"'eval_indexes' {places} names, but got {len(outputs)}.")
        for metric in self._metrics.values():
            if places is None:
                metric.update(*outputs)
            elif isinstance(metric, nn.Loss):
                metric.update(outputs[places[0]])
            else:
                metric.update(outputs[places[1]], outputs[places[2]])

    # ------------------------------------------------------------------ prediction

    def predict(self, *predict_data: Any, backend: str | None = None, config: Any = None) -> Any:
        """The network's output for these inputs.

        Args:
            predict_data: The inputs.
            backend: Only None is taken: there is no second inference engine.
            config: Only None is taken: options of that engine.

        Returns:
            The output: a tensor, or what holds them.

        Raises:
            TypeError: If an input is an array: make a Tensor of it.
            ValueError: If `backend` or `config` is given.

        Examples:
            >>> train.Model(nn.ReLU()).predict(Tensor([-1.0, 2.0])).tolist()
            [0.0, 2.0]
        """
        if backend is not None or config is not None:
            raise ValueError("For 'Model.predict', 'backend' and 'config' must be None: the network runs "
                             f"where it was trained; but got {backend!r} and {config!r}.")
        for value in predict_data:
            if isinstance(value, np.ndarray):
                raise TypeError("For 'Model.predict', an input must be a Tensor, a number, a str, or a tuple, "
                                "list or dict of these, but got an ndarray: make a Tensor of it.")
        self._network.set_train(False)
        return self._network(*predict_data)

    def build(self, train_dataset: Any = None, valid_dataset: Any = None, sink_size: int = -1,
              epoch: int = 1, sink_mode: bool = True) -> None:
        """Compile the cells of training and evaluation for the first batch of the datasets.

        Only in graph mode is there something to compile.  The other arguments are accepted for
        programs that plan sinks; they do not change what is compiled.
        """
        check.boolean("Model.build", "sink_mode", sink_mode)
        check_sink_size("Model.build", sink_size)
        check.positive_int("Model.build", "epoch", epoch)
        for name, dataset in (("train_dataset", train_dataset), ("valid_dataset", valid_dataset)):
            if dataset is not None:
                checked_dataset("Model.build", name, dataset)
        if context.get_context("mode") != context.GRAPH_MODE:
            return
        for dataset, cell, training in ((train_dataset, self._train_network, True),
                                        (valid_dataset, self._eval_network, False)):
            if dataset is None:
                continue
            if cell is None:
                raise ValueError("For 'Model.build', a 'valid_dataset' needs metrics: give the model the "
                                 "argument 'metrics'.")
            cell.set_train(training)
            batch = next(iter(dataset.create_tuple_iterator(num_epochs=1)))
            cell.compile(*batch)


__all__ = ["Model"]
