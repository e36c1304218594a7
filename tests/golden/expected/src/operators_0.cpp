// Generated from templates/src/operators.cpp.mako; not to be edited.
// Operators: their entries with the kernels resolved at link time, and the typed calls.
#include <ATen/core/Tensor.h>
#include <ATen/ops/acme_rank_ops.h>
#include <ATen/ops/blend_ops.h>
#include <ATen/ops/fold_ops.h>
#include <ATen/ops/gauss_ops.h>
#include <ATen/ops/join_ops.h>
#include <ATen/ops/pour_ops.h>
#include <ATen/ops/probe_ops.h>
#include <ATen/ops/ramp_ops.h>
#include <ATen/ops/scale_ops.h>
#include <ATen/ops/special_knots_ops.h>
#include <ATen/ops/turn_ops.h>
#include <ATen/ops/update_ops.h>
#include <ATen/ops/window_ops.h>
#include <ATen/ops/window_copy_ops.h>

namespace at::inline C10_ABI {

namespace _signatures {
extern const c10::Signature s01160278_6eaf084f;
extern const c10::Signature s0f2d0496_e3a61c18;
extern const c10::Signature s2d400e5a_68b317fa;
extern const c10::Signature s2e48439b_7c5535f3;
extern const c10::Signature s3ef15b80_c66d1c26;
extern const c10::Signature s40e0758b_fe9722ae;
extern const c10::Signature s44368353_d8e62132;
extern const c10::Signature s447827e7_cef41589;
extern const c10::Signature s4adf9fb1_9420103d;
extern const c10::Signature s56e43846_f91b1d19;
extern const c10::Signature s692bab10_d37c161f;
extern const c10::Signature s70b0aa34_af0b14d9;
extern const c10::Signature s7690dd10_45781abb;
extern const c10::Signature s8ac294b1_ee252013;
extern const c10::Signature s8c631a58_dacd157b;
extern const c10::Signature s9a597ae6_c6131c92;
extern const c10::Signature sa5df5d33_eba11fa5;
extern const c10::Signature sa95e147b_0bfc1620;
extern const c10::Signature sac39f5f0_5cff177c;
extern const c10::Signature sb3021681_2dbe12fc;
extern const c10::Signature sde45b89d_243c2e67;
extern const c10::Signature se969f81b_701b1b66;
extern const c10::Signature sf67ad3b0_309f2002;
extern const c10::Signature sf7a90329_ddc21184;
extern const c10::Signature sf7f3e0b0_3c6012c6;
}  // namespace _signatures

namespace kernels {
::std::tuple<at::Tensor,at::Tensor,int64_t> CPU_acme_rank(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, ::std::optional<at::Device>);
::std::tuple<at::Tensor,at::Tensor,int64_t> Autograd_acme_rank(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, ::std::optional<at::Device>);
at::Tensor CompositeImplicitAutograd_blend(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const ::std::optional<at::Tensor> &, double, c10::string_view);
::std::tuple<at::Tensor,at::Tensor> CPU_fold_dim(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool);
::std::tuple<at::Tensor,at::Tensor> Meta_fold_dim(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool);
::std::tuple<at::Tensor,at::Tensor> CompositeExplicitAutogradNonFunctional_fold_dim(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool);
::std::tuple<at::Tensor,at::Tensor> Autograd_fold_dim(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool);
::std::tuple<at::Tensor &,at::Tensor &> CPU_fold_dim_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &);
::std::tuple<at::Tensor &,at::Tensor &> Meta_fold_dim_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &);
::std::tuple<at::Tensor &,at::Tensor &> PrivateUse1_fold_dim_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &);
::std::tuple<at::Tensor &,at::Tensor &> Autograd_fold_dim_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &);
::std::tuple<at::Tensor &,at::Tensor &> ADInplaceOrView_fold_dim_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &);
at::Tensor & CPU_gauss_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, double, ::std::optional<at::Generator>, at::Tensor &);
at::Tensor & Autograd_gauss_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, double, ::std::optional<at::Generator>, at::Tensor &);
at::Tensor & ADInplaceOrView_gauss_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, double, ::std::optional<at::Generator>, at::Tensor &);
at::Tensor CPU_join(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t);
at::Tensor Meta_join(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t);
at::Tensor CompositeExplicitAutogradNonFunctional_join(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t);
at::Tensor Autograd_join(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t);
at::Tensor & CPU_join_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t, at::Tensor &);
at::Tensor & Meta_join_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t, at::Tensor &);
at::Tensor & Autograd_join_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t, at::Tensor &);
at::Tensor & ADInplaceOrView_join_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::ITensorListRef &, int64_t, at::Tensor &);
::std::vector<at::Tensor> CPU_join_masks(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const c10::List<::std::optional<at::Tensor>> &);
::std::vector<at::Tensor> QuantizedCPU_join_masks(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const c10::List<::std::optional<at::Tensor>> &);
::std::vector<at::Tensor> Autograd_join_masks(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const c10::List<::std::optional<at::Tensor>> &);
const at::Tensor & CPU_pour_(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool);
const at::Tensor & Meta_pour_(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool);
const at::Tensor & Autograd_pour_(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool);
const at::Tensor & ADInplaceOrView_pour_(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool);
const at::Tensor & CompositeExplicitAutograd_pour_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool, const at::Tensor &);
const at::Tensor & Autograd_pour_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool, const at::Tensor &);
const at::Tensor & ADInplaceOrView_pour_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool, const at::Tensor &);
at::Tensor CompositeExplicitAutograd_pour(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool);
at::Tensor Autograd_pour(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, bool);
at::Tensor CPU_ramp(const c10::OperatorEntry&, c10::DispatchKeySet, c10::SymInt, const at::Scalar &, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>);
at::Tensor Meta_ramp(const c10::OperatorEntry&, c10::DispatchKeySet, c10::SymInt, const at::Scalar &, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>);
at::Tensor BackendSelect_ramp(const c10::OperatorEntry&, c10::DispatchKeySet, c10::SymInt, const at::Scalar &, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>);
at::Tensor & CompositeExplicitAutograd_ramp_out(const c10::OperatorEntry&, c10::DispatchKeySet, c10::SymInt, const at::Scalar &, at::Tensor &);
at::Tensor & Autograd_ramp_out(const c10::OperatorEntry&, c10::DispatchKeySet, c10::SymInt, const at::Scalar &, at::Tensor &);
at::Tensor & ADInplaceOrView_ramp_out(const c10::OperatorEntry&, c10::DispatchKeySet, c10::SymInt, const at::Scalar &, at::Tensor &);
at::Tensor CPU_scale_Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor Meta_scale_Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor CompositeExplicitAutogradNonFunctional_scale_Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor Autograd_scale_Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor & CPU_scale__Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor & Meta_scale__Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor & CompositeExplicitAutogradNonFunctional_scale__Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor & Autograd_scale__Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor & ADInplaceOrView_scale__Tensor(const c10::OperatorEntry&, c10::DispatchKeySet, at::Tensor &, const at::Tensor &, const at::Scalar &);
at::Tensor & CPU_scale_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &);
at::Tensor & Meta_scale_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &);
at::Tensor & SparseCPU_scale_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &);
at::Tensor & Autograd_scale_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &);
at::Tensor & ADInplaceOrView_scale_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &);
at::Tensor CompositeExplicitAutograd_special_knots(const c10::OperatorEntry&, c10::DispatchKeySet, int64_t, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>);
at::Tensor BackendSelect_special_knots(const c10::OperatorEntry&, c10::DispatchKeySet, int64_t, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>);
at::Tensor CompositeExplicitAutograd_turn(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::IntArrayRef, at::IntArrayRef);
at::Tensor Autograd_turn(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::IntArrayRef, at::IntArrayRef);
at::Tensor AutogradCUDA_turn(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::IntArrayRef, at::IntArrayRef);
at::Tensor & CompositeExplicitAutograd_turn_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::IntArrayRef, at::IntArrayRef, at::Tensor &);
at::Tensor & Autograd_turn_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::IntArrayRef, at::IntArrayRef, at::Tensor &);
at::Tensor & ADInplaceOrView_turn_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::IntArrayRef, at::IntArrayRef, at::Tensor &);
at::Tensor CPU_update(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::Tensor &, double);
at::Tensor Autograd_update(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::Tensor &, double);
at::Tensor ADInplaceOrView_update(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::Tensor &, double);
at::Tensor & CompositeExplicitAutograd_update_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::Tensor &, double, at::Tensor &);
at::Tensor & Autograd_update_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::Tensor &, double, at::Tensor &);
at::Tensor & ADInplaceOrView_update_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, at::Tensor &, double, at::Tensor &);
::std::tuple<at::Tensor,at::Tensor> CompositeExplicitAutograd_update_functional(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, double);
::std::tuple<at::Tensor,at::Tensor> Autograd_update_functional(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, const at::Tensor &, double);
at::Tensor CompositeExplicitAutograd_window(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>);
at::Tensor Autograd_window(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>);
at::Tensor ADInplaceOrView_window(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>);
at::Tensor CompositeExplicitAutogradNonFunctional_window_copy(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>);
at::Tensor Autograd_window_copy(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>);
at::Tensor & CompositeExplicitAutograd_window_copy_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>, at::Tensor &);
at::Tensor & Autograd_window_copy_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>, at::Tensor &);
at::Tensor & ADInplaceOrView_window_copy_out(const c10::OperatorEntry&, c10::DispatchKeySet, const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>, at::Tensor &);
}  // namespace kernels

namespace _ops {

static const c10::StaticKernel acme_rank_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_acme_rank)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_acme_rank)},
};
constinit c10::OperatorEntry acme_rank::entry("acme::rank", "", "rank(Tensor self, int k, Device\? device=None) -> (Tensor, Tensor, int)",
    &_signatures::s40e0758b_fe9722ae, acme_rank_kernels, 2, 0x0u);
::std::tuple<at::Tensor,at::Tensor,int64_t> acme_rank::call(const at::Tensor & self, int64_t k, ::std::optional<at::Device> device) {
  return entry.call<::std::tuple<at::Tensor,at::Tensor,int64_t>(const at::Tensor &, int64_t, ::std::optional<at::Device>)>(self, k, device);
}
::std::tuple<at::Tensor,at::Tensor,int64_t> acme_rank::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, int64_t k, ::std::optional<at::Device> device) {
  return entry.redispatch<::std::tuple<at::Tensor,at::Tensor,int64_t>(const at::Tensor &, int64_t, ::std::optional<at::Device>)>(dispatchKeySet, self, k, device);
}

static const c10::StaticKernel blend_kernels[] = {
    {c10::DispatchKey::CompositeImplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeImplicitAutograd_blend)},
};
constinit c10::OperatorEntry blend::entry("aten::blend", "", "blend(Tensor self, Tensor\? weight=None, *, float eps=1.0000000000000001e-05, str mode=\"mean\") -> Tensor",
    &_signatures::s8ac294b1_ee252013, blend_kernels, 1, 0x80000u);
at::Tensor blend::call(const at::Tensor & self, const ::std::optional<at::Tensor> & weight, double eps, c10::string_view mode) {
  return entry.call<at::Tensor(const at::Tensor &, const ::std::optional<at::Tensor> &, double, c10::string_view)>(self, weight, eps, mode);
}
at::Tensor blend::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const ::std::optional<at::Tensor> & weight, double eps, c10::string_view mode) {
  return entry.redispatch<at::Tensor(const at::Tensor &, const ::std::optional<at::Tensor> &, double, c10::string_view)>(dispatchKeySet, self, weight, eps, mode);
}

static const c10::StaticKernel fold_dim_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_fold_dim)},
    {c10::DispatchKey::Meta, reinterpret_cast<c10::AnyKernel>(&kernels::Meta_fold_dim)},
    {c10::DispatchKey::CompositeExplicitAutogradNonFunctional, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutogradNonFunctional_fold_dim)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_fold_dim)},
};
constinit c10::OperatorEntry fold_dim::entry("aten::fold", "dim", "fold.dim(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
    &_signatures::s2d400e5a_68b317fa, fold_dim_kernels, 4, 0x80000u);
::std::tuple<at::Tensor,at::Tensor> fold_dim::call(const at::Tensor & self, int64_t dim, bool keepdim) {
  return entry.call<::std::tuple<at::Tensor,at::Tensor>(const at::Tensor &, int64_t, bool)>(self, dim, keepdim);
}
::std::tuple<at::Tensor,at::Tensor> fold_dim::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, int64_t dim, bool keepdim) {
  return entry.redispatch<::std::tuple<at::Tensor,at::Tensor>(const at::Tensor &, int64_t, bool)>(dispatchKeySet, self, dim, keepdim);
}

static const c10::StaticKernel fold_dim_out_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_fold_dim_out)},
    {c10::DispatchKey::Meta, reinterpret_cast<c10::AnyKernel>(&kernels::Meta_fold_dim_out)},
    {c10::DispatchKey::PrivateUse1, reinterpret_cast<c10::AnyKernel>(&kernels::PrivateUse1_fold_dim_out)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_fold_dim_out)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_fold_dim_out)},
};
constinit c10::OperatorEntry fold_dim_out::entry("aten::fold", "dim_out", "fold.dim_out(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
    &_signatures::s44368353_d8e62132, fold_dim_out_kernels, 5, 0x80010u);
::std::tuple<at::Tensor &,at::Tensor &> fold_dim_out::call(const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices) {
  return entry.call<::std::tuple<at::Tensor &,at::Tensor &>(const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &)>(self, dim, keepdim, values, indices);
}
::std::tuple<at::Tensor &,at::Tensor &> fold_dim_out::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices) {
  return entry.redispatch<::std::tuple<at::Tensor &,at::Tensor &>(const at::Tensor &, int64_t, bool, at::Tensor &, at::Tensor &)>(dispatchKeySet, self, dim, keepdim, values, indices);
}

static const c10::StaticKernel gauss_out_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_gauss_out)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_gauss_out)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_gauss_out)},
};
constinit c10::OperatorEntry gauss_out::entry("aten::gauss", "out", "gauss.out(Tensor mean, float std=1., *, Generator\? generator=None, Tensor(a!) out) -> Tensor(a!)",
    &_signatures::s56e43846_f91b1d19, gauss_out_kernels, 3, 0x80810u);
at::Tensor & gauss_out::call(const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out) {
  return entry.call<at::Tensor &(const at::Tensor &, double, ::std::optional<at::Generator>, at::Tensor &)>(mean, std, generator, out);
}
at::Tensor & gauss_out::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out) {
  return entry.redispatch<at::Tensor &(const at::Tensor &, double, ::std::optional<at::Generator>, at::Tensor &)>(dispatchKeySet, mean, std, generator, out);
}

static const c10::StaticKernel join_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_join)},
    {c10::DispatchKey::Meta, reinterpret_cast<c10::AnyKernel>(&kernels::Meta_join)},
    {c10::DispatchKey::CompositeExplicitAutogradNonFunctional, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutogradNonFunctional_join)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_join)},
};
constinit c10::OperatorEntry join::entry("aten::join", "", "join(Tensor[] tensors, int dim=0) -> Tensor",
    &_signatures::s4adf9fb1_9420103d, join_kernels, 4, 0x80000u);
at::Tensor join::call(const at::ITensorListRef & tensors, int64_t dim) {
  return entry.call<at::Tensor(const at::ITensorListRef &, int64_t)>(tensors, dim);
}
at::Tensor join::redispatch(c10::DispatchKeySet dispatchKeySet, const at::ITensorListRef & tensors, int64_t dim) {
  return entry.redispatch<at::Tensor(const at::ITensorListRef &, int64_t)>(dispatchKeySet, tensors, dim);
}

static const c10::StaticKernel join_out_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_join_out)},
    {c10::DispatchKey::Meta, reinterpret_cast<c10::AnyKernel>(&kernels::Meta_join_out)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_join_out)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_join_out)},
};
constinit c10::OperatorEntry join_out::entry("aten::join", "out", "join.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)",
    &_signatures::s70b0aa34_af0b14d9, join_out_kernels, 4, 0x80010u);
at::Tensor & join_out::call(const at::ITensorListRef & tensors, int64_t dim, at::Tensor & out) {
  return entry.call<at::Tensor &(const at::ITensorListRef &, int64_t, at::Tensor &)>(tensors, dim, out);
}
at::Tensor & join_out::redispatch(c10::DispatchKeySet dispatchKeySet, const at::ITensorListRef & tensors, int64_t dim, at::Tensor & out) {
  return entry.redispatch<at::Tensor &(const at::ITensorListRef &, int64_t, at::Tensor &)>(dispatchKeySet, tensors, dim, out);
}

static const c10::StaticKernel join_masks_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_join_masks)},
    {c10::DispatchKey::QuantizedCPU, reinterpret_cast<c10::AnyKernel>(&kernels::QuantizedCPU_join_masks)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_join_masks)},
};
constinit c10::OperatorEntry join_masks::entry("aten::join", "masks", "join.masks(Tensor self, Tensor\?[] masks) -> Tensor[]",
    &_signatures::sa5df5d33_eba11fa5, join_masks_kernels, 3, 0x80000u);
::std::vector<at::Tensor> join_masks::call(const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks) {
  return entry.call<::std::vector<at::Tensor>(const at::Tensor &, const c10::List<::std::optional<at::Tensor>> &)>(self, masks);
}
::std::vector<at::Tensor> join_masks::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks) {
  return entry.redispatch<::std::vector<at::Tensor>(const at::Tensor &, const c10::List<::std::optional<at::Tensor>> &)>(dispatchKeySet, self, masks);
}

static const c10::StaticKernel pour__kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_pour_)},
    {c10::DispatchKey::Meta, reinterpret_cast<c10::AnyKernel>(&kernels::Meta_pour_)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_pour_)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_pour_)},
};
constinit c10::OperatorEntry pour_::entry("aten::pour_", "", "pour_(Tensor(a!) self, Tensor source, bool non_blocking=False) -> Tensor(a!)",
    &_signatures::s447827e7_cef41589, pour__kernels, 4, 0x80008u);
const at::Tensor & pour_::call(const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  return entry.call<const at::Tensor &(const at::Tensor &, const at::Tensor &, bool)>(self, source, non_blocking);
}
const at::Tensor & pour_::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  return entry.redispatch<const at::Tensor &(const at::Tensor &, const at::Tensor &, bool)>(dispatchKeySet, self, source, non_blocking);
}

static const c10::StaticKernel pour_out_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_pour_out)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_pour_out)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_pour_out)},
};
constinit c10::OperatorEntry pour_out::entry("aten::pour", "out", "pour.out(Tensor self, Tensor source, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)",
    &_signatures::s3ef15b80_c66d1c26, pour_out_kernels, 3, 0x80110u);
const at::Tensor & pour_out::call(const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out) {
  return entry.call<const at::Tensor &(const at::Tensor &, const at::Tensor &, bool, const at::Tensor &)>(self, source, non_blocking, out);
}
const at::Tensor & pour_out::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out) {
  return entry.redispatch<const at::Tensor &(const at::Tensor &, const at::Tensor &, bool, const at::Tensor &)>(dispatchKeySet, self, source, non_blocking, out);
}

static const c10::StaticKernel pour_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_pour)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_pour)},
};
constinit c10::OperatorEntry pour::entry("aten::pour", "", "pour(Tensor self, Tensor source, bool non_blocking=False) -> Tensor",
    &_signatures::sb3021681_2dbe12fc, pour_kernels, 2, 0x80100u);
at::Tensor pour::call(const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  return entry.call<at::Tensor(const at::Tensor &, const at::Tensor &, bool)>(self, source, non_blocking);
}
at::Tensor pour::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  return entry.redispatch<at::Tensor(const at::Tensor &, const at::Tensor &, bool)>(dispatchKeySet, self, source, non_blocking);
}

constinit c10::OperatorEntry probe::entry("aten::probe", "", "probe(Tensor self) -> bool",
    &_signatures::s01160278_6eaf084f, nullptr, 0, 0x80000u);
bool probe::call(const at::Tensor & self) {
  return entry.call<bool(const at::Tensor &)>(self);
}
bool probe::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self) {
  return entry.redispatch<bool(const at::Tensor &)>(dispatchKeySet, self);
}

static const c10::StaticKernel ramp_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_ramp)},
    {c10::DispatchKey::Meta, reinterpret_cast<c10::AnyKernel>(&kernels::Meta_ramp)},
    {c10::DispatchKey::BackendSelect, reinterpret_cast<c10::AnyKernel>(&kernels::BackendSelect_ramp)},
};
constinit c10::OperatorEntry ramp::entry("aten::ramp", "", "ramp(SymInt n, Scalar step=1, *, ScalarType\? dtype=None, Layout\? layout=None, Device\? device=None, bool\? pin_memory=None) -> Tensor",
    &_signatures::s2e48439b_7c5535f3, ramp_kernels, 3, 0x80000u);
at::Tensor ramp::call(c10::SymInt n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return entry.call<at::Tensor(c10::SymInt, const at::Scalar &, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>)>(n, step, dtype, layout, device, pin_memory);
}
at::Tensor ramp::redispatch(c10::DispatchKeySet dispatchKeySet, c10::SymInt n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return entry.redispatch<at::Tensor(c10::SymInt, const at::Scalar &, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>)>(dispatchKeySet, n, step, dtype, layout, device, pin_memory);
}

static const c10::StaticKernel ramp_out_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_ramp_out)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_ramp_out)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_ramp_out)},
};
constinit c10::OperatorEntry ramp_out::entry("aten::ramp", "out", "ramp.out(SymInt n, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)",
    &_signatures::sf7f3e0b0_3c6012c6, ramp_out_kernels, 3, 0x80110u);
at::Tensor & ramp_out::call(c10::SymInt n, const at::Scalar & step, at::Tensor & out) {
  return entry.call<at::Tensor &(c10::SymInt, const at::Scalar &, at::Tensor &)>(n, step, out);
}
at::Tensor & ramp_out::redispatch(c10::DispatchKeySet dispatchKeySet, c10::SymInt n, const at::Scalar & step, at::Tensor & out) {
  return entry.redispatch<at::Tensor &(c10::SymInt, const at::Scalar &, at::Tensor &)>(dispatchKeySet, n, step, out);
}

static const c10::StaticKernel scale_Tensor_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_scale_Tensor)},
    {c10::DispatchKey::Meta, reinterpret_cast<c10::AnyKernel>(&kernels::Meta_scale_Tensor)},
    {c10::DispatchKey::CompositeExplicitAutogradNonFunctional, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutogradNonFunctional_scale_Tensor)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_scale_Tensor)},
};
constinit c10::OperatorEntry scale_Tensor::entry("aten::scale", "Tensor", "scale.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    &_signatures::sac39f5f0_5cff177c, scale_Tensor_kernels, 4, 0x80000u);
at::Tensor scale_Tensor::call(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  return entry.call<at::Tensor(const at::Tensor &, const at::Tensor &, const at::Scalar &)>(self, other, alpha);
}
at::Tensor scale_Tensor::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  return entry.redispatch<at::Tensor(const at::Tensor &, const at::Tensor &, const at::Scalar &)>(dispatchKeySet, self, other, alpha);
}

static const c10::StaticKernel scale__Tensor_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_scale__Tensor)},
    {c10::DispatchKey::Meta, reinterpret_cast<c10::AnyKernel>(&kernels::Meta_scale__Tensor)},
    {c10::DispatchKey::CompositeExplicitAutogradNonFunctional, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutogradNonFunctional_scale__Tensor)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_scale__Tensor)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_scale__Tensor)},
};
constinit c10::OperatorEntry scale__Tensor::entry("aten::scale_", "Tensor", "scale_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
    &_signatures::s8c631a58_dacd157b, scale__Tensor_kernels, 5, 0x80008u);
at::Tensor & scale__Tensor::call(at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  return entry.call<at::Tensor &(at::Tensor &, const at::Tensor &, const at::Scalar &)>(self, other, alpha);
}
at::Tensor & scale__Tensor::redispatch(c10::DispatchKeySet dispatchKeySet, at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha) {
  return entry.redispatch<at::Tensor &(at::Tensor &, const at::Tensor &, const at::Scalar &)>(dispatchKeySet, self, other, alpha);
}

static const c10::StaticKernel scale_out_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_scale_out)},
    {c10::DispatchKey::Meta, reinterpret_cast<c10::AnyKernel>(&kernels::Meta_scale_out)},
    {c10::DispatchKey::SparseCPU, reinterpret_cast<c10::AnyKernel>(&kernels::SparseCPU_scale_out)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_scale_out)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_scale_out)},
};
constinit c10::OperatorEntry scale_out::entry("aten::scale", "out", "scale.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
    &_signatures::s0f2d0496_e3a61c18, scale_out_kernels, 5, 0x80010u);
at::Tensor & scale_out::call(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out) {
  return entry.call<at::Tensor &(const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &)>(self, other, alpha, out);
}
at::Tensor & scale_out::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, at::Tensor & out) {
  return entry.redispatch<at::Tensor &(const at::Tensor &, const at::Tensor &, const at::Scalar &, at::Tensor &)>(dispatchKeySet, self, other, alpha, out);
}

static const c10::StaticKernel special_knots_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_special_knots)},
    {c10::DispatchKey::BackendSelect, reinterpret_cast<c10::AnyKernel>(&kernels::BackendSelect_special_knots)},
};
constinit c10::OperatorEntry special_knots::entry("aten::special_knots", "", "special_knots(int n, *, ScalarType\? dtype=None, Layout\? layout=None, Device\? device=None, bool\? pin_memory=None) -> Tensor",
    &_signatures::sde45b89d_243c2e67, special_knots_kernels, 2, 0x80000u);
at::Tensor special_knots::call(int64_t n, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return entry.call<at::Tensor(int64_t, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>)>(n, dtype, layout, device, pin_memory);
}
at::Tensor special_knots::redispatch(c10::DispatchKeySet dispatchKeySet, int64_t n, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  return entry.redispatch<at::Tensor(int64_t, ::std::optional<at::ScalarType>, ::std::optional<at::Layout>, ::std::optional<at::Device>, ::std::optional<bool>)>(dispatchKeySet, n, dtype, layout, device, pin_memory);
}

static const c10::StaticKernel turn_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_turn)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_turn)},
    {c10::DispatchKey::AutogradCUDA, reinterpret_cast<c10::AnyKernel>(&kernels::AutogradCUDA_turn)},
};
constinit c10::OperatorEntry turn::entry("aten::turn", "", "turn(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor",
    &_signatures::s692bab10_d37c161f, turn_kernels, 3, 0x80000u);
at::Tensor turn::call(const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims) {
  return entry.call<at::Tensor(const at::Tensor &, at::IntArrayRef, at::IntArrayRef)>(self, shifts, dims);
}
at::Tensor turn::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims) {
  return entry.redispatch<at::Tensor(const at::Tensor &, at::IntArrayRef, at::IntArrayRef)>(dispatchKeySet, self, shifts, dims);
}

static const c10::StaticKernel turn_out_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_turn_out)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_turn_out)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_turn_out)},
};
constinit c10::OperatorEntry turn_out::entry("aten::turn", "out", "turn.out(Tensor self, int[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)",
    &_signatures::s7690dd10_45781abb, turn_out_kernels, 3, 0x80110u);
at::Tensor & turn_out::call(const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims, at::Tensor & out) {
  return entry.call<at::Tensor &(const at::Tensor &, at::IntArrayRef, at::IntArrayRef, at::Tensor &)>(self, shifts, dims, out);
}
at::Tensor & turn_out::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims, at::Tensor & out) {
  return entry.redispatch<at::Tensor &(const at::Tensor &, at::IntArrayRef, at::IntArrayRef, at::Tensor &)>(dispatchKeySet, self, shifts, dims, out);
}

static const c10::StaticKernel update_kernels[] = {
    {c10::DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&kernels::CPU_update)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_update)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_update)},
};
constinit c10::OperatorEntry update::entry("aten::update", "", "update(Tensor self, Tensor(a!) running, float momentum=0.10000000000000001) -> Tensor",
    &_signatures::sf7a90329_ddc21184, update_kernels, 3, 0x80000u);
at::Tensor update::call(const at::Tensor & self, at::Tensor & running, double momentum) {
  return entry.call<at::Tensor(const at::Tensor &, at::Tensor &, double)>(self, running, momentum);
}
at::Tensor update::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, at::Tensor & running, double momentum) {
  return entry.redispatch<at::Tensor(const at::Tensor &, at::Tensor &, double)>(dispatchKeySet, self, running, momentum);
}

static const c10::StaticKernel update_out_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_update_out)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_update_out)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_update_out)},
};
constinit c10::OperatorEntry update_out::entry("aten::update", "out", "update.out(Tensor self, Tensor(a!) running, float momentum=0.10000000000000001, *, Tensor(b!) out) -> Tensor(b!)",
    &_signatures::sa95e147b_0bfc1620, update_out_kernels, 3, 0x80110u);
at::Tensor & update_out::call(const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out) {
  return entry.call<at::Tensor &(const at::Tensor &, at::Tensor &, double, at::Tensor &)>(self, running, momentum, out);
}
at::Tensor & update_out::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out) {
  return entry.redispatch<at::Tensor &(const at::Tensor &, at::Tensor &, double, at::Tensor &)>(dispatchKeySet, self, running, momentum, out);
}

static const c10::StaticKernel update_functional_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_update_functional)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_update_functional)},
};
constinit c10::OperatorEntry update_functional::entry("aten::update_functional", "", "update_functional(Tensor self, Tensor running, float momentum=0.10000000000000001) -> (Tensor, Tensor running_out)",
    &_signatures::s9a597ae6_c6131c92, update_functional_kernels, 2, 0x80100u);
::std::tuple<at::Tensor,at::Tensor> update_functional::call(const at::Tensor & self, const at::Tensor & running, double momentum) {
  return entry.call<::std::tuple<at::Tensor,at::Tensor>(const at::Tensor &, const at::Tensor &, double)>(self, running, momentum);
}
::std::tuple<at::Tensor,at::Tensor> update_functional::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const at::Tensor & running, double momentum) {
  return entry.redispatch<::std::tuple<at::Tensor,at::Tensor>(const at::Tensor &, const at::Tensor &, double)>(dispatchKeySet, self, running, momentum);
}

static const c10::StaticKernel window_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_window)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_window)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_window)},
};
constinit c10::OperatorEntry window::entry("aten::window", "", "window(Tensor(a) self, SymInt[] size, SymInt\? offset=None) -> Tensor(a)",
    &_signatures::se969f81b_701b1b66, window_kernels, 3, 0x80000u);
at::Tensor window::call(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  return entry.call<at::Tensor(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>)>(self, size, offset);
}
at::Tensor window::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  return entry.redispatch<at::Tensor(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>)>(dispatchKeySet, self, size, offset);
}

static const c10::StaticKernel window_copy_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutogradNonFunctional, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutogradNonFunctional_window_copy)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_window_copy)},
};
constinit c10::OperatorEntry window_copy::entry("aten::window_copy", "", "window_copy(Tensor self, SymInt[] size, SymInt\? offset=None) -> Tensor",
    &_signatures::se969f81b_701b1b66, window_copy_kernels, 2, 0x80080u);
at::Tensor window_copy::call(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  return entry.call<at::Tensor(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>)>(self, size, offset);
}
at::Tensor window_copy::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  return entry.redispatch<at::Tensor(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>)>(dispatchKeySet, self, size, offset);
}

static const c10::StaticKernel window_copy_out_kernels[] = {
    {c10::DispatchKey::CompositeExplicitAutograd, reinterpret_cast<c10::AnyKernel>(&kernels::CompositeExplicitAutograd_window_copy_out)},
    {c10::DispatchKey::Autograd, reinterpret_cast<c10::AnyKernel>(&kernels::Autograd_window_copy_out)},
    {c10::DispatchKey::ADInplaceOrView, reinterpret_cast<c10::AnyKernel>(&kernels::ADInplaceOrView_window_copy_out)},
};
constinit c10::OperatorEntry window_copy_out::entry("aten::window_copy", "out", "window_copy.out(Tensor self, SymInt[] size, SymInt\? offset=None, *, Tensor(a!) out) -> Tensor(a!)",
    &_signatures::sf67ad3b0_309f2002, window_copy_out_kernels, 3, 0x80190u);
at::Tensor & window_copy_out::call(const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out) {
  return entry.call<at::Tensor &(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>, at::Tensor &)>(self, size, offset, out);
}
at::Tensor & window_copy_out::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out) {
  return entry.redispatch<at::Tensor &(const at::Tensor &, c10::SymIntArrayRef, ::std::optional<c10::SymInt>, at::Tensor &)>(dispatchKeySet, self, size, offset, out);
}

}  // namespace _ops
}  // namespace at::inline C10_ABI
