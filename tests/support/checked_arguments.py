"""Which values the constructors of data operations take: those of the original, and where ours are stricter."""
from __future__ import annotations

import mindspore

# the columns of the patterns below
VALUES = [True, -1, 0, 1, 2**31, 2**63, 1.5, -0.5, float("nan"), "x", None, [], [1, 2], (3, 3, 3), object()]

# values of arguments without a default
REQUIRED = {
    "a0": 1.0, "a1": 0.1, "a2": 0.1, "a_coeffs": [1.0, 0.1], "b0": 1.0, "b1": 0.1, "b2": 0.1, "b_coeffs": [1.0,
    0.2], "bits": 3, "brightness_factor": 1.0, "center_freq": 1000.0, "central_freq": 1000.0, "contrast_factor":
    1.0, "coordinates": (0, 0), "cutoff_freq": 1000.0, "data_type": mindspore.float32, "degree": 30.0, "degrees":
    30, "end_points": [[0, 0], [3, 0], [3, 3], [0, 2]], "fill_value": 1, "gain": 1.0, "gamma": 2.0, "height": 2,
    "hue_factor": 0.1, "kernel_size": 3, "left": 1, "length": 4, "mean": [0.1, 0.2, 0.3], "n": 2, "n_stft": 9,
    "num_classes": 3, "padding": 1, "pattern": "a", "replace": "b", "sample_rate": 16000, "saturation_factor": 1.0,
    "scale": 1.0, "sharpness_factor": 1.0, "shear": (0.0, 0.0), "size": 4, "start_points": [[0, 0], [3, 0], [3, 3],
    [0, 3]], "std": [1.0, 2.0, 3.0], "threshold": 100.0, "top": 1, "translate": (1, 1), "width": 2,
}

# what MindSpore 2.10.0 takes (+) and refuses (.), by the arguments of which it does
ORIGINAL = {
    "+++++++++++++++":
        "audio.Resample(beta)",
    "++++++++++.....":
        "transforms.Fill(fill_value)",
    "++++..+++...+..":
        "vision.Affine(shear)",
    "+.++..+.+.+.+..":
        "vision.GaussianBlur(sigma)",
    "+.++..+.....+..":
        "vision.RandomColorAdjust(brightness,contrast,saturation)",
    "+..++++.+.+.+..":
        "vision.RandomAffine(shear)",
    "+..+........+..":
        "vision.RandomResize(size) vision.RandomResizeWithBBox(size) vision.Resize(size) "
        "vision.ResizeWithBBox(size)",
    "+.........+....":
        "vision.TenCrop(use_vertical_flip)",
    "+..............":
        "audio.BandBiquad(noise) audio.BandpassBiquad(const_skirt_gain) audio.Dither(noise_shaping) "
        "audio.Filtfilt(clamp) audio.FrequencyMasking(iid_masks) audio.GriffinLim(rand_init) "
        "audio.InverseSpectrogram(center,normalized,onesided) audio.LFCC(log_lf) audio.LFilter(clamp) "
        "audio.MFCC(log_mels) audio.MelSpectrogram(center,normalized,onesided) audio.Phaser(sinusoidal) "
        "audio.SlidingWindowCmn(center,norm_vars) audio.Spectrogram(center,normalized,onesided) "
        "audio.TimeMasking(iid_masks) "
        "text.BasicTokenizer(keep_whitespace,lower_case,preserve_unused_token,with_offsets) "
        "text.RegexReplace(replace_all) text.UnicodeCharTokenizer(with_offsets) "
        "text.UnicodeScriptTokenizer(keep_whitespace,with_offsets) text.WhitespaceTokenizer(with_offsets) "
        "vision.CutOut(is_hwc) vision.Decode(to_pil) vision.Erase(inplace) vision.HsvToRgb(is_hwc) "
        "vision.Normalize(is_hwc) vision.NormalizePad(is_hwc) vision.RandomCrop(pad_if_needed) "
        "vision.RandomCropWithBBox(pad_if_needed) vision.RandomErasing(inplace) vision.RandomRotation(expand) "
        "vision.RgbToHsv(is_hwc) vision.Rotate(expand)",
    ".+++++.........":
        "text.SlidingWindow(axis)",
    ".+++..+++.+....":
        "vision.AdjustGamma(gain)",
    ".+++..+++......":
        "audio.AllpassBiquad(central_freq) audio.BandBiquad(central_freq) audio.BandpassBiquad(central_freq) "
        "audio.BandrejectBiquad(central_freq) audio.BassBiquad(central_freq,gain) audio.Biquad(a1,a2,b0,b1,b2) "
        "audio.EqualizerBiquad(center_freq,gain) audio.Flanger(regen) audio.Gain(gain_db) "
        "audio.HighpassBiquad(cutoff_freq) audio.InverseMelScale(f_min) audio.LowpassBiquad(cutoff_freq) "
        "audio.MelScale(f_min) audio.TrebleBiquad(central_freq,gain) audio.Vad(trigger_level) "
        "vision.Affine(degrees) vision.Rotate(degrees)",
    ".+++...........":
        "audio.Phaser(sample_rate)",
    ".++.......+....":
        "transforms.Concatenate(axis)",
    ".+.+..+++......":
        "audio.Biquad(a0)",
    ".+.+...........":
        "audio.AllpassBiquad(sample_rate) audio.BandBiquad(sample_rate) audio.BandpassBiquad(sample_rate) "
        "audio.BandrejectBiquad(sample_rate) audio.BassBiquad(sample_rate) audio.DetectPitchFrequency(sample_rate) "
        "audio.EqualizerBiquad(sample_rate) audio.Flanger(sample_rate) audio.HighpassBiquad(sample_rate) "
        "audio.LowpassBiquad(sample_rate) audio.TrebleBiquad(sample_rate)",
    "..++..+.+.++...":
        "audio.Vad(measure_duration)",
    "..++..+.+.+....":
        "audio.LFCC(f_max) audio.MelSpectrogram(f_max)",
    "..++..+.+...+..":
        "vision.RandomAffine(degrees) vision.RandomRotation(degrees) vision.Solarize(threshold)",
    "..++..+.+....+.":
        "vision.Erase(value)",
    "..++..+.+......":
        "audio.ComplexNorm(power) audio.Contrast(enhancement_amount) audio.Flanger(delay,depth,phase,width) "
        "audio.FrequencyMasking(mask_value) audio.GriffinLim(momentum) audio.LFCC(f_min) audio.Magphase(power) "
        "audio.Overdrive(color,gain) audio.Phaser(delay_ms,gain_out) audio.Spectrogram(power) "
        "audio.TimeMasking(mask_value) "
        "audio.Vad(allowed_gap,boot_time,measure_smooth_time) "
        "audio.Vad(noise_reduction_amount,pre_trigger_time,search_time,trigger_time) "
        "audio.Vol(gain) vision.AdjustBrightness(brightness_factor) vision.AdjustContrast(contrast_factor) "
        "vision.AdjustGamma(gamma) vision.AdjustSaturation(saturation_factor) "
        "vision.AdjustSharpness(sharpness_factor) vision.AutoContrast(cutoff) vision.RandomAdjustSharpness(degree) "
        "vision.RandomAutoContrast(cutoff) vision.RandomLighting(alpha)",
    "..++....+......":
        "audio.Phaser(gain_in) transforms.OneHot(smoothing_rate) vision.RandomAdjustSharpness(prob) "
        "vision.RandomAutoContrast(prob) vision.RandomEqualize(prob) vision.RandomErasing(prob) "
        "vision.RandomGrayscale(prob) vision.RandomHorizontalFlip(prob) vision.RandomHorizontalFlipWithBBox(prob) "
        "vision.RandomInvert(prob) vision.RandomVerticalFlip(prob) vision.RandomVerticalFlipWithBBox(prob)",
    "..++......++++.":
        "vision.AutoContrast(ignore) vision.RandomAutoContrast(ignore)",
    "..++......+++..":
        "vision.PadToSize(offset)",
    "..++......+.+..":
        "vision.RandomCrop(padding) vision.RandomCropWithBBox(padding)",
    "..++......+..+.":
        "vision.RandomAffine(fill_value) vision.RandomCrop(fill_value) vision.RandomCropWithBBox(fill_value)",
    "..++......+....":
        "audio.GriffinLim(hop_length,length,win_length) audio.InverseSpectrogram(length) "
        "vision.SlicePatches(fill_value)",
    "..++........+..":
        "vision.Pad(padding)",
    "..++.........+.":
        "vision.Affine(fill_value) vision.AutoAugment(fill_value) vision.Pad(fill_value) "
        "vision.PadToSize(fill_value) vision.RandAugment(fill_value) vision.RandomErasing(value) "
        "vision.RandomRotation(fill_value) vision.Rotate(fill_value) vision.TrivialAugmentWide(fill_value)",
    "..++...........":
        "audio.Fade(fade_in_len,fade_out_len) audio.FrequencyMasking(freq_mask_param,mask_start) "
        "audio.InverseSpectrogram(pad) audio.MFCC(n_mfcc,sample_rate) audio.MelSpectrogram(n_mels,pad) "
        "audio.SlidingWindowCmn(cmn_window,min_cmn_window) audio.SpectralCentroid(pad,sample_rate) "
        "audio.Spectrogram(pad) audio.TimeMasking(mask_start,time_mask_param) vision.Erase(left,top) "
        "vision.Posterize(bits) vision.RandAugment(magnitude,num_ops) vision.ResizedCrop(left,top)",
    "..+....++......":
        "vision.AdjustHue(hue_factor)",
    "..+.....+......":
        "audio.Phaser(decay) audio.Vad(noise_down_time)",
    "..+............":
        "vision.RandomColorAdjust(hue)",
    "...++++.+......":
        "vision.Affine(scale)",
    "...+++......+..":
        "text.Ngram(n)",
    "...+++.........":
        "transforms.OneHot(num_classes)",
    "...+..+.+.+....":
        "audio.InverseMelScale(f_max) audio.MelScale(f_max) audio.TimeStretch(fixed_rate)",
    "...+..+.+......":
        "audio.AmplitudeToDB(amin,ref_value,top_db) audio.DetectPitchFrequency(frame_time,freq_high,freq_low) "
        "audio.Flanger(speed) audio.GriffinLim(power) audio.InverseMelScale(tolerance_change,tolerance_loss) "
        "audio.MelSpectrogram(power) audio.Phaser(mod_speed) audio.Resample(new_freq,orig_freq) "
        "audio.Vad(hp_filter_freq,hp_lifter_freq,lp_filter_freq,lp_lifter_freq,measure_freq,noise_up_time) "
        "vision.MixUpBatch(alpha)",
    "...+....+......":
        "audio.AllpassBiquad(Q) audio.BandBiquad(Q) audio.BandpassBiquad(Q) audio.BandrejectBiquad(Q) "
        "audio.BassBiquad(Q) audio.EqualizerBiquad(Q) audio.HighpassBiquad(Q) audio.LowpassBiquad(Q) "
        "audio.TrebleBiquad(Q)",
    "...+......+.+..":
        "vision.RandomPosterize(bits)",
    "...+......+....":
        "audio.InverseSpectrogram(hop_length,win_length) audio.MelSpectrogram(hop_length,win_length) "
        "audio.SpectralCentroid(hop_length,win_length) audio.Spectrogram(hop_length,win_length) "
        "audio.TimeStretch(hop_length) vision.RandomCropDecodeResize(max_attempts) "
        "vision.RandomResizedCrop(max_attempts) vision.RandomResizedCropWithBBox(max_attempts) "
        "vision.SlicePatches(num_height,num_width)",
    "...+........+..":
        "vision.CenterCrop(size) vision.Crop(size) vision.FiveCrop(size) vision.PadToSize(size) "
        "vision.RandomCrop(size) vision.RandomCropDecodeResize(size) vision.RandomCropWithBBox(size) "
        "vision.RandomResizedCrop(size) vision.RandomResizedCropWithBBox(size) vision.ResizedCrop(size) "
        "vision.TenCrop(size)",
    "...+...........":
        "audio.DetectPitchFrequency(win_length) audio.GriffinLim(n_fft,n_iter) "
        "audio.InverseMelScale(max_iter,n_mels,n_stft) audio.InverseSpectrogram(n_fft) audio.LFCC(n_filter,n_lfcc) "
        "audio.MelScale(n_mels,n_stft) audio.MelSpectrogram(n_fft) audio.MuLawDecoding(quantization_channels) "
        "audio.MuLawEncoding(quantization_channels) audio.Resample(lowpass_filter_width) "
        "audio.SpectralCentroid(n_fft) audio.Spectrogram(n_fft) audio.TimeStretch(n_freq) audio.Vad(sample_rate) "
        "text.SlidingWindow(width) vision.CutOut(length,num_patches) vision.Erase(height,width) "
        "vision.GaussianBlur(kernel_size) vision.Grayscale(num_output_channels) vision.RandomErasing(max_attempts) "
        "vision.ResizedCrop(height,width)",
    "......+++......":
        "audio.MelSpectrogram(f_min)",
    "........+......":
        "audio.Resample(rolloff) vision.RandomPerspective(distortion_scale,prob)",
    ".........+.....":
        "text.Ngram(separator) text.RegexReplace(pattern,replace)",
    "..........+.+..":
        "vision.RandomAffine(scale) vision.RandomColor(degrees) vision.RandomCropDecodeResize(ratio,scale) "
        "vision.RandomResizedCrop(ratio,scale) vision.RandomResizedCropWithBBox(ratio,scale) "
        "vision.RandomSharpness(degrees)",
    "..........+....":
        "audio.InverseMelScale(sgdargs) audio.LFCC(speckwargs) audio.MFCC(melkwargs) "
        "transforms.Concatenate(append,prepend) vision.RandomAffine(translate) vision.RandomCrop(padding_mode) "
        "vision.RandomCropDecodeResize(interpolation) vision.RandomCropWithBBox(padding_mode) "
        "vision.RandomResizedCrop(interpolation) vision.RandomResizedCropWithBBox(interpolation) "
        "vision.RandomRotation(center) vision.Rotate(center) vision.SlicePatches(slice_mode)",
    "...........+...":
        "transforms.TypeCast(data_type) vision.ToTensor(output_type) vision.ToType(data_type)",
    "............+..":
        "audio.Filtfilt(a_coeffs,b_coeffs) audio.LFilter(a_coeffs,b_coeffs) vision.Crop(coordinates) "
        "vision.RandomErasing(ratio,scale)",
    ".............+.":
        "vision.Normalize(mean,std) vision.NormalizePad(mean,std)",
    "...............":
        "audio.AmplitudeToDB(stype) audio.ComputeDeltas(pad_mode,win_length) audio.Dither(density_function) "
        "audio.Fade(fade_shape) audio.Flanger(interpolation,modulation) audio.GriffinLim(window_type) "
        "audio.InverseMelScale(mel_type,norm,sample_rate) audio.InverseSpectrogram(pad_mode,window) "
        "audio.LFCC(dct_type,norm,sample_rate) audio.MFCC(dct_type,norm) audio.MelScale(mel_type,norm,sample_rate) "
        "audio.MelSpectrogram(mel_scale,norm,pad_mode,sample_rate,window) audio.Resample(resample_method) "
        "audio.SpectralCentroid(window) audio.Spectrogram(pad_mode,window) audio.Vol(gain_type) "
        "text.BasicTokenizer(normalization_form) text.Ngram(left_pad,right_pad) text.NormalizeUTF8(normalize_form) "
        "text.ToNumber(data_type) vision.Affine(resample,translate) vision.AutoAugment(interpolation,policy) "
        "vision.NormalizePad(dtype) vision.Pad(padding_mode) vision.PadToSize(padding_mode) "
        "vision.Perspective(end_points,interpolation,start_points) "
        "vision.RandAugment(interpolation,num_magnitude_bins) vision.RandomAffine(resample) "
        "vision.RandomPerspective(interpolation) vision.RandomRotation(resample) vision.RandomSolarize(threshold) "
        "vision.Resize(interpolation) vision.ResizeWithBBox(interpolation) vision.ResizedCrop(interpolation) "
        "vision.Rotate(resample) vision.TrivialAugmentWide(interpolation,num_magnitude_bins)",
}

# what we take where that differs; None never stands for a default, and not a number is no number anywhere
OURS = {
    "+..............":
        "vision.TenCrop(use_vertical_flip)",
    ".+++++++..+....":
        "audio.Resample(beta)",
    ".+++..++....+..":
        "vision.Affine(shear)",
    ".+++..++.......":
        "vision.AdjustGamma(gain)",
    ".+++...........":
        "text.SlidingWindow(axis)",
    ".++............":
        "transforms.Concatenate(axis)",
    "..++..+...+.+..":
        "vision.GaussianBlur(sigma)",
    "..++..+...+....":
        "audio.Vad(measure_duration)",
    "..++..+.....+..":
        "vision.RandomColorAdjust(brightness,contrast,saturation)",
    "..++.........+.":
        "vision.RandomAffine(fill_value) vision.RandomCrop(fill_value) vision.RandomCropWithBBox(fill_value)",
    "..++...........":
        "vision.SlicePatches(fill_value)",
    "..+............":
        "audio.GriffinLim(momentum)",
    "...+..+...+.+..":
        "vision.RandomAffine(shear)",
    "...+........+..":
        "text.Ngram(n) vision.RandomPosterize(bits) vision.RandomResize(size) vision.RandomResizeWithBBox(size) "
        "vision.Resize(size) vision.ResizeWithBBox(size)",
    "...+...........":
        "audio.DetectPitchFrequency(freq_high,freq_low) transforms.OneHot(num_classes) "
        "vision.RandomCropDecodeResize(max_attempts) vision.RandomResizedCrop(max_attempts) "
        "vision.RandomResizedCropWithBBox(max_attempts) vision.SlicePatches(num_height,num_width)",
    "..........+.+..":
        "vision.RandomRotation(center) vision.Rotate(center)",
    "............+..":
        "vision.RandomColor(degrees) vision.RandomCropDecodeResize(ratio,scale) "
        "vision.RandomResizedCrop(ratio,scale) vision.RandomResizedCropWithBBox(ratio,scale) "
        "vision.RandomSharpness(degrees)",
    "...............":
        "audio.MFCC(sample_rate) transforms.TypeCast(data_type) vision.RandomCrop(padding_mode) "
        "vision.RandomCropDecodeResize(interpolation) vision.RandomCropWithBBox(padding_mode) "
        "vision.RandomResizedCrop(interpolation) vision.RandomResizedCropWithBBox(interpolation) "
        "vision.SlicePatches(slice_mode) vision.ToTensor(output_type) vision.ToType(data_type)",
}
