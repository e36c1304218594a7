// pad: dispatch by the mode's name or number, and circular padding.
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_pad_circular.h>
#include <ATen/ops/_pad_circular_native.h>
#include <ATen/ops/_pad_enum.h>
#include <ATen/ops/_pad_enum_native.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/pad_native.h>
#include <ATen/ops/reflection_pad1d.h>
#include <ATen/ops/reflection_pad2d.h>
#include <ATen/ops/reflection_pad3d.h>
#include <ATen/ops/replication_pad1d.h>
#include <ATen/ops/replication_pad2d.h>
#include <ATen/ops/replication_pad3d.h>
#include <ATen/ops/slice.h>

#include <algorithm>
#include <vector>

namespace at::native {

namespace {

// The mode numbers of _pad_enum.
// NOLINTNEXTLINE(readability-identifier-naming): ATen's names
enum class padding_mode { reflect, replicate, circular, constant };
constexpr const char* mode_names[] = {"reflect", "replicate", "circular", "constant"};

// One dimension without what a negative `before` or `after` takes from it.
Tensor cropped(const Tensor& self, int64_t dim, int64_t before, int64_t after) {
  const int64_t size = self.sizes()[dim];
  TORCH_CHECK(before <= size && after <= size,
              "Padding value causes wrapping around more than once: ", before, " and ", after,
              " around dimension ", dim, " of size ", size);
  const int64_t first = std::max<int64_t>(-before, 0), kept = size - first - std::max<int64_t>(-after, 0);
  TORCH_CHECK(kept >= 0 && kept >= before && kept >= after, "Negative padding value leaves dimension ", dim,
              " of size ", size, " without the elements to pad it with: ", before, " and ", after);
  return kept == size ? self : self.slice(dim, first, first + kept);
}

// One dimension, extended by its other end where `before` or `after` is positive.
Tensor wrapped(const Tensor& self, int64_t dim, int64_t before, int64_t after) {
  const int64_t size = self.sizes()[dim];
  std::vector<Tensor> parts;
  if (before > 0) parts.push_back(self.slice(dim, size - before, size));
  parts.push_back(self);
  if (after > 0) parts.push_back(self.slice(dim, 0, after));
  return parts.size() == 1 ? self : at::cat(parts, dim);
}

}  // namespace

Tensor _pad_circular_symint(const Tensor& self, c10::SymIntArrayRef pad) {
  const IntArrayRef widths = C10_AS_INTARRAYREF_SLOW(pad);
  const auto dims = static_cast<int64_t>(widths.size() / 2);
  TORCH_CHECK(widths.size() % 2 == 0 && (dims + 1 == self.dim() || dims + 2 == self.dim()),
              "Invalid padding size, expected 1 or 2 non-padded dimensions, which would be equivalent to "
              "padding of length ",
              2 * (self.dim() - 1), " or ", 2 * (self.dim() - 2), " respectively but got ", widths.size());
  Tensor middle = self;
  for (int64_t i = dims; i-- > 0;) {
    middle = cropped(middle, self.dim() - 1 - i, widths[2 * i], widths[2 * i + 1]);
  }
  Tensor padded = middle;
  for (int64_t i = dims; i-- > 0;) {
    padded = wrapped(padded, self.dim() - 1 - i, widths[2 * i], widths[2 * i + 1]);
  }
  // A new contiguous tensor, whatever the widths and strides are.
  return padded.is_same(middle) ? middle.clone(MemoryFormat::Contiguous) : padded.contiguous();
}

Tensor _pad_enum_symint(const Tensor& self, c10::SymIntArrayRef pad, int64_t mode,
                        std::optional<double> value) {
  const IntArrayRef widths = C10_AS_INTARRAYREF_SLOW(pad);
  TORCH_CHECK(widths.size() % 2 == 0, "Padding length must be divisible by 2, got ", widths.size());
  TORCH_CHECK(static_cast<int64_t>(widths.size()) <= 2 * self.dim(),
              "Padding length should be less than or equal to two times the input dimension but got padding "
              "length ",
              widths.size(), " and input of dimension ", self.dim());
  TORCH_CHECK(mode >= 0 && mode <= 3, "Unrecognised padding mode ", mode, "; 0 to 3 are known");
  const auto kind = static_cast<padding_mode>(mode);
  if (kind == padding_mode::constant) return at::constant_pad_nd(self, widths, value.value_or(0.0));
  TORCH_CHECK(!value.has_value() || *value == 0, "Padding mode \"", mode_names[mode],
              "\" doesn't take in value argument");
  const int64_t batched = self.dim() - static_cast<int64_t>(widths.size() / 2);
  const bool fits = batched == 1 || batched == 2;
  const bool reflect = kind == padding_mode::reflect;
  if (fits && kind == padding_mode::circular && widths.size() <= 6) return at::_pad_circular(self, widths);
  if (fits && widths.size() == 2) {
    return reflect ? at::reflection_pad1d(self, widths) : at::replication_pad1d(self, widths);
  }
  if (fits && widths.size() == 4) {
    return reflect ? at::reflection_pad2d(self, widths) : at::replication_pad2d(self, widths);
  }
  if (fits && widths.size() == 6) {
    return reflect ? at::reflection_pad3d(self, widths) : at::replication_pad3d(self, widths);
  }
  TORCH_CHECK_NOT_IMPLEMENTED(false, "Padding size ", widths.size(), " is not supported for ", self.dim(),
                              "D input tensor: non-constant modes pad the last one, two or three dimensions, "
                              "and one or two more come before them");
}

Tensor pad_symint(const Tensor& self, c10::SymIntArrayRef pad, c10::string_view mode,
                  std::optional<double> value) {
  for (int64_t number = 0; number < 4; ++number) {
    if (mode == mode_names[number]) {
      return at::_pad_enum(self, C10_AS_INTARRAYREF_SLOW(pad), number, value);
    }
  }
  TORCH_CHECK_NOT_IMPLEMENTED(false, "Unrecognised padding mode ", mode,
                              "; expected constant, reflect, replicate or circular");
}

}  // namespace at::native
