"""The layers between attentions: one of two maps, or a mixture of experts."""
from __future__ import annotations

from math import ceil
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float16, float32

from ..cell import Cell
from ..dropout import Dropout
from ..linear import Dense
from .configuration import divides, parts
from .layers import _Linear


class FeedForward(Cell):
    """Two affine maps with an activation between them, and dropout.

    Args:
        hidden_size: Length of input and output.
        ffn_hidden_size: Length between the maps.
        dropout_rate: Probability of dropout.
        hidden_act: The activation: a name or a cell class.
        expert_num: Number of experts, each with maps of its own; see `MoE`.
        expert_group_size: Number of tokens of a group, with experts.
        param_init_type: Element type of the parameters.
        parallel_config: How rows and features are split; an `OpParallelConfig`.

    Inputs:
        x: (batch, seq, hidden) or (batch * seq, hidden).

    Outputs:
        The same shape, in float16.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive, or the parts do not divide what they cut.

    Examples:
        >>> from mindspore.nn.transformer import FeedForward
        >>> FeedForward(hidden_size=15, ffn_hidden_size=30, dropout_rate=0.1)(ops.ones((2, 20, 15))).shape
        (2, 20, 15)
    """

    def __init__(self, hidden_size: int, ffn_hidden_size: int, dropout_rate: float, hidden_act: Any = "gelu",
                 expert_num: int = 1, expert_group_size: int | None = None, param_init_type: DType = float32,
                 parallel_config: Any = None):
        super().__init__()
        dp, mp = parts(self, parallel_config)
        self.hidden_size = check.positive_int(self, "hidden_size", hidden_size)
        divides(self, "ffn_hidden_size", check.positive_int(self, "ffn_hidden_size", ffn_hidden_size),
                "model_parallel", mp)
        divides(self, "hidden_size", hidden_size, "model_parallel", mp)
        more = {"transpose_b": False, "expert_num": expert_num, "param_init_type": param_init_type,
                "expert_group_size": expert_group_size}
        self.mapping = _Linear(hidden_size, ffn_hidden_size, activation=hidden_act, **more)
        self.projection = _Linear(ffn_hidden_size, hidden_size, **more)
        self.dropout = Dropout(p=dropout_rate)
        if dp * mp > 1 and expert_num == 1:
            self.mapping.shard(((dp, 1), (1, mp)), ((dp, mp), (mp,)))
            self.projection.shard(((dp, mp), (mp, 1)), ((dp, 1), (1,)))

    def construct(self, x):
        return self.dropout(self.projection(self.mapping(x.astype(float16))))


class MoEConfig:
    """What a mixture of experts is like.

    Args:
        expert_num: Number of experts.
        capacity_factor: How many times its even share of the tokens an expert can take, at least 1.
        aux_loss_factor: Weight of the auxiliary loss, between 0 and 1.
        num_experts_chosen: Number of experts for each token, at most `expert_num`.
        expert_group_size: Number of tokens that share the capacity. Default: those of a part of the batch.
        group_wise_a2a, comp_comm_parallel, comp_comm_parallel_degree: How tokens travel between devices; on one device
            none does.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is out of range.

    Examples:
        >>> from mindspore.nn.transformer import MoEConfig
        >>> MoEConfig(expert_num=4, num_experts_chosen=2).expert_num
        4
    """

    def __init__(self, expert_num: int = 1, capacity_factor: float = 1.1, aux_loss_factor: float = 0.05,
                 num_experts_chosen: int = 1, expert_group_size: int | None = None, group_wise_a2a: bool = False,
                 comp_comm_parallel: bool = False, comp_comm_parallel_degree: int = 2):
        self.expert_num = check.positive_int(self, "expert_num", expert_num)
        self.capacity_factor = check.number(self, "capacity_factor", capacity_factor, 1.0)
        self.aux_loss_factor = check.number(self, "aux_loss_factor", aux_loss_factor, 0.0, 1.0, open_high=True)
        self.num_experts_chosen = check.integer(self, "num_experts_chosen", num_experts_chosen, 1, expert_num)
        self.expert_group_size = check.optional(check.positive_int, self, "expert_group_size", expert_group_size)
        self.group_wise_a2a = check.boolean(self, "group_wise_a2a", group_wise_a2a)
        self.comp_comm_parallel = check.boolean(self, "comp_comm_parallel", comp_comm_parallel)
        self.comp_comm_parallel_degree = check.positive_int(self, "comp_comm_parallel_degree",
                                                            comp_comm_parallel_degree)


class Router(Cell):
    """Sends tokens to experts (Fedus, Zoph and Shazeer 2021; Lepikhin et al. 2020 for several experts a token).

    Every expert takes the first tokens of a group that chose it, up to its capacity: first choices before second ones.

    Args:
        d_model: Length of a token's vector.
        moe_config: A `MoEConfig`.

    Inputs:
        x: (groups, tokens, d_model).

    Outputs:
        dispatch (groups, tokens, experts, capacity) of zeros and ones, combine of the same shape with the weights of
        the experts, and the auxiliary loss: aux_loss_factor * experts * sum of (share of first choices) * (mean
        probability) over the experts, averaged over the groups.

    Examples:
        >>> from mindspore.nn.transformer import MoEConfig, Router
        >>> dispatch, combine, loss = Router(4, MoEConfig(expert_num=2))(ops.ones((1, 6, 4)))
        >>> dispatch.shape, loss.shape
        ((1, 6, 2, 4), ())
    """

    def __init__(self, d_model: int, moe_config: MoEConfig):
        super().__init__()
        self.config = check.instance(self, "moe_config", moe_config, MoEConfig)
        self.dense = Dense(d_model, moe_config.expert_num, has_bias=False)

    def capacity(self, tokens: int) -> int:
        """How many tokens of a group an expert takes."""
        c = self.config
        return min(tokens, ceil(c.num_experts_chosen * tokens * c.capacity_factor / c.expert_num))

    def construct(self, x):
        c = self.config
        probs = ops.softmax(self.dense(x.astype(float32)), -1)
        left, taken, chosen = probs, 0.0, []
        for _ in range(c.num_experts_chosen):
            mask = ops.one_hot(ops.argmax(left, -1), c.expert_num).astype(float32)
            place = (ops.cumsum(mask, 1) - mask + taken) * mask          # the token's place in the queue of its expert
            taken = taken + mask.sum(1, keepdims=True)
            chosen.append((mask, place.sum(-1), (probs * mask).sum(-1, keepdims=True)))
            left = left * (1 - mask)
        loss = c.aux_loss_factor * c.expert_num * (chosen[0][0].mean(1) * probs.mean(1)).sum(-1).mean()
        total = sum([gate for _, _, gate in chosen[1:]], chosen[0][2]) if len(chosen) > 1 else 1.0
        size = self.capacity(x.shape[1])
        dispatch, combine = 0.0, 0.0
        for mask, place, gate in chosen:
            slot = (place.expand_dims(-1) == ops.arange(size).astype(float32)).astype(float32)
            sent = mask.expand_dims(-1) * slot.expand_dims(-2)
            dispatch, combine = dispatch + sent, combine + sent * (gate / total).expand_dims(-1)
        return dispatch, combine, loss


class MoE(Cell):
    """A mixture of experts in the place of a `FeedForward`.

    Tokens beyond the capacity of their experts get zeros.

    Args:
        hidden_size, ffn_hidden_size, dropout_rate, hidden_act, param_init_type: As in `FeedForward`.
        moe_config: A `MoEConfig`.
        parallel_config: Tokens are grouped by the parts of the batch; an `OpParallelConfig`.

    Inputs:
        x: (batch, seq, hidden) or (batch * seq, hidden).

    Outputs:
        The result in the shape of x, and the auxiliary loss.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If the tokens cannot be grouped so.

    Examples:
        >>> from mindspore.nn.transformer import MoE, MoEConfig
        >>> y, loss = MoE(8, 16, 0.0, moe_config=MoEConfig(expert_num=2))(ops.ones((2, 3, 8)))
        >>> y.shape, loss.shape
        ((2, 3, 8), ())
    """

    def __init__(self, hidden_size: int, ffn_hidden_size: int, dropout_rate: float, hidden_act: Any = "gelu",
                 param_init_type: DType = float32, moe_config: Any = None, parallel_config: Any = None):
        super().__init__()
        self.config = MoEConfig() if moe_config is None else check.instance(self, "moe_config", moe_config, MoEConfig)
        self.hidden_size = hidden_size
        self.groups, _ = parts(self, parallel_config)
        self.ffn = FeedForward(hidden_size, ffn_hidden_size, dropout_rate, hidden_act, self.config.expert_num,
                               self.config.expert_group_size, param_init_type)
        self.router = Router(hidden_size, self.config)

    def construct(self, x):
        rows = x.reshape((-1, self.hidden_size))
        size = self.config.expert_group_size or max(rows.shape[0] // self.groups, 1)
        divides(self, "number of tokens", rows.shape[0], "size of a group", size)
        tokens = rows.reshape((-1, size, self.hidden_size))
        dispatch, combine, loss = self.router(tokens)
        sent = ops.einsum("gtec,gth->egch", dispatch.astype(x.dtype), tokens)
        experts, groups, places = sent.shape[:3]
        found = self.ffn(sent.reshape((1, experts, groups * places, self.hidden_size)))
        found = found.reshape((experts, groups, places, self.hidden_size))
        out = ops.einsum("gtec,egch->gth", combine.astype(found.dtype), found)
        return out.reshape(x.shape), loss
