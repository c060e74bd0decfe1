"""Faults of metrics, losses, schedules and optimizers: file, tests, (source text, fault)."""
FAULTS = [
    ("nn/losses/classification.py", "nn/losses", [
        ("hits.sum(1) * 1e37", "hits[:, 0] * 1e37"),
        ('self.ignore_index, self.reduction,\n                                 self.label_smoothing)', "self.ignore_index, self.reduction)"),
        ("return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)", "return ops.nll_loss(logits, labels, self.weight, -100, self.reduction)"),
        ('self.weight, self.pos_weight,\n', 'self.weight, None,\n'),
        ("return ops.soft_margin_loss(logits, labels, self.reduction)", "return ops.soft_margin_loss(logits, labels)"),
        ("return ops.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank,", "return ops.ctc_loss(log_probs, targets, input_lengths, target_lengths, 0,"),
    ]),
    ("nn/losses/margin.py", "nn/losses", [
        ('self.margin, self.reduction)\n\n\nclass MarginRankingLoss', '1.0, self.reduction)\n\n\nclass MarginRankingLoss'),
        ("return ops.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)", "return ops.margin_ranking_loss(input2, input1, target, self.margin, self.reduction)"),
        ('labels, self.margin, self.reduction)\n\n\nclass Hinge', 'labels, 0.0, self.reduction)\n\n\nclass Hinge'),
        ("return ops.multilabel_margin_loss(x, target, self.reduction)", "return ops.multilabel_margin_loss(x, target)"),
        ("return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)", "return ops.multilabel_soft_margin_loss(x, target, None, self.reduction)"),
        ("return (d * d).sum(1) ** 0.5", "return (d * d).sum(-1) ** 0.5"),
    ]),
    ("nn/metrics/base.py", "nn/metrics", [
        ("return func(self, *(inputs if not indexes else", "return func(self, *(inputs if indexes is None or len(indexes) == len(inputs) else"),
    ]),
    ("nn/metrics/classification.py", "nn/metrics", [
        ("best = np.argsort(-y_pred, axis=1, kind=\"stable\")[:, :self.k]", "best = np.argsort(y_pred, axis=1, kind=\"stable\")[:, ::-1][:, :self.k]"),
        ("return y.argmax(axis=1) if one_hot else y", "return y.argmax(axis=-1) if one_hot else y"),
        ("np.append(self._true_positives, (guess * truth).sum(axis=1))", "(guess * truth).sum(axis=1)"),
    ]),
    ("nn/metrics/confusion.py", "nn/metrics", [
        ("where=total != 0)", "where=total > 1)"),
        ("y_pred = (y_pred >= self.threshold).astype(np.int64)", "y_pred = (y_pred > self.threshold).astype(np.int64)"),
        ("\"ts\": lambda: _ratio(tp, tp + fn + fp)", "\"ts\": lambda: _ratio(tp, tp + fn)"),
        ("\"pt\": lambda: _ratio(np.sqrt(tpr * (1 - tnr)) + tnr - 1, tpr + tnr - 1)", "\"pt\": lambda: _ratio(np.sqrt(tpr * (1 - tnr)) + tnr - 1, tpr + tnr)"),
        ("(np.nanmean if self.decrease.startswith(\"mean\") else np.nansum)", "(np.mean if self.decrease.startswith(\"mean\") else np.nansum)"),
    ]),
    ("nn/metrics/curve.py", "nn/metrics", [
        ("thresholds = np.append(thresholds[0] + 1, thresholds)", "thresholds = np.append(1, thresholds)"),
        ("np.moveaxis(y_pred, 1, -1).reshape(-1, self.class_num)", "y_pred.reshape(-1, self.class_num)"),
    ]),
    ("nn/metrics/error.py", "nn/metrics", [
        ("self._measure(y.reshape(y_pred.shape) - y_pred).sum())", "self._measure(y - y_pred).sum())"),
    ]),
    ("nn/metrics/factory.py", "nn/metrics", [
        ("\"top_5_accuracy\": Top5CategoricalAccuracy", "\"top_5_accuracy\": Top1CategoricalAccuracy"),
        ("\"mean_surface_distance\": MeanSurfaceDistance", "\"mean_surface_distance\": RootMeanSquareDistance"),
    ]),
    ("nn/metrics/occlusion.py", "nn/metrics", [
        ("slice(max(c - m, 0), c + m + 1)", "slice(c - m, c + m + 1)"),
        ("(extent - 1 if high < 0 else high)", "(extent if high < 0 else high)"),
        ("row[window] = self.pad_val", "row[window] = 0"),
    ]),
    ("nn/optimizers/adam.py", "nn/optimizers", [
        ("return self.use_nesterov and not self.use_amsgrad", "return self.use_nesterov"),
    ]),
    ("nn/optimizers/groups.py", "nn/optimizers", [
        ("return [Item(p, i, group.get(\"lr\"), group.get(\"weight_decay\"), centralize) for p in members]", "return [Item(p, i, group.get(\"lr\") or None, group.get(\"weight_decay\") or None, centralize) for p in members]"),
        ("if len(order) != len(items):", "if len(order) > len(items):"),
    ]),
    ("nn/optimizers/lamb.py", "nn/optimizers", [
        ("ops.minimum(_ratio(_norm(param), _norm(d)), _GREATEST_RATIO)", "_ratio(_norm(param), _norm(d))"),
        ("optimizer.exec_weight_decay = optimizer.need_scale = optimizer.grad_centralization = False", "optimizer.exec_weight_decay = optimizer.grad_centralization = False"),
        ("ops.select(ops.logical_and(p > 0, g > 0), ratio, ones_like(ratio))", "ratio"),
        ('x = x.astype(float32)\n    return ops.sqrt', "return ops.sqrt"),
        ('if self.grad_centralization:\n            found = self.gradients_centralization(found)', "pass"),
    ]),
    ("nn/optimizers/optimizer.py", "nn/optimizers", [
        ("wanted = [self.decays_all or (\"beta\" not in p.name and \"gamma\" not in p.name) for p in self.parameters]", "wanted = [self.decays_all or \"beta\" not in p.name for p in self.parameters]"),
        ("self._decays = [d if flag else 0.0 for d, flag in zip(decays, wanted, strict=True)]", "self._decays = decays"),
        ("self.gradients_centralization(found) if self.grad_centralization else found)", "found)"),
        ("_centralized(g) if wanted and g.ndim > 1 else g for g, wanted in", "_centralized(g) if g.ndim > 1 else g for g, wanted in"),
        ("return rates.current(d, self.global_step) * self.loss_scale if isinstance(d, Cell) else d", "return rates.current(d, self.global_step) if isinstance(d, Cell) else d"),
        ("return getattr(source, \"learning_rate\", source) if type(source) in _HOLDERS else source", "return source"),
        ("return learning_rate.tolist()", "return learning_rate"),
        ("self.dynamic_lr = any(isinstance(s, Cell) for s in sources)", "self.dynamic_lr = isinstance(sources[0], Cell)"),
    ]),
    ("nn/schedules/sequences.py", "nn/schedules", [
        ("period = decay_epoch * math.ceil(max(epoch, 1) / decay_epoch)", "period = decay_epoch * math.ceil(epoch / decay_epoch + 1)"),
        ("learning_rate * min(epoch, warmup_epoch) / warmup_epoch))", "learning_rate * epoch / warmup_epoch))"),
        ("math.pi * min(epoch, decay_epoch) / decay_epoch", "math.pi * epoch / decay_epoch"),
        ("if min_lr >= max_lr:", "if min_lr > max_lr:"),
    ]),
    ("nn/wrap/scaling.py", "nn/wrap", [
        ("self.scale_sense.set_data(sens, slice_shape=True)", "pass"),
        ("return loss, overflowed, scale", "return loss, overflowed, self.scale_sense"),
    ]),
]
