"""Faults of the tables of a profile, and what is measured for this machine: file, tests, (source text, fault)."""
FAULTS = [
    ("profiler/handlers.py", "profiler/test_tables_by_hand.py", [
        ("        except FileExistsError:\n            time.sleep(0.001)", "        except FileExistsError:\n            return found"),
        ("async_mode = _reset(\"async_mode\", async_mode, False)", "async_mode = _reset(\"async_mode\", async_mode, True)"),
    ]),
    ("profiler/memory.py", "profiler/test_kernels.py", [
        ("at = bisect_right(starts, change.time) - 1", "at = bisect_right(starts, change.time)  - 2"),
    ]),
    ("profiler/memory.py", "profiler/test_recording_by_hand.py", [
        ("held[file, line, _name(event), phase].append(begun.size)", "held[file, line, _name(event), phase] = [begun.size]"),
    ]),
    ("profiler/pipeline_tables.py", "profiler/test_recording_by_hand.py", [
        ("waits = one.waited / total if total else 0.0", "waits = one.waited / max(total, 1)"),
    ]),
    ("profiler/profile.py", "profiler/test_profile.py", [
        ("self._measured.forget()\n            return", "return"),
    ]),
    ("profiler/profile.py", "profiler/test_tables_by_hand.py", [
        ("(before is ProfilerAction.RECORD_AND_SAVE or action not in _KEPT)", "action not in _KEPT"),
        ("if self._settings.ready is not None and not (unfinished and action is not None):", "if self._settings.ready is not None:"),
    ]),
    ("profiler/roofline.py", "profiler/test_roofline.py", [
        ("f\"{max(compute, memory) / max(spent, 1):.4f}\"", "f\"{min(compute, memory) / max(spent, 1):.4f}\""),
        ("compute, memory = 1e9 * flops / best.flops, 1e9 * moved / best.bandwidth", "compute, memory = 1e9 * moved / best.flops, 1e9 * flops / best.bandwidth"),
    ]),
    ("profiler/step_time.py", "profiler/test_step_time.py", [
        ("e.start + e.duration + e.within", "e.start + e.duration"),
        ("spans = [s for s in spans if s.start + s.duration > step.start + step.duration]", "spans = []"),
        ("p._replace(start=max(p.start, step.start), end=min(p.end, end))", "p"),
    ]),
    ("profiler/summary.py", "profiler/test_tables_by_hand.py", [
        ("phases[e.phase] = phases.get(e.phase, 0) + e.duration", "phases[e.phase] = e.duration"),
    ]),
    ("profiler/tables.py", "profiler/test_surroundings.py", [
        ("f\"{len(es) / steps:g}\"", "f\"{len(es) // steps:g}\""),
    ]),
    ("profiler/tables.py", "profiler/test_tables_by_hand.py", [
        ("waited = max(s.start - last.get(place, s.start), 0)", "waited = s.start - last.get(place, s.start)"),
        ("place = s.lane, s.args.get(\"tid\")", "place = s.lane"),
        ("flops = sum(e.duration for e in es), sum(e.flops for e in es)", "flops = sum(e.duration for e in es), es[0].flops"),
    ]),
    ("tune/choose.py", "tune/test_tune.py", [
        ("left = 1.0 - _WORTH / speeds.gain", "left = 1.0 - speeds.gain / _WORTH"),
    ]),
    ("tune/timing.py", "tune/test_tune.py", [
        ("p.first if p.size < size else p.second / _BETTER", "p.first if p.size <= size else p.second / _BETTER"),
    ]),
]
