// Short-time Fourier transforms: of windows that slide along a signal, and their inverse by overlap-add.
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/fft/stubs.h>

#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_c2r.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/div.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/istft_native.h>
#include <ATen/ops/item.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/min.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/pad.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/stft.h>
#include <ATen/ops/stft_native.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>

namespace at::native {

namespace {

struct Geometry {
  int64_t n_fft, hop, win_length;

  Geometry(int64_t n_fft_, std::optional<int64_t> hop_, std::optional<int64_t> win_length_)
      : n_fft(n_fft_), hop(hop_.value_or(n_fft_ >> 2)), win_length(win_length_.value_or(n_fft_)) {}

  int64_t left() const { return (n_fft - win_length) / 2; }
  int64_t right() const { return n_fft - win_length - left(); }
};

int64_t mode_number(fft_norm_mode mode) { return static_cast<int64_t>(mode); }

void check_window(const char* name, const Tensor& window, int64_t win_length) {
  TORCH_CHECK(!window.defined() || (window.dim() == 1 && window.size(0) == win_length), name,
              ": expected a 1D window tensor of size equal to win_length=", win_length,
              ", but got window with size ", window.defined() ? window.sizes() : IntArrayRef());
}

void check_signal(const Tensor& self, int64_t length, const Geometry& g) {
  TORCH_CHECK(self.is_floating_point() || self.is_complex(),
              "stft: expected a tensor of floating point or complex values, got ", self.scalar_type());
  TORCH_CHECK(g.n_fft > 0 && g.n_fft <= length, "stft: expected 0 < n_fft <= ", length,
              ", but got n_fft=", g.n_fft);
  TORCH_CHECK(g.hop > 0, "stft: expected hop_length > 0, but got hop_length=", g.hop);
  TORCH_CHECK(g.win_length > 0 && g.win_length <= g.n_fft,
              "stft: expected 0 < win_length <= n_fft, but got win_length=", g.win_length);
}

// The window, centred in n_fft points; undefined where there is nothing to multiply.
Tensor centred_window(const Tensor& window, const Geometry& g, const TensorOptions& options) {
  if (g.win_length == g.n_fft) return window;
  const Tensor given = window.defined() ? window : at::ones({g.win_length}, options);
  return at::constant_pad_nd(given, {g.left(), g.right()}, 0);
}

bool wants_complex(const Tensor& self, const Tensor& window, std::optional<bool> return_complex) {
  const bool is_complex = self.is_complex() || (window.defined() && window.is_complex());
  TORCH_CHECK(return_complex.has_value() || is_complex,
              "stft requires the return_complex parameter be given for real inputs");
  return return_complex.value_or(true);
}

}  // namespace

// -------------------- stft

Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length,
            std::optional<int64_t> win_length, const std::optional<Tensor>& window_opt, bool normalized,
            std::optional<bool> onesided, std::optional<bool> return_complex,
            std::optional<bool> align_to_window) {
  const Tensor window = window_opt.value_or(Tensor());
  const Geometry g(n_fft, hop_length, win_length);
  const bool complex_result = wants_complex(self, window, return_complex);
  TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "stft: expected a 1D or 2D tensor, but got ", self.dim(),
              "D");
  Tensor signal = self.dim() == 1 ? self.unsqueeze(0) : self;
  check_signal(self, signal.size(1), g);
  check_window("stft", window, g.win_length);
  if (align_to_window.value_or(false)) signal = at::constant_pad_nd(signal, {g.left(), g.right()}, 0);
  const int64_t frames = 1 + (signal.size(1) - n_fft) / g.hop;
  Tensor slices = signal.as_strided({signal.size(0), frames, n_fft},
                                    {signal.stride(0), g.hop * signal.stride(1), signal.stride(1)});
  const Tensor factors = centred_window(window, g, self.options());
  if (factors.defined()) slices = slices.mul(factors);
  const bool half = onesided.value_or(!slices.is_complex());
  TORCH_CHECK(!half || !slices.is_complex(), "Cannot have onesided output if window or input is complex");
  const int64_t mode = mode_number(normalized ? fft_norm_mode::by_root_n : fft_norm_mode::none);
  Tensor result = slices.is_complex() ? at::_fft_c2c(slices, {2}, mode, /*forward=*/true)
                                      : at::_fft_r2c(slices, {2}, mode, half);
  result = result.transpose(1, 2);
  if (self.dim() == 1) result = result.squeeze(0);
  return complex_result ? result : at::view_as_real(result);
}

Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length,
            std::optional<int64_t> win_length, const std::optional<Tensor>& window, bool center,
            c10::string_view pad_mode, bool normalized, std::optional<bool> onesided,
            std::optional<bool> return_complex, std::optional<bool> align_to_window) {
  TORCH_CHECK(!center || !align_to_window.has_value(),
              "stft: align_to_window should only be set when center = false.");
  Tensor signal = self;
  if (center) {
    TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "stft: expected a 1D or 2D tensor, but got ", self.dim(),
                "D");
    // Padding modes take a batch and channels.
    const Tensor batch = self.dim() == 1 ? self.unsqueeze(0).unsqueeze(0) : self.unsqueeze(0);
    signal = at::pad(batch, {n_fft / 2, n_fft / 2}, pad_mode).squeeze(0);
    if (self.dim() == 1) signal = signal.squeeze(0);
  }
  return at::stft(signal, n_fft, hop_length, win_length, window, normalized, onesided, return_complex,
                  align_to_window);
}

// -------------------- istft

namespace {

void check_spectrum(const Tensor& self, const Geometry& g, bool onesided) {
  TORCH_CHECK(self.numel() > 0, "istft: input tensor cannot be empty.");
  TORCH_CHECK(self.dim() == 2 || self.dim() == 3, "istft: expected a tensor with 2 or 3 dimensions, but got ",
              self.dim());
  const int64_t points = onesided ? g.n_fft / 2 + 1 : g.n_fft;
  TORCH_CHECK(self.size(-2) == points, "istft: expected the frequency dimension (2nd to the last) to be ",
              points, " for n_fft=", g.n_fft, " and onesided=", onesided ? "True" : "False", ", but got ",
              self.size(-2));
  TORCH_CHECK(g.hop > 0 && g.hop <= g.win_length, "istft: expected 0 < hop_length <= win_length, but got ",
              g.hop, " and ", g.win_length);
  TORCH_CHECK(g.win_length > 0 && g.win_length <= g.n_fft,
              "istft: expected 0 < win_length <= n_fft, but got win_length=", g.win_length);
}

// Overlap-add: frames [channels, frames, n_fft], each `hop` further than the one before.
Tensor overlap_add(const Tensor& frames, int64_t hop) {
  const int64_t channels = frames.size(0), count = frames.size(1), n_fft = frames.size(2);
  const auto options = frames.options().dtype(kLong);
  const Tensor starts = at::arange(count, options).mul(hop).unsqueeze(1);
  const Tensor places = starts.add(at::arange(n_fft, options)).reshape({-1});
  const Tensor zeros = frames.new_zeros({channels, n_fft + hop * (count - 1)});
  return zeros.index_add(1, places, frames.reshape({channels, count * n_fft}));
}

// The frames of a spectrum [channels, frames, points].
Tensor spectrum_frames(const Tensor& spectrum, int64_t n_fft, bool onesided, bool to_complex,
                       bool normalized) {
  const int64_t mode = mode_number(normalized ? fft_norm_mode::by_root_n : fft_norm_mode::by_n);
  if (to_complex) {
    TORCH_CHECK(!onesided, "Cannot have onesided output if window or input is complex");
    return at::_fft_c2c(spectrum, {2}, mode, /*forward=*/false);
  }
  return at::_fft_c2r(onesided ? spectrum : spectrum.slice(-1, 0, n_fft / 2 + 1), {2}, mode, n_fft);
}

}  // namespace

Tensor istft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length,
             std::optional<int64_t> win_length, const std::optional<Tensor>& window_opt, bool center,
             bool normalized, std::optional<bool> onesided_opt, std::optional<int64_t> length,
             bool return_complex) {
  const Tensor window = window_opt.value_or(Tensor());
  const Geometry g(n_fft, hop_length, win_length);
  TORCH_CHECK(self.is_complex(),
              "istft requires a complex-valued input tensor matching the output from stft with "
              "return_complex=True.");
  const bool onesided = onesided_opt.value_or(self.dim() >= 2 && self.size(-2) != n_fft);
  check_spectrum(self, g, onesided);
  check_window("istft", window, g.win_length);
  TORCH_CHECK(return_complex || !window.defined() || !window.is_complex(),
              "Complex windows are incompatible with return_complex=False");
  const Tensor spectrum = (self.dim() == 2 ? self.unsqueeze(0) : self).transpose(1, 2);
  const Tensor frames = spectrum_frames(spectrum, n_fft, onesided, return_complex, normalized);
  const auto real = self.options().dtype(c10::toRealValueType(self.scalar_type()));
  const Tensor centred = centred_window(window.defined() ? window : at::ones({g.win_length}, real), g, real);
  const Tensor signal = overlap_add(frames.mul(centred), g.hop);
  const Tensor weight = overlap_add(centred.mul(centred).expand({1, frames.size(1), n_fft}), g.hop);
  const int64_t expected = signal.size(1), start = center ? n_fft / 2 : 0;
  const int64_t end = length.has_value() ? start + *length : center ? expected - n_fft / 2 : expected;
  const Tensor trimmed_weight = weight.slice(1, start, end);
  TORCH_CHECK(
      trimmed_weight.numel() > 0 &&
          (trimmed_weight.is_meta() || !trimmed_weight.abs().min().lt(1e-11).item().toBool()),
      "istft: the windows leave parts of the signal undetermined: the smallest sum of their squares is 0");
  Tensor result = signal.slice(1, start, end).div(trimmed_weight);
  if (self.dim() == 2) result = result.squeeze(0);
  if (end > expected) {
    TORCH_WARN(
        "The length of signal is shorter than the length parameter. Result is being padded with zeros in the "
        "tail. Please check your center and hop_length settings.");
    result = at::constant_pad_nd(result, {0, end - expected}, 0);
  }
  return result;
}

}  // namespace at::native
