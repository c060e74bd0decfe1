"""The settings of automatic parallelism as methods of a cell around the network."""
from __future__ import annotations

from typing import Any

from mindspore.core import check, context, log
from mindspore.core.parallel_modes import no_norms
from mindspore.core.plain_files import regular
from mindspore.parallel.strategies import set_op_strategy_config

from ..cell import Cell

MODES = {"semi_auto": ("semi_auto_parallel", {}),
         "sharding_propagation": ("auto_parallel", {"search_mode": "sharding_propagation"}),
         "recursive_programming": ("auto_parallel", {"search_mode": "recursive_programming"})}


class AutoParallel(Cell):
    """A network, or a training step, that several processes compute together.

    The settings are those of `set_auto_parallel_context` and hold for the program, as they do there.

    Args:
        network: The network.
        parallel_mode: "semi_auto", "sharding_propagation" or "recursive_programming".

    Raises:
        TypeError: `network` is no cell.
        ValueError: The mode is another one.

    Examples:
        >>> from mindspore.parallel.auto_parallel import AutoParallel
        >>> net = AutoParallel(nn.Dense(3, 2))
        >>> net(ops.ones((1, 3))).shape
        (1, 2)
        >>> mindspore.reset_auto_parallel_context()
    """

    def __init__(self, network, parallel_mode="semi_auto"):
        super().__init__(auto_prefix=False)
        self.network = check.instance(self, "network", network, Cell)
        if parallel_mode not in MODES:
            raise ValueError(f"the argument 'parallel_mode' must be one of {list(MODES)}, but got the value : "
                             f"{parallel_mode} .")
        mode, more = MODES[parallel_mode]
        context.set_auto_parallel_context(parallel_mode=mode, **more)

    @property
    def takes_batches(self) -> bool:
        """Whether its inputs are batches, of which each process has its share."""
        return getattr(self.network, "takes_batches", False)

    def construct(self, *args, **kwargs):
        return self.network(*args, **kwargs)

    def dataset_strategy(self, config):
        """How a batch reaches the processes: "data_parallel" or "full_batch"."""
        context.set_auto_parallel_context(dataset_strategy=config)

    def hsdp(self, shard_size=-1, threshold=64, optimizer_level="level1"):
        """Cut the parameters and the state of the optimizer.

        Args:
            shard_size: Into how many pieces at most; -1 for as many as there are processes.
            threshold: The KB from which on parameters are cut.
            optimizer_level: "level1", "level2", or "level3", where derivatives put parameters together anew.
        """
        if shard_size != -1:
            check.positive_int("hsdp", "shard_size", shard_size)
        check.non_negative_int("hsdp", "threshold", threshold)
        check.option("hsdp", "optimizer_level", optimizer_level, ("level1", "level2", "level3"))
        context.set_auto_parallel_context(enable_parallel_optimizer=True, parallel_optimizer_config={
            "parallel_optimizer_threshold": threshold, "optimizer_weight_shard_size": shard_size,
            "optimizer_level": optimizer_level})

    def pipeline(self, stages=1, output_broadcast=False, interleave=False, scheduler="1f1b"):
        """Cut the network into stages; see `pipeline_stages` and `pipeline_config` of the context."""
        context.set_auto_parallel_context(pipeline_stages=stages, pipeline_result_broadcast=output_broadcast,
                                          pipeline_config={"pipeline_interleave": interleave,
                                                           "pipeline_scheduler": scheduler})

    def get_pipeline_stages(self):
        """The number of stages."""
        return context.get_auto_parallel_context("pipeline_stages")

    def comm_fusion(self, config):
        """Which messages travel together; results are the same."""
        context.set_auto_parallel_context(comm_fusion=config)

    def enable_fp32_communication(self):
        """Add up in float32."""
        context.set_auto_parallel_context(force_fp32_communication=True)

    def enable_gradients_mean(self):
        """Divide gradients that are added up over shares of a batch by their number."""
        context.set_auto_parallel_context(gradients_mean=True)

    def disable_gradient_fp32_sync(self):
        """Add gradients up in their own type."""
        context.set_auto_parallel_context(gradient_fp32_sync=False)

    def disable_loss_repeated_mean(self):
        """Leave gradients of a loss that several processes compute undivided; see `loss_repeated_mean`."""
        context.set_auto_parallel_context(loss_repeated_mean=False)

    def save_param_strategy_file(self, file_path):
        """Write how parameters lie to a strategy file."""
        self._strategy_file(save_file=file_path)

    def load_param_strategy_file(self, file_path):
        """Let parameters lie as a strategy file says."""
        self._strategy_file(load_file=file_path)

    def disable_strategy_file_only_for_trainable_params(self):
        """Write all parameters to strategy files, not only trainable ones."""
        self._strategy_file(only_trainable_params=False)

    def _strategy_file(self, **more: Any) -> None:
        context.set_auto_parallel_context(
            strategy_ckpt_config={**context.get_auto_parallel_context("strategy_ckpt_config"), **more})

    def save_operator_strategy_file(self, file_path):
        """Write how operators are cut to a JSON file with an absolute path."""
        set_op_strategy_config("SAVE", file_path)

    def load_operator_strategy_file(self, file_path):
        """Cut operators as a JSON file with an absolute path says."""
        set_op_strategy_config("LOAD", file_path)

    def set_group_ckpt_save_file(self, file_path):
        """Write which processes have the same parameters."""
        context.set_auto_parallel_context(group_ckpt_save_file=file_path)

    def print_local_norm(self):
        """Refused: the parts of a gradient that a process has are nothing by themselves in plans of a search."""
        raise no_norms("print_local_norm")

    def dump_local_norm(self, file_path):
        """Refused, as `print_local_norm`."""
        raise no_norms("dump_local_norm")

    def enable_device_local_norm(self):
        """Refused, as `print_local_norm`."""
        raise no_norms("enable_device_local_norm")

    def no_init_parameters_in_compile(self):
        """Parameters have their values from the start here, so nothing is left to later."""
        log.info("For 'no_init_parameters_in_compile', parameters have their values already.")

    def transformer_opt(self, file_path):
        """Orders of communication on Ascend; nothing depends on them here, the file is only looked at.

        Raises:
            ValueError: The file does not exist.
        """
        check.instance("transformer_opt", "file_path", file_path, str)
        with open(file_path, encoding="utf-8", opener=regular):
            pass
