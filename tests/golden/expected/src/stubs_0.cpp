// Generated from templates/src/stubs.cpp.mako; not to be edited.
// Weak definitions of all kernels, which throw: the linker prefers the real definition where there is one.
#include <ATen/native/KernelChecks.h>
#include <ATen/ops/acme_rank_native.h>
#include <ATen/ops/blend_native.h>
#include <ATen/ops/fold_native.h>
#include <ATen/ops/gauss_native.h>
#include <ATen/ops/join_native.h>
#include <ATen/ops/pour_native.h>
#include <ATen/ops/ramp_native.h>
#include <ATen/ops/scale_native.h>
#include <ATen/ops/special_knots_native.h>
#include <ATen/ops/turn_native.h>
#include <ATen/ops/update_native.h>
#include <ATen/ops/window_native.h>

namespace at::native {
__attribute__((weak)) void structured_ufunc_scale_CPU::impl(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, const at::Tensor & out) {
  at::impl::throw_missing_kernel("at::native::ufunc_scale_CPU");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) at::Tensor & scale_out_sparse_cpu(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out) {
  at::impl::throw_missing_kernel("at::native::scale_out_sparse_cpu");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) void structured_fold_out::impl(const at::Tensor & self, int64_t dim, int64_t length, bool keepdim, const at::Tensor & values, const at::Tensor & indices) {
  at::impl::throw_missing_kernel("at::native::fold_out");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) ::std::tuple<at::Tensor &,at::Tensor &> fold_out_private(const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices) {
  at::impl::throw_missing_kernel("at::native::fold_out_private");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) at::Tensor blend(const at::Tensor & self, const ::std::optional<at::Tensor> & weight, double eps, c10::string_view mode) {
  at::impl::throw_missing_kernel("at::native::blend");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) at::Tensor turn(const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims) {
  at::impl::throw_missing_kernel("at::native::turn");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) at::Tensor window_symint(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  at::impl::throw_missing_kernel("at::native::window_symint");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) at::Tensor & gauss_out(const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out) {
  at::impl::throw_missing_kernel("at::native::gauss_out");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) at::Tensor ramp_cpu(int64_t n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  at::impl::throw_missing_kernel("at::native::ramp_cpu");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) at::Tensor ramp_meta_symint(c10::SymInt n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  at::impl::throw_missing_kernel("at::native::ramp_meta_symint");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) void structured_join_out_cpu::impl(const at::ITensorListRef & tensors, int64_t dim, const at::Tensor & out) {
  at::impl::throw_missing_kernel("at::native::join_out_cpu");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) ::std::vector<at::Tensor> join_masks(const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks) {
  at::impl::throw_missing_kernel("at::native::join_masks");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) ::std::vector<at::Tensor> join_masks_quantized(const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks) {
  at::impl::throw_missing_kernel("at::native::join_masks_quantized");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) at::Tensor update_cpu(const at::Tensor & self, at::Tensor & running, double momentum) {
  at::impl::throw_missing_kernel("at::native::update_cpu");
}
}  // namespace at::native

namespace acme::native {
__attribute__((weak)) ::std::tuple<at::Tensor,at::Tensor,int64_t> rank_cpu(const at::Tensor & self, int64_t k, ::std::optional<at::Device> device) {
  at::impl::throw_missing_kernel("acme::native::rank_cpu");
}
}  // namespace acme::native

namespace at::native {
__attribute__((weak)) const at::Tensor & pour_(const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  at::impl::throw_missing_kernel("at::native::pour_");
}
}  // namespace at::native

namespace at::native {
__attribute__((weak)) at::Tensor special_knots(int64_t n, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  at::impl::throw_missing_kernel("at::native::special_knots");
}
}  // namespace at::native

namespace at::meta {
__attribute__((weak)) structured_fold_dim::meta_return_ty structured_fold_dim::meta(const at::Tensor & self, int64_t dim, bool keepdim) {
  at::impl::throw_missing_kernel("TORCH_META_FUNC of fold.dim");
}
}  // namespace at::meta

namespace at::meta {
__attribute__((weak)) void structured_join::meta(const at::ITensorListRef & tensors, int64_t dim) {
  at::impl::throw_missing_kernel("TORCH_META_FUNC of join");
}
}  // namespace at::meta
