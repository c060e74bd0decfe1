"""Transformers that say how they are split, against torch's with the same weights."""
from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor, float16, float32, int32, nn, ops
from mindspore.nn import transformer as T
from mindspore.nn.transformer.layers import _LayerNorm, _Linear

RNG = np.random.default_rng(4)


def numbers(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def spread(cell, scale=0.3):
    """Weights of a size that matters, in every type the layers compute in."""
    for p in cell.get_parameters():
        if "past" not in p.name:
            p.set_data(Tensor(scale * numbers(*p.shape) + ("gamma" in p.name), p.dtype))
    return cell.set_train(False)


def in_float32(cell):
    """The cell computing its products in float32, to be compared closely."""
    for _, c in cell.cells_and_names():
        if isinstance(c, (_Linear, T.MultiHeadAttention)):
            c.dtype = float32
    return cell


def torch_layer(layer, hidden, ffn, heads):
    """torch's encoder layer, normalising first, with the weights of ours."""
    found = torch.nn.TransformerEncoderLayer(hidden, heads, ffn, 0.0, torch.nn.functional.gelu, batch_first=True,
                                             norm_first=True).eval()
    mine = {n: torch.tensor(p.asnumpy()) for n, p in layer.parameters_dict().items()}
    a = "attention."
    with torch.no_grad():
        found.self_attn.in_proj_weight.copy_(torch.cat([mine[f"{a}dense{i}.weight"] for i in (1, 2, 3)]))
        found.self_attn.in_proj_bias.copy_(torch.cat([mine[f"{a}dense{i}.bias"] for i in (1, 2, 3)]))
        found.self_attn.out_proj.weight.copy_(mine[f"{a}projection.weight"].T)
        found.self_attn.out_proj.bias.copy_(mine[f"{a}projection.bias"])
        found.linear1.weight.copy_(mine["output.mapping.weight"].T)
        found.linear1.bias.copy_(mine["output.mapping.bias"])
        found.linear2.weight.copy_(mine["output.projection.weight"].T)
        found.linear2.bias.copy_(mine["output.projection.bias"])
        for i in (1, 2):
            norm = getattr(found, f"norm{i}")
            norm.weight.copy_(mine[f"layernorm{i}.gamma"])
            norm.bias.copy_(mine[f"layernorm{i}.beta"])
    return found


@pytest.mark.usefixtures("both_modes")
def test_an_encoder_layer_is_torchs_with_the_same_weights():
    layer = in_float32(spread(T.TransformerEncoderLayer(2, 12, 20, 3, 5, hidden_act=nn.GELU)))
    layer.output.mapping.activation.approximate = False
    x = numbers(2, 5, 12)
    mask = np.tril(np.ones((2, 5, 5), np.float32))
    y, (keys, values) = layer(Tensor(x), Tensor(mask))
    layer.output.mapping.dtype = float32
    wanted = torch_layer(layer, 12, 20, 3)(torch.tensor(x), torch.triu(torch.full((5, 5), -np.inf), 1))
    np.testing.assert_allclose(y.asnumpy(), wanted.detach(), rtol=2e-2, atol=5e-3)
    assert (keys.shape, values.shape) == ((2, 3, 4, 5), (2, 3, 5, 4))
    flat, _ = layer(Tensor(x.reshape(10, 12)), Tensor(mask))
    np.testing.assert_allclose(flat.asnumpy(), y.asnumpy().reshape(10, 12), atol=1e-5)
    assert sorted(n for n in layer.parameters_dict() if n.startswith("output")) == [
        "output.mapping.bias", "output.mapping.weight", "output.projection.bias", "output.projection.weight"]


@pytest.mark.usefixtures("both_modes")
def test_attention_is_torchs_between_two_sequences():
    attend = in_float32(spread(T.MultiHeadAttention(2, 4, 6, 12, 3)))
    q, k = numbers(2, 4, 12), numbers(2, 6, 12)
    mask = (RNG.uniform(size=(2, 4, 6)) > 0.3).astype(np.float32)
    mask[..., 0] = 1
    y, _ = attend(Tensor(q), Tensor(k), Tensor(k), Tensor(mask))
    w = {n: torch.tensor(p.asnumpy()) for n, p in attend.parameters_dict().items()}
    heads = [torch.nn.functional.linear(torch.tensor(x), w[f"dense{i}.weight"], w[f"dense{i}.bias"])
             .unflatten(-1, (3, 4)).transpose(1, 2) for i, x in ((1, q), (2, k), (3, k))]
    out = torch.nn.functional.scaled_dot_product_attention(*heads, attn_mask=torch.tensor(mask[:, None]) > 0)
    wanted = out.transpose(1, 2).flatten(2) @ w["projection.weight"] + w["projection.bias"]
    np.testing.assert_allclose(y.asnumpy(), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_one_token_after_the_other_gives_what_all_at_once_give(kind):
    seq, x = 6, numbers(2, 6, 8)
    causal = np.tril(np.ones((2, seq, seq), np.float32))
    memory = (Tensor(numbers(2, 3, 8)), Tensor(np.ones((2, seq, 3), np.float32))) if kind == "decoder" else ()

    def make(use_past):
        if kind == "encoder":
            return T.TransformerEncoder(2, 2, 8, 16, seq, 2, use_past=use_past)
        return T.TransformerDecoder(2, 2, 8, 16, 3, seq, 2, use_past=use_past)

    whole, step = spread(make(False)), spread(make(True))
    for p, q in zip([p for p in step.get_parameters() if "past" not in p.name], whole.get_parameters(), strict=True):
        p.set_data(q.value())
    wanted = whole(Tensor(x), Tensor(causal), *memory)[0].asnumpy()
    prompt = x.copy()
    prompt[:, 3:] = 7.0                                   # padding behind the prompt
    step.add_flags_recursive(is_first_iteration=True)
    first = step(Tensor(prompt), Tensor(causal), *memory, Tensor([True]), Tensor([3, 3], int32))[0].asnumpy()
    np.testing.assert_allclose(first[:, :3], wanted[:, :3], atol=5e-3)
    step.add_flags_recursive(is_first_iteration=False)
    for i in range(3, seq):
        one = memory and (memory[0], memory[1][:, i:i + 1])
        y = step(Tensor(x[:, i:i + 1]), Tensor(causal[:, i:i + 1]), *one, Tensor([False]), Tensor([i, i], int32))[0]
        np.testing.assert_allclose(y.asnumpy()[:, 0], wanted[:, i], atol=5e-3)


@pytest.mark.usefixtures("both_modes")
def test_a_whole_transformer_trains_and_its_parts_can_stand_alone():
    model = T.Transformer(8, 2, 16, 4, 3, encoder_layers=1, decoder_layers=1, hidden_dropout_rate=0.0,
                          attention_dropout_rate=0.0)
    given = [Tensor(v) for v in (numbers(2, 4, 8), np.ones((2, 4, 4), np.float32), numbers(2, 3, 8),
                                 np.ones((2, 3, 3), np.float32), np.ones((2, 3, 4), np.float32))]

    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.model = model

        def construct(self, *inputs):
            return (self.model(*inputs)[0] ** 2).mean()

    net = Loss()
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.01))
    losses = [float(step(*given)) for _ in range(8)]
    assert losses[-1] < 0.8 * losses[0]
    alone = T.Transformer(8, 2, 16, 4, 3, encoder_layers=2, decoder_layers=0)
    out, encoded, decoded = alone(*given[:2])
    assert (out.shape, len(encoded), decoded) == ((2, 4, 8), 2, None)
    with pytest.raises(ValueError, match="must not both be 0"):
        T.Transformer(8, 2, 16, 4, 3, encoder_layers=0, decoder_layers=0)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("chosen", [1, 2])
def test_experts_get_their_tokens_up_to_their_capacity(chosen):
    config = T.MoEConfig(expert_num=3, capacity_factor=1.0, num_experts_chosen=chosen, aux_loss_factor=0.5)
    mixture = in_float32(spread(T.MoE(4, 6, 0.0, "relu", moe_config=config)))
    x = numbers(2, 6, 4)
    y, loss = mixture(Tensor(x))
    rows, w = x.reshape(12, 4), {n: p.asnumpy() for n, p in mixture.parameters_dict().items()}
    logits = rows @ w["router.dense.weight"].T
    probs = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    order = np.argsort(-probs, 1)[:, :chosen]
    room, used, wanted = 4 * chosen, np.zeros(3, int), np.zeros_like(rows)
    for k in range(chosen):
        for t in range(12):
            e = order[t, k]
            if used[e] < room:
                hidden = np.maximum(rows[t] @ w["ffn.mapping.weight"][e] + w["ffn.mapping.bias"][0, e, 0], 0)
                out = hidden @ w["ffn.projection.weight"][e] + w["ffn.projection.bias"][0, e, 0]
                wanted[t] += out * (probs[t, e] if chosen == 1 else probs[t, e] / probs[t, order[t]].sum())
            used[e] += 1
    assert used.max() > room or chosen == 2               # somebody is left out
    np.testing.assert_allclose(y.asnumpy().reshape(12, 4), wanted, rtol=2e-2, atol=5e-3)
    share = np.bincount(order[:, 0], minlength=3) / 12
    assert loss.item() == pytest.approx(0.5 * 3 * (share * probs.mean(0)).sum(), rel=1e-4)


def test_a_layer_of_experts_hands_its_loss_through_the_stack():
    stack = T.TransformerEncoder(2, 2, 8, 16, 4, 2, moe_config=T.MoEConfig(expert_num=2))
    out, kept, loss = stack(Tensor(numbers(2, 4, 8)), Tensor(np.ones((2, 4, 4), np.float32)))
    assert (out.shape, len(kept), loss.shape) == ((2, 4, 8), 2, ())
    assert 0.05 < float(loss) < 0.4


@pytest.mark.usefixtures("both_modes")
def test_few_pairs_of_tokens_attend():
    attend = T.FixedSparseAttention(1, 2, 3, block_size=2, seq_length=8, num_different_global_patterns=2)
    q, k, v = numbers(3, 1, 8, 6)
    y = attend(Tensor(q), Tensor(k), Tensor(v), Tensor(np.ones((1, 8, 8), np.float32))).asnumpy()
    for head in range(2):
        for t in range(8):
            seen = [s for s in range(t + 1) if s // 4 == t // 4 or (s // 2) % 2 == 1 - head]
            at = slice(3 * head, 3 * head + 3)
            scores = q[0, t, at] @ k[0, seen, at].T / np.sqrt(3)
            weights = np.exp(scores) / np.exp(scores).sum()
            np.testing.assert_allclose(y[0, t, at], weights @ v[0, seen, at], rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("both_modes")
def test_the_ends_of_a_transformer():
    ids = np.array([[1, 3], [0, 2]], np.int32)
    embedding = T.VocabEmbedding(5, 4)
    rows, table = embedding(Tensor(ids))
    np.testing.assert_array_equal(rows.asnumpy(), table.asnumpy()[ids])
    mask = np.array([[1, 1, 0, 1]], np.float32)
    wanted = np.tril(mask[0][:, None] * mask[0])
    np.testing.assert_array_equal(T.AttentionMask(4)(Tensor(mask)).asnumpy()[0], wanted)
    logits, label, weights = numbers(5, 7), np.array([1, 0, 6, 2, 3]), np.float32([1, 1, 0, 1, 0])
    losses = torch.nn.functional.cross_entropy(torch.tensor(logits), torch.tensor(label), reduction="none").numpy()
    loss = T.CrossEntropyLoss()(Tensor(logits), Tensor(label, int32), Tensor(weights))
    np.testing.assert_allclose(loss.asnumpy(), [(losses * weights).sum() / 3], rtol=1e-5)
    norm = spread(_LayerNorm((6,)))
    x = numbers(2, 6)
    gamma, beta = (torch.tensor(p.asnumpy()) for p in (norm.gamma, norm.beta))
    for own in (False, True):
        norm.is_self_defined = own
        np.testing.assert_allclose(norm(Tensor(x)).asnumpy(),
                                   torch.nn.functional.layer_norm(torch.tensor(x), (6,), gamma, beta), atol=1e-5)


def test_a_configuration_is_handed_to_the_operators_and_changes_no_number():
    config = T.TransformerOpParallelConfig(2, 2, pipeline_stage=2, recompute=T.TransformerRecomputeConfig(True))
    split = T.TransformerEncoder(2, 2, 8, 16, 4, 2, parallel_config=config)
    plain = T.TransformerEncoder(2, 2, 8, 16, 4, 2)
    first = split.blocks[0]
    assert first.attention.dense1.matmul.in_strategy == ((2, 1), (2, 1))
    assert first.attention.scores.in_strategy == ((2, 2, 1, 1), (2, 2, 1, 1))
    assert first.output.mapping.matmul.in_strategy == ((2, 1), (1, 2))
    assert [b.pipeline_stage for b in split.blocks] == [0, 1]
    assert first.get_flags()["recompute"]
    for p, q in zip(split.get_parameters(), plain.get_parameters(), strict=True):
        p.set_data(q.value())
    given = Tensor(numbers(2, 4, 8)), Tensor(np.ones((2, 4, 4), np.float32))
    np.testing.assert_array_equal(split.set_train(False)(*given)[0].asnumpy(),
                                  plain.set_train(False)(*given)[0].asnumpy())


def test_checks_of_arguments_are_decorators():
    from mindspore._checkparam import Validator
    from mindspore.nn.transformer.layers import (
        _args_type_validator_check,
        _valid_type_checks,
        _valid_value_checks,
    )

    @_args_type_validator_check(size=Validator.check_positive_int, dtype=_valid_value_checks([float16, float32], "A"),
                                rate=_valid_type_checks([float, int], "A"))
    def adapter(size, dtype=float32, rate=0.5):
        return size

    assert adapter(3) == 3
    for wrong, error in (({"size": 0}, ValueError), ({"size": 1, "dtype": int32}, TypeError),
                         ({"size": 1, "rate": "a"}, TypeError)):
        with pytest.raises(error):
            adapter(**wrong)


@pytest.mark.parametrize(("make", "error"), [
    (lambda: T.MultiHeadAttention(2, 4, 4, 10, 3), ValueError),
    (lambda: T.MultiHeadAttention(2, 4, 4, 9, 3, parallel_config=T.OpParallelConfig(1, 2)), ValueError),
    (lambda: T.MultiHeadAttention(3, 4, 4, 8, 2, parallel_config=T.OpParallelConfig(2, 1)), ValueError),
    (lambda: T.TransformerEncoder(2, 0, 8, 16, 4, 2), ValueError),
    (lambda: T.TransformerEncoder(2, 1, 8, 16, 4, 2, parallel_config=1), TypeError),
    (lambda: T.OpParallelConfig(0), ValueError), (lambda: T.OpParallelConfig(1.0), TypeError),
    (lambda: T.MoEConfig(2, num_experts_chosen=3), ValueError), (lambda: T.MoEConfig(2, 0.5), ValueError),
    (lambda: T.TransformerOpParallelConfig(recompute=1), TypeError),
    (lambda: T.FixedSparseAttention(1, 2, 3, 2, 10, 2), ValueError),
    (lambda: T.VocabEmbedding(5, 4, T.EmbeddingOpParallelConfig(1, 2, False)), ValueError),
    (lambda: T.AttentionMask(4)(ops.ones((2, 3))), ValueError),
])
def test_wrong_arguments_are_refused(make, error):
    with pytest.raises(error):
        make()
