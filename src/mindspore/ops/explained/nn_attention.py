"""Sections of the texts of operators in `nn_attention`."""
TEXTS = {
    "FlashAttentionScore": """\
Args:
    query: (B, S, H) or as `input_layout` says, floating point.
    key, value: Likewise, with an extent of their own along S.
    real_shift: What is added to the scores, or None.
    drop_mask: Which weights dropout keeps; drawn at random if None and `keep_prob` < 1.
    padding_mask, prefix, actual_seq_qlen, actual_seq_kvlen: None; other values are refused.
    attn_mask: True (or 1) where a key is hidden from a query; or None.
    head_num: The number of heads of the query.
    keep_prob: The probability to keep a weight, in (0, 1].
    scale_value: The factor of the scores.
    pre_tokens, next_tokens: 2147483647; other values are refused.
    inner_precise: 0 or 1; the result is the same.
    input_layout: "BSH", "SBH", "BNSD" or "BSND": B batch, S sequence, H all heads, N heads, D their size.
    sparse_mode: 0; other values are refused.

Examples:
    >>> attend, x = ops.FlashAttentionScore(head_num=1), ops.ones((1, 2, 4))
    >>> highest, total, _, y = attend(x, x, x)
    >>> highest.shape, y.tolist()
    ((1, 1, 2, 8), [[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]])
""",
}
