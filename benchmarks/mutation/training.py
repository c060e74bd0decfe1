"""Faults of Model, callbacks, mixed precision, loss scales and training cells: file, tests, (source text, fault)."""
FAULTS = [
    ("amp/managers.py", "amp nn/wrap", [
        ("self.loss_scale = max(self.loss_scale / self.scale_factor, 1)", "self.loss_scale = self.loss_scale / self.scale_factor"),
        ("self.last_overflow_iter = self.cur_iter", "self.last_overflow_iter = 0"),
        ("FixedLossScaleUpdateCell(self._loss_scale) if self._drop else None", "FixedLossScaleUpdateCell(self._loss_scale)"),
        ("(self.cur_iter - self.last_overflow_iter) % self.scale_window == 0", "self.cur_iter % self.scale_window == 0"),
    ]),
    ("amp/precision.py", "amp", [
        ("self.set_train(backbone.training)", "self.set_train(False)"),
        ("others = {float16, bfloat16, float32} - {dtype}", "others = {float16, float32} - {dtype}"),
        ('tuple(get_black_list()) if amp_level == "O2" else ()', "tuple(get_black_list())"),
        ("cell.add_flags(fp16=False, bf16=False, fp32=False)", "pass"),
        ('_BLACK_CELLS = "BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm"', '_BLACK_CELLS = "BatchNorm1d BatchNorm2d BatchNorm3d"'),
        ("return _whiten(network, tuple(classes), dtype)", "return _whiten(network, tuple(get_white_list()), dtype)"),
    ]),
    ("amp/scaling.py", "amp", [
        ("less = ops.maximum(scale / float(self.scale_factor), 1.0)", "less = scale / float(self.scale_factor)"),
        ("full = counter >= self.scale_window", "full = counter > self.scale_window"),
        ("ops.select(ops.logical_and(finite, ops.logical_not(full)), counter, counter * 0)", "ops.select(ops.logical_not(full), counter, counter * 0)"),
        ("return _times(self, inputs, 1.0 / self.scale_value)", "return _times(self, inputs, self.scale_value)"),
        ("return [t for v in value for t in _flat(v)]", "return [t for v in value[:1] for t in _flat(v)]"),
    ]),
    ("amp/training.py", "amp", [
        ('"O2": (float16, True, DynamicLossScaleManager)', '"O2": (float16, False, DynamicLossScaleManager)'),
        ('keep_norms = kwargs.get("keep_batchnorm_fp32", keep_norms)', "pass"),
        ("to_float32(invoke(self._backbone, (data,)))", "invoke(self._backbone, (data,))"),
    ]),
    ("nn/wrap/batches.py", "nn/wrap", [
        ("return x[i * size:(i + 1) * size]", "return x[i::self.parts]"),
    ]),
    ("nn/wrap/gradient.py", "nn/wrap", [
        ("sens = 1.0 if self.sens is None else self.sens", "sens = 1.0"),
        ("[seed(out, s) for out, s in zip(outs, given, strict=True)]", "[seed(out, given[0]) for out in outs]"),
        ("tensors if self.get_all else [] if self.get_by_list else tensors[:1]", "tensors if self.get_all else tensors[:1]"),
        ("assign(self._param, x)", "pass"),
    ]),
    ("nn/wrap/loss.py", "nn/wrap train/test_model.py", [
        ("return invoke(self._loss_fn, (outputs, label)), outputs, label", "return invoke(self._loss_fn, (outputs, label)), label, outputs"),
        ("if self.add_cast_fp32:", "if False:"),
    ]),
    ("nn/wrap/reducer.py", "nn/wrap", [
        ("g * (1.0 / self.scale_sense) for g in grads", "g * self.scale_sense for g in grads"),
    ]),
    ("nn/wrap/scaling.py", "nn/wrap amp", [
        ("grows = self.cur_iter - self.last_overflow_iter >= self.scale_window", "grows = self.cur_iter - self.last_overflow_iter > self.scale_window"),
        ("restarts = ops.logical_or(overflow, grows)", "restarts = overflow"),
        ("cond(dropped, lambda: True, lambda: _updated(optimizer, grads))", "_updated(optimizer, grads)"),
        ("grads = self.grad_reducer(tuple([_unscaled(scale, g) for g in grads]))", "grads = self.grad_reducer(tuple(grads))"),
        ("assign(self.cur_iter, self.cur_iter + 1)", "pass"),
        ("less = ops.maximum(loss_scale * (1.0 / self.scale_factor), self.minimum_loss_scale)", "less = loss_scale * (1.0 / self.scale_factor)"),
    ]),
    ("nn/wrap/step.py", "nn/wrap", [
        ("if self.return_grad:", "if False:"),
        ("loss_and_gradients(self.network, inputs, self.weights, self.sens)", "loss_and_gradients(self.network, inputs, self.weights, 1.0)"),
    ]),
    ("train/callback/backup.py", "train/test_callbacks_again.py train/test_callbacks.py", [
        ("if now.cur_epoch_num % self.every == 0:", "if True:"),
        ("if self.delete_checkpoint:", "if True:"),
        ("load_param_into_net(now.train_network, saved)", "pass"),
    ]),
    ("train/callback/checkpoint.py", "train/test_checkpoint_callbacks.py train/test_callbacks_again.py", [
        ("_delete(self._kept.pop(0))", "_delete(self._kept.pop())"),
        ("while len(self._kept) > config.keep_checkpoint_max:", "while len(self._kept) >= config.keep_checkpoint_max:"),
        ("if self._last_step > now.cur_step_num:", "if False:"),
        ("if now.cur_step_num == self._saved_step and not mark:", "if False:"),
        ('f"{prefix}_{max(numbers) + 1}"', 'f"{prefix}_{len(numbers)}"'),
        ("self._steps, self._seconds = steps, None if steps else seconds", "self._steps, self._seconds = steps, seconds"),
        ("network = config.saved_network if config.saved_network is not None else now.train_network", "network = now.train_network"),
        ("self._last_step, self._saved_step = 0, -1", "self._last_step = 0; self._saved_step = getattr(self, '_saved_step', -1)"),
        ('("epoch_num", now.cur_epoch_num, 0)', '("epoch_num", now.cur_step_num, 0)'),
        ("(before if more[name] else 0)", "before"),
        ("self._kept = [newest] if begins or first == newest else [first, newest]", "self._kept = [first, newest]"),
    ]),
    ("train/callback/standing.py", "train/test_resume.py", [
        ("- bool(steps % size)", ""),
        ("if size != now.batch_num:", "if False:"),
        ("set_rng_state(saved[RANDOM_STATE])", "pass"),
    ]),
    ("train/callback/early_stopping.py", "train/test_callbacks_again.py train/test_callbacks.py", [
        ("if self.wait >= self.patience:", "if self.wait > self.patience:"),
        ("(p, p.value()) for p in network", "(p, p) for p in network"),
        ("if self.baseline is None or self._improves(value, self.baseline):", "if True:"),
        ("self.stopped_epoch = now.cur_epoch_num", "self.stopped_epoch = 1"),
    ]),
    ("train/callback/history.py", "train/test_callbacks_again.py train/test_callbacks.py", [
        ("np.array(v.asnumpy())[()]", "v"),
        ('self.epoch: dict[str, list[int]] = {"epoch": []}', 'self.epoch = getattr(self, "epoch", {"epoch": []})'),
    ]),
    ("train/callback/loss_monitor.py", "train/test_callbacks_again.py train/test_callbacks.py", [
        ("if now.cur_step_num <= self._last:", "if False:"),
        ("loss is not None and not np.isfinite(loss)", "loss is not None and np.isnan(loss)"),
        ("now.cur_step_num - self._last >= self.per_print_times", "now.cur_step_num - self._last > self.per_print_times"),
    ]),
    ("train/callback/lr_scheduler.py", "train/test_callbacks_again.py train/test_callbacks.py", [
        ("self.learning_rate_function(old, now.cur_step_num)", "self.learning_rate_function(old, now.cur_epoch_num)"),
        ("float(str(np.float32(rate.asnumpy().reshape(()))))", "float(rate.asnumpy().reshape(()))"),
    ]),
    ("train/callback/monitoring.py", "train/test_callbacks_again.py train/test_callbacks.py", [
        ("sign = 1 if self._is_better is np.less else -1", "sign = 1"),
        ("self.wait, self.best = 0, self._worst", "self.wait, self.best = 0, getattr(self, 'best', self._worst)"),
        ('mode == "max" or (mode == "auto" and "acc" in monitor)', 'mode == "max" or "acc" in monitor'),
    ]),
    ("train/callback/reduce_lr.py", "train/test_callbacks_again.py train/test_callbacks.py", [
        ("max(old * np.float32(self.factor), np.float32(self.min_lr))", "old * np.float32(self.factor)"),
        ("self.cooldown_counter, self.wait = self.cooldown, 0", "self.cooldown_counter = self.cooldown"),
        ("if self.cooldown_counter:", "if False:"),
        ("self.best, self.wait = value, 0", "self.best = value"),
    ]),
    ("train/callback/time_monitor.py", "train/test_callbacks_again.py train/test_callbacks.py", [
        ('steps = now.get("batch_num") or self.data_size or 1', 'steps = self.data_size or now.get("batch_num") or 1'),
    ]),
    ("train/model.py", "amp/test_amp.py train/test_model.py", [
        ("network = self._train_network.set_train()", "network = self._train_network"),
        ('cast = self._amp_level in ("O2", "O3", "auto")', "cast = False"),
        ('kept = ("loss_scale_manager", "keep_batchnorm_fp32")', 'kept = ("loss_scale_manager",)'),
        ("if self._loss_fn is not None and len(batch) != 2:", "if False:"),
    ]),
    ("train/loop.py", "train/test_runs_in_detail.py train/test_model.py", [
        ("if first >= epochs:", "if first > epochs:"),
        ("max(1, epochs - first)", "max(1, epochs)"),
        ("            now.cur_step_num += 1\n            now.eval_dataset_element", "            now.eval_dataset_element"),
    ]),
    ("train/model.py", "train/test_runs_in_detail.py train/test_model.py", [
        ("self._train_state(epoch - initial_epoch,", "self._train_state(epoch,"),
        ("self._eval_network.set_train(before)", "self._eval_network.set_train(True)"),
        ("if inner.get_stop_requested():", "if False:"),
        ("len(outputs) <= max(places)", "len(outputs) < max(places)"),
        ("cell.set_train(training)", "pass"),
    ]),
    ("train/callback/early_stopping.py", "train/test_callbacks_by_hand.py", [
        ("self.stopped_epoch, self._best_weights = 0, None", "self.stopped_epoch = 0; self._best_weights = getattr(self, '_best_weights', None)"),
    ]),
    ("train/callback/monitoring.py", "train/test_callbacks_by_hand.py", [
        ('abs(check.number(self, "min_delta", min_delta))', 'check.number(self, "min_delta", min_delta)'),
        ("type(getattr(self, name))(value)", "value"),
    ]),
    ("train/callback/fault_tolerance.py", "train/test_callbacks_by_hand.py", [
        ("self._now, self._entries = run_context.original_args(), {}", "self._now = run_context.original_args()"),
    ]),
    ("train/callback/checkpoint.py", "train/test_callbacks_by_hand.py train/test_arguments_handed_on.py", [
        ("if newest in self._kept:", "if False:"),
        ("err[0] is not None and self._config.exception_save", "self._config.exception_save"),
    ]),
    ("train/callback/standing.py", "train/test_callbacks_by_hand.py", [
        ('getattr(run_context, "first_epoch", 0) or now.cur_step_num', 'getattr(run_context, "first_epoch", 0)'),
        ("    now.initial_step = steps\n", ""),
    ]),
    ("train/callback/dataset_callback.py", "train/test_callbacks_by_hand.py", [
        ('and self._overrides("sync_epoch_begin")', ""),
        ("self._training = type(now)(now)", "self._training = now"),
    ]),
    ("train/_background.py", "train/test_arguments_handed_on.py", [
        ("thread.join()", "pass"),
    ]),
    ("train/uncertainty.py", "train/test_uncertainty.py", [
        ("dropout.set_train(True)", "dropout.set_train(mode)"),
        ("ops.exp(0.5 * log_variance) * noise", "ops.exp(log_variance) * noise"),
        ("for _ in range(self.epochs):", "for _ in range(1):"),
        ("and not self.save_model:", ":"),
    ]),
    ("profiler/pipeline_tables.py", "profiler/test_recording_by_hand.py", [
        ("-1 if stage.parent < 0 else first + stage.parent)", "-1 if stage.parent < 0 else stage.parent)"),
        ("if s.parent == stage.number", "if s.parent <= stage.number"),
    ]),
    ("profiler/memory.py", "profiler/test_recording_by_hand.py", [
        ("ended is None or ended.time > peak.time", "ended is None"),
        ("_mb(max(one.reserved, one.total))", "_mb(one.reserved)"),
    ]),
    ("experimental/optim/optimizer.py", "experimental/test_group_options.py", [
        ('if group.get("maximize"):', 'if self.defaults.get("maximize"):'),
        ('group.get("weight_decay"):', 'self.defaults.get("weight_decay"):'),
        ("group = {**self.defaults, **param_group,", "group = {**param_group, **self.defaults,"),
    ]),
    ("experimental/optim/adam.py", "experimental/test_group_options.py experimental/test_optim.py", [
        ("if limit <= 5.0:", "if limit <= 1.0:"),
    ]),
]
