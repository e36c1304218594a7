// The three forms of a structured operator: functional allocates its outputs, out= resizes those it was
// given, in-place checks that self fits. `Impl` is at::native::structured_<kernel> (meta function and
// implementation) or, for the Meta device, at::meta::structured_<operator> alone.
#pragma once
#include <ATen/EmptyTensor.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace at::inline C10_ABI {
struct TensorIteratorBase;
}
namespace at::inline C10_ABI::impl {

TORCH_API Tensor allocate_output(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);
// Resizes `out` to `sizes`; throws where dtype or device differ from what the operator computes.
TORCH_API void resize_output(const Tensor& out, IntArrayRef sizes, IntArrayRef strides,
                             const TensorOptions& options);
TORCH_API void check_inplace(const Tensor& self, IntArrayRef sizes, const TensorOptions& options);
// A temporary with the required strides, where `out` has others; copied back after the kernel.
TORCH_API std::optional<Tensor> make_proxy(const Tensor& out, IntArrayRef sizes, IntArrayRef strides,
                                           const TensorOptions& options);
TORCH_API void copy_proxy(const Tensor& out, const Tensor& proxy);

// Does the parent class store its outputs itself, as TensorIteratorBase does? Then it is passed each.
template <class Impl>
inline constexpr bool parent_keeps_outputs =
    !std::is_same_v<decltype(&Impl::set_output_raw_strided), decltype(&MetaBase::set_output_raw_strided)>;

template <class Impl, size_t N>
class FunctionalKernel final : public Impl {
 public:
  void set_output_strided(int64_t i, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    set_output_raw_strided(i, sizes, strides, options);
  }
  void set_output_raw_strided(int64_t i, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override {
    outputs_[i] = allocate_output(sizes, strides, options);
    if constexpr (parent_keeps_outputs<Impl>) {
      Impl::set_output_raw_strided(i, sizes, strides, options);
    }
  }
  // Called on TensorIterator's fast path.
  void set_fast_path_output(const c10::TensorImpl& like, ScalarType dtype) {
    if constexpr (std::is_base_of_v<TensorIteratorBase, Impl>) {
      // Undefined until now: there is nothing to release.
      std::construct_at(outputs_.data(), at::detail::empty_contiguous_like(like, dtype));
      Impl::take_fast_path_output(outputs_[0]);
    }
  }
  using Impl::maybe_get_output;
  const Tensor& maybe_get_output(int64_t i) override { return outputs_[i]; }
  const Tensor& output(int64_t i) const { return outputs_[i]; }
  auto take() {
    if constexpr (N == 1) {
      return std::move(outputs_[0]);
    } else {
      return std::apply([](auto&... t) { return std::make_tuple(std::move(t)...); }, outputs_);
    }
  }

 private:
  std::array<Tensor, N> outputs_;
};

// The caller's outputs, with temporaries in place of those whose strides are not the required ones.
template <class Impl, size_t N, bool Inplace>
class CallerOutputs : public Impl {
 public:
  void set_output_strided(int64_t i, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    fit(i, sizes, strides, options);
    proxies_[i] = make_proxy(*outputs_[i], sizes, strides, options);
    if constexpr (parent_keeps_outputs<Impl>) {
      Impl::set_output_raw_strided(i, sizes, strides, options);
    }
  }
  void set_output_raw_strided(int64_t i, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override {
    fit(i, sizes, strides, options);
    if constexpr (parent_keeps_outputs<Impl>) {
      Impl::set_output_raw_strided(i, sizes, strides, options);
    }
  }
  // Called on TensorIterator's fast path, which accepts a caller's output only where it fits as it is.
  void set_fast_path_output(const c10::TensorImpl&, ScalarType) {}
  using Impl::maybe_get_output;
  const Tensor& maybe_get_output(int64_t i) override { return output(i); }
  const Tensor& output(int64_t i) const { return proxies_[i] ? *proxies_[i] : *outputs_[i]; }
  void finish() {
    for (size_t i = 0; i < N; ++i) {
      if (proxies_[i]) {
        copy_proxy(*outputs_[i], *proxies_[i]);
      }
    }
  }

 protected:
  template <class... Outs>
  explicit CallerOutputs(const Outs&... outs) : outputs_{&outs...} {}

 private:
  void fit(int64_t i, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
    if constexpr (Inplace) {
      check_inplace(*outputs_[i], sizes, options);
    } else {
      impl::resize_output(*outputs_[i], sizes, strides, options);
    }
  }

  std::array<const Tensor*, N> outputs_;
  std::array<std::optional<Tensor>, N> proxies_;
};

template <class Impl>
class InplaceKernel final : public CallerOutputs<Impl, 1, true> {
 public:
  explicit InplaceKernel(const Tensor& self) : CallerOutputs<Impl, 1, true>(self) {}
};

template <class Impl, size_t N>
class OutKernel final : public CallerOutputs<Impl, N, false> {
 public:
  template <class... Outs>
  explicit OutKernel(const Outs&... outs) : CallerOutputs<Impl, N, false>(outs...) {}
};

}  // namespace at::inline C10_ABI::impl
