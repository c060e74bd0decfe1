"""Values that data operations are tried with, as texts: inputs, options by the names of parameters, pipelines."""
from __future__ import annotations

IMAGES = ["color", "picture", "gray", "floats", "one", "stack", "planes", "clear", "tall", "shades", "four", "light",
          "short", "double", "two", "clear_picture", "even"]
SOUNDS = ["wave", "mono", "deep", "wide", "halves", "power", "spectrum", "complex", "numbers"]
TEXTS = ["line", "words", "empty", "digits", "points", "ints", "table", "(ints, words)"]
WRONG = ["None", "'wrong'", "-1", "(1, 2, 3, 4, 5)", "1e30", "True", "[]"]
_INTERS = ["Inter.NEAREST", "Inter.BILINEAR", "Inter.BICUBIC", "Inter.AREA", "Inter.ANTIALIAS", "Inter.PILCUBIC"]
_BORDERS = ["Border.CONSTANT", "Border.EDGE", "Border.REFLECT", "Border.SYMMETRIC"]

# by `module.operation.parameter`, `module.parameter` or `parameter`; the first value is given where one is needed
OPTIONS: dict[str, list[str]] = {
    "brightness_factor": ["0.7", "0", "1.6"], "contrast_factor": ["0.7", "0", "1.6"],
    "saturation_factor": ["0.7", "0", "1.6"], "sharpness_factor": ["0.7", "0", "1.6"],
    "hue_factor": ["0.2", "-0.35", "0.5"], "gamma": ["0.6", "2.2", "0"], "gain": ["0.7", "2.0"],
    "vision.RandomAffine.degrees": ["(25, 25)", "(-40, -40)", "(0, 0)"],
    "vision.RandomRotation.degrees": ["(25, 25)", "(-40, -40)", "(90, 90)", "(180, 180)"],
    "vision.RandomColor.degrees": ["(0.4, 0.4)", "(1.0, 1.0)"],
    "vision.RandomSharpness.degrees": ["(0.4, 0.4)", "(1.6, 1.6)"],
    "vision.degrees": ["25", "-40.5", "90", "180", "0"],
    "vision.Affine.translate": ["(0.1, -0.2)", "(0, 0)", "(0.3, 0.0)"],
    "vision.RandomAffine.translate": ["(0.1, 0.1, 0.2, 0.2)", "(0.0, 0.0)"],
    "vision.RandomAffine.scale": ["(1.3, 1.3)", "(0.6, 0.6)"],
    "vision.RandomAffine.shear": ["(10, 10)", "(10, 10, 5, 5)", "(0, 0, -8, -8)"],
    "vision.Affine.scale": ["1.0", "1.3", "0.6"], "vision.Affine.shear": ["(0, 0)", "(10, 0)", "(5, -8)", "12"],
    "vision.resample": ["Inter.NEAREST", "Inter.BILINEAR", "Inter.BICUBIC"],
    "interpolation": [
        "Inter.NEAREST",
        "Inter.BILINEAR",
        "Inter.BICUBIC",
        "Inter.AREA",
        "Inter.ANTIALIAS",
        "Inter.PILCUBIC",
    ],
    "fill_value": ["3", "(1, 20, 255)"],
    "vision.policy": [
        "vision.AutoAugmentPolicy.IMAGENET",
        "vision.AutoAugmentPolicy.CIFAR10",
        "vision.AutoAugmentPolicy.SVHN",
    ],
    "cutoff": ["5.0", "20.0", "[5.0, 30.0]"], "ignore": ["90", "[5, 22]"],
    "size": ["(5, 7)", "4", "(12, 9)", "(8, 11)", "(1, 1)", "(16, 22)", "[7, 3]"],
    "coordinates": ["(1, 2)", "(0, 0)", "(3, 1)"], "vision.Crop.size": ["(3, 5)", "4", "(5, 9)"],
    "vision.FiveCrop.size": ["(5, 7)", "4", "(8, 11)", "(9, 3)"], "vision.TenCrop.size": ["(5, 7)", "4", "(8, 11)"],
    "vision.PadToSize.size": ["(10, 13)", "15", "(8, 11)", "(9, 20)"],
    "vision.RandomCrop.size": ["(8, 11)", "(8, 9)"], "vision.offset": ["(1, 2)", "0", "(0, 1)"],
    "vision.RandomCrop.padding": ["0", "(0, 0, 1, 0)"],
    "vision.convert_mode": [
        "vision.ConvertMode.COLOR_BGR2RGB",
        "vision.ConvertMode.COLOR_BGR2BGRA",
        "vision.ConvertMode.COLOR_BGR2GRAY",
        "vision.ConvertMode.COLOR_RGB2GRAY",
        "vision.ConvertMode.COLOR_GRAY2BGR",
        "vision.ConvertMode.COLOR_BGRA2GRAY",
        "vision.ConvertMode.COLOR_RGBA2BGR",
        "vision.ConvertMode.COLOR_RGB2RGBA",
        "vision.ConvertMode.COLOR_GRAY2RGBA",
        "vision.ConvertMode.COLOR_BGRA2RGBA",
    ],
    "vision.length": ["20", "30"], "top": ["2", "0", "5"], "left": ["3", "0", "8"], "height": ["3", "1", "20"],
    "width": ["4", "1", "20"], "vision.value": ["0", "7", "(1, 20, 255)"], "inplace": ["True"],
    "kernel_size": ["3", "(5, 3)", "1", "(1, 7)"], "sigma": ["1.5", "(0.7, 2.0)", "3"],
    "num_output_channels": ["1", "3"], "is_hwc": ["True", "False"],
    "transformation_matrix": ["np.cos(np.arange(264 * 5)).reshape(264, 5)"], "mean_vector": ["np.arange(264) * 1.0"],
    "mean": ["[30.0, 60.5, 90.0]", "[0.2]", "(0.1, 0.2, 0.3)"],
    "std": ["[10.0, 20.0, 5.0]", "[2.0]", "(0.5, 1.0, 2.0)"], "vision.dtype": ["'float32'", "'float16'"],
    "vision.padding": ["(1, 2)", "3", "(1, 2, 3, 4)", "(0, 0, 5, 0)", "[2, 1, 0, 3]"],
    "padding_mode": ["Border.CONSTANT", "Border.EDGE", "Border.REFLECT", "Border.SYMMETRIC"],
    "vision.start_points": ["[[0, 0], [9, 1], [10, 7], [1, 6]]", "[[0, 0], [10, 0], [10, 7], [0, 7]]"],
    "vision.end_points": ["[[1, 1], [10, 0], [8, 7], [0, 7]]", "[[0, 0], [10, 0], [10, 7], [0, 7]]"],
    "vision.Posterize.bits": ["3", "1", "8", "0"], "vision.RandomPosterize.bits": ["(3, 3)", "1", "(8, 8)"],
    "prob": ["1.0", "0.0"], "vision.RandomAdjustSharpness.degree": ["0.4", "1.6"], "vision.alpha": ["0.0"],
    "brightness": ["(0.7, 0.7)"], "contrast": ["(1.6, 1.6)"], "saturation": ["(0.5, 0.5)"], "hue": ["(0.2, 0.2)"],
    "vision.RandomErasing.scale": ["(0.5, 0.5)"], "vision.scale": ["(1.0, 1.0)"], "vision.ratio": ["(1.375, 1.375)"],
    "expand": ["True"], "center": ["(2, 3)", "(0, 0)", "(8.5, 1.5)"], "rescale": ["0.1", "1.0 / 255", "-2.0"],
    "shift": ["-0.5", "0.0", "100.0"], "threshold": ["(40, 120)", "(0, 255)", "90", "(90, 90)"],
    "output_type": ["np.float32", "np.float16", "np.float64", "ms.float16"],
    "vision.data_type": ["np.int16", "np.float64", "ms.uint8", "ms.float16"],
    "slice_mode": ["vision.SliceMode.PAD", "vision.SliceMode.DROP"], "num_height": ["2", "3", "1"],
    "num_width": ["2", "3", "5"], "sample_rate": ["8000", "44100", "16000"],
    "central_freq": ["400.0", "1000.0", "3000.0"], "Q": ["0.4", "1.0"], "audio.gain": ["3.0", "-6.0", "0.0"],
    "audio.Vol.gain": ["0.5", "2.0"], "audio.Overdrive.gain": ["20.0", "5.0"], "color": ["20.0", "5.0"],
    "a0": ["1.0", "2.0"], "a1": ["0.1", "-0.4"], "a2": ["0.2", "0.0"], "b0": ["0.5", "1.0"], "b1": ["0.3", "-0.2"],
    "b2": ["0.1", "0.0"], "a_coeffs": ["[1.0, 0.1, -0.2]", "[0.9, 0.3, 0.2]", "[2.0, 0.1, 0.0]"],
    "b_coeffs": ["[0.4, 0.2, 0.7]", "[1.0, 0.0, 0.0]", "[0.1, 0.2, 0.3]"], "ref": ["1.0", "0.5"],
    "power": ["1.0", "2.0", "0.5", "3.0"], "limiter_gain": ["0.05", "0.5"],
    "audio.DCShift.shift": ["0.3", "-0.5", "1.2"], "center_freq": ["400.0", "2000.0"],
    "cutoff_freq": ["400.0", "2000.0"], "fade_in_len": ["50", "200", "600"], "fade_out_len": ["70", "300"],
    "n_fft": ["64", "50", "33"], "win_length": ["40", "64", "25"], "audio.ComputeDeltas.win_length": ["3", "7"],
    "audio.DetectPitchFrequency.win_length": ["3", "5"], "hop_length": ["20", "15"], "audio.pad": ["5"],
    "n_mels": ["12", "20"], "n_stft": ["33"], "f_max": ["3000.0", "6000.0"], "f_min": ["20.0", "300.0"],
    "n_mfcc": ["5", "8"], "n_lfcc": ["5", "8"], "n_filter": ["12", "20"], "dct_type": ["2"],
    "melkwargs": [
        "{'n_fft': 64, 'win_length': 64, 'hop_length': 20, 'f_min': 0.0, 'f_max': 4000.0, 'pad': 0, "
        "'pad_mode': audio.BorderType.REFLECT, 'power': 2.0, 'normalized': False, 'center': True, "
        "'onesided': True, 'window': audio.WindowType.HANN, 'norm': audio.NormType.NONE, "
        "'mel_scale': audio.MelType.HTK, 'n_mels': 12}",
    ],

    "speckwargs": [
        "{'n_fft': 64, 'win_length': 64, 'hop_length': 20, 'pad': 0, 'window': audio.WindowType.HANN, "
        "'power': 2.0, 'normalized': False, 'center': True, 'pad_mode': audio.BorderType.REFLECT, "
        "'onesided': True}",
    ],
    "quantization_channels": ["256", "64", "512"], "new_freq": ["8000", "12000", "22050"],
    "orig_freq": ["8000", "44100"], "audio.rate": ["1.3", "0.7"],
    "phase_advance": ["np.linspace(0, 3.0, 33)[:, None].astype(np.float32)"], "n_freq": ["33"],
    "fixed_rate": ["1.3", "0.7"], "freq_mask_param": ["0"], "time_mask_param": ["0"], "audio.mask_start": ["3", "0"],
    "mask_width": ["4", "1"], "mask_value": ["0.5", "0.0"], "mask_param": ["0"], "audio.axis": ["1", "2"],
    "n_steps": ["3", "-2"], "lowpass_filter_width": ["3", "16"], "audio.beta": ["5.0"], "cmn_window": ["5", "100"],
    "min_cmn_window": ["3", "50"], "stype": ["audio.ScaleType.POWER", "audio.ScaleType.MAGNITUDE"],
    "ref_value": ["0.5", "2.0"], "top_db": ["20.0", "3.0"], "amin": ["0.01", "1e-05"], "delay": ["5.0", "12.0"],
    "regen": ["30.0", "-50.0"], "phase": ["60.0", "0.0"], "audio.Flanger.width": ["30.0", "100.0"],
    "speed": ["2.0", "8.0"], "audio.depth": ["6.0", "0.0"], "audio.length": ["300", "700"],
    "trigger_level": ["1.0", "20.0"], "trigger_time": ["0.01", "0.05"], "search_time": ["0.1", "0.5"],
    "boot_time": ["0.01", "0.1"], "measure_freq": ["100.0", "50.0"], "audio.rolloff": ["0.8"], "lower_case": ["True"],
    "with_offsets": ["True"], "keep_whitespace": ["True"], "delim_pattern": ["' +'", "'[,.]'", "'\\\\s'"],
    "keep_delim_pattern": ["' +'", "'[,.]'", "','"], "pattern": ["'[A-Z]'", "'q.*k'", "' '"],
    "text.replace": ["'_'", "''", "'$0$0'"], "replace_all": ["False"], "text.n": ["2", "3", "[1, 2]", "7"],
    "left_pad": ["('_', 1)", "('a', 2)"], "right_pad": ["('_', 1)", "('b', 3)"], "separator": ["'-'", "''"],
    "text.width": ["2", "3", "5", "6"], "text.axis": ["0", "-1", "1"],
    "text.data_type": ["ms.int32", "ms.float32", "ms.int8", "ms.float16", "ms.uint64", "ms.string"],
    "max_seq_len": ["3", "1", "9"], "max_length": ["4", "7", "1", "30"], "token": ["'[CLS]'", "''"],
    "begin": ["True", "False"],
    "text.normalize_form": [
        "text.NormalizeForm.NFKC",
        "text.NormalizeForm.NFC",
        "text.NormalizeForm.NFD",
        "text.NormalizeForm.NFKD",
        "text.NormalizeForm.NONE",
    ],

    "normalization_form": [
        "text.NormalizeForm.NFKC",
        "text.NormalizeForm.NFC",
        "text.NormalizeForm.NFD",
        "text.NormalizeForm.NFKD",
    ],

    "vocab": [
        "text.Vocab.from_list(['the', 'quick', 'fox', '##ui', 'q', '##ck', '[UNK]', 'it', \"'\", 's', '北', "
        "'3'])",
    ],
    "unknown_token": ["'[UNK]'", "'the'", "''"], "suffix_indicator": ["'##'", "'#'", "''"],
    "max_bytes_per_token": ["4", "5"], "preserve_unused_token": ["False"], "tokenizer": ["str.split"],
    "transforms.axis": ["0", "1", "-1"], "prepend": ["np.array([9, 8], np.int32)", "np.array([[1, 2, 3, 4]])"],
    "append": ["np.array([7], np.int32)", "np.array([[1, 2, 3, 4]])"],
    "transforms.fill_value": ["4", "2.7", "-1", "True", "'x'"],
    "operator": [
        "transforms.Relational.EQ",
        "transforms.Relational.NE",
        "transforms.Relational.LT",
        "transforms.Relational.GT",
        "transforms.Relational.LE",
        "transforms.Relational.GE",
    ],
    "constant": ["2", "1.0", "'the'"], "transforms.Mask.dtype": ["ms.bool_", "ms.int32", "ms.float16"],
    "num_classes": ["4", "5", "2"], "smoothing_rate": ["0.1", "0.5", "1.0"],
    "pad_shape": ["[8]", "[3, 5]", "[4, 4]", "[5, None]", "[None]", "[None, 6]", "[2]", "[9, 12, 3]"],
    "pad_value": ["7", "-1", "'x'", "2.5"],
    "transforms.data_type": ["ms.float32", "ms.int8", "ms.uint8", "ms.bool_", "ms.float16", "np.int64"],
}
NEEDED = {"vision.AdjustGamma.gain": ["0.7", "2.0"], "vision.RandomResizedCrop.size": ["(5, 7)", "4"]}

_STEPS = [
    "batch(2)", "batch(3, True)", "batch(1)", "batch(8)", "batch(9, drop_remainder=True)", "skip(2)", "skip(0)",
    "skip(9)", "take(3)", "take(-1)", "take(99)", "repeat(2)", "repeat(3)", "project('b')", "project(['b', 'a'])",
    "rename('a', 'c')", "rename(['a', 'b'], ['b', 'a'])", "filter(lambda b: b > 1, 'b')",
    "filter(lambda b: b > 99, ['b'])", "map(lambda b: b + 1, 'b')", "map([lambda b: b * 2, lambda b: b - 1], ['b'])",
    "map(lambda a, b: b, ['a', 'b'], ['c'])", "map(lambda b: (b, -b), 'b', ['b', 'c'])",
    "map(transforms.TypeCast(ms.int64), 'b')", "concat({})", "zip({}.rename(['a', 'b'], ['c', 'd']))",
    "concat({}.take(2))", "zip({}.rename(['a', 'b'], ['c', 'd']).take(3))", "shuffle(1)", "padded_batch(3)",
    "padded_batch(2, pad_info={{'a': ([5], -1)}})", "padded_batch(3, True, pad_info={{'a': (None, 7)}})",
    "batch(2, per_batch_map=lambda a, b, info: (a, [x + info.get_batch_num() for x in b]))",
    "batch(2, input_columns=['b'], per_batch_map=lambda b, info: ([x * 0 + info.get_epoch_num() for x in b],))",
    "batch(lambda info: info.get_batch_num() + 1)", "batch(2, num_parallel_workers=2)",
    "bucket_batch_by_length(['a'], [2, 3], [2, 3, 1])",
    "bucket_batch_by_length(['a'], [2], [2, 2], drop_remainder=True)",
    "bucket_batch_by_length(['b'], [2, 4], [2, 1, 2], element_length_function=lambda b: int(b) + 1)",
    "bucket_batch_by_length(['a'], [2, 3], [2, 3, 1], pad_info={{'a': ([6], 4)}})",
    "bucket_batch_by_length(['a'], [2, 4], [2, 3, 1], pad_to_bucket_boundary=True)",
    "flat_map(lambda *row: ds.NumpySlicesDataset(np.atleast_1d(row[-1]), ['c'], shuffle=False))",
    "apply(lambda d: d.take(2))", "split([2, 4], False)[0]", "split([2, 4], False)[1]", "split([0.5, 0.5], False)[0]",
    "split([0.3, 0.3, 0.4], False)[1]", "split([0.3, 0.6], False)[0]", "split([9, 1], False)[0]",
]
_SOURCES = [
    "table()", "slices()", "table(1)", "slices(2, num_shards=2, shard_id=1)", "slices(7, num_shards=3, shard_id=2)",
    "table(8, num_shards=3, shard_id=1)", "slices(5, num_samples=3)", "table(6, num_samples=2)",
]
_SAMPLERS = [
    "ds.SequentialSampler()", "ds.SequentialSampler(2)", "ds.SequentialSampler(1, 3)", "ds.SequentialSampler(9)",
    "ds.DistributedSampler(3, 1, False)", "ds.DistributedSampler(3, 2, False)", "ds.DistributedSampler(4, 3, False)",
    "ds.DistributedSampler(3, 0, False, offset=1)", "ds.DistributedSampler(3, 2, False, num_samples=1)",
    "ds.DistributedSampler(2, 1, False, offset=2)", "ds.SubsetSampler([3, 1, 1, 5])", "ds.SubsetSampler([0], 1)",
    "ds.SubsetSampler([7])", "ds.SubsetSampler([2, 4, 0], 2)", "ds.PKSampler(2)", "[4, 2, 0]",
    "ds.RandomSampler(num_samples=0)", "ds.WeightedRandomSampler([0, 0, 1, 0, 0, 0], 3)",
    "ds.SubsetRandomSampler([3])",
]


def _pipelines() -> list[str]:
    found = [f"rows({source}, 2)" for source in _SOURCES]
    for source in _SOURCES[:5]:
        found += [f"rows({source}.{step.format(source)}, 2)" for step in _STEPS]
    found += [f"rows(slices(6, sampler={sampler}), 2)" for sampler in _SAMPLERS]
    found += [f"rows(table(6, sampler={sampler}))" for sampler in _SAMPLERS]
    for one in _SAMPLERS[:14]:
        for other in _SAMPLERS[:14]:
            found.append(f"rows(slices(6, sampler=(lambda s, t: s.add_child(t) or s)({one}, {other})))")
    for source in _SOURCES[:2]:
        found += [f"rows({source}.{step.format(source)}.{other.format(source)})"
                  for step in _STEPS[:32] for other in _STEPS[:29]]
    return found


PIPELINES = _pipelines()
